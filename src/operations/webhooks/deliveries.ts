// What was sent to an endpoint, and its responses. Administrators can look at both, resend a message, and send a test
// message.

import type { Requester } from '../../protocol/event.ts';
import { newTimeOrderedId } from '../../protocol/identifiers.ts';
import { clientFields } from '../../protocol/resources/client.ts';
import { deliveryStates } from '../../protocol/webhooks/delivery.ts';
import { waitingLimit } from '../../protocol/webhooks/schedule.ts';
import { isOfService, type WebhookMessage } from '../../protocol/webhooks/types.ts';
import type { Client, WebhookDelivery } from '../../storage/storage.ts';
import { type Outcome, refused } from '../admin/outcome.ts';
import { type ListPage, type ListRequest, readPage } from '../admin/paging.ts';
import type { Services, Storing, Timing } from '../services.ts';
import { reachEndpoint, unknownWebhook } from './endpoints.ts';

/** Newest first. */
export async function listDeliveries(
  { storage }: Storing,
  id: string,
  request: Pick<ListRequest, 'cursor' | 'limit'> & { readonly state?: string | undefined },
  requester: Requester,
): Outcome<ListPage<WebhookDelivery>> {
  const state = deliveryStates.find((each) => each === request.state);
  if (request.state !== undefined && state === undefined) {
    return refused({ field: 'state', says: `the state must be one of ${deliveryStates.join(', ')}` });
  }
  const reached = await reachEndpoint({ storage }, id, requester, 'read');
  if (reached.kind === 'refused') return reached;
  return readPage(request, (query) => storage.pageDeliveries(id, state, query));
}

export async function findDelivery(
  { storage }: Storing,
  id: string,
  deliveryId: string,
  requester: Requester,
): Outcome<{ delivery: WebhookDelivery }> {
  const reached = await reachEndpoint({ storage }, id, requester, 'read');
  if (reached.kind === 'refused') return reached;
  const delivery = await storage.findDelivery(id, deliveryId);
  if (delivery !== undefined) return { kind: 'done', delivery };
  return refused(`there is no message with the ID "${deliveryId.slice(0, 120)}"`, 'not_found');
}

/** Sends a message again under its ID, with ten attempts from now on. */
export async function resendDelivery(
  services: Timing & Pick<Services, 'webhooks'>,
  id: string,
  deliveryId: string,
  requester: Requester,
): Outcome<{ delivery: WebhookDelivery }> {
  const { storage, clock, webhooks } = services;
  const reached = await reachEndpoint(services, id, requester, 'change');
  if (reached.kind === 'refused') return reached;
  if (reached.endpoint.disabledAt !== null) return refused('the endpoint is disabled', 'conflict');
  const done = await storage.resendDelivery(id, deliveryId, clock.now());
  if (done) webhooks.wake();
  const found = await findDelivery(services, id, deliveryId, requester);
  return done || found.kind === 'refused' ? found : refused('the message is waiting to be sent already', 'conflict');
}

/** Queues a message of the type `webhook.test`, whatever types the endpoint subscribes to. */
export async function sendTestMessage(
  services: Timing & Pick<Services, 'random' | 'webhooks'>,
  id: string,
  requester: Requester,
): Outcome<{ delivery: WebhookDelivery }> {
  const { storage, clock, random, webhooks } = services;
  const reached = await reachEndpoint(services, id, requester, 'change');
  if (reached.kind === 'refused') return reached;
  const { endpoint } = reached;
  if (endpoint.disabledAt !== null) return refused('the endpoint is disabled', 'conflict');
  const now = clock.now();
  const deliveryId = `msg_${newTimeOrderedId(now, random)}`;
  // An application isn't told who the administrators are.
  const by = isOfService(endpoint) ? (requester.actor ?? null) : null;
  const message: WebhookMessage = { type: 'webhook.test', data: { webhook_id: id, by } };
  if (!(await storage.queueTestMessage(id, deliveryId, message, now))) return unknownWebhook(id);
  webhooks.wake();
  return findDelivery(services, id, deliveryId, requester);
}

const shownLogouts = 10;

/** The last messages of back-channel logout, newest first. Undefined for an application without a URI for them. */
export async function recentLogouts({ storage }: Storing, client: Client) {
  const state = clientFields.backchannel_logout.find?.({ ...client });
  if (state !== 'waiting_for_secret' && state !== 'ready') return undefined;
  return { state, messages: await storage.listLogouts(client.id, shownLogouts) } as const;
}

const batchSize = 500;

/** Keeps what waits for an endpoint that is down within bounds: beyond them, the oldest messages are dropped and counted. */
export async function dropOverflow({ storage }: Storing, limit = waitingLimit): Promise<void> {
  for (const [endpointId, waiting] of await storage.countWaitingDeliveries()) {
    for (let left = waiting - limit; left > 0; left -= batchSize) {
      await storage.dropOldestDeliveries(endpointId, Math.min(left, batchSize));
    }
  }
}
