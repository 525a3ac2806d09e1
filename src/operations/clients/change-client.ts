// The one way administrators change the state of a client: write the change together with its event, and explain it
// when nothing could be changed.

import type { EventKind, EventRecord, Requester } from '../../protocol/event.ts';
import type { Client } from '../../storage/storage.ts';
import { type AdminOutcome, refused } from '../admin/outcome.ts';
import { isRevocationCause } from '../meters.ts';
import type { Services } from '../services.ts';
import { findClient } from './clients.ts';

/** `unchanged` completes a sentence that starts with the client ID, for a change that made no difference. */
export async function changeClientState(
  services: Pick<Services, 'storage' | 'clock' | 'journal' | 'meters'>,
  clientId: string,
  kind: EventKind,
  unchanged: string,
  requester: Requester,
  apply: (now: number, event: EventRecord) => Promise<boolean>,
): Promise<AdminOutcome<{ client: Client }>> {
  const event = services.journal.event({ kind, clientId }, requester);
  const done = await apply(services.clock.now(), event);
  if (done && isRevocationCause(kind)) services.meters.revocations.add({ cause: kind });
  const found = await findClient(services, clientId);
  return done || found.kind === 'refused' ? found : refused(`${clientId} ${unchanged}`, 'conflict');
}
