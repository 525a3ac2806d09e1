// Once a sign-out is answered, no instance issues a code for the session, not even to a request that was under way. And an
// application that has just presented its secret for the first time is told of it.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, test } from 'node:test';
import { rotateClientSecret } from '../../../src/operations/clients/clients.ts';
import { endSessions } from '../../../src/operations/users/disable-user.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import {
  logIn,
  logoutTokens,
  messagesFor,
  newLogoutClient,
  refreshed,
  sidIn,
  toldOf,
} from '../../harness/backchannel-logout.ts';
import { answerOf, Person, readForm } from '../../harness/person.ts';
import {
  authorizePath,
  exchangeParameters,
  newVerifier,
  obtainCode,
  obtainTokens,
  postForm,
} from '../../harness/relying-party.ts';
import { requester, type TestClient, type TestService, type TestUser } from '../../harness/service.ts';
import { startTwoInstances, type TwoInstances } from '../../harness/two-instances.ts';
import { until } from '../../harness/until.ts';
import { allowLoopback, type Receiver, startReceiver } from '../../harness/webhooks.ts';

let instances: TwoInstances;
let client: TestClient;
let user: TestUser;
let receiver: Receiver;
before(async () => {
  instances = await startTwoInstances(allowLoopback);
  receiver = await startReceiver();
  client = await instances.one.newClient();
  user = await instances.one.newUser();
});
after(async () => {
  await instances?.stop();
  await receiver?.stop();
});

async function signedIn() {
  const { person, tokens } = await obtainTokens(instances.one, client, user);
  /** The same browser, whatever happens to its cookies elsewhere. */
  const at = (service: TestService) => {
    const browser = new Person(service);
    for (const [name, value] of person.cookies) browser.cookies.set(name, value);
    return browser;
  };
  const signOut = () => at(instances.one).request(`/oauth/logout?id_token_hint=${tokens.id_token}`);
  return { at, signOut };
}

const silent = () => authorizePath(client, newVerifier(), { prompt: 'none' });
const outcomeOf = (response: Response) => {
  const { searchParams } = answerOf(response);
  return searchParams.get('error') ?? (searchParams.has('code') ? 'code' : 'nothing');
};

/** Holds back a call to the store until it's released. */
function heldBack(service: TestService, name: keyof Storage) {
  const storage = service.running.services.storage as unknown as Record<string, (...args: unknown[]) => unknown>;
  const original = storage[name] as (...args: unknown[]) => unknown;
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  storage[name] = async (...args) => {
    reached.resolve();
    await released.promise;
    return original(...args);
  };
  return {
    reached: reached.promise,
    release: () => {
      storage[name] = original;
      released.resolve();
    },
  };
}

test("authorization requests that race with a sign-out get no code once it's done", async () => {
  for (let round = 0; round < 3; round++) {
    const { at, signOut } = await signedIn();
    const both = () =>
      [instances.one, instances.two].map(async (service) => outcomeOf(await at(service).visit(silent())));
    const racing = Array.from({ length: 5 }, both).flat();
    assert.equal((await signOut()).status, 200);
    const late = await Promise.all([...both(), ...both()]);
    assert.deepEqual(
      late,
      late.map(() => 'login_required'),
    );
    for (const outcome of await Promise.all(racing)) assert.match(outcome, /^(code|login_required)$/);
  }
});

test('a slow request that read its session before the sign-out gets login_required', async () => {
  const { at, signOut } = await signedIn();
  const { release, reached } = heldBack(instances.two, 'issueCode');
  const slow = at(instances.two).visit(silent());
  await reached;
  await signOut();
  release();
  assert.equal(outcomeOf(await slow), 'login_required');
});

test('a slow approval ends at the sign-in page', async () => {
  const { at, signOut } = await signedIn();
  const browser = at(instances.two);
  const page = await (await browser.visit(authorizePath(client, newVerifier(), { prompt: 'consent' }))).text();
  const form = readForm(page, '/oauth-authorize/decision');
  assert.ok(form);
  const { release, reached } = heldBack(instances.two, 'approve');
  const slow = browser.submit(form, { decision: 'approve' });
  await reached;
  await signOut();
  release();
  const answer = await slow;
  assert.equal(answer.status, 200);
  assert.ok(readForm(await answer.text(), '/sign-in'));
});

