// `/api/webhooks/{id}/deliveries`: what was sent to an endpoint and what it answered, and sending it again.

import { Type } from 'typebox';
import {
  findDelivery,
  listDeliveries,
  resendDelivery,
  sendTestMessage,
} from '../../../operations/webhooks/deliveries.ts';
import { deliveryJson } from '../../../operations/webhooks/webhook-json.ts';
import { type ApiOperation, defineOperation, respondWith } from '../define-operation.ts';
import { page, pageJson, pageOf } from '../schemas.ts';
import { tag, webhookParams, webhookPath } from './webhook-operations.ts';
import { Delivery, DeliveryState } from './webhook-schemas.ts';

const deliveryPath = `${webhookPath}/deliveries/{delivery_id}`;
/** Longer than other IDs: the end of someone's grants is named after both sides. */
const MessageId = Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,127}$', description: 'The webhook-id.' });
const params = { ...webhookParams, delivery_id: MessageId };

export const deliveryOperations: readonly ApiOperation[] = [
  defineOperation({
    operationId: 'listWebhookDeliveries',
    method: 'GET',
    path: `${webhookPath}/deliveries`,
    tag,
    summary: 'List the messages of an endpoint, newest first',
    needs: 'read',
    params: webhookParams,
    query: { state: Type.Optional(DeliveryState), ...page },
    data: pageOf(Delivery),
    message: 'Deliveries retrieved.',
    run: async ({ services, params, query }) =>
      respondWith(await listDeliveries(services, params.id, query), (page) => pageJson(page, deliveryJson)),
  }),

  defineOperation({
    operationId: 'getWebhookDelivery',
    method: 'GET',
    path: deliveryPath,
    tag,
    summary: 'Read a message and what came of it',
    needs: 'read',
    params,
    data: Delivery,
    message: 'Delivery retrieved.',
    run: async ({ services, params }) =>
      respondWith(await findDelivery(services, params.id, params.delivery_id), ({ delivery }) =>
        deliveryJson(delivery),
      ),
  }),

  defineOperation({
    operationId: 'resendWebhookDelivery',
    method: 'POST',
    path: `${deliveryPath}/resend`,
    tag,
    summary: 'Send a message again, under the same webhook-id',
    needs: 'write',
    params,
    data: Delivery,
    message: 'Message queued.',
    run: async ({ services, params }) =>
      respondWith(await resendDelivery(services, params.id, params.delivery_id), ({ delivery }) =>
        deliveryJson(delivery),
      ),
  }),

  defineOperation({
    operationId: 'testWebhook',
    method: 'POST',
    path: `${webhookPath}/test`,
    tag,
    summary: 'Send a message of the type webhook.test, whatever types the endpoint hears of',
    needs: 'write',
    status: 201,
    params: webhookParams,
    data: Delivery,
    message: 'Test message queued.',
    run: async ({ services, params, requester }) =>
      respondWith(await sendTestMessage(services, params.id, requester), ({ delivery }) => deliveryJson(delivery)),
  }),
];
