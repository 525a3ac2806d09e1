// Webhooks in the console: creating one, its settings and secrets, and what was delivered.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { alertOn, noticeOn, problemAt, send, textOf, visit } from '../../harness/console.ts';
import { Person } from '../../harness/person.ts';
import { requester } from '../../harness/service.ts';
import { everythingIn } from '../../harness/store.ts';
import { consoleOfSuite } from '../../harness/suite.ts';
import { until } from '../../harness/until.ts';
import { allowLoopback, newWebhook, type Receiver, startReceiver } from '../../harness/webhooks.ts';

const list = '/admin/webhooks';

const { service, administrator, admin } = consoleOfSuite(allowLoopback);
let receiver: Receiver;

before(async () => {
  receiver = await startReceiver();
});
after(() => receiver.stop());
beforeEach(() => {
  receiver.received.length = 0;
  receiver.answer = { status: 204 };
});

async function stateBecomes(id: string, state: string): Promise<void> {
  const { storage, webhooks } = service.running.services;
  await until(async () => {
    await webhooks.sendDue();
    const { items } = await storage.pageDeliveries(id, undefined, { after: undefined, limit: 1 });
    return items[0]?.state === state && items[0].lastAttempt !== undefined;
  }, `the message is ${state}`);
}

async function create(values: Record<string, string>) {
  const { status, page } = await send(admin, `${list}/new`, list, { types: 'all', ...values });
  const id = /href="\/admin\/webhooks\/([a-z0-9]{26})"/.exec(page)?.[1] ?? '';
  return { status, page, id, secret: textOf(page, 'secret') };
}

test('one is created with its secret shown once and stored sealed, and a test message verifies', async () => {
  assert.match((await visit(admin, list)).page, /No webhooks yet\./);
  const made = await create({
    url: receiver.url,
    description: 'Audit “log”',
    types: 'chosen',
    'type_user.deleted': 'yes',
  });
  assert.equal(made.status, 200);
  assert.match(made.secret, /^whsec_/);
  const stored = (await everythingIn(service)).join('\n');
  assert.equal(stored.includes(made.secret.slice(6)), false, 'the secret is sealed');
  const { page } = await visit(admin, list);
  assert.match(page, /Audit “log”/);
  assert.equal(page.includes(made.secret), false);

  const path = `${list}/${made.id}`;
  assert.equal(noticeOn((await send(admin, path, `${path}/test`)).page), 'Test message queued.');
  await stateBecomes(made.id, 'delivered');
  const [{ headers, body } = assert.fail()] = receiver.received;
  const message = new StandardWebhook(made.secret).verify(body, headers as Record<string, string>);
  const by = { kind: 'administrator', id: administrator.id };
  assert.deepEqual((message as { data: object }).data, { webhook_id: made.id, by });
  const shown = (await visit(admin, path)).page;
  assert.match(shown, /webhook\.test/);
  assert.match(shown, /HTTP 204/);
  assert.ok(shown.includes(String(headers['webhook-id'])));
  await send(admin, `${path}/settings`, `${path}/delete`);
});

test('problems with a new one are shown at their fields, with what to do', async () => {
  const local = await create({ url: 'https://10.0.0.1/', types: 'chosen' });
  assert.equal(local.status, 400);
  assert.match(
    problemAt(local.page, 'url') ?? '',
    /isn&#39;t a public IP address; LATCHKEY_WEBHOOK_NETWORKS can allow/,
  );
  assert.equal(problemAt(local.page, 'types'), 'At least one event type is needed.');
  const relative = await create({ url: 'hooks' });
  assert.match(problemAt(relative.page, 'url') ?? '', /^The URL must be an absolute URL/);
  const password = await create({ url: 'https://user:secret@hooks.example/' });
  assert.match(problemAt(password.page, 'url') ?? '', /user name or password/);
  assert.equal((await service.rows('webhook_endpoints')).length, 0);
});

