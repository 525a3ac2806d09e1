// `/api/webhooks`: endpoints, their secrets, and the messages that were sent to them.

import { Type } from 'typebox';
import {
  deliveryStates,
  findDelivery,
  listDeliveries,
  resendDelivery,
  sendTestMessage,
} from '../../../operations/webhooks/deliveries.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  disableWebhook,
  earlierSecretHours,
  enableWebhook,
  findWebhook,
  listWebhooks,
  retireWebhookSecret,
  rotateWebhookSecret,
  type Webhook as StoredWebhook,
  type WebhookSecretInfo,
} from '../../../operations/webhooks/endpoints.ts';
import { deliveryJson, webhookDetailsJson, webhookJson } from '../../../operations/webhooks/webhook-json.ts';
import { isoTime } from '../../../protocol/iso-time.ts';
import { givenByName } from '../../../protocol/resources/resource.ts';
import { webhookFields } from '../../../protocol/resources/webhook.ts';
import type { WebhookDelivery } from '../../../storage/storage.ts';
import { type ApiOperation, defineOperation, done, respondWith } from '../define-operation.ts';
import { changingBody, creatingBody, fieldsThatNeedProof, shownFields } from '../field-schemas.ts';
import { actionsOn } from '../resource-operations.ts';
import { Count, component, Id, listOf, nullable, page, pageJson, pageOf, Text, Time } from '../schemas.ts';

const tag = 'webhooks';
const path = '/api/webhooks';
const webhookPath = `${path}/{id}`;
const params = { id: Id };
const deliveryPath = `${webhookPath}/deliveries/{delivery_id}`;
const deliveryParams = {
  ...params,
  // Longer than other IDs: the end of someone's grants is named after both sides.
  delivery_id: Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,127}$', description: 'The webhook-id.' }),
};

const secret = Type.String({ description: 'whsec_…, shown only once.' });
const webhook = {
  ...shownFields(webhookFields),
  waiting: Type.Integer({ minimum: 0, description: 'Messages waiting to be delivered.' }),
};
const Webhook = component('Webhook', webhook);
const WebhookDetails = component('WebhookDetails', {
  ...webhook,
  secrets: Type.Array(Type.Object({ created_at: Time, expires_at: nullable(Time) }), {
    description: 'The current one first. During a rotation there are two. A secret itself is shown only once.',
  }),
});
const WebhookWithSecret = component('WebhookWithSecret', { ...webhook, secret });
const RotatedWebhookSecret = component('RotatedWebhookSecret', { secret, previous_expires_at: Time });

const DeliveryState = Type.Enum([...deliveryStates]);
const Delivery = component('WebhookDelivery', {
  id: Type.String({ description: 'The webhook-id of the message.' }),
  type: Text,
  at: Time,
  data: Type.Record(Text, Type.Unknown(), { description: 'The data of the message.' }),
  state: DeliveryState,
  attempts: Count,
  next_attempt_at: nullable(Time),
  finished_at: nullable(Time),
  last_attempt: nullable(
    Type.Object({
      at: Time,
      duration_ms: Count,
      status: nullable(Type.Integer({ description: 'The status of the response; null if there was none.' })),
      response: nullable(Type.String({ description: 'The beginning of the response body.' })),
      error: nullable(Type.String({ description: 'Why the attempt failed.' })),
    }),
  ),
});

const action = actionsOn<{ webhook: StoredWebhook }>({
  tag,
  path: webhookPath,
  params,
  data: Webhook,
  json: (result) => webhookJson(result.webhook),
});
const removal = actionsOn<object>({ tag, path: webhookPath, params, data: Type.Null(), json: () => null });
const sending = actionsOn<{ delivery: WebhookDelivery }>({
  tag,
  path: webhookPath,
  params,
  data: Delivery,
  json: ({ delivery }) => deliveryJson(delivery),
});

