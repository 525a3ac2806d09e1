// What owners see of their applications: which ones they are, and what happens in them, without what is other people's business.

import type { Total } from '../../protocol/admin/totals.ts';
import type { EventDetail } from '../../protocol/event.ts';
import type { Client } from '../../storage/storage.ts';
import type { Outcome } from '../admin/outcome.ts';
import { findEach, type ListPage } from '../admin/paging.ts';
import { type EventNames, type ExplainedEvent, listExplainedEvents } from '../events/events.ts';
import type { Recording, Timing } from '../services.ts';
import { findClient } from './clients.ts';
import { countPeopleWithAccess } from './people-with-access.ts';

export interface OwnedClient extends Client {
  /** Who can use it; of one that everyone can use, who has connected it. */
  readonly people: Total;
}

/** The applications of someone who owns some, by name. */
export async function listOwnedClients(services: Timing, owned: Iterable<string>): Promise<OwnedClient[]> {
  const clients = await findEach([...owned], (id) => services.storage.findClient(id));
  const counted = await Promise.all(
    clients.map(async (client) => ({ ...client, people: await countPeopleWithAccess(services, client) })),
  );
  return counted.toSorted((a, b) => a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1));
}

/** What a detail can be that says something about the application or someone's access to it. */
const shownDetails = ['reason', 'reasons', 'error', 'group', 'expires_at', 'access', 'consent'];

export interface OwnedEventsRequest {
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
  readonly failures?: boolean | undefined;
}

/** The events about an application, the newest first, without IP addresses, devices, requests, and what only its administrators set. */
export async function listOwnedEvents(
  services: Recording,
  clientId: string,
  request: OwnedEventsRequest,
): Outcome<{ client: Client; events: ListPage<ExplainedEvent>; names: EventNames }> {
  const found = await findClient(services, clientId);
  if (found.kind === 'refused') return found;
  // As someone sees them who looks after applications.
  const authority = { roles: ['applications'] } as const;
  const listed = await listExplainedEvents(services, { ...request, client: { id: clientId }, authority });
  if (listed.kind === 'refused') return listed;
  const { names, ...events } = listed;
  return { ...found, events: { ...events, items: events.items.map(shownToOwners) }, names };
}

function shownToOwners({ traceId: _, actor, detail = {}, ...event }: ExplainedEvent): ExplainedEvent {
  const shown = Object.entries(detail).filter(([name]) => shownDetails.includes(name));
  return {
    ...event,
    address: '',
    requestId: '',
    mismatch: undefined,
    detail: Object.fromEntries(shown) as EventDetail,
    ...(actor?.kind === 'administrator' && { actor }),
  };
}
