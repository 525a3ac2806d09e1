// Times as people read them on a terminal. A file or a pipe gets ISO 8601, which programs read.

import { DAY, HOUR, MINUTE, SECOND } from '../../protocol/durations.ts';
import { isoTime } from '../../protocol/iso-time.ts';

const units = [
  ['second', SECOND, MINUTE],
  ['minute', MINUTE, HOUR],
  ['hour', HOUR, DAY],
  ['day', DAY, 120 * DAY],
  ['month', 30.44 * DAY, 730 * DAY],
  ['year', 365.25 * DAY, Number.POSITIVE_INFINITY],
] as const;

/** Made on first use, because that takes 10 ms. */
let words: Intl.RelativeTimeFormat | undefined;

/** A time among other facts: how long ago, and exactly when in the reader's time zone. */
export function shownTime(at: number | null): string {
  if (at === null) return 'never';
  return process.stdout.isTTY ? `${relativeTime(at, Date.now())} (${localTime(at)})` : isoTime(at);
}

/** A time in a column, where there's no room for both. */
export function briefTime(at: number | null): string {
  if (at === null) return 'never';
  return process.stdout.isTTY ? relativeTime(at, Date.now()) : isoTime(at);
}

/** What follows someone whose place in a list ends. */
export function untilText(at: number | null): string {
  return at === null ? '' : `  until ${shownTime(at)}`;
}

export function relativeTime(at: number, now: number): string {
  const difference = at - now;
  if (Math.abs(difference) < SECOND) return 'just now';
  const [unit, length] = units.find(([, , below]) => Math.abs(difference) < below) ?? units[5];
  // What has passed counts when it's complete; what is to come is rounded, so that 90 days from now begin as 90 days.
  words ??= new Intl.RelativeTimeFormat('en', { numeric: 'always' });
  return words.format(difference < 0 ? Math.ceil(difference / length) : Math.round(difference / length), unit);
}

/** Such as 2026-11-16 07:55:44 +01:00. */
export function localTime(at: number): string {
  const date = new Date(at);
  const offset = -date.getTimezoneOffset();
  const shifted = new Date(at + offset * MINUTE).toISOString();
  const two = (value: number) => String(Math.floor(Math.abs(value))).padStart(2, '0');
  const zone = offset === 0 ? 'UTC' : `${offset < 0 ? '-' : '+'}${two(offset / 60)}:${two(offset % 60)}`;
  return `${shifted.slice(0, 10)} ${shifted.slice(11, 19)} ${zone}`;
}

/** How long something takes: 45 s, 3 min 20 s, 2 h 5 min. */
export function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / SECOND);
  if (seconds < 60) return `${seconds} s`;
  const [large, small] = seconds < 3600 ? [60, 1] : [3600, 60];
  const [first, second] = [Math.floor(seconds / large), Math.floor((seconds % large) / small)];
  const names = seconds < 3600 ? ['min', 's'] : ['h', 'min'];
  return `${first} ${names[0]}${second === 0 ? '' : ` ${second} ${names[1]}`}`;
}

/** How long a link works, such as 30 minutes. */
export function howLong(milliseconds: number): string {
  if (milliseconds < 2 * HOUR) return `${milliseconds / MINUTE} minutes`;
  return milliseconds <= 2 * DAY ? `${milliseconds / HOUR} hours` : `${milliseconds / DAY} days`;
}
