// What the ID token says about the second factor.

import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import { type Form, formIn, Person, readForm } from '../../harness/person.ts';
import { authorizePath, newVerifier } from '../../harness/relying-party.ts';
import { alignToStep, codeOf, idTokenOf, newOwner, type Owner, tryCode } from '../../harness/second-factors.ts';
import type { TestClient } from '../../harness/service.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const session = 'latchkey_session';

const service = serviceOfSuite();
let client: TestClient;

before(async () => {
  client = await service.newClient();
});

/** Each test starts with no failures counted, at the start of a code's 30 seconds. */
beforeEach(() => {
  service.clock.advance(HOUR);
  alignToStep(service);
});

describe('claims about second factors', () => {
  let owner: Owner;
  before(async () => {
    owner = await newOwner(service);
  });
  const byCode = (step: { person: Person; form: Form }) => tryCode(step, codeOf(service, owner));

  test('the ID token has the sign-in methods in amr', async () => {
    const plain = await service.newUser();
    assert.deepEqual((await idTokenOf(service, client, new Person(service), plain, {}, byCode)).amr, ['pwd']);
    assert.deepEqual((await idTokenOf(service, client, new Person(service), owner.user, {}, byCode)).amr, [
      'pwd',
      'otp',
      'mfa',
    ]);
    const byRecovery = (step: { person: Person; form: Form }) => tryCode(step, owner.recoveryCodes[0] ?? '');
    assert.deepEqual((await idTokenOf(service, client, new Person(service), owner.user, {}, byRecovery)).amr, [
      'pwd',
      'otp',
      'mfa',
    ]);
  });

  test('prompt=login and max_age ask again, also for the code', async () => {
    const person = new Person(service);
    const first = await idTokenOf(service, client, person, owner.user, {}, byCode);
    for (const changes of [{ prompt: 'login' }, { max_age: '60' }] as Record<string, string>[]) {
      service.clock.advance(2 * MINUTE);
      const before = person.cookies.get(session);
      const signIn = await formIn(await person.visit(authorizePath(client, newVerifier(), changes)), '/sign-in');
      const half = await person.submit(signIn, { email: owner.user.email, password: owner.user.password });
      assert.match(await half.text(), /action="\/sign-in\/second-step"/);
      assert.equal(person.cookies.get(session), before, 'half a sign-in starts nothing');

      const token = await idTokenOf(service, client, person, owner.user, changes, byCode);
      assert.notEqual(person.cookies.get(session), before);
      assert.deepEqual(token.amr, ['pwd', 'otp', 'mfa']);
      assert.ok(Number(token.auth_time) >= Number(first.auth_time) + 2 * MINUTE);
    }
  });

  test("a sign-in without its second step doesn't satisfy prompt=login", async () => {
    const person = new Person(service);
    await idTokenOf(service, client, person, owner.user, {}, byCode);
    const path = authorizePath(client, newVerifier(), { prompt: 'login' });
    const signIn = await formIn(await person.visit(path), '/sign-in');
    await person.submit(signIn, { email: owner.user.email, password: owner.user.password });
    assert.equal((await person.visit(path)).status, 200);
    assert.ok(readForm(await (await person.visit(path)).text(), '/sign-in'));
  });
});
