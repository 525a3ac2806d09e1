// Logout tokens on their way to real receivers: what they say, what signs them, and what becomes of them when the receiver fails.
// What triggers them is in test/http/oauth/backchannel-logout.test.ts.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { decodeJwt, jwtVerify } from 'jose';
import { rotateClientSecret, updateClient } from '../../../src/operations/clients/clients.ts';
import { retireOldSecret } from '../../../src/operations/clients/revoke-client.ts';
import { resealEverything, retireOlderKeys } from '../../../src/operations/housekeeping/retire-keys.ts';
import { endSessions } from '../../../src/operations/users/disable-user.ts';
import { rotateKeys } from '../../../src/platform/key-file.ts';
import { logoutRetryDelays } from '../../../src/protocol/webhooks/schedule.ts';
import { Api, newKey } from '../../harness/api.ts';
import {
  logIn,
  logoutTokens,
  messagesFor,
  newLogoutClient,
  present,
  refreshed,
  sidIn,
  tokenIn,
  toldOf,
} from '../../harness/backchannel-logout.ts';
import { Person } from '../../harness/person.ts';
import { requester, type TestClient, type TestUser } from '../../harness/service.ts';
import { serviceOfSuite } from '../../harness/suite.ts';
import { startTwoInstances } from '../../harness/two-instances.ts';
import { until } from '../../harness/until.ts';
import { allowLoopback, newWebhook, type Receiver, startReceiver } from '../../harness/webhooks.ts';

const service = serviceOfSuite(allowLoopback);
let receiver: Receiver;
let user: TestUser;
before(async () => {
  receiver = await startReceiver();
});
after(() => receiver.stop());
beforeEach(async () => {
  service.clock.advance(16 * 60);
  receiver.received.length = 0;
  receiver.answer = { status: 204 };
  user = await service.newUser();
});

const services = (on = service) => on.running.services;

async function signOut(who = user, on = service): Promise<void> {
  const outcome = await endSessions(services(on), who, requester);
  assert.equal(outcome.kind, 'done');
}

const verified = (token: string, secret: string) =>
  jwtVerify(token, Buffer.from(secret), {
    algorithms: ['HS256'],
    typ: 'logout+jwt',
    issuer: service.url,
    requiredClaims: ['iat', 'exp', 'jti', 'events', 'sub', 'sid'],
    currentDate: new Date(service.clock.now()),
  });

/** Until the last message for this application has been tried so often. */
async function attempted(client: TestClient, attempts: number): Promise<void> {
  await until(async () => {
    await services().webhooks.sendDue();
    return (await messagesFor(service, client))[0]?.attempts === attempts;
  }, `${attempts} attempts`);
}

/** Whose secret has signed the last token. */
async function signer(client: TestClient, ...secrets: readonly string[]): Promise<string | undefined> {
  const token = logoutTokens(receiver, client).at(-1) ?? '';
  for (const secret of secrets) {
    if (await verified(token, secret).catch(() => undefined)) return secret;
  }
  return undefined;
}

async function stateOf(client: Pick<TestClient, 'id'>): Promise<unknown> {
  const api = await Api.of(service);
  const { data } = await api.call('getApplication', await newKey(service), { params: { client_id: client.id } });
  return (data as unknown as { backchannel_logout: unknown }).backchannel_logout;
}

