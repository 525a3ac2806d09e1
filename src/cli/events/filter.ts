// The options that say which events are meant, for listing and exporting them alike.

import type { EventsQuery } from '../../operations/events/events.ts';
import { makeEverythingSearchable } from '../../operations/housekeeping/sweep.ts';
import type { Services } from '../../operations/services.ts';
import { eventKinds } from '../../protocol/event.ts';
import { includes } from '../../protocol/reading/includes.ts';
import { UsageError } from '../command.ts';
import type { Given } from '../frame/spec.ts';
import { didYouMean } from '../frame/suggest.ts';
import { readMoment } from './time.ts';

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
  failures: { about: 'only what has failed' },
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