function isSignedWith(token = '', secret: string): boolean {
  const [header, payload, signature] = token.split('.');
  return createHmac('sha256', secret).update(`${header}.${payload}`).digest('base64url') === signature;
}

/** A sign-out everywhere, right after what came before. */
async function endAll(): Promise<void> {
  assert.equal((await endSessions(instances.one.running.services, user, requester)).kind, 'done');
}

test('an application is told when the session ends right after it first presented its secret', async () => {
  const { one } = instances;
  // When secrets were last used is written some time later.
  const { release } = heldBack(one, 'noteSecretUses');
  try {
    const told = await one.newClient({ backchannelLogoutUri: receiver.url });
    const { sid } = await logIn(one, told, user);
    await endAll();
    assert.deepEqual(await toldOf(one, receiver, told), [sid]);
    const rotated = await rotateClientSecret(one.running.services, told.id, requester);
    assert.ok(rotated.kind === 'done');
    await logIn(one, { ...told, secret: rotated.secret }, user);
    await endAll();
    assert.equal((await toldOf(one, receiver, told)).length, 2);
    const [before, after] = logoutTokens(receiver, told);
    assert.equal(isSignedWith(before, told.secret), true);
    assert.equal(isSignedWith(after, rotated.secret), true);
  } finally {
    release();
  }
});

test('what signs is stored once for each secret', async () => {
  const { one } = instances;
  const { storage } = one.running.services;
  const original = storage.keepSecretStates;
  let stored = 0;
  Object.assign(storage, {
    keepSecretStates: (...args: Parameters<Storage['keepSecretStates']>) => {
      stored++;
      return original(...args);
    },
  });
  try {
    const told = await one.newClient({ backchannelLogoutUri: receiver.url });
    const signedIn = await logIn(one, told, user);
    await refreshed(one, told, signedIn);
    await logIn(instances.two, told, user);
    await logIn(one, told, user);
    assert.equal(stored, 1);
    await obtainTokens(one, client, user);
    assert.equal(stored, 1, 'and for no other application');
  } finally {
    Object.assign(storage, { keepSecretStates: original });
  }
});

test('an application whose very first code is exchanged after the session has ended is told a little later', async () => {
  const { one } = instances;
  const told = await one.newClient({ backchannelLogoutUri: receiver.url });
  const { code, verifier } = await obtainCode(one, told, user);
  await endAll();
  await until(async () => {
    await one.running.services.webhooks.sendDue();
    return (await messagesFor(one, told))[0]?.attempts === 1;
  }, 'nothing can sign it yet');
  const { body } = await postForm(one, '/oauth/token', exchangeParameters(told, code, verifier));
  one.clock.advance(6);
  assert.deepEqual(await toldOf(one, receiver, told), [sidIn(body)]);
});

test("a message that nothing can sign isn't its endpoint's failure", async () => {
  const { one, two } = instances;
  const told = await one.newClient({ backchannelLogoutUri: receiver.url });
  const { person } = await obtainCode(one, told, user);
  await obtainCode(one, told, user, {}, person);
  await endAll();
  await until(async () => {
    one.clock.advance(60 * 60);
    await one.running.services.webhooks.sendDue();
    return (await messagesFor(one, told)).every(({ state }) => state === 'given_up');
  }, 'it has been tried as often as others');
  assert.deepEqual(
    (await messagesFor(one, told)).map(({ attempts }) => attempts),
    [7, 7],
  );
  const [endpoint] = (await one.rows('webhook_endpoints')).filter(({ client_id }) => client_id === told.id);
  assert.ok(endpoint);
  assert.deepEqual([Number(endpoint.failures), endpoint.failing_since, Number(endpoint.resting_until)], [0, null, 0]);
  for (const { log } of [one, two]) assert.equal(log().includes(told.id), false);
});

test('a token is signed with what was stored when its turn came', async () => {
  const { one } = instances;
  const told = await newLogoutClient(one, receiver);
  const rotated = await rotateClientSecret(one.running.services, told.id, requester);
  assert.ok(rotated.kind === 'done');
  await logIn(one, told, user);
  const { reached, release } = heldBack(one, 'listDueDeliveries');
  try {
    await endAll();
    await Promise.all([one.running.services.webhooks.sendDue(), reached]);
    await logIn(one, { ...told, secret: rotated.secret }, user);
  } finally {
    release();
  }
  await toldOf(one, receiver, told);
  assert.equal(isSignedWith(logoutTokens(receiver, told)[0], rotated.secret), true);
});
