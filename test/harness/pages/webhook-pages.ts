// The console's pages about webhooks, with made-up deliveries.

import { disableUser } from '../../../src/operations/users/disable-user.ts';
import { sendTestMessage } from '../../../src/operations/webhooks/deliveries.ts';
import { disableWebhook } from '../../../src/operations/webhooks/endpoints.ts';
import { HOUR } from '../../../src/protocol/durations.ts';
import type { WebhookAttempt, WebhookResult } from '../../../src/storage/storage.ts';
import { requester } from '../service.ts';
import { newWebhook } from '../webhooks.ts';
import type { ConsolePages, ConsoleScene } from './console-scene.ts';

const longUrl = 'https://photos.example/a-rather-long-path/that-goes-on/for-a-while/latchkey';

export const webhookPages: ConsolePages = {
  async 'console-webhooks-none'({ visit, service }) {
    // What is shown is made up, so nothing is sent.
    await service.running.services.webhooks.close();
    await visit('/admin/webhooks');
  },
  async 'console-new-webhook'({ page, visit, unfold, fill, press, problem }) {
    await visit('/admin/webhooks/new');
    await page.getByText('Only the types selected below').click();
    await unfold('Event types');
    await fill({ url: 'http://192.168.1.20/hooks', description: 'Audit log' });
    await press('Create webhook');
    await problem();
  },
  async 'console-webhook-secret'({ page, fill, press, heading }) {
    await fill({ url: 'https://hooks.example.com/latchkey' });
    await page.getByText('All events, including').click();
    await press('Create webhook');
    await heading('Copy your signing secret');
  },
  async 'console-webhook-empty'(scene) {
    await scene.follow('saved my secret');
    scene.webhookId = new URL(scene.page.url()).pathname.split('/').at(-1) ?? '';
  },
  async 'console-webhook'(scene) {
    const { visit, unfold, service, webhookId } = scene;
    const { services } = service.running;
    await sendTestMessage(services, webhookId, requester);
    await attempt(scene, { status: 204, response: '' }, { kind: 'delivered', recovered: false });
    await disableUser(services, 'alan@example.com', requester);
    const body = '{"error":"the queue is full, try again later"}';
    const again = service.clock.now() + HOUR / 2;
    await attempt(scene, { status: 503, response: body }, { kind: 'postponed', until: again, restUntil: again });
    service.clock.advance(40);
    await service.newUser({ name: 'Dorothy Vaughan' });
    const error = 'the connection was refused';
    await attempt(scene, { error, duration: 12 }, { kind: 'given_up', restUntil: again });
    await attempt(scene, { error, duration: 9 }, { kind: 'postponed', until: again, restUntil: again });
    await visit(`/admin/webhooks/${webhookId}`);
    await unfold('user.disabled');
  },
  async 'console-webhook-settings'({ visit, press, heading, webhookId }) {
    await visit(`/admin/webhooks/${webhookId}/settings`);
    await press('Rotate secret');
    await heading('Copy your signing secret');
    await visit(`/admin/webhooks/${webhookId}/settings`);
  },
  async 'console-webhook-delete'({ page, follow }) {
    await follow('Delete webhook');
    await page.locator('dialog[open]').waitFor();
  },
  async 'console-webhooks'({ visit, service, album }) {
    const { webhook } = await newWebhook(service, { url: longUrl, clientId: album.id });
    await disableWebhook(service.running.services, webhook.id, requester);
    await visit('/admin/webhooks');
  },
  async 'console-webhook-disabled'({ page, follow, heading }) {
    await follow('photos.example');
    await page.locator('a[href^="/admin/webhooks/"][href$="/settings"]').click();
    await heading('photos.example');
  },
  'console-application-webhook': ({ visit, album }) => visit(`/admin/applications/${album.id}/webhook`),
};

/** Notes an attempt to deliver the message that has waited the longest. */
async function attempt(
  { service, webhookId }: ConsoleScene,
  text: Partial<WebhookAttempt>,
  result: WebhookResult,
): Promise<void> {
  const { storage, clock } = service.running.services;
  const { items } = await storage.pageDeliveries(webhookId, 'waiting', { after: undefined, limit: 1 });
  const [delivery] = items;
  if (delivery === undefined) throw new Error('no message waits');
  const made = { at: clock.now(), duration: 84, status: null, response: null, error: null, ...text };
  await storage.recordAttempt(delivery, made, result, { holder: '', until: 0 });
}
