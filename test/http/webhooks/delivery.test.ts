// Webhook messages on their way to real receivers: signed, in order, again when they fail, and never in each other's way.

import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, test } from 'node:test';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { disableUser } from '../../../src/operations/users/disable-user.ts';
import { WebhookQueue } from '../../../src/operations/webhook-queue/webhook-queue.ts';
import { dropOverflow, resendDelivery, sendTestMessage } from '../../../src/operations/webhooks/deliveries.ts';
import {
  createWebhook,
  deleteWebhook,
  enableWebhook,
  retireWebhookSecret,
  rotateWebhookSecret,
} from '../../../src/operations/webhooks/endpoints.ts';
import { SECOND } from '../../../src/protocol/durations.ts';
import { retryDelays } from '../../../src/protocol/webhooks/schedule.ts';
import type { WebhookDelivery } from '../../../src/storage/storage.ts';
import { type Answer, Api, newKey } from '../../harness/api.ts';
import { obtainTokens } from '../../harness/relying-party.ts';
import { requester, startTestService } from '../../harness/service.ts';
import { serviceOfSuite } from '../../harness/suite.ts';
import { startTwoInstances } from '../../harness/two-instances.ts';
import { until as untilTrue } from '../../harness/until.ts';
import { allowLoopback, newWebhook, type Received, type Receiver, startReceiver } from '../../harness/webhooks.ts';
import { nothingIsOver } from '../../storage/records.ts';

// No attempt is over before its test is: sender.test.ts is about the deadline.
const service = serviceOfSuite(allowLoopback, { webhookDeadline: 60 * SECOND });
let receiver: Receiver;
before(async () => {
  receiver = await startReceiver();
});
after(() => receiver.stop());
afterEach(async () => {
  // Each test has endpoints of its own, and nothing is left for the next one.
  const { services } = service.running;
  for (const { id } of await services.storage.listWebhooks()) await deleteWebhook(services, id, requester);
  receiver.received.length = 0;
  receiver.answer = { status: 204 };
});

/** Doesn't wait for the timer that begins to deliver. */
function until(condition: () => boolean | Promise<boolean>, what: string, on = service): Promise<void> {
  return untilTrue(async () => {
    await on.running.services.webhooks.sendDue();
    return condition();
  }, what);
}

const idOf = ({ headers }: Received) => String(headers['webhook-id']);

async function deliveriesOf(id: string, on = service): Promise<readonly WebhookDelivery[]> {
  const { storage } = on.running.services;
  return (await storage.pageDeliveries(id, undefined, { after: undefined, limit: 1000 })).items.toReversed();
}

async function attemptsOf(id: string): Promise<number[]> {
  return (await deliveriesOf(id)).map(({ attempts }) => attempts);
}

/** One that gets people who are created, and not what other tests do. */
async function endpointFor(url = receiver.url, types = ['user.created', 'user.disabled']) {
  return newWebhook(service, { url, types });
}

test('a message is signed as in Standard Webhooks and describes the event', async () => {
  const { webhook, secret } = await endpointFor();
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  const user = await service.newUser();
  await until(() => receiver.received.length === 1, 'the message arrives');
  const [{ headers, body } = assert.fail()] = receiver.received;
  const verified = new StandardWebhook(secret).verify(body, headers as Record<string, string>);
  const [event] = (await service.events('user_created')).slice(-1);
  assert.ok(event);
  assert.deepEqual(verified, {
    type: 'user.created',
    timestamp: new Date(event.at).toISOString(),
    data: { sub: user.id, by: null },
  });
  assert.equal(headers['webhook-id'], `msg_${event.id}`);
  assert.equal(headers['content-type'], 'application/json');
  assert.throws(() => new StandardWebhook(secret).verify(`${body} `, headers as Record<string, string>));
  await until(async () => (await deliveriesOf(webhook.id))[0]?.state === 'delivered', 'it is delivered');
  const [delivery] = await deliveriesOf(webhook.id);
  assert.deepEqual([delivery?.attempts, delivery?.lastAttempt?.status, delivery?.lastAttempt?.error], [1, 204, null]);
});

