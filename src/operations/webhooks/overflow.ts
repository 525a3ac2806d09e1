// Keeps what waits for an endpoint that is down within bounds: beyond them, the oldest messages are dropped and counted.

import { waitingLimit } from '../../protocol/webhooks/schedule.ts';
import type { Services } from '../services.ts';

const batchSize = 500;

export async function dropOverflow({ storage }: Pick<Services, 'storage'>, limit = waitingLimit): Promise<void> {
  for (const [endpointId, waiting] of await storage.countWaitingDeliveries()) {
    for (let left = waiting - limit; left > 0; left -= batchSize) {
      await storage.dropOldestDeliveries(endpointId, Math.min(left, batchSize));
    }
  }
}