describe('a logout token', () => {
  test('has the claims of the specification and no other, in a form, signed with the secret', async () => {
    const client = await newLogoutClient(service, receiver);
    const { sid } = await logIn(service, client, user);
    await signOut();
    assert.deepEqual(await toldOf(service, receiver, client), [sid]);
    const [message] = receiver.received;
    assert.ok(message);
    assert.equal(message.headers['content-type'], 'application/x-www-form-urlencoded');
    assert.match(message.body, /^logout_token=[A-Za-z0-9_.-]+$/);
    const { payload, protectedHeader } = await verified(tokenIn(message), client.secret);
    assert.deepEqual(protectedHeader, { alg: 'HS256', typ: 'logout+jwt' });
    const { jti, iat = 0, ...rest } = payload;
    assert.match(String(jti), /^[0-9a-z]{26}$/);
    assert.equal(iat, Math.floor(service.clock.now() / 1000));
    assert.deepEqual(rest, {
      iss: service.url,
      sub: user.id,
      aud: client.id,
      exp: iat + 120,
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
      sid,
    });
  });

  test('is announced in discovery', async () => {
    const document = await (await fetch(`${service.url}/.well-known/openid-configuration`)).json();
    const { backchannel_logout_supported, backchannel_logout_session_supported } = document as Record<string, unknown>;
    assert.deepEqual([backchannel_logout_supported, backchannel_logout_session_supported], [true, true]);
  });

  test('is no credential, and no hint about who is signed in', async () => {
    const client = await newLogoutClient(service, receiver);
    const { person } = await logIn(service, client, user);
    const elsewhere = new Person(service);
    await elsewhere.signIn(user);
    await elsewhere.request(`/oauth/logout?${new URLSearchParams({ id_token_hint: 'x' })}`);
    await signOut();
    await toldOf(service, receiver, client);
    const [token = ''] = logoutTokens(receiver, client);
    await person.signIn(user);
    const page = await person.request(`/oauth/logout?${new URLSearchParams({ id_token_hint: token })}`);
    assert.equal(page.status, 200, 'it asks');
    const userinfo = await fetch(`${service.url}/oauth/userinfo`, { headers: { Authorization: `Bearer ${token}` } });
    assert.equal(userinfo.status, 401);
  });
});

describe('the sid', () => {
  const keysFile = () => join(service.dataDir, 'keys');
  async function rotate(): Promise<void> {
    const { keys } = services();
    const before = keys.signingId;
    rotateKeys(keysFile());
    await until(() => keys.signingId !== before, 'the new key is in use');
  }

  test("is the one in the ID token, byte for byte, though the service's key was rotated", async () => {
    const client = await newLogoutClient(service, receiver);
    const plain = await service.newClient();
    const before = await logIn(service, client, user);
    const unnoted = await logIn(service, plain, user);
    await rotate();
    assert.equal(sidIn(await refreshed(service, client, before)), before.sid);
    assert.equal(sidIn(await refreshed(service, plain, unnoted)), unnoted.sid);
    const after = await logIn(service, client, user);
    await signOut();
    assert.deepEqual((await toldOf(service, receiver, client)).sort(), [before.sid, after.sid].sort());
  });

  test('is made with the newest key once the old one is no longer listed, and what is sealed can still be opened', async () => {
    const client = await newLogoutClient(service, receiver);
    const before = await logIn(service, client, user);
    await rotate();
    await retireOlderKeys(services(), requester);
    const { resealed, unreadable } = await resealEverything(services());
    assert.ok(resealed > 0);
    assert.equal(unreadable, 0);
    const [newest = ''] = readFileSync(keysFile(), 'utf8').trim().split('\n');
    writeFileSync(keysFile(), `${newest}\n`);
    await until(() => services().keys.ids.length === 1, 'the others are gone');
    const again = await refreshed(service, client, before);
    assert.notEqual(sidIn(again), before.sid);
    await signOut();
    assert.deepEqual(await toldOf(service, receiver, client), [sidIn(again)]);
    assert.equal(await signer(client, client.secret), client.secret);
  });
});

