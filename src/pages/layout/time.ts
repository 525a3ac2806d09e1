// Times, in UTC as the service knows them. assets/times.js puts them into the reader's time zone, in the way that
// `data-time` names, and the exact time into a tooltip.

import type { Messages } from '../languages/languages.ts';
import { lazy } from '../languages/lazy.ts';
import { type Html, html } from './html.ts';

export function dayTime(messages: Messages, at: number): Html {
  return timeElement('day', messages.dates.inUtc(messages.dates.day(at)), at);
}

export function momentTime(messages: Messages, at: number): Html {
  return timeElement('moment', messages.dates.moment(at), at);
}

/** For charts: an hour with its day; `short` with an abbreviated month; or the time alone. */
export function hourTime(kind: 'hour' | 'short' | 'clock', text: string, at: number): Html {
  return timeElement(kind, text, at);
}

/** "Today", "Yesterday", or the day. */
export function recentTime(messages: Messages, at: number, now: number): Html {
  return timeElement('recent', messages.dates.inUtc(messages.dates.recently(at, now)), at);
}

/** A sentence with a time in it, or an address. A character that no text has marks the place. */
export function sentenceWith(part: Html, sentence: (part: string) => string): Html {
  const [before = '', after = ''] = sentence('\ue000').split('\ue000');
  return html`${before}${part}${after}`;
}

function timeElement(kind: 'day' | 'moment' | 'recent' | 'hour' | 'short' | 'clock', text: string, at: number): Html {
  return html`<time datetime="${new Date(at).toISOString()}" data-time="${kind}">${text}</time>`;
}

const steps = [
  { limit: 60_000, unit: 'second', length: 1000 },
  { limit: 3_600_000, unit: 'minute', length: 60_000 },
  { limit: 86_400_000, unit: 'hour', length: 3_600_000 },
  { limit: 30 * 86_400_000, unit: 'day', length: 86_400_000 },
] as const;

const relative = lazy(() => new Intl.RelativeTimeFormat('en', { numeric: 'auto' }));

/** "5 minutes ago", with the exact time on hover. For the console, which is in English. */
export function agoTime(messages: Messages, at: number, now: number): Html {
  const step = steps.find(({ limit }) => Math.abs(at - now) < limit);
  const text =
    step === undefined
      ? messages.dates.inUtc(messages.dates.day(at))
      : relative().format(Math.round((at - now) / step.length), step.unit);
  return html`<time datetime="${new Date(at).toISOString()}" data-time="ago" title="${messages.dates.moment(at)}">${text}</time>`;
}
