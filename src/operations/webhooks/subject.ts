// What administrators do with a webhook endpoint, described once. Creating one, its settings, its messages and rotating its secret,
// which is shown once, are made by hand.

import { type Actions, defineAction } from '../admin/subject.ts';
import { sendTestMessage } from './deliveries.ts';
import { deleteWebhook, disableWebhook, enableWebhook, findWebhook, retireWebhookSecret } from './endpoints.ts';
import { deliveryJson, webhookJson } from './webhook-json.ts';

export const webhookActions = {
  'retire-secret': {
    does: 'retire the previous secret',
    what: 'previous secret',
    done: 'retired',
    proof: true,
    run: retireWebhookSecret,
  },
  disable: { does: 'stop sending messages to an endpoint', done: 'disabled', proof: true, run: disableWebhook },
  enable: { does: 'send messages to a disabled endpoint again', done: 'enabled', run: enableWebhook },
  test: defineAction({
    does: 'send a webhook.test message, whatever types the endpoint subscribes to',
    details: 'The running service sends it. "latchkey webhook deliveries" shows the response.',
    what: 'test message',
    done: 'queued',
    run: sendTestMessage,
    json: ({ delivery }) => deliveryJson(delivery),
    says: ({ delivery }) => `Queued a test message, ${delivery.id}.`,
  }),
  delete: defineAction({
    does: 'delete an endpoint and the messages waiting for it',
    done: 'deleted',
    proof: true,
    async loses(services, id, requester) {
      const found = await findWebhook(services, id, requester);
      if (found.kind === 'refused') return found;
      const { url, waiting } = found.webhook;
      return { kind: 'done', what: `the webhook to ${url}`, with: [[waiting, 'waiting message', 'waiting messages']] };
    },
    run: deleteWebhook,
    json: ({ webhook }) => webhookJson(webhook),
    says: ({ webhook }) => `Deleted the webhook to ${webhook.url}.`,
  }),
} satisfies Actions;