describe('the newest secret that has been presented signs', () => {
  async function told(client: TestClient, secret: string): Promise<void> {
    const before = logoutTokens(receiver, client).length;
    await logIn(service, { ...client, secret }, user);
    await signOut();
    assert.equal((await toldOf(service, receiver, client)).length, before + 1);
  }

  test('so a rotated one only once the application uses it', async () => {
    const client = await newLogoutClient(service, receiver);
    const old = client.secret;
    const rotated = await rotateClientSecret(services(), client.id, requester);
    assert.ok(rotated.kind === 'done');
    const { secret } = rotated;
    await told(client, old);
    assert.equal(await signer(client, secret, old), old);
    await present(service, client, secret);
    await told(client, old);
    assert.equal(await signer(client, secret, old), secret, 'though the old one works, too');
    assert.equal((await retireOldSecret(services(), client.id, requester)).kind, 'done');
    await told(client, secret);
    assert.equal(await signer(client, secret, old), secret);
  });

  test('and until one has, messages wait, which is an event', async () => {
    const client = await service.newClient({ backchannelLogoutUri: receiver.url });
    assert.equal(await stateOf(client), 'waiting_for_secret');
    const signedIn = await logIn(service, client, user);
    assert.equal(await stateOf(client), 'ready');
    // A retired secret takes with it what was kept of it.
    assert.equal((await rotateClientSecret(services(), client.id, requester)).kind, 'done');
    assert.equal((await retireOldSecret(services(), client.id, requester)).kind, 'done');
    assert.equal(await stateOf(client), 'waiting_for_secret');
    await signOut();
    for (const [index, delay] of [0, ...logoutRetryDelays].entries()) {
      service.clock.advance((delay * 1.11) / 1000);
      await attempted(client, index + 1);
    }
    assert.equal(receiver.received.length, 0);
    const events = (await service.events('backchannel_logout_waiting')).filter(
      ({ clientId }) => clientId === client.id,
    );
    assert.deepEqual(
      events.map(({ userId }) => userId),
      [user.id],
    );
    const [message] = await messagesFor(service, client);
    assert.deepEqual([message?.state, message?.lastAttempt?.status], ['given_up', null]);
    assert.match(signedIn.sid, /^[0-9a-z]{26}\./);
  });

  test('also for an application that gets the URI later: a refresh counts', async () => {
    const client = await service.newClient();
    assert.equal(await stateOf(client), null);
    const signedIn = await logIn(service, client, user);
    const set = (backchannelLogoutUri: string) =>
      updateClient(services(), client.id, { backchannelLogoutUri }, requester);
    assert.equal((await set(receiver.url)).kind, 'done');
    assert.equal(await stateOf(client), 'waiting_for_secret');
    await refreshed(service, client, signedIn);
    assert.equal(await stateOf(client), 'ready');
    const row = async () => (await service.rows('clients')).find(({ id }) => id === client.id);
    assert.equal(typeof (await row())?.secret_states, 'string');
    assert.equal(JSON.stringify(await service.rows('clients')).includes(client.secret), false);
    // Nothing is kept without the URI.
    assert.equal((await set('')).kind, 'done');
    assert.equal(await stateOf(client), null);
    assert.equal((await row())?.secret_states, null);
    await refreshed(service, client, signedIn);
    assert.equal((await row())?.secret_states, null);
    const endpoints = await service.rows('webhook_endpoints');
    assert.equal(endpoints.filter(({ client_id }) => client_id === client.id).length, 0);
  });

  test('what is kept of another secret, or was sealed with a lost key, is dropped, and the next presentation replaces it', async () => {
    const client = await newLogoutClient(service, receiver);
    const other = await newLogoutClient(service, receiver);
    const { storage } = services();
    const { sealedStates } = (await storage.findClient(other.id))?.secrets[0] ?? {};
    const { digest = '', sealedStates: own } = (await storage.findClient(client.id))?.secrets[0] ?? {};
    await storage.dropSecretStates(client.id, own ?? '');
    // As if somebody had copied a column of the database.
    await storage.keepSecretStates(client.id, digest, sealedStates ?? '');
    const { sid } = await logIn(service, client, user);
    await signOut();
    await attempted(client, 1);
    assert.equal(await stateOf(client), 'waiting_for_secret');
    await present(service, client);
    assert.equal(await stateOf(client), 'ready');
    service.clock.advance(6);
    assert.deepEqual(await toldOf(service, receiver, client), [sid]);
    assert.equal(await signer(client, client.secret), client.secret);
  });
});

