// Pictures of the console's pages about webhooks, with made-up deliveries. Called by console-screenshots.ts.

import type { Page } from 'playwright-core';
import { disableUser } from '../src/operations/users/disable-user.ts';
import { sendTestMessage } from '../src/operations/webhooks/deliveries.ts';
import { disableWebhook } from '../src/operations/webhooks/endpoints.ts';
import type { WebhookAttempt, WebhookResult } from '../src/storage/storage.ts';
import { requester, type TestService } from '../test/harness/service.ts';
import { newWebhook } from '../test/harness/webhooks.ts';

const HOUR = 60 * 60 * 1000;

interface Screen {
  readonly service: TestService;
  readonly page: Page;
  readonly shoot: (name: string) => Promise<void>;
  readonly visit: (path: string) => Promise<unknown>;
  readonly press: (name: string) => Promise<void>;
  readonly heading: (text: string) => Promise<void>;
}

export async function shootWebhooks({ service, page, shoot, visit, press, heading }: Screen): Promise<void> {
  const { services } = service.running;
  const { storage, clock } = services;
  // What is shown is made up, so nothing is sent.
  await services.webhooks.close();
  await visit('/admin/webhooks');
  await shoot('console-webhooks-none');
  await visit('/admin/webhooks/new');
  await page.getByText('Only the types selected below').click();
  await page.locator('summary', { hasText: 'Event types' }).click();
  await page.fill('[name=url]', 'http://192.168.1.20/hooks');
  await page.fill('[name=description]', 'Audit log');
  await press('Create webhook');
  await page.waitForSelector('[role=alert]:visible');
  await shoot('console-new-webhook');
  await page.fill('[name=url]', 'https://hooks.example.com/latchkey');
  await page.getByText('All events, including').click();
  await press('Create webhook');
  await heading('Copy your signing secret');
  await shoot('console-webhook-secret');
  await page.getByRole('link', { name: 'saved my secret' }).click();
  await shoot('console-webhook-empty');

  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const attempt = async (text: Partial<WebhookAttempt>, result: WebhookResult) => {
    const { items } = await storage.pageDeliveries(id, 'waiting', { after: undefined, limit: 1 });
    const [delivery] = items;
    if (delivery === undefined) throw new Error('no message waits');
    const made = { at: clock.now(), duration: 84, status: null, response: null, error: null, ...text };
    await storage.recordAttempt(delivery, made, result, { holder: '', until: 0 });
  };
  await sendTestMessage(services, id, requester);
  await attempt({ status: 204, response: '' }, { kind: 'delivered', recovered: false });
  await disableUser(services, 'alan@example.com', requester);
  const body = '{"error":"the queue is full, try again later"}';
  const again = clock.now() + HOUR / 2;
  await attempt({ status: 503, response: body }, { kind: 'postponed', until: again, restUntil: again });
  service.clock.advance(40);
  await service.newUser({ name: 'Dorothy Vaughan' });
  const error = 'the connection was refused';
  await attempt({ error, duration: 12 }, { kind: 'given_up', restUntil: again });
  await attempt({ error, duration: 9 }, { kind: 'postponed', until: again, restUntil: again });
  await visit(`/admin/webhooks/${id}`);
  await page.locator('summary', { hasText: 'user.disabled' }).click();
  await shoot('console-webhook');
  await visit(`/admin/webhooks/${id}/settings`);
  await press('Rotate secret');
  await heading('Copy your signing secret');
  await visit(`/admin/webhooks/${id}/settings`);
  await shoot('console-webhook-settings');
  await press('Delete webhook');
  await shoot('console-webhook-delete');

  const { items } = await storage.pageClients({ words: [], after: undefined, limit: 1, order: undefined });
  const [client] = items;
  if (client === undefined) throw new Error('there is no application');
  const url = 'https://photos.example/a-rather-long-path/that-goes-on/for-a-while/latchkey';
  const { webhook } = await newWebhook(service, { url, clientId: client.id });
  await disableWebhook(services, webhook.id, requester);
  await visit('/admin/webhooks');
  await shoot('console-webhooks');
  await visit(`/admin/webhooks/${webhook.id}/settings`);
  await shoot('console-webhook-disabled');
  await visit(`/admin/applications/${client.id}`);
  await shoot('console-application-webhook');
}
