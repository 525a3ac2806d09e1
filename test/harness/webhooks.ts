// Webhook endpoints for tests: a real server that keeps what it receives, and endpoints of the service that send to it.

import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createWebhook,
  disableWebhook,
  rotateWebhookSecret,
  type Webhook,
} from '../../src/operations/webhooks/endpoints.ts';
import type { WebhookInput } from '../../src/protocol/resources/webhook.ts';
import type { Input } from './api.ts';
import { requester, type TestService } from './service.ts';

/** Lets messages be sent to servers on this machine. */
export const allowLoopback = { LATCHKEY_WEBHOOK_NETWORKS: '127.0.0.1' };

export async function newWebhook(
  service: TestService,
  input: Partial<WebhookInput> = {},
): Promise<{ webhook: Webhook; secret: string }> {
  const url = 'https://hooks.example.com/latchkey';
  const created = await createWebhook(service.running.services, { url, ...input }, requester);
  if (created.kind === 'refused') throw new Error(created.problems[0].says);
  return created;
}

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** What it answers from now on. */
  answer: { status: number; body?: string };
  stop(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const server: Server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    received.push({ headers: request.headers, body });
    response.writeHead(receiver.answer.status, { 'content-type': 'text/plain' }).end(receiver.answer.body ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/latchkey`,
    received,
    answer: { status: 204 },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}

async function aWebhook(service: TestService): Promise<Input> {
  // Of a client each, because the service can have only some of its own.
  const client = await service.newClient();
  return { params: { id: (await newWebhook(service, { clientId: client.id })).webhook.id } };
}

async function aDelivery(service: TestService): Promise<Input> {
  const { params } = await aWebhook(service);
  const { storage, clock } = service.running.services;
  const id = `msg_${'1'.repeat(26)}`;
  const message = { type: 'webhook.test', data: { webhook_id: params?.id ?? '', by: null } } as const;
  await storage.queueTestMessage(params?.id ?? '', id, message, clock.now());
  return { params: { ...params, delivery_id: id } };
}

/** Input with which each operation of the API succeeds. */
export const webhookExamples: Record<string, (service: TestService) => Promise<Input>> = {
  listWebhooks: async () => ({ query: { client_id: 'shop' } }),
  createWebhook: async (service) => ({
    body: { url: 'https://hooks.example.com/', types: ['grant.ended'], client_id: (await service.newClient()).id },
  }),
  getWebhook: aWebhook,
  updateWebhook: async (service) => ({ ...(await aWebhook(service)), body: { description: 'Audit', types: null } }),
  deleteWebhook: aWebhook,
  rotateWebhookSecret: async (service) => ({ ...(await aWebhook(service)), body: { previous_hours: 1 } }),
  async retireWebhookSecret(service) {
    const input = await aWebhook(service);
    await rotateWebhookSecret(service.running.services, input.params?.id ?? '', requester);
    return input;
  },
  disableWebhook: aWebhook,
  async enableWebhook(service) {
    const input = await aWebhook(service);
    await disableWebhook(service.running.services, input.params?.id ?? '', requester);
    return input;
  },
  testWebhook: aWebhook,
  listWebhookDeliveries: async (service) => ({ ...(await aWebhook(service)), query: { state: 'waiting', limit: '5' } }),
  getWebhookDelivery: aDelivery,
  async resendWebhookDelivery(service) {
    const input = await aDelivery(service);
    const { id = '', delivery_id = '' } = input.params ?? {};
    const { storage, clock } = service.running.services;
    const attempt = { at: clock.now(), duration: 1, status: 200, response: 'ok', error: null };
    const delivery = { endpointId: id, id: delivery_id, attempts: 0 };
    const claim = { holder: 'test', until: clock.now() };
    await storage.recordAttempt(delivery, attempt, { kind: 'delivered', recovered: false }, claim);
    return input;
  },
};
