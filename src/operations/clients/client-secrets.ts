// An administrator rotates a client's secret without downtime: the previous one keeps working until it's retired.

import { digestOf } from '../../protocol/digest.ts';
import type { Requester } from '../../protocol/event.ts';
import { newSecret } from '../../protocol/identifiers.ts';
import type { Client, ClientSecret } from '../../storage/storage.ts';
import { type Outcome, refused } from '../admin/outcome.ts';
import type { Metering, Recording, Services } from '../services.ts';
import { changedMeanwhile, findClient } from './clients.ts';
import { changeClientState } from './revoke-client.ts';

/** `retired` is the secret before the previous one, if there was one. It no longer works. */
export async function rotateClientSecret(
  services: Recording & Pick<Services, 'random'>,
  clientId: string,
  requester: Requester,
): Outcome<{ client: Client; secret: string; retired: ClientSecret | undefined }> {
  const { storage, clock, random, journal } = services;
  const found = await findClient(services, clientId);
  if (found.kind === 'refused') return found;
  if (found.client.isPublic) return refused(`${clientId} is a public client and has no secret`, 'conflict');
  const [, retired] = found.client.secrets;
  const secret = newSecret('lk_secret_', random);
  const event = journal.event({ kind: 'client_secret_rotated', clientId }, requester);
  const rotated = await storage.rotateClientSecret(clientId, digestOf(secret), clock.now(), event);
  if (!rotated) return changedMeanwhile(clientId);
  const updated = await findClient(services, clientId);
  return updated.kind === 'done' ? { ...updated, secret, retired } : updated;
}

export function retireOldSecret(
  services: Recording & Metering,
  clientId: string,
  requester: Requester,
): Outcome<{ client: Client }> {
  return changeClientState(services, clientId, 'client_secret_retired', 'has no old secret', requester, (now, event) =>
    services.storage.retireOldSecret(clientId, now, event),
  );
}
