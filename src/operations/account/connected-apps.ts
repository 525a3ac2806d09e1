// A user sees which clients have access to their account, and removes one.

import type { Requester } from '../../protocol/event.ts';
import type { ConnectedApp, SignedIn } from '../../storage/storage.ts';
import type { Services } from '../services.ts';

export function connectedApps(services: Pick<Services, 'storage'>, signedIn: SignedIn): Promise<ConnectedApp[]> {
  return services.storage.listConnectedApps(signedIn.user.id);
}

/** False when the client had no access. */
export async function removeApp(
  services: Pick<Services, 'storage' | 'clock' | 'journal' | 'meters'>,
  signedIn: SignedIn,
  clientId: string,
  requester: Requester,
): Promise<boolean> {
  const { storage, clock, journal, meters } = services;
  const event = journal.event({ kind: 'app_removed', userId: signedIn.user.id, clientId }, requester);
  const removed = await storage.removeConnectedApp(signedIn.user.id, clientId, clock.now(), event);
  if (removed) meters.revocations.add({ cause: 'app_removed' });
  return removed;
}
