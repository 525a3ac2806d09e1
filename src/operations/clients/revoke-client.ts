// An administrator revokes a client, restores it, deletes it, or retires its old secret. All tokens of a revoked client fail
// from the next request on.

import type { EventDetail, Requester } from '../../protocol/event.ts';
import type { EventKind } from '../../protocol/events/kinds.ts';
import { lastFourDetail } from '../../protocol/resources/secret-life.ts';
import type { Client } from '../../storage/storage.ts';
import { type Outcome, refused } from '../admin/outcome.ts';
import { isRevocationCause } from '../meters.ts';
import type { Metering, Recording } from '../services.ts';
import { findClient, noSuchClient } from './clients.ts';

type Changed = Outcome<{ client: Client }>;

export const revokeClient = clientChange('client_revoked', 'revokeClient', 'is revoked already');

/** Brings no token and no consent back. */
export const restoreClient = clientChange('client_restored', 'restoreClient', 'is not revoked');

export const retireOldSecret = clientChange('client_secret_retired', 'retireOldSecret', 'has no old secret', (client) =>
  lastFourDetail(client.secrets[1]),
);

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
 * An operation that writes a change together with its event, and explains it when nothing could be changed. `unchanged`
 * completes a sentence that starts with the client ID, for a change that made no difference.
 */
function clientChange(
  kind: EventKind,
  change: 'revokeClient' | 'restoreClient' | 'retireOldSecret',
  unchanged: string,
  detailOf?: (client: Client) => EventDetail,
) {
  return async (services: Recording & Metering, clientId: string, requester: Requester): Changed => {
    const { storage, clock, journal, meters } = services;
    const client = detailOf && (await storage.findClient(clientId));
    const event = journal.event({ kind, clientId, ...(client && { detail: detailOf(client) }) }, requester);
    const done = await storage[change](clientId, clock.now(), event);
    if (done && isRevocationCause(kind)) meters.revocations.add({ cause: kind });
    const found = await findClient(services, clientId);
    return done || found.kind === 'refused' ? found : refused({ subject: clientId, says: unchanged }, 'conflict');
  };
}
