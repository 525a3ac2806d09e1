// `/api/webhooks`: endpoints and their secrets.

import { Type } from 'typebox';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  findWebhook,
  listWebhooks,
} from '../../../operations/webhooks/endpoints.ts';
import { earlierSecretHours, retireWebhookSecret, rotateWebhookSecret } from '../../../operations/webhooks/secrets.ts';
import { webhookDetailsJson, webhookJson } from '../../../operations/webhooks/webhook-json.ts';
import { isoTime } from '../../../protocol/iso-time.ts';
import { type ApiOperation, defineOperation, done, respondWith } from '../define-operation.ts';
import { Id, listOf, Text } from '../schemas.ts';
import { RotatedWebhookSecret, Types, Webhook, WebhookDetails, WebhookWithSecret } from './webhook-schemas.ts';

export const tag = 'webhooks';
export const webhookPath = '/api/webhooks/{id}';
export const webhookParams = { id: Id };

const strict = { additionalProperties: false } as const;

export const webhookOperations: readonly ApiOperation[] = [
  defineOperation({
    operationId: 'listWebhooks',
    method: 'GET',
    path: '/api/webhooks',
    tag,
    summary: 'List webhook endpoints, oldest first',
    needs: 'read',
    query: { client_id: Type.Optional(Id) },
    data: listOf(Webhook),
    message: 'Webhooks retrieved.',
    run: async ({ services, query }) => {
      const webhooks = await listWebhooks(services, query.client_id);
      return done({ items: webhooks.map(webhookJson) });
    },
  }),

  defineOperation({
    operationId: 'createWebhook',
    method: 'POST',
    path: '/api/webhooks',
    tag,
    summary: "Create an endpoint; the response contains its secret, which isn't shown again",
    needs: 'write',
    powerful: true,
    status: 201,
    body: Type.Object(
      {
        url: Text,
        description: Type.Optional(Text),
        client_id: Type.Optional(
          Type.String({
            description: 'Makes it the own endpoint of this application, which hears of its grants only.',
          }),
        ),
        types: Type.Optional(Types),
      },
      strict,
    ),
    data: WebhookWithSecret,
    message: 'Webhook created.',
    run: async ({ services, body, requester }) => {
      const { url, description, client_id: clientId, types } = body;
      const created = await createWebhook(
        services,
        { url, description, clientId, types: types ?? undefined },
        requester,
      );
      return respondWith(created, ({ webhook, secret }) => ({ ...webhookJson(webhook), secret }));
    },
  }),

  defineOperation({
    operationId: 'getWebhook',
    method: 'GET',
    path: webhookPath,
    tag,
    summary: 'Read an endpoint',
    needs: 'read',
    params: webhookParams,
    data: WebhookDetails,
    message: 'Webhook retrieved.',
    run: async ({ services, params }) => respondWith(await findWebhook(services, params.id), webhookDetailsJson),
  }),

  defineOperation({
    operationId: 'updateWebhook',
    method: 'PATCH',
    path: webhookPath,
    tag,
    summary: 'Change the given members',
    needs: 'write',
    // Messages would go to somebody else.
    powerful: { with: ['url'] },
    params: webhookParams,
    body: Type.Object(
      { url: Type.Optional(Text), description: Type.Optional(Text), types: Type.Optional(Types) },
      { ...strict, minProperties: 1 },
    ),
    data: Webhook,
    message: 'Webhook updated.',
    run: async ({ services, params, body, requester }) =>
      respondWith(await changeWebhook(services, params.id, body, requester), ({ webhook }) => webhookJson(webhook)),
  }),

  defineOperation({
    operationId: 'deleteWebhook',
    method: 'DELETE',
    path: webhookPath,
    tag,
    summary: 'Delete an endpoint, and the messages that wait for it',
    needs: 'write',
    powerful: true,
    params: webhookParams,
    data: Type.Null(),
    message: 'Webhook deleted.',
    run: async ({ services, params, requester }) =>
      respondWith(await deleteWebhook(services, params.id, requester), () => null),
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
    params: webhookParams,
    body: Type.Object(
      {
        previous_hours: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: earlierSecretHours.most,
            default: earlierSecretHours.standard,
            description: 'How long the previous secret stays valid.',
          }),
        ),
      },
      strict,
    ),
    data: RotatedWebhookSecret,
    message: 'Secret rotated.',
    run: async ({ services, params, body, requester }) =>
      respondWith(
        await rotateWebhookSecret(services, params.id, requester, body.previous_hours),
        ({ secret, earlierEndsAt }) => ({ secret, previous_expires_at: isoTime(earlierEndsAt) }),
      ),
  }),

  defineOperation({
    operationId: 'retireWebhookSecret',
    method: 'DELETE',
    path: `${webhookPath}/secrets/old`,
    tag,
    summary: 'Retire the previous secret',
    needs: 'write',
    powerful: true,
    params: webhookParams,
    data: Type.Null(),
    message: 'Previous secret retired.',
    run: async ({ services, params, requester }) =>
      respondWith(await retireWebhookSecret(services, params.id, requester), () => null),
  }),

  ...(
    [
      ['disable', disableWebhook, 'Stop sending messages to an endpoint', 'Webhook disabled.', { powerful: true }],
      ['enable', enableWebhook, 'Send messages to a disabled endpoint again', 'Webhook enabled.', {}],
    ] as const
  ).map(([action, change, summary, message, needs]) =>
    defineOperation({
      ...needs,
      operationId: `${action}Webhook`,
      method: 'POST',
      path: `${webhookPath}/${action}`,
      tag,
      summary,
      needs: 'write',
      params: webhookParams,
      data: Webhook,
      message,
      run: async ({ services, params, requester }) =>
        respondWith(await change(services, params.id, requester), ({ webhook }) => webhookJson(webhook)),
    }),
  ),
];