export const webhookOperations: readonly ApiOperation[] = [
  defineOperation({
    operationId: 'listWebhooks',
    method: 'GET',
    path,
    tag,
    summary: 'List webhook endpoints, oldest first',
    needs: 'read',
    query: { client_id: Type.Optional(Id) },
    data: listOf(Webhook),
    message: 'Webhooks retrieved.',
    run: async ({ services, query }) =>
      done({ items: (await listWebhooks(services, query.client_id)).map(webhookJson) }),
  }),
  defineOperation({
    operationId: 'createWebhook',
    method: 'POST',
    path,
    tag,
    summary: "Create an endpoint; the response contains its secret, which isn't shown again",
    needs: 'write',
    powerful: true,
    status: 201,
    body: creatingBody(webhookFields),
    data: WebhookWithSecret,
    message: 'Webhook created.',
    run: async ({ services, body, requester }) =>
      respondWith(await createWebhook(services, givenByName(webhookFields, body), requester), (created) => ({
        ...webhookJson(created.webhook),
        secret: created.secret,
      })),
  }),
  action<{ webhook: StoredWebhook; secrets: readonly WebhookSecretInfo[] }>({
    operationId: 'getWebhook',
    method: 'GET',
    summary: 'Read an endpoint',
    needs: 'read',
    data: WebhookDetails,
    json: webhookDetailsJson,
    message: 'Webhook retrieved.',
    run: findWebhook,
  }),
  defineOperation({
    operationId: 'updateWebhook',
    method: 'PATCH',
    path: webhookPath,
    tag,
    summary: 'Change the given members',
    needs: 'write',
    powerful: { with: fieldsThatNeedProof(webhookFields) },
    params,
    body: changingBody(webhookFields),
    data: Webhook,
    message: 'Webhook updated.',
    run: async ({ services, params, body, requester }) =>
      respondWith(await changeWebhook(services, params.id, givenByName(webhookFields, body), requester), (changed) =>
        webhookJson(changed.webhook),
      ),
  }),
  removal({
    operationId: 'deleteWebhook',
    method: 'DELETE',
    summary: 'Delete an endpoint and the messages waiting for it',
    powerful: true,
    message: 'Webhook deleted.',
    run: deleteWebhook,
  }),
  defineOperation({
    operationId: 'rotateWebhookSecret',
    method: 'POST',
    path: `${webhookPath}/secrets`,
    tag,
    summary: "Create a new secret, which isn't shown again; the previous one stays valid for some hours",
    needs: 'write',
    powerful: true,
    status: 201,
    params,
    body: Type.Object(
      {
        previous_hours: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: earlierSecretHours.most,
            default: earlierSecretHours.standard,
            description: 'Hours the previous secret stays valid.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    data: RotatedWebhookSecret,
    message: 'Secret rotated.',
    run: async ({ services, params, body, requester }) =>
      respondWith(await rotateWebhookSecret(services, params.id, requester, body.previous_hours), (rotated) => ({
        secret: rotated.secret,
        previous_expires_at: isoTime(rotated.earlierEndsAt),
      })),
  }),
  removal({
    operationId: 'retireWebhookSecret',
    method: 'DELETE',
    path: '/secrets/old',
    summary: 'Retire the previous secret',
    powerful: true,
    message: 'Previous secret retired.',
    run: retireWebhookSecret,
  }),
  action({
    operationId: 'disableWebhook',
    path: '/disable',
    summary: 'Stop sending messages to an endpoint',
    powerful: true,
    message: 'Webhook disabled.',
    run: disableWebhook,
  }),
  action({
    operationId: 'enableWebhook',
    path: '/enable',
    summary: 'Send messages to a disabled endpoint again',
    message: 'Webhook enabled.',
    run: enableWebhook,
  }),
  defineOperation({
    operationId: 'listWebhookDeliveries',
    method: 'GET',
    path: `${webhookPath}/deliveries`,
    tag,
    summary: "List an endpoint's messages, newest first",
    needs: 'read',
    params,
    query: { state: Type.Optional(DeliveryState), ...page },
    data: pageOf(Delivery),
    message: 'Deliveries retrieved.',
    run: async ({ services, params, query }) =>
      respondWith(await listDeliveries(services, params.id, query), (found) => pageJson(found, deliveryJson)),
  }),
  defineOperation({
    operationId: 'getWebhookDelivery',
    method: 'GET',
    path: deliveryPath,
    tag,
    summary: 'Read a message and its last response',
    needs: 'read',
    params: deliveryParams,
    data: Delivery,
    message: 'Delivery retrieved.',
    run: async ({ services, params: { id, delivery_id } }) =>
      respondWith(await findDelivery(services, id, delivery_id), ({ delivery }) => deliveryJson(delivery)),
  }),
  defineOperation({
    operationId: 'resendWebhookDelivery',
    method: 'POST',
    path: `${deliveryPath}/resend`,
    tag,
    summary: 'Resend a message with the same webhook-id',
    needs: 'write',
    params: deliveryParams,
    data: Delivery,
    message: 'Message queued.',
    run: async ({ services, params: { id, delivery_id } }) =>
      respondWith(await resendDelivery(services, id, delivery_id), ({ delivery }) => deliveryJson(delivery)),
  }),
  sending({
    operationId: 'testWebhook',
    path: '/test',
    summary: 'Send a webhook.test message, whatever types the endpoint subscribes to',
    status: 201,
    message: 'Test message queued.',
    run: sendTestMessage,
  }),
];
