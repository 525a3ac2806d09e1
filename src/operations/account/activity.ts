// What happened to a user's account, newest first, a page at a time.

import type { EventRecord } from '../../protocol/event.ts';
import type { SignedIn } from '../../storage/storage.ts';
import { findEach, namesById } from '../admin/paging.ts';
import type { Recording } from '../services.ts';

const pageLength = 100;
const eventId = /^[0-9a-z]{26}$/;

export interface ActivityPage {
  readonly events: readonly EventRecord[];
  /** Names of the clients that the events mention, by client ID. Clients that were deleted are missing. */
  readonly clientNames: ReadonlyMap<string, string>;
  /** The event after which the next page begins; undefined on the last page. */
  readonly older: string | undefined;
}

/** `before` comes from the query string: anything that is not the ID of an event means the first page. */
export async function readActivity(services: Recording, { user }: SignedIn, before: string): Promise<ActivityPage> {
  const events = await eventsBefore(services, user.id, eventId.test(before) ? before : undefined);
  const clientIds = events.flatMap(({ clientId }) => clientId ?? []);
  const clientNames = namesById(await findEach(clientIds, (id) => services.storage.findClient(id)));
  return { events, clientNames, older: events.length === pageLength ? events.at(-1)?.id : undefined };
}

/** Everything up to now, a page at a time, so that it never has to fit into memory. */
export async function* allActivity(services: Recording, userId: string): AsyncGenerator<readonly EventRecord[], void> {
  let page = await eventsBefore(services, userId, undefined);
  for (;;) {
    yield page;
    if (page.length < pageLength) return;
    page = await services.storage.findEvents({ userId, beforeId: page.at(-1)?.id }, pageLength);
  }
}

async function eventsBefore(services: Recording, userId: string, beforeId: string | undefined): Promise<EventRecord[]> {
  await services.journal.flush();
  return services.storage.findEvents({ userId, beforeId }, pageLength);
}
