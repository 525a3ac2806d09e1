// Requests for access that nobody has decided about in time.

import { askedTooLongAgo, longestRequest } from '../../protocol/account/access-requests.ts';
import type { Recording } from '../services.ts';

const batchSize = 100;

/** Each has ended when its time was over, whenever that's written. */
export async function expireRequests({ storage, clock, journal }: Recording): Promise<void> {
  const askedBy = askedTooLongAgo(clock.now());
  for (;;) {
    const requests = await storage.listOverdueRequests(askedBy, batchSize);
    for (const { id, userId, clientId, askedAt } of requests) {
      const facts = { kind: 'access_request_expired', userId, clientId, detail: { request: id } } as const;
      const event = journal.event(facts, { address: '', requestId: '' });
      await storage.expireRequest(id, askedAt + longestRequest, askedBy, event);
    }
    if (requests.length < batchSize) return;
  }
}