describe('a receiver that fails', () => {
  async function queued(): Promise<TestClient> {
    const client = await newLogoutClient(service, receiver);
    await logIn(service, client, user);
    await signOut();
    return client;
  }
  test('is tried for an hour, each time with a new token', async () => {
    receiver.answer = { status: 503, body: 'down' };
    const client = await queued();
    const since = service.clock.now();
    await attempted(client, 1);
    for (const [index, delay] of logoutRetryDelays.entries()) {
      // Up to a tenth later.
      service.clock.advance((delay * 1.11) / 1000);
      await attempted(client, index + 2);
    }
    const [message] = await messagesFor(service, client);
    assert.deepEqual([message?.state, message?.lastAttempt?.status], ['given_up', 503]);
    assert.ok(service.clock.now() - since < 60 * 60 * 1000);
    const payloads = logoutTokens(receiver, client).map((token) => decodeJwt(token));
    assert.equal(payloads.length, logoutRetryDelays.length + 1);
    assert.equal(new Set(payloads.map(({ jti }) => jti)).size, payloads.length);
    assert.equal(new Set(payloads.map(({ iat }) => iat)).size, payloads.length);
    for (const { iat = 0, exp } of payloads) assert.equal(exp, iat + 120);
    assert.equal(new Set(payloads.map(({ sid }) => sid)).size, 1);
  });

  test('with 400 is not tried again, and the next message follows at once', async () => {
    receiver.answer = { status: 400, body: 'no such session' };
    const client = await queued();
    await logIn(service, client, user);
    await signOut();
    assert.equal((await toldOf(service, receiver, client)).length, 2);
    for (const { state, attempts, lastAttempt } of await messagesFor(service, client)) {
      assert.deepEqual([state, attempts, lastAttempt?.status], ['given_up', 1, 400]);
      assert.equal(lastAttempt?.response, null, 'the response is not kept');
    }
    assert.equal(JSON.stringify(await service.rows('webhook_deliveries')).includes('no such session'), false);
  });

  for (const status of [200, 204]) {
    test(`accepts with ${status}`, async () => {
      receiver.answer = { status };
      const client = await queued();
      await toldOf(service, receiver, client);
      assert.equal((await messagesFor(service, client))[0]?.state, 'delivered');
    });
  }

  for (const status of [202, 302, 307, 404, 410, 501]) {
    test(`is tried again after ${status}, and redirects aren't followed`, async () => {
      receiver.answer = { status };
      const client = await queued();
      await attempted(client, 1);
      assert.equal((await messagesFor(service, client))[0]?.state, 'waiting');
      receiver.answer = { status: 204 };
      service.clock.advance(20);
      await toldOf(service, receiver, client);
      assert.equal((await messagesFor(service, client))[0]?.state, 'delivered');
    });
  }

  test("doesn't delay webhooks, nor the other way round", async (t) => {
    const silent = createServer(() => {});
    t.after(() => {
      silent.closeAllConnections();
      silent.close();
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
    const client = await newLogoutClient(service, { ...receiver, url });
    await newWebhook(service, { url: receiver.url, types: ['user.created'] });
    await logIn(service, client, user);
    await signOut();
    await service.newUser();
    await until(async () => {
      await services().webhooks.sendDue();
      return receiver.received.some(({ headers }) => headers['webhook-id'] !== undefined);
    }, 'the webhook arrives');
    assert.equal((await messagesFor(service, client))[0]?.state, 'waiting');
    await newWebhook(service, { url, types: ['user.created'] });
    await service.newUser();
    const other = await newLogoutClient(service, receiver);
    const { sid } = await logIn(service, other, user);
    await signOut();
    assert.deepEqual(await toldOf(service, receiver, other), [sid]);
  });
});

test('what waits is sent by another instance after the first has stopped', async () => {
  const { one, two, stop } = await startTwoInstances(allowLoopback);
  try {
    const down = await startReceiver();
    down.answer = { status: 500 };
    const client = await newLogoutClient(one, down);
    const person = await one.newUser();
    const { sid } = await logIn(one, client, person);
    await signOut(person, one);
    await until(async () => {
      await services(one).webhooks.sendDue();
      return (await messagesFor(two, client))[0]?.attempts === 1;
    }, 'it is tried');
    await one.running.stop();
    down.answer = { status: 204 };
    two.clock.advance(30);
    assert.equal((await toldOf(two, down, client)).at(-1), sid);
    assert.equal((await messagesFor(two, client))[0]?.state, 'delivered');
    await down.stop();
  } finally {
    await stop();
  }
});