test('during a rotation both secrets verify, afterwards only the new one', async () => {
  const { services } = service.running;
  const { webhook, secret } = await endpointFor();
  const rotated = await rotateWebhookSecret(services, webhook.id, requester, 1);
  assert.ok(rotated.kind === 'done');
  const received = async () => {
    const count = receiver.received.length;
    await sendTestMessage(services, webhook.id, requester);
    await until(() => receiver.received.length > count, 'the message arrives');
    return receiver.received.at(-1) ?? assert.fail();
  };
  const verifies = (given: string, { body, headers }: Received) => {
    try {
      new StandardWebhook(given).verify(body, headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  };
  const during = await received();
  assert.match(String(during.headers['webhook-signature']), /^v1,\S{44} v1,\S{44}$/);
  assert.deepEqual([verifies(secret, during), verifies(rotated.secret, during)], [true, true]);
  assert.equal((await retireWebhookSecret(services, webhook.id, requester)).kind, 'done');
  const after = await received();
  assert.deepEqual([verifies(secret, after), verifies(rotated.secret, after)], [false, true]);
  assert.equal((await retireWebhookSecret(services, webhook.id, requester)).kind, 'refused');
  const rows = JSON.stringify(await service.rows('webhook_secrets'));
  for (const each of [secret, rotated.secret]) {
    assert.equal(rows.includes(each.slice(6)), false, 'a secret is never stored as it is');
    assert.equal(service.log().includes(each.slice(6)), false, 'nor logged');
  }
});

test('an application endpoint only gets messages about its own grants', async () => {
  const { services } = service.running;
  const client = await service.newClient();
  const other = await service.newClient();
  const user = await service.newUser();
  await obtainTokens(service, client, user);
  const bystander = await service.newUser();
  await obtainTokens(service, other, bystander);
  const { webhook } = await newWebhook(service, { url: receiver.url, clientId: client.id });
  await disableUser(services, bystander.id, requester);
  await disableUser(services, user.id, requester);
  await until(() => receiver.received.length === 1, 'the message arrives');
  const data = { grant_id: null, sub: user.id, client_id: client.id, reason: 'administrator' };
  assert.deepEqual(JSON.parse(receiver.received[0]?.body ?? '').data, data);
  assert.equal((await deliveriesOf(webhook.id)).length, 1);
  const actor = { kind: 'administrator', id: bystander.id } as const;
  const tested = await sendTestMessage(services, webhook.id, { ...requester, actor });
  assert.ok(tested.kind === 'done' && !tested.delivery.data.includes(bystander.id), 'nor of who runs the service');
  const general = await createWebhook(
    services,
    { url: receiver.url, clientId: client.id, types: ['user.created'] },
    requester,
  );
  assert.ok(general.kind === 'refused' && /can't have the event type/.test(general.problems[0].says));
});

test('the endpoint of a deleted application gets what waits for it, and nothing of other applications', async () => {
  const { services } = service.running;
  const api = await Api.of(service);
  const key = await newKey(service);
  const client = await service.newClient();
  await obtainTokens(service, client, await service.newUser());
  const { webhook } = await newWebhook(service, { url: receiver.url, clientId: client.id });
  const params = { id: webhook.id };
  const ownerOf = ({ data }: Answer) => [data.client_id, data.client_deleted_at];
  assert.deepEqual(ownerOf(await api.call('getWebhook', key, { params })), [client.id, null]);
  const everyones = await newWebhook(service, { url: receiver.url, types: ['webhook.deleted'] });
  assert.deepEqual(ownerOf(await api.call('getWebhook', key, { params: { id: everyones.webhook.id } })), [null, null]);

  receiver.answer = { status: 500 };
  assert.equal((await api.call('deleteApplication', key, { params: { client_id: client.id } })).status, 200);
  const deletedAt = new Date(services.clock.now()).toISOString();
  assert.deepEqual(ownerOf(await api.call('getWebhook', key, { params })), [null, deletedAt]);
  const listed = (await api.call('listWebhooks', key)).data.items.find(({ id }) => id === webhook.id);
  assert.equal(listed?.client_deleted_at, deletedAt);

  // It doesn't become one of the service's, whoever tries.
  const widened = await api.call('updateWebhook', key, { params, body: { types: ['user.created'] } });
  assert.equal(widened.status, 400, widened.message);
  assert.equal((await api.call('updateWebhook', key, { params, body: { types: null } })).status, 200);
  const other = await service.newClient();
  const person = await service.newUser();
  await obtainTokens(service, other, person);
  await disableUser(services, person.id, requester);
  await api.call('deleteApplication', key, { params: { client_id: other.id } });
  const actor = { kind: 'administrator', id: person.id } as const;
  const tested = await sendTestMessage(services, webhook.id, { ...requester, actor });
  assert.ok(tested.kind === 'done' && !tested.delivery.data.includes(person.id), 'nor of who runs the service');

  receiver.answer = { status: 204 };
  service.clock.advance(30 * SECOND);
  await until(async () => (await deliveriesOf(webhook.id)).every(({ state }) => state === 'delivered'), 'all arrive');
  const told = (await deliveriesOf(webhook.id)).map(({ type, data }) => [type, JSON.parse(data).client_id]);
  assert.deepEqual(told, [
    ['grant.ended', client.id],
    ['webhook.test', undefined],
  ]);
  await services.storage.sweep(nothingIsOver({ now: services.clock.now() }), 5000);
  assert.equal((await api.call('getWebhook', key, { params })).status, 404);
  assert.equal((await api.call('getWebhook', key, { params: { id: everyones.webhook.id } })).status, 200);
});

test('a message is tried ten times over three days, unchanged, then dropped', async () => {
  receiver.answer = { status: 503, body: 'not now' };
  const { webhook } = await endpointFor();
  await service.newUser();
  const total = retryDelays.reduce((sum, delay) => sum + delay, 0);
  assert.equal(Math.round(total / (24 * 60 * 60 * SECOND)), 3);
  for (const [index, delay] of retryDelays.entries()) {
    await until(async () => (await attemptsOf(webhook.id))[0] === index + 1, `attempt ${index + 1}`);
    // Up to a tenth earlier or later.
    service.clock.advance((delay * 0.9) / SECOND - 1);
    await service.running.services.webhooks.sendDue();
    assert.equal(receiver.received.length, index + 1, `not before its time: attempt ${index + 2}`);
    service.clock.advance((delay * 0.2) / SECOND + 2);
  }
  await until(async () => (await deliveriesOf(webhook.id))[0]?.state === 'given_up', 'it is given up');
  assert.equal(receiver.received.length, 10);
  assert.equal(new Set(receiver.received.map(idOf)).size, 1);
  assert.equal(new Set(receiver.received.map(({ body }) => body)).size, 1);
  assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-timestamp'])).size, 10);
  const [delivery] = await deliveriesOf(webhook.id);
  assert.deepEqual([delivery?.attempts, delivery?.lastAttempt?.status], [10, 503]);
  assert.equal(delivery?.lastAttempt?.response, 'not now');

  receiver.answer = { status: 200 };
  assert.equal(
    (await resendDelivery(service.running.services, webhook.id, delivery?.id ?? '', requester)).kind,
    'done',
  );
  service.clock.advance(10);
  await until(async () => (await deliveriesOf(webhook.id))[0]?.state === 'delivered', 'it is delivered after all');
  assert.equal(idOf(receiver.received.at(-1) ?? assert.fail()), delivery?.id);
});

test("messages arrive in order; a failed one doesn't block the others; after an outage the rest follow in order", async () => {
  const { services } = service.running;
  const { webhook } = await endpointFor();
  const names = async () => (await deliveriesOf(webhook.id)).map(({ id }) => id);
  for (let count = 0; count < 5; count++) await service.newUser();
  await until(() => receiver.received.length === 5, 'all arrive');
  assert.deepEqual(receiver.received.map(idOf), await names());

  // Only the first of the next ones is turned away.
  receiver.answer = { status: 500 };
  await service.newUser();
  await until(async () => (await attemptsOf(webhook.id))[5] === 1, 'it is tried');
  receiver.answer = { status: 200 };
  await service.newUser();
  service.clock.advance(2);
  await until(async () => (await deliveriesOf(webhook.id))[6]?.state === 'delivered', 'the next one is delivered');
  assert.equal((await deliveriesOf(webhook.id))[5]?.state, 'waiting');
  service.clock.advance(6);
  await until(async () => (await deliveriesOf(webhook.id))[5]?.state === 'delivered', 'and the other one later');

  // Now everything is turned away for a while.
  receiver.answer = { status: 500 };
  for (let count = 0; count < 4; count++) await service.newUser();
  for (let index = 7; index < 11; index++) {
    await until(async () => ((await attemptsOf(webhook.id))[index] ?? 0) >= 1, `message ${index} is tried`);
    service.clock.advance(10);
  }
  assert.ok(((await services.storage.findWebhook(webhook.id))?.failures ?? 0) >= 4);
  receiver.received.length = 0;
  receiver.answer = { status: 200 };
  const expected = (await names()).slice(7);
  service.clock.advance(10);
  await until(async () => (await deliveriesOf(webhook.id)).every(({ state }) => state === 'delivered'), 'all arrive');
  const arrived = receiver.received.map(idOf);
  assert.deepEqual([...arrived].sort(), [...expected].sort());
  // The first one to get through was due; the rest follow as they happened.
  assert.deepEqual(
    arrived.slice(1),
    expected.filter((id) => id !== arrived[0]),
  );
  assert.equal((await services.storage.findWebhook(webhook.id))?.failures, 0);
});

test("410 disables the endpoint with a reason, and nothing is sent until it's enabled", async () => {
  const { services } = service.running;
  receiver.answer = { status: 410, body: 'we have moved' };
  const { webhook } = await endpointFor();
  await service.newUser();
  await until(async () => (await services.storage.findWebhook(webhook.id))?.disabledAt !== null, 'it is disabled');
  assert.equal((await services.storage.findWebhook(webhook.id))?.disabledReason, 'gone');
  const [event] = (await service.events('webhook_disabled')).slice(-1);
  assert.deepEqual(event?.detail, { webhook: webhook.id, reason: 'gone' });
  const [delivery] = await deliveriesOf(webhook.id);
  assert.deepEqual([delivery?.state, delivery?.lastAttempt?.response], ['given_up', 'we have moved']);
  await service.newUser();
  assert.equal((await deliveriesOf(webhook.id)).length, 1, 'nothing is kept for it');
  assert.equal((await sendTestMessage(services, webhook.id, requester)).kind, 'refused');
  receiver.answer = { status: 200 };
  await enableWebhook(services, webhook.id, requester);
  await service.newUser();
  await until(() => receiver.received.length === 2, 'it is sent to again');
});

test("a redirect is a failure and isn't followed", async () => {
  const target = await startReceiver();
  const redirecting = await serverAnswering((_, response) => response.writeHead(302, { location: target.url }).end());
  const { webhook } = await endpointFor(redirecting.url);
  await service.newUser();
  await until(async () => (await attemptsOf(webhook.id))[0] === 1, 'it is tried');
  const [delivery] = await deliveriesOf(webhook.id);
  assert.deepEqual([delivery?.state, delivery?.lastAttempt?.status], ['waiting', 302]);
  assert.equal(target.received.length, 0);
  await target.stop();
  redirecting.stop();
});

test('a stored response is truncated and has no control characters', async () => {
  const hostile = `{\r\n\t"a": 1\n}\u001b[31mred\u202e\u0000<script>${'x'.repeat(70_000)}`;
  receiver.answer = { status: 200, body: hostile };
  const { webhook } = await endpointFor();
  await service.newUser();
  await until(async () => (await deliveriesOf(webhook.id))[0]?.state === 'delivered', 'it is delivered');
  const { response } = (await deliveriesOf(webhook.id))[0]?.lastAttempt ?? assert.fail();
  assert.match(response ?? '', /^\{\n "a": 1\n\}\ufffd\[31mred\ufffd\ufffd<script>x+$/);
  assert.equal(response?.length, 999);
});

test("an endpoint that never responds doesn't delay others", async () => {
  const silent = await serverAnswering(() => {});
  const dead = await Promise.all(Array.from({ length: 12 }, () => endpointFor(silent.url)));
  const { webhook } = await endpointFor();
  await service.newUser();
  await until(() => receiver.received.length === 1, 'the other one gets its message');
  await until(() => silent.connections() >= 12, 'while all of them are tried');
  for (let count = 0; count < 3; count++) await service.newUser();
  await until(() => receiver.received.length === 4, 'and the next ones');
  assert.deepEqual(
    receiver.received.map(idOf),
    (await deliveriesOf(webhook.id)).map(({ id }) => id),
  );
  for (const each of dead) assert.deepEqual(await attemptsOf(each.webhook.id), [0, 0, 0, 0]);
  silent.stop();
});

test('an attempt without a response is over after its deadline', async () => {
  const deadline = 200;
  const impatient = await startTestService(allowLoopback, { webhookDeadline: deadline });
  const silent = await serverAnswering(() => {});
  try {
    const { webhook } = await newWebhook(impatient, { url: silent.url, types: ['user.created'] });
    await impatient.newUser();
    const firstOf = async () => (await deliveriesOf(webhook.id, impatient))[0];
    await until(async () => (await firstOf())?.attempts === 1, 'it is tried', impatient);
    const { lastAttempt } = (await firstOf()) ?? assert.fail();
    assert.equal(lastAttempt?.error, 'no response within 0.2 s');
    assert.ok((lastAttempt?.duration ?? 0) >= deadline - 1);
  } finally {
    silent.stop();
    await impatient.stop();
  }
});

test('a slow endpoint makes room for others between messages', async () => {
  const shared = await startTestService();
  try {
    await shared.running.services.webhooks.close();
    await newWebhook(shared, { types: ['user.created'] });
    for (let count = 0; count < 4; count++) await shared.newUser();
    let sent = 0;
    const sender = {
      urlProblem: () => undefined,
      send: async () => ({ kind: 'answered', status: 200, body: '', duration: ++sent * 2000 }) as const,
      close: () => {},
    };
    const queue = new WebhookQueue({ ...shared.running.services, sender });
    const turn = new Promise<void>((resolve) => {
      queue.wake = resolve;
    });
    await queue.sendDue();
    await turn;
    assert.equal(sent, 2, 'the second answer took so long that five seconds are over');
  } finally {
    await shared.stop();
  }
});

/** Says how often it was asked to send, and answers once it may. */
function waitingSender() {
  let sent = 0;
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const sender = {
    urlProblem: () => undefined,
    async send() {
      sent++;
      await answered;
      return { kind: 'answered', status: 200, body: '', duration: 1 } as const;
    },
    close: () => {},
  };
  return { sender, answer, sent: () => sent };
}

test('an attempt that outlasts its claim is not made a second time meanwhile', async (context) => {
  const shared = await startTestService();
  try {
    const { services } = shared.running;
    await services.webhooks.close();
    const { webhook } = await newWebhook(shared, { types: ['user.created'] });
    await shared.newUser();
    const { sender, answer, sent } = waitingSender();
    const turns = context.mock.method(services.storage, 'listDueDeliveries');
    const queue = new WebhookQueue({ ...services, sender });
    await queue.sendDue();
    await untilTrue(() => sent() === 1, 'it is being sent');
    shared.clock.advance(11);
    await queue.sendDue();
    assert.equal(turns.mock.callCount(), 1);
    answer();
    await queue.close();
    assert.equal(sent(), 1);
    const [delivery] = await deliveriesOf(webhook.id, shared);
    assert.deepEqual([delivery?.state, delivery?.attempts], ['delivered', 1]);
  } finally {
    await shared.stop();
  }
});

for (const wrong of ['first', 'second'] as const) {
  test(`an instance whose clock is ahead claims by the store's clock, as the ${wrong} of two`, async (context) => {
    const shared = await startTestService();
    try {
      const { services } = shared.running;
      await services.webhooks.close();
      await newWebhook(shared, { types: ['user.created'] });
      await shared.newUser();
      const turns = context.mock.method(services.storage, 'listDueDeliveries');
      const ahead = { now: () => services.clock.now() + 300_000 };
      const stuck = waitingSender();
      const one = new WebhookQueue({ ...services, sender: stuck.sender, ...(wrong === 'first' && { clock: ahead }) });
      const next = waitingSender();
      next.answer();
      const two = new WebhookQueue({ ...services, sender: next.sender, ...(wrong === 'second' && { clock: ahead }) });
      await one.sendDue();
      await untilTrue(() => stuck.sent() === 1, 'one is sending it');
      await two.sendDue();
      assert.equal(turns.mock.callCount(), 1, 'the other one leaves it alone');
      shared.clock.advance(11);
      await two.sendDue();
      await untilTrue(() => next.sent() === 1, 'and takes over from one that says nothing for ten seconds');
      stuck.answer();
      await Promise.all([one.close(), two.close()]);
    } finally {
      await shared.stop();
    }
  });
}

test('an internal error is logged, and the message is sent later', async () => {
  const { storage } = service.running.services;
  const { webhook } = await endpointFor();
  const record = storage.recordAttempt;
  storage.recordAttempt = async () => {
    throw new Error('the result is not recorded');
  };
  try {
    await service.newUser();
    await until(() => service.log().includes('the result is not recorded'), 'it is logged');
  } finally {
    storage.recordAttempt = record;
  }
  service.clock.advance(11);
  await until(async () => (await deliveriesOf(webhook.id))[0]?.state === 'delivered', 'it is delivered');
});

test("a dead endpoint's queue is limited by dropping the oldest messages", async () => {
  const { services } = service.running;
  receiver.answer = { status: 500 };
  const { webhook } = await endpointFor();
  for (let count = 0; count < 4; count++) await service.newUser();
  await until(async () => (await attemptsOf(webhook.id)).some((attempts) => attempts > 0), 'it is tried');
  const before = await deliveriesOf(webhook.id);
  await dropOverflow(services, 3);
  assert.deepEqual(
    (await deliveriesOf(webhook.id)).map(({ id }) => id),
    before.slice(1).map(({ id }) => id),
  );
  assert.equal((await services.storage.findWebhook(webhook.id))?.dropped, 1);
});

test('a URL that resolves to a private IP address is refused when entered and when called', async () => {
  const strict = await startTestService();
  try {
    const { services } = strict.running;
    for (const url of ['https://127.0.0.1/', 'https://[::1]/', 'https://0x7f.1/', 'https://169.254.169.254/latest']) {
      const created = await createWebhook(services, { url }, requester);
      assert.ok(created.kind === 'refused' && /isn't a public IP address/.test(created.problems[0].says), url);
    }
    const wrong = [
      'http://hooks.example.com/',
      'https://me:secret@hooks.example.com/',
      'https://a.example/#b',
      'ftp://a/',
      'x',
      'https://a.example/\u001b[31m',
      'https://a.exa\tmple/',
      ' https://a.example/',
      'https://a.example/\u202egpj.exe',
    ];
    for (const url of wrong) assert.equal((await createWebhook(services, { url }, requester)).kind, 'refused', url);
    // A name is looked up when it is called.
    const port = new URL(receiver.url).port;
    const { webhook } = await newWebhook(strict, { url: `https://localhost:${port}/`, types: ['user.created'] });
    await strict.newUser();
    const firstOf = async () => (await deliveriesOf(webhook.id, strict))[0];
    await until(async () => (await firstOf())?.attempts === 1, 'it is tried', strict);
    assert.match((await firstOf())?.lastAttempt?.error ?? '', /isn't a public IP address/);
    assert.equal(receiver.received.length, 0);
  } finally {
    await strict.stop();
  }
});

test('two instances deliver each message once', async () => {
  const { one, two, stop } = await startTwoInstances(allowLoopback);
  try {
    const { webhook } = await newWebhook(one, { url: receiver.url, types: ['user.created'] });
    for (let count = 0; count < 10; count++) await (count % 2 === 0 ? one : two).newUser();
    const all = async () => deliveriesOf(webhook.id, two);
    const done = async () => (await all()).every(({ state }) => state === 'delivered');
    await Promise.all([until(done, 'all are delivered', one), until(done, 'all are delivered', two)]);
    assert.deepEqual(receiver.received.map(idOf).sort(), (await all()).map(({ id }) => id).sort());
    assert.equal(receiver.received.length, 10);
  } finally {
    await stop();
  }
});

test('stopping waits for the current attempt and records it', async () => {
  const stopping = await startTestService(allowLoopback);
  let answer: (() => void) | undefined;
  const slow = await serverAnswering((_, response) => {
    answer = () => response.end('done');
  });
  const { webhook } = await newWebhook(stopping, { url: slow.url, types: ['user.created'] });
  await stopping.newUser();
  await until(() => answer !== undefined, 'it is tried', stopping);
  let state: string | undefined;
  const { storage } = stopping.running.services;
  const close = storage.close.bind(storage);
  storage.close = async () => {
    state = (await deliveriesOf(webhook.id, stopping))[0]?.state;
    return close();
  };
  const stopped = stopping.stop();
  answer?.();
  await stopped;
  assert.equal(state, 'delivered');
  slow.stop();
});

async function serverAnswering(listener: Parameters<typeof createServer>[1]) {
  const server: Server = createServer({}, listener);
  let connections = 0;
  server.on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    connections: () => connections,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
