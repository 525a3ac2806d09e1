// People whose access has ended by itself. It's refused from that moment on; this writes it, with what follows from it.

import { eventsOfEndedRights } from '../api-keys/api-keys.ts';
import type { Metering, Recording } from '../services.ts';

const noRequester = { address: '', requestId: '' };
const batchSize = 100;

export async function endExpiredUsers(services: Recording & Metering): Promise<void> {
  const { storage, clock, journal, meters } = services;
  const now = clock.now();
  let ended: number;
  do {
    ended = 0;
    for (const userId of await storage.listExpiredUsers(now, batchSize)) {
      const event = journal.event({ kind: 'user_expired', userId }, noRequester);
      const keyEvents = await eventsOfEndedRights(services, userId, noRequester);
      if (!(await storage.expireUser(userId, now, event, keyEvents))) continue;
      meters.revocations.add({ cause: 'user_expired' });
      ended++;
    }
  } while (ended === batchSize);
}
