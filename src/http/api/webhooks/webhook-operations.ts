// `/api/webhooks`: endpoints, their secrets, and the messages that were sent to them.

import { Type } from 'typebox';
import { findDelivery, listDeliveries, resendDelivery } from '../../../operations/webhooks/deliveries.ts';
import {
  changeWebhook,
  createWebhook,
  earlierSecretHours,
  findWebhook,
  rotateWebhookSecret,
  type Webhook as StoredWebhook,
  visibleWebhooks,
} from '../../../operations/webhooks/endpoints.ts';
import { webhookActions as actions } from '../../../operations/webhooks/subject.ts';
import { deliveryJson, webhookDetailsJson, webhookJson } from '../../../operations/webhooks/webhook-json.ts';
import { isoTime } from '../../../protocol/iso-time.ts';
import { givenByName } from '../../../protocol/resources/resource.ts';
import { webhookFields } from '../../../protocol/resources/webhook.ts';
import { deliveryStates } from '../../../protocol/webhooks/delivery.ts';
import type { WebhookDelivery } from '../../../storage/storage.ts';
import { type ApiOperation, done, nothing, ofAction, operationsAt, operationsOn, strict } from '../define-operation.ts';
import { changingBody, creatingBody, namesProtected, shownFields } from '../field-schemas.ts';
import { Count, component, Id, listOf, listParts, nullable, page, pageOf, Text, Time } from '../schemas.ts';

const deliveryParams = {
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

const subject = {
  tag: 'webhooks',
  path: '/api/webhooks',
  area: 'webhooks',
  data: Webhook,
  json: (result: { readonly webhook: StoredWebhook }) => webhookJson(result.webhook),
} as const;
const webhooks = operationsAt(subject);
const onWebhook = operationsOn(subject, { id: Id }, ({ id }) => id);

const deliveryParts = {
  data: Delivery,
  json: ({ delivery }: { readonly delivery: WebhookDelivery }) => deliveryJson(delivery),
};

export const webhookOperations: readonly ApiOperation[] = [
  webhooks('listWebhooks', 'GET', {
    summary: 'List webhook endpoints, oldest first',
    query: { client_id: Type.Optional(Id) },
    data: listOf(Webhook),
    message: 'Webhooks retrieved.',
    run: async (services, { query }, requester) => done(await visibleWebhooks(services, requester, query.client_id)),
    json: ({ data }) => ({ items: data.map(webhookJson) }),
  }),
  webhooks('createWebhook', 'POST', {
    summary: "Create an endpoint; the response contains its secret, which isn't shown again",
    powerful: true,
    status: 201,
    body: creatingBody(webhookFields),
    data: WebhookWithSecret,
    message: 'Webhook created.',
    run: (services, { body }, requester) => createWebhook(services, givenByName(webhookFields, body), requester),
    json: (created) => ({ ...webhookJson(created.webhook), secret: created.secret }),
  }),
  onWebhook('getWebhook', 'GET', {
    summary: 'Read an endpoint',
    data: WebhookDetails,
    json: webhookDetailsJson,
    message: 'Webhook retrieved.',
    run: findWebhook,
  }),
  onWebhook('updateWebhook', 'PATCH', {
    summary: 'Change the given members',
    powerful: namesProtected(webhookFields),
    body: changingBody(webhookFields),
    data: Webhook,
    message: 'Webhook updated.',
    run: (services, id, requester, { body }) =>
      changeWebhook(services, id, givenByName(webhookFields, body), requester),
  }),
  onWebhook('rotateWebhookSecret', 'POST /secrets', {
    summary: "Create a new secret, which isn't shown again; the previous one stays valid for some hours",
    powerful: true,
    status: 201,
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
      strict,
    ),
    data: RotatedWebhookSecret,
    message: 'Secret rotated.',
    run: (services, id, requester, { body }) => rotateWebhookSecret(services, id, requester, body.previous_hours),
    json: (rotated) => ({ secret: rotated.secret, previous_expires_at: isoTime(rotated.earlierEndsAt) }),
  }),
  onWebhook('retireWebhookSecret', 'DELETE /secrets/old', {
    ...ofAction('webhook', actions['retire-secret']),
    ...nothing,
  }),
  onWebhook('disableWebhook', 'POST /disable', ofAction('webhook', actions.disable)),
  onWebhook('enableWebhook', 'POST /enable', ofAction('webhook', actions.enable)),
  onWebhook('deleteWebhook', 'DELETE', { ...ofAction('webhook', actions.delete), ...nothing }),
  onWebhook('listWebhookDeliveries', 'GET /deliveries', {
    summary: "List an endpoint's messages, newest first",
    query: { state: Type.Optional(DeliveryState), ...page },
    data: pageOf(Delivery),
    message: 'Deliveries retrieved.',
    run: (services, id, requester, { query }) => listDeliveries(services, id, query, requester),
    json: listParts(deliveryJson),
  }),
  onWebhook('getWebhookDelivery', 'GET /deliveries/{delivery_id}', {
    summary: 'Read a message and its last response',
    params: deliveryParams,
    ...deliveryParts,
    message: 'Delivery retrieved.',
    run: (services, id, requester, { params }) => findDelivery(services, id, params.delivery_id, requester),
  }),
  onWebhook('resendWebhookDelivery', 'POST /deliveries/{delivery_id}/resend', {
    summary: 'Resend a message with the same webhook-id',
    params: deliveryParams,
    ...deliveryParts,
    message: 'Message queued.',
    run: (services, id, requester, { params }) => resendDelivery(services, id, params.delivery_id, requester),
  }),
  onWebhook('testWebhook', 'POST /test', { ...ofAction('webhook', actions.test), ...deliveryParts, status: 201 }),
];
