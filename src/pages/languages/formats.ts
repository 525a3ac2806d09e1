// Dates, lists and names of languages as each language writes them. Nobody knows the reader's time zone here, so times are
// in UTC and say so; assets/times.js shows them in the reader's own.

import { lazy } from './lazy.ts';

export interface Formats {
  readonly dates: {
    day(at: number): string;
    /** Day and time without the year. */
    hour(at: number): string;
    /** Date and time. */
    moment(at: number): string;
    /** Says of a time that it is in UTC. */
    inUtc(text: string): string;
    /** The day in words where it is today or yesterday. */
    recently(at: number, now: number): string;
  };
  list(items: readonly string[]): string;
  languageName(code: string): string;
}

const dayLength = 24 * 60 * 60 * 1000;

export function formatsFor(tag: string): Formats {
  // English dates begin with the day, as most of the world writes them.
  const dateTag = tag === 'en' ? 'en-GB' : tag;
  const day = lazy(() => new Intl.DateTimeFormat(dateTag, { dateStyle: 'long', timeZone: 'UTC' }));
  const moment = lazy(
    () => new Intl.DateTimeFormat(dateTag, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }),
  );
  const hour = lazy(
    () =>
      new Intl.DateTimeFormat(dateTag, {
        day: 'numeric',
        month: 'long',
        hour: '2-digit',
        minute: '2-digit',
        timeZone: 'UTC',
      }),
  );
  const relative = lazy(() => new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }));
  const lists = lazy(() => new Intl.ListFormat(tag));
  const languages = lazy(() => new Intl.DisplayNames([tag], { type: 'language' }));
  const inUtc = (text: string) => `${text} UTC`;
  return {
    dates: {
      day: (at) => day().format(at),
      hour: (at) => inUtc(hour().format(at)),
      moment: (at) => inUtc(moment().format(at)),
      inUtc,
      recently(at, now) {
        const days = Math.floor(at / dayLength) - Math.floor(now / dayLength);
        return days < -1 ? day().format(at) : capitalized(relative().format(Math.min(0, days), 'day'), tag);
      },
    },
    list: (items) => lists().format(items),
    languageName: (code) => languages().of(code) ?? code,
  };
}

/** It stands alone in a cell, and "gestern" there begins with a capital as any entry does. */
function capitalized(text: string, tag: string): string {
  return text.charAt(0).toLocaleUpperCase(tag) + text.slice(1);
}