test('settings are saved, and events say who changed what, without the URL', async () => {
  const { webhook } = await newWebhook(service);
  const path = `${list}/${webhook.id}`;
  const url = 'https://other.example/hook?token=a-secret-of-the-receiver';
  const values = { url, description: 'Other', types: 'chosen', 'type_grant.ended': 'yes', 'type_user.deleted': 'yes' };
  const { page } = await send(admin, `${path}/settings`, `${path}/settings`, values);
  assert.equal(noticeOn(page), 'Webhook updated.');
  assert.match(page, /name="type_grant\.ended" value="yes" checked/);
  const row = (await service.rows('webhook_endpoints')).find(({ id }) => id === webhook.id);
  assert.equal(row?.types, ' user.deleted grant.ended ');
  const event = (await service.events('webhook_updated')).at(-1);
  assert.deepEqual(event?.detail, {
    webhook: webhook.id,
    changed: ['url', 'description', 'types'],
    host: 'other.example',
    by: `administrator ${administrator.id}`,
  });
  const explained = await visit(admin, '/admin/events?kind=webhook_updated');
  assert.match(explained.page, /Webhook updated[\s\S]*other\.example/);
  assert.equal(explained.page.includes('a-secret-of-the-receiver'), false);
  const all = await send(admin, `${path}/settings`, `${path}/settings`, { ...values, types: 'all' });
  assert.match(all.page, /name="types" value="all" checked/);
  await send(admin, `${path}/settings`, `${path}/delete`);
});

test('a secret is rotated and the previous one retired', async () => {
  const { webhook, secret } = await newWebhook(service);
  const settings = `${list}/${webhook.id}/settings`;
  const rotated = await send(admin, settings, `${list}/${webhook.id}/rotate-secret`);
  assert.notEqual(textOf(rotated.page, 'secret'), secret);
  assert.match(textOf(rotated.page, 'secret'), /^whsec_/);
  assert.match((await visit(admin, settings)).page, /Previous secret[\s\S]*Valid until/);
  const retired = await send(admin, settings, `${list}/${webhook.id}/retire-secret`);
  assert.equal(noticeOn(retired.page), 'Previous secret retired.');
  assert.doesNotMatch(retired.page, /Previous secret</);
  await send(admin, settings, `${list}/${webhook.id}/delete`);
});

test('a failed delivery shows its response escaped, and is resent with the same ID', async () => {
  const { webhook } = await newWebhook(service, { url: receiver.url, types: ['user.deleted'] });
  const path = `${list}/${webhook.id}`;
  receiver.answer = { status: 500, body: '<script>alert(1)</script>' };
  await send(admin, path, `${path}/test`);
  await stateBecomes(webhook.id, 'waiting');
  const failed = (await visit(admin, path)).page;
  assert.match(failed, /HTTP 500/);
  assert.match(failed, /&lt;script&gt;alert\(1\)/);
  assert.match(failed, /Next attempt/);
  assert.doesNotMatch(failed, /<script>alert/);
  receiver.answer = { status: 200, body: 'thanks' };
  service.clock.advance(60);
  await stateBecomes(webhook.id, 'delivered');
  const id = String(receiver.received[0]?.headers['webhook-id']);
  const resent = await send(admin, path, `${path}/resend`, { message: id });
  assert.equal(noticeOn(resent.page), 'Message queued.');
  await until(() => receiver.received.length === 3, 'it arrives again');
  assert.equal(receiver.received.at(-1)?.headers['webhook-id'], id);
  await stateBecomes(webhook.id, 'delivered');
  assert.match((await visit(admin, `${path}?state=given_up`)).page, /No matching messages\./);
  assert.match((await visit(admin, `${path}?state=delivered`)).page, /thanks/);
  assert.equal((await visit(admin, `${path}?cursor=nonsense`)).status, 400);
  await send(admin, `${path}/settings`, `${path}/delete`);
});

