// The back-channel logout URI as administrators see it: its rules, its state, its messages, and that its endpoint is no webhook.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { deleteClient } from '../../../src/operations/clients/revoke-client.ts';
import {
  findDelivery,
  listDeliveries,
  resendDelivery,
  sendTestMessage,
} from '../../../src/operations/webhooks/deliveries.ts';
import {
  changeWebhook,
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  findWebhook,
  retireWebhookSecret,
  rotateWebhookSecret,
  webhookLimits,
} from '../../../src/operations/webhooks/endpoints.ts';
import { Api, type KeyCaller, newKey, withSession } from '../../harness/api.ts';
import { logIn, messagesFor, newLogoutClient, toldOf } from '../../harness/backchannel-logout.ts';
import { clientSettings, noticeOn, send, visit } from '../../harness/console.ts';
import { formIn, Person } from '../../harness/person.ts';
import { proofAsked } from '../../harness/proof.ts';
import { requester, startTestService, type TestClient } from '../../harness/service.ts';
import { serviceOfSuite } from '../../harness/suite.ts';
import { allowLoopback, newWebhook, type Receiver, startReceiver } from '../../harness/webhooks.ts';

const service = serviceOfSuite(allowLoopback);
let receiver: Receiver;
let api: Api;
let key: KeyCaller;
before(async () => {
  receiver = await startReceiver();
  api = await Api.of(service);
  key = await newKey(service);
});
after(() => receiver.stop());

interface Shown {
  readonly backchannel_logout_uri: string | null;
  readonly backchannel_logout: string | null;
  readonly client_id: string;
}

async function call(name: string, params: Record<string, string>, body?: object) {
  const answer = await api.call(name, key, { params, ...(body && { body }) });
  return { ...answer, shown: answer.data as unknown as Shown };
}
const update = ({ id }: Pick<TestClient, 'id'>, body: object) => call('updateApplication', { client_id: id }, body);

