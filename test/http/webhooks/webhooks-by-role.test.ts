// Webhooks by role: whoever looks after applications has the endpoints of applications, and those of the service don't exist for them.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { disableUser } from '../../../src/operations/users/disable-user.ts';
import { setRoles } from '../../../src/operations/users/set-roles.ts';
import type { Role } from '../../../src/protocol/admin/rights.ts';
import { Api, type ApiCaller, type Input, type Operation, withBearer, withSession } from '../../harness/api.ts';
import { noticeOn, send, visit } from '../../harness/console.ts';
import { Person } from '../../harness/person.ts';
import { obtainTokens } from '../../harness/relying-party.ts';
import { newKeyWithRoles, newUserWithRoles } from '../../harness/roles.ts';
import { requester, type TestClient } from '../../harness/service.ts';
import { assertNothingChanged, everythingIn } from '../../harness/store.ts';
import { serviceOfSuite } from '../../harness/suite.ts';
import { until } from '../../harness/until.ts';
import { allowLoopback, newWebhook, type Receiver, startReceiver } from '../../harness/webhooks.ts';

const service = serviceOfSuite(allowLoopback);
let api: Api;
let receiver: Receiver;
let client: TestClient;
let ofService: string;
let deliveryId: string;

before(async () => {
  api = await Api.of(service);
  receiver = await startReceiver();
  client = await service.newClient();
  ofService = (await newWebhook(service, { types: ['user.deleted'] })).webhook.id;
  deliveryId = `msg_${'1'.repeat(26)}`;
  const { storage, clock } = service.running.services;
  const message = { type: 'webhook.test', data: { webhook_id: ofService, by: null } } as const;
  await storage.queueTestMessage(ofService, deliveryId, message, clock.now() + 60 * 60 * 1000);
});
after(() => receiver.stop());

/** What is called on one endpoint. */
const onOne = () => [...api.operations.values()].filter(({ path }) => path.startsWith('/api/webhooks/{id}'));
const inputFor = ({ id }: Operation, endpoint: string): Input => ({
  params: { id: endpoint, delivery_id: deliveryId },
  ...(id === 'updateWebhook' && { body: { description: 'Mine' } }),
  ...(id === 'rotateWebhookSecret' && { body: {} }),
});
const callerWith = async (kind: 'key' | 'session', roles: readonly Role[]): Promise<ApiCaller> =>
  kind === 'key'
    ? withBearer(await newKeyWithRoles(service, roles))
    : withSession(service, await newUserWithRoles(service, roles));

describe('an endpoint of the service', () => {
  for (const kind of ['key', 'session'] as const) {
    test(`is unknown to the role applications, with a ${kind}`, async () => {
      const caller = await callerWith(kind, ['applications']);
      const since = await everythingIn(service);
      assert.ok(onOne().length >= 11);
      for (const operation of onOne()) {
        const answer = await api.call(operation.id, caller, inputFor(operation, ofService));
        const unknown = await api.call(operation.id, caller, inputFor(operation, 'x'.repeat(26)));
        assert.equal(answer.status, 404, operation.id);
        assert.deepEqual(answer.message.replace(ofService, ''), unknown.message.replace('x'.repeat(26), ''));
      }
      await assertNothingChanged(service, since);
    });
  }

  test('is read and not changed by someone who audits as well', async () => {
    const caller = await callerWith('session', ['applications', 'auditor']);
    const since = await everythingIn(service);
    for (const operation of onOne()) {
      const refusals = (await service.events('administration_refused')).length;
      const { status } = await api.call(operation.id, caller, inputFor(operation, ofService));
      assert.equal(status, operation.method === 'GET' ? 200 : 403, operation.id);
      const [event] = (await service.events('administration_refused')).slice(refusals);
      assert.equal(event?.detail?.right, operation.method === 'GET' ? undefined : 'service_webhooks.change');
    }
    await assertNothingChanged(service, since);
    const person = new Person(service);
    await person.signIn(await newUserWithRoles(service, ['applications', 'auditor']));
    for (const path of [`/admin/webhooks/${ofService}`, `/admin/webhooks/${ofService}/settings`]) {
      const { status, page } = await visit(person, path);
      assert.equal(status, 200);
      assert.doesNotMatch(page, new RegExp(`action="/admin/webhooks/${ofService}`), path);
    }
  });

  test('is created by nobody who looks after applications alone', async () => {
    for (const kind of ['key', 'session'] as const) {
      const caller = await callerWith(kind, ['applications']);
      const since = await everythingIn(service);
      for (const body of [{}, { types: ['grant.ended'] }]) {
        const answer = await api.call('createWebhook', caller, {
          body: { url: 'https://hooks.example.com/', ...body },
        });
        assert.equal(answer.status, 403, JSON.stringify(body));
      }
      const none = await api.call('createWebhook', caller, {
        body: { url: 'https://hooks.example.com/', client_id: 'none' },
      });
      assert.equal(none.status, 404);
      await assertNothingChanged(service, since);
    }
  });

  test('is neither listed nor offered in the console', async () => {
    const person = new Person(service);
    await person.signIn(await newUserWithRoles(service, ['applications']));
    const own = (await newWebhook(service, { clientId: client.id, url: 'https://own.example.com/' })).webhook.id;
    const list = (await visit(person, '/admin/webhooks')).page;
    assert.match(list, new RegExp(`/admin/webhooks/${own}"`));
    assert.doesNotMatch(list, new RegExp(ofService));
    assert.doesNotMatch(list, /webhooks\/new/);
    assert.equal((await visit(person, `/admin/webhooks/${ofService}`)).status, 404);
    assert.equal((await visit(person, `/admin/webhooks/${ofService}/settings`)).status, 404);
    assert.equal((await visit(person, '/admin/webhooks/new')).status, 403);
    const { items } = (await api.call('listWebhooks', await callerWith('key', ['applications']))).data;
    assert.deepEqual([...new Set(items.map(({ client_id }) => client_id))], [client.id]);
    // The form of an application's own endpoint, sent without the application.
    const path = `/admin/webhooks/new?application=${client.id}`;
    const values = { url: 'https://hooks.example.com/all', types: 'all' };
    const since = await everythingIn(service);
    assert.equal((await send(person, path, '/admin/webhooks', { ...values, application: '' })).status, 403);
    await assertNothingChanged(service, since);
    assert.equal((await send(person, path, '/admin/webhooks', values)).status, 200);
  });
});

