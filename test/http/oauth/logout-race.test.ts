// Once a sign-out is answered, no instance issues a code for the session, not even to a request that was under way.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { answerOf, Person, readForm } from '../../harness/person.ts';
import { authorizePath, newVerifier, obtainTokens } from '../../harness/relying-party.ts';
import type { TestClient, TestService, TestUser } from '../../harness/service.ts';
import { startTwoInstances, type TwoInstances } from '../../harness/two-instances.ts';

let instances: TwoInstances;
let client: TestClient;
let user: TestUser;
before(async () => {
  instances = await startTwoInstances();
  client = await instances.one.newClient();
  user = await instances.one.newUser();
});
after(() => instances?.stop());

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
function heldBack(service: TestService, name: 'issueCode' | 'approve') {
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