describe('the URI', () => {
  test('is set, changed and removed over the API', async () => {
    const client = await service.newClient();
    const { shown } = await call('getApplication', { client_id: client.id });
    assert.deepEqual([shown.backchannel_logout_uri, shown.backchannel_logout], [null, null]);
    const uri = 'https://app.example/logout?from=latchkey';
    const set = await update(client, { backchannel_logout_uri: uri });
    assert.deepEqual([set.status, set.shown.backchannel_logout_uri], [200, uri]);
    assert.equal(set.shown.backchannel_logout, 'waiting_for_secret');
    const [event] = (await service.events('client_updated')).slice(-1);
    assert.deepEqual(event?.detail?.changed, ['backchannel_logout_uri']);
    assert.equal(event?.detail?.backchannel_logout_uri, uri);
    const moved = await update(client, { backchannel_logout_uri: receiver.url });
    assert.equal(moved.shown.backchannel_logout_uri, receiver.url);
    for (const none of ['', null]) {
      await update(client, { backchannel_logout_uri: uri });
      assert.equal((await update(client, { backchannel_logout_uri: none })).shown.backchannel_logout_uri, null);
    }
  });

  const refused: Record<string, RegExp> = {
    'https://app.example/logout#here': /fragment/,
    'ftp://app.example/': /https/,
    'app.example/logout': /absolute URL/,
    'https://me:secret@app.example/': /user name or password/,
    'http://192.0.2.7/logout': /public IP address|LATCHKEY_WEBHOOK_NETWORKS/,
    'https://169.254.169.254/latest': /isn't a public IP address/,
    'https://10.1.2.3/': /isn't a public IP address/,
    'https://[::ffff:10.0.0.1]/': /isn't a public IP address/,
    'http://93.184.215.14/logout': /lain http/,
    'https://app.example/a b': /spaces/,
    [`https://app.example/${'x'.repeat(1000)}`]: /1000 characters/,
  };
  for (const [uri, sentence] of Object.entries(refused)) {
    test(`can't be ${uri.slice(0, 60)}`, async () => {
      const client = await service.newClient();
      const answer = await update(client, { backchannel_logout_uri: uri });
      assert.equal(answer.status, 400);
      assert.match(answer.message, sentence);
      const endpoints = await service.rows('webhook_endpoints');
      assert.equal(endpoints.filter(({ client_id }) => client_id === client.id).length, 0);
    });
  }

  test('can be http only with LATCHKEY_WEBHOOK_NETWORKS', async () => {
    const strict = await startTestService();
    try {
      await assert.rejects(strict.newClient({ backchannelLogoutUri: receiver.url }), /LATCHKEY_WEBHOOK_NETWORKS/);
      await strict.newClient({ backchannelLogoutUri: 'https://app.example/logout' });
    } finally {
      await strict.stop();
    }
  });

  test("isn't for public clients, and who has it can't become one", async () => {
    await assert.rejects(service.newClient({ isPublic: true, backchannelLogoutUri: receiver.url }), /public client/);
    const open = await service.newClient({ isPublic: true });
    assert.equal((await update(open, { backchannel_logout_uri: receiver.url })).status, 400);
    const client = await newLogoutClient(service, receiver);
    const answer = await update(client, { public: true });
    assert.equal(answer.status, 400);
    assert.match(answer.message, /public client can't have a back-channel logout URI/);
    assert.equal((await update(client, { public: true, backchannel_logout_uri: null })).status, 200);
    const { storage } = service.running.services;
    assert.deepEqual((await storage.findClient(client.id))?.secrets, []);
  });

  test('needs fresh proof of identity, in the API and in the console', async () => {
    const administrator = await service.newUser({ admin: true });
    const caller = await withSession(service, administrator);
    const admin = new Person(service);
    await admin.signIn(administrator);
    service.clock.advance(16 * 60);
    const client = await service.newClient();
    const params = { client_id: client.id };
    const body = { backchannel_logout_uri: receiver.url };
    assert.equal((await api.call('updateApplication', caller, { params, body })).status, 403);
    const page = `/admin/applications/${client.id}`;
    const form = await formIn(await admin.visit(`${page}/settings`), page);
    await proofAsked(await admin.submit(form, { ...clientSettings, ...body }));
    assert.equal((await service.running.services.storage.findClient(client.id))?.backchannelLogoutUri, null);
  });
});

describe("the application's page", () => {
  test('shows whether tokens can be signed, and the last messages without what was answered', async () => {
    const admin = new Person(service);
    await admin.signIn(await service.newUser({ admin: true }));
    const client = await service.newClient();
    const page = `/admin/applications/${client.id}`;
    const shown = async () => (await visit(admin, `${page}/webhook`)).page;
    assert.doesNotMatch(await shown(), /No logout tokens sent yet/);
    const saved = await send(admin, `${page}/settings`, page, {
      ...clientSettings,
      redirect_uris: client.redirectUri,
      scope_profile: 'yes',
      backchannel_logout_uri: receiver.url,
    });
    assert.ok(noticeOn(saved.page));
    assert.match(await shown(), /next presents its client secret/);
    const user = await service.newUser();
    receiver.answer = { status: 400, body: 'nobody called Grace' };
    const { person } = await logIn(service, client, user);
    await service.running.services.journal.flush();
    assert.doesNotMatch(await shown(), /next presents its client secret/);
    assert.match(await shown(), /No logout tokens sent yet/);
    await person.submit(await formIn(await person.visit('/account'), '/sign-out'), {});
    await toldOf(service, receiver, client);
    assert.match(await shown(), /HTTP 400/);
    assert.doesNotMatch(await shown(), /nobody called Grace/);
    receiver.answer = { status: 204 };
  });
});

describe('its endpoint is no webhook', () => {
  test('nobody finds it, changes it, or sees its messages by way of webhooks', async () => {
    const client = await newLogoutClient(service, receiver);
    const { person } = await logIn(service, client, await service.newUser());
    await person.submit(await formIn(await person.visit('/account'), '/sign-out'), {});
    await toldOf(service, receiver, client);
    const [message] = await messagesFor(service, client);
    assert.ok(message);
    const listed = await api.call('listWebhooks', key, { query: { client_id: client.id } });
    assert.deepEqual(listed.data, { items: [] });
    const before = await service.rows('webhook_endpoints');
    const id = `logout:${client.id}`;
    // The API takes no ID of this form; the command line does.
    assert.equal((await call('getWebhook', { id })).status, 400);
    const { services } = service.running;
    const outcomes = [
      await findWebhook(services, id, requester),
      await changeWebhook(services, id, { url: 'https://elsewhere.example/' }, requester),
      await disableWebhook(services, id, requester),
      await enableWebhook(services, id, requester),
      await rotateWebhookSecret(services, id, requester),
      await retireWebhookSecret(services, id, requester),
      await sendTestMessage(services, id, requester),
      await listDeliveries(services, id, { cursor: undefined, limit: undefined }, requester),
      await findDelivery(services, id, message.id, requester),
      await resendDelivery(services, id, message.id, requester),
      await deleteWebhook(services, id, requester),
    ];
    for (const outcome of outcomes) assert.equal(outcome.kind === 'refused' && outcome.reason, 'not_found');
    assert.deepEqual(await service.rows('webhook_endpoints'), before);
    const admin = new Person(service);
    await admin.signIn(await service.newUser({ admin: true }));
    assert.doesNotMatch((await visit(admin, '/admin/webhooks')).page, /logout:/);
    assert.equal((await admin.visit(`/admin/webhooks/${id}`)).status, 404);
  });

  test("it doesn't count towards the limits of webhooks, and gets no event", async () => {
    const client = await newLogoutClient(service, receiver);
    for (let count = 0; count < webhookLimits.ofClient; count++) await newWebhook(service, { clientId: client.id });
    await assert.rejects(newWebhook(service, { clientId: client.id }), /an application can have/);
    const { person } = await logIn(service, client, await service.newUser());
    await person.submit(await formIn(await person.visit('/account'), '/sign-out'), {});
    assert.equal((await messagesFor(service, client)).length, 1);
  });

  test('it goes with the application, and what waits for it', async () => {
    receiver.answer = { status: 500 };
    const client = await newLogoutClient(service, receiver);
    const { person } = await logIn(service, client, await service.newUser());
    await person.submit(await formIn(await person.visit('/account'), '/sign-out'), {});
    assert.equal((await deleteClient(service.running.services, client.id, requester)).kind, 'done');
    const rest = JSON.stringify([await service.rows('webhook_endpoints'), await service.rows('webhook_deliveries')]);
    assert.equal(rest.includes(`logout:${client.id}`), false);
    receiver.answer = { status: 204 };
  });
});