describe("an application's own endpoint", () => {
  test('is managed with the role applications', async () => {
    const person = new Person(service);
    await person.signIn(await newUserWithRoles(service, ['applications']));
    const { webhook } = await newWebhook(service, { clientId: client.id });
    const page = `/admin/webhooks/${webhook.id}`;
    assert.match((await visit(person, `/admin/applications/${client.id}/webhook`)).page, new RegExp(page));
    const saved = await send(person, `${page}/settings`, `${page}/settings`, { url: webhook.url, description: 'Ours' });
    assert.equal(noticeOn(saved.page), 'Webhook updated.');
    assert.equal((await send(person, `${page}/settings`, `${page}/delete`)).status, 200);
    assert.equal(await service.running.services.storage.findWebhook(webhook.id), undefined);
  });

  test('stays what it is: of this application, about its grants', async () => {
    const caller = await callerWith('key', ['applications']);
    const { webhook } = await newWebhook(service, { clientId: client.id });
    const refused = [
      { client_id: null },
      { client_id: 'another' },
      { types: ['user.updated'] },
      { types: ['grant.ended', 'sign_in.succeeded'] },
    ];
    for (const body of refused) {
      const { status } = await api.call('updateWebhook', caller, { params: { id: webhook.id }, body });
      assert.equal(status, 400, JSON.stringify(body));
    }
    assert.deepEqual(await service.running.services.storage.findWebhook(webhook.id), webhookRecord(webhook));
  });

  test('pointed at oneself, it says which grants have ended and nothing else about people', async () => {
    const { services } = service.running;
    const caller = await callerWith('session', ['applications']);
    const body = { url: receiver.url, client_id: client.id, types: null };
    const made = await api.call('createWebhook', caller, { body });
    assert.equal(made.status, 201);
    const user = await service.newUser({ name: 'Ada Lovelace' });
    await obtainTokens(service, client, user);
    await setRoles(services, { id: user.id }, ['auditor'], requester);
    await new Person(service).signIn(user);
    await disableUser(services, { id: user.id }, requester);
    await api.call('testWebhook', caller, { params: { id: made.data.id } });
    await until(async () => {
      await services.webhooks.sendDue();
      return receiver.received.length >= 2;
    }, 'the messages arrive');
    const messages = receiver.received.map((each) => JSON.parse(each.body) as { type: string; data: object });
    assert.deepEqual(messages.map(({ type }) => type).toSorted(), ['grant.ended', 'webhook.test']);
    const [ended, tested] = messages.toSorted((one, other) => (one.type < other.type ? -1 : 1));
    assert.deepEqual(ended?.data, { grant_id: null, sub: user.id, client_id: client.id, reason: 'administrator' });
    assert.deepEqual(tested?.data, { webhook_id: made.data.id, by: null });
  });
});

function webhookRecord<Record extends { readonly waiting: number }>({ waiting, ...record }: Record) {
  assert.equal(waiting, 0);
  return record;
}
