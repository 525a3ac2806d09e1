// The options that say which events are meant, for listing and exporting them alike.

import type { EventsQuery } from '../../operations/events/events.ts';
import { makeEverythingSearchable } from '../../operations/housekeeping/upkeep.ts';
import type { Services } from '../../operations/services.ts';
import { eventKinds } from '../../protocol/events/kinds.ts';
import { includes } from '../../protocol/reading/includes.ts';
import { UsageError } from '../command.ts';
import type { Given } from '../frame/spec.ts';
import { didYouMean } from '../frame/suggest.ts';

/** Processes don't write events in the exact order of their IDs: one that is this much older may still appear. */
export const lateness = 10_000;

const times = '90m, 2h, 7d, 2026-01-31 or 2026-01-31T12:00Z';

export const filterOptions = {
  kind: { value: 'KIND', values: eventKinds, many: true, about: 'only this kind, such as sign_in_failed' },
  user: { value: 'PERSON', completes: 'person', about: 'only about this person: an email address, username or ID' },
  client: {
    value: 'APPLICATION',
    completes: 'client',
    about: 'only about this application: a client ID, a name or part of one',
  },
  since: { value: 'TIME', about: `only from then on: ${times}` },
  failures: { about: 'failures only' },
} as const;

type FilterValues = Given<typeof filterOptions, Record<never, never>>['values'];
type Filter = Pick<EventsQuery, 'kinds' | 'user' | 'client' | 'since' | 'failures'>;

/** What was typed, checked before the store is opened. */
export function readFilter({ kind: kinds, user, client, since, failures }: FilterValues, now: number): Filter {
  for (const kind of kinds ?? []) {
    if (!includes(eventKinds, kind)) {
      throw new UsageError(`unknown kind of event "${kind}"${didYouMean(kind, eventKinds)}`);
    }
  }
  return { kinds, user, client, failures, since: readTimeOption('since', since, now) };
}

export function readTimeOption(name: string, text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const at = readMoment(text, now);
  if (at === undefined) throw new UsageError(`--${name} must be a time, such as ${times}`);
  return at;
}

/** Applications are found by name in a table that a store from 0.3.0 may not have filled yet. */
export async function prepareFor(services: Services, { client }: Filter): Promise<void> {
  if (client !== undefined) await makeEverythingSearchable(services);
}

/** In seconds. */
const units = { s: 1, m: 60, h: 3600, d: 86_400, w: 7 * 86_400 } as const;
const ago = /^(\d{1,6})([smhdw])$/;
const exact = /^(\d{4}-\d{2}-(\d{2}))(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)(Z|[+-]\d{2}:\d{2})?)?$/i;

/** In milliseconds; undefined if the text is no time. A time without a time zone is in UTC, like a day of the console. */
export function readMoment(text: string, now: number): number | undefined {
  const [, count, unit] = ago.exec(text) ?? [];
  if (count !== undefined) return now - Number(count) * units[unit as keyof typeof units] * 1000;
  const [, date = '', day, time = '00:00', zone = 'Z'] = exact.exec(text) ?? [];
  // February 31 would be a day in March.
  if (new Date(`${date}T00:00Z`).getUTCDate() !== Number(day)) return undefined;
  const at = Date.parse(`${date}T${time}${zone}`);
  return Number.isNaN(at) ? undefined : at;
}