test('one that returned 410 is shown as such and can be enabled again', async () => {
  const { webhook } = await newWebhook(service, { url: receiver.url, types: ['user.deleted'] });
  const path = `${list}/${webhook.id}`;
  receiver.answer = { status: 410 };
  await send(admin, path, `${path}/test`);
  await stateBecomes(webhook.id, 'given_up');
  const { page } = await visit(admin, path);
  assert.match(page, /The endpoint answered 410 Gone, so it was disabled\./);
  assert.doesNotMatch(page, /Send test message|>Resend</, 'nothing can be sent');
  const explained = await visit(admin, '/admin/events?kind=webhook_disabled');
  assert.match(explained.page, /The endpoint answered 410 Gone\. Enable it once it accepts messages again/);
  assert.equal(noticeOn((await send(admin, path, `${path}/enable`)).page), 'Webhook enabled.');
  const stopped = await send(admin, `${path}/settings`, `${path}/disable`);
  assert.equal(noticeOn(stopped.page), 'Webhook disabled.');
  const twice = await admin.submit(
    {
      action: `${path}/disable`,
      fields: { form_token: /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? '' },
      buttons: [],
    },
    {},
  );
  assert.equal(twice.status, 400);
  assert.equal(alertOn(await twice.text()), 'The endpoint is disabled already.');
  await send(admin, `${path}/settings`, `${path}/delete`);
});

test("an application's endpoint is on its page and is deleted with it", async () => {
  const { services } = service.running;
  const client = await service.newClient({ name: 'Calendar' });
  const page = `/admin/applications/${client.id}`;
  assert.match((await visit(admin, `${page}/webhook`)).page, /This application has no webhook\./);
  const form = `${list}/new?application=${client.id}`;
  const offered = (await visit(admin, form)).page;
  assert.match(offered, /This webhook tells Calendar when someone&#39;s access ends/);
  assert.doesNotMatch(offered, /name="types"/, 'there is nothing to choose');
  await send(admin, form, list, { url: 'https://calendar.example/hook' });
  const own = (await visit(admin, `${page}/webhook`)).page;
  assert.match(own, /https:\/\/calendar\.example\/hook/);
  assert.match((await visit(admin, list)).page, /Grants of Calendar/);
  await send(admin, `${page}/delete`, `${page}/delete`);
  assert.equal((await visit(admin, form)).status, 404);
  // The sweep deletes it, once it has heard of the end of its grants.
  assert.match((await visit(admin, list)).page, /Nothing new: application deleted/);
  const [{ id } = assert.fail()] = await services.storage.listWebhooks();
  const outlived = (await visit(admin, `${list}/${id}`)).page;
  assert.match(outlived, /Its application was deleted on <time [^>]*>[^<]+<\/time>\./);
  assert.match(outlived, /Nothing new: application deleted/);
  assert.doesNotMatch(
    (await visit(admin, `${list}/${id}/settings`)).page,
    /name="types"/,
    'there is nothing to choose',
  );
  const everything = { url: 'https://calendar.example/hook', description: 'Still here', types: 'all' };
  await send(admin, `${list}/${id}/settings`, `${list}/${id}/settings`, everything);
  assert.equal((await services.storage.findWebhook(id))?.description, 'Still here');
  await service.newUser();
  assert.equal((await services.storage.countWaitingDeliveries()).get(id) ?? 0, 0, 'nothing about others');
  await send(admin, `${list}/${id}/settings`, `${list}/${id}/delete`);
});

test("people without admin access can't see any of it", async () => {
  const { webhook } = await newWebhook(service);
  const person = new Person(service);
  await person.signIn(await service.newUser());
  for (const path of [list, `${list}/new`, `${list}/${webhook.id}`, `${list}/${webhook.id}/settings`]) {
    assert.equal((await person.visit(path)).status, 403, path);
  }
  assert.equal((await visit(admin, `${list}/unknown`)).status, 404);
  assert.equal((await service.events('webhook_created')).at(-1)?.requestId, requester.requestId);
});
