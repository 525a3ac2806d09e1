// The client that a sign-in is for, so that pages on the way can show its name and logo.

import type { Destination } from '../../protocol/sign-in/destination.ts';
import type { Client } from '../../storage/storage.ts';
import type { Services } from '../services.ts';

/** Undefined on the way to a page of the service, and when the client has been deleted meanwhile. */
export async function findDestinationClient(
  services: Pick<Services, 'storage'>,
  destination: Destination,
): Promise<Client | undefined> {
  return destination.kind === 'authorization' ? services.storage.findClient(destination.clientId) : undefined;
}
