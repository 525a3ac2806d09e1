// When access ends that was given for some time: a time, a day, which ends in UTC, or so many days from now.

import { DAY } from './durations.ts';

/** What is wrong with a text that should say when something ends, worded to follow its name. */
export const endRule =
  'must be a time such as 2027-01-31T17:00Z, a date such as 2027-01-31, or days from now such as 30d';
export const endIsPast = 'must be in the future';

/** The last millisecond of a day in UTC; undefined if there's no such day. */
export function endOfDay(date: string): number | undefined {
  const start = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(date) : Number.NaN;
  // JavaScript takes February 30 for March 2.
  const exists = !Number.isNaN(start) && new Date(start).toISOString().startsWith(date);
  return exists ? start + DAY - 1 : undefined;
}

/** The last millisecond of the quarter of a year, in UTC. */
export function endOfQuarter(now: number): number {
  const day = new Date(now);
  return Date.UTC(day.getUTCFullYear(), Math.floor(day.getUTCMonth() / 3) * 3 + 3, 1) - 1;
}

/** In milliseconds since the epoch, or what is wrong with it. */
export function readEnd(text: string, now: number): number | { readonly problem: string } {
  const end = endOf(text.trim(), now);
  if (end === undefined) return { problem: endRule };
  return end > now ? end : { problem: endIsPast };
}

function endOf(text: string, now: number): number | undefined {
  const [, days] = /^(\d{1,5})d$/.exec(text) ?? [];
  if (days !== undefined) return now + Number(days) * DAY;
  const [, date, time] =
    /^(\d{4}-\d{2}-\d{2})(?:[Tt](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d{2}:\d{2})))?$/.exec(text) ?? [];
  if (date === undefined) return undefined;
  const day = endOfDay(date);
  if (time === undefined || day === undefined) return day;
  const at = Date.parse(`${date}T${time.toUpperCase()}`);
  return Number.isNaN(at) ? undefined : at;
}
