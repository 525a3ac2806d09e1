// The console's one search: people, applications, groups and events, as far as the one who searches may read them. Each is
// looked up as its own list does, a few rows at a time.

import { type Authority, may } from '../../protocol/admin/rights.ts';
import type { Total } from '../../protocol/admin/totals.ts';
import type { EventRecord } from '../../protocol/event.ts';
import type { Client, Group, ListedUser } from '../../storage/storage.ts';
import type { AdminOutcome } from '../admin/outcome.ts';
import type { ListPage } from '../admin/paging.ts';
import { listClients } from '../clients/clients.ts';
import { isReference, listEvents } from '../events/events.ts';
import { listGroups } from '../groups/groups.ts';
import type { Recording } from '../services.ts';
import { listUsers } from '../users/users.ts';

/** Of each kind; its list has the others. */
const mostShown = 5;

export interface Hits<Item> {
  readonly items: readonly Item[];
  /** Whether there are others. */
  readonly more: boolean;
  /** How many there are, where that's counted. */
  readonly total?: Total | undefined;
}

export interface ConsoleHits {
  readonly people: Hits<ListedUser>;
  readonly clients: Hits<Client>;
  readonly groups: Hits<Group>;
  /** Those with this reference, trace ID or ID. */
  readonly events: Hits<EventRecord>;
}

/** What the authority doesn't include isn't looked for. */
export async function searchConsole(
  services: Recording,
  text: string,
  authority: Authority | undefined,
): Promise<ConsoleHits> {
  const search = text.trim();
  const request = { search, limit: mostShown, total: true };
  const hasText = search !== '';
  const [people, clients, groups, events] = await Promise.all([
    hasText && may(authority, 'people.read') ? listUsers(services, request) : undefined,
    hasText && may(authority, 'applications.read') ? listClients(services, request) : undefined,
    hasText && may(authority, 'groups.read') ? listGroups(services, request) : undefined,
    isReference(search) && may(authority, 'events.read')
      ? listEvents(services, { requestId: search, limit: mostShown, authority })
      : undefined,
  ]);
  return { people: hitsOf(people), clients: hitsOf(clients), groups: hitsOf(groups), events: hitsOf(events) };
}

function hitsOf<Item>(outcome: AdminOutcome<ListPage<Item>> | undefined): Hits<Item> {
  if (outcome?.kind !== 'done') return { items: [], more: false };
  return { items: outcome.items, more: outcome.next !== undefined, total: outcome.total };
}
