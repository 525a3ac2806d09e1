// An administrator revokes a client, restores it, or deletes it. All of its tokens fail from the next request on.

import type { EventKind, EventRecord, Requester } from '../../protocol/event.ts';
import type { Client } from '../../storage/storage.ts';
import { type Outcome, refused } from '../admin/outcome.ts';
import { isRevocationCause } from '../meters.ts';
import type { Metering, Recording } from '../services.ts';
import { findClient, noSuchClient } from './clients.ts';

type RevocationServices = Recording & Metering;

type Changed = Outcome<{ client: Client }>;

export function revokeClient(services: RevocationServices, clientId: string, requester: Requester): Changed {
  return changeClientState(services, clientId, 'client_revoked', 'is revoked already', requester, (now, event) =>
    services.storage.revokeClient(clientId, now, event),
  );
}

/** Brings no token and no consent back. */
export function restoreClient(services: RevocationServices, clientId: string, requester: Requester): Changed {
  return changeClientState(services, clientId, 'client_restored', 'is not revoked', requester, (now, event) =>
    services.storage.restoreClient(clientId, now, event),
  );
}

export async function deleteClient(services: Recording & Metering, clientId: string, requester: Requester): Changed {
  const found = await findClient(services, clientId);
  if (found.kind === 'refused') return found;
  const detail = { name: found.client.name };
  const event = services.journal.event({ kind: 'client_deleted', clientId, detail }, requester);
  if (!(await services.storage.deleteClient(clientId, event))) return noSuchClient(clientId);
  services.meters.revocations.add({ cause: 'client_deleted' });
  return found;
}

/**
 * The one way to change the state of a client: write the change together with its event, and explain it when nothing could
 * be changed. `unchanged` completes a sentence that starts with the client ID, for a change that made no
 * difference.
 */
export async function changeClientState(
  services: Recording & Metering,
  clientId: string,
  kind: EventKind,
  unchanged: string,
  requester: Requester,
  apply: (now: number, event: EventRecord) => Promise<boolean>,
): Outcome<{ client: Client }> {
  const event = services.journal.event({ kind, clientId }, requester);
  const done = await apply(services.clock.now(), event);
  if (done && isRevocationCause(kind)) services.meters.revocations.add({ cause: kind });
  const found = await findClient(services, clientId);
  return done || found.kind === 'refused' ? found : refused(`${clientId} ${unchanged}`, 'conflict');
}
