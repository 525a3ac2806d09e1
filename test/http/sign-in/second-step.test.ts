// The second step of a sign-in: which codes it accepts, how often, in which browser and for how long.

import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import { disableUser } from '../../../src/operations/users/disable-user.ts';
import { setPassword } from '../../../src/operations/users/user-recovery.ts';
import { formIn, Person, readForm } from '../../harness/person.ts';
import { authorizePath, newVerifier } from '../../harness/relying-party.ts';
import {
  alignToStep,
  assertRefused,
  codeOf,
  eventsOf,
  isSignedIn,
  lastEventOf,
  newOwner,
  type Owner,
  post,
  reachSecondStep,
  tryCode,
  wrongCode,
} from '../../harness/second-factors.ts';
import { requester, type TestClient, type TestUser } from '../../harness/service.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;
const session = 'latchkey_session';

const service = serviceOfSuite();
let client: TestClient;

before(async () => {
  client = await service.newClient();
});

/** Each test starts with no failures counted, at the start of a code's 30 seconds. */
beforeEach(() => {
  service.clock.advance(8 * DAY);
  alignToStep(service);
});

describe('the second step', () => {
  let owner: Owner;
  before(async () => {
    owner = await newOwner(service);
  });

  test('the password alone starts no session and records no sign-in', async () => {
    const person = new Person(service);
    const form = await formIn(await person.visit('/sign-in'));
    const fields = { ...form.fields, email: owner.user.email, password: owner.user.password };
    const count = async () => (await eventsOf(service, owner.user)).filter(({ kind }) => kind === 'signed_in').length;
    const [sessions, signIns] = [(await service.rows('sessions')).length, await count()];

    const response = await post(person, '/sign-in', fields);
    assert.equal(response.status, 200);
    assert.deepEqual(response.headers.getSetCookie(), []);
    assert.match(await response.text(), /action="\/sign-in\/second-step"/);
    assert.match((await person.request('/account')).headers.get('location') ?? '', /^\/sign-in/);
    assert.equal((await service.rows('sessions')).length, sessions);
    assert.equal(await count(), signIns);
    assert.equal((await lastEventOf(service, owner.user))?.kind, 'second_step_asked');
  });

  describe('if an app is set up during the sign-in', () => {
    async function setUpApp({ id }: TestUser): Promise<void> {
      const { storage, journal } = service.running.services;
      const event = journal.event({ kind: 'authenticator_added', userId: id }, requester);
      await storage.enableAuthenticator(id, { sealedSecret: '', lastStep: 0 }, [], service.clock.now(), event);
    }

    test('while the password is checked, its code is asked for', async (t) => {
      const { passwords } = service.running.services;
      const user = await service.newUser();
      const verify = passwords.verify.bind(passwords);
      t.mock.method(passwords, 'verify', async (...given: Parameters<typeof verify>) => {
        const right = await verify(...given);
        await setUpApp(user);
        return right;
      });
      const person = new Person(service);
      await formIn(await person.signIn(user), '/sign-in/second-step');
      assert.equal(person.cookies.has(session), false);
    });

    test("after that, the password isn't enough", async (t) => {
      const { storage } = service.running.services;
      const user = await service.newUser();
      const find = storage.findSignInFacts.bind(storage);
      t.mock.method(storage, 'findSignInFacts', async (...given: Parameters<typeof find>) => {
        const facts = await find(...given);
        await setUpApp(user);
        return facts;
      });
      const person = new Person(service);
      await assertRefused(person, await person.signIn(user), 400);
      assert.equal((await lastEventOf(service, user))?.reason, 'changed_meanwhile');
    });
  });

  test('during an authorization request its form can redirect to that application only', async () => {
    const person = new Person(service);
    const signIn = await formIn(await person.visit(authorizePath(client, newVerifier())), '/sign-in');
    const fields = { email: owner.user.email, password: owner.user.password };
    const policy = (response: Response) =>
      /form-action ([^;]+)/.exec(response.headers.get('content-security-policy') ?? '')?.[1];
    const step = await person.submit(signIn, fields);
    assert.equal(policy(step), "'self' http://localhost:9999");
    const form = await formIn(step, '/sign-in/second-step');
    assert.equal(policy(await tryCode({ person, form }, wrongCode(service, owner))), "'self' http://localhost:9999");
    assert.equal(policy(await new Person(service).signIn(owner.user)), "'self'");
  });

  test("a wrong password doesn't lead to the second step", async () => {
    const person = new Person(service);
    const response = await person.signIn({ ...owner.user, password: 'not the password' });
    assert.equal(readForm(await response.clone().text(), '/sign-in/second-step'), undefined);
    await assertRefused(person, response, 400);
  });

  test('the current code and its two neighbors sign in, and no others', async () => {
    const step = await reachSecondStep(service, owner.user);
    for (const offset of [-2, 2])
      await assertRefused(step.person, await tryCode(step, codeOf(service, owner, offset)), 400);
    assert.equal((await lastEventOf(service, owner.user))?.reason, 'wrong_second_step');
    for (const offset of [-1, 0, 1]) {
      service.clock.advance(3 * 30);
      const code = codeOf(service, owner, offset);
      await tryCode(step, ` ${code.slice(0, 3)} ${code.slice(3)} `);
      assert.ok(await isSignedIn(step.person), `${offset}`);
      const { kind, method } = (await lastEventOf(service, owner.user)) ?? {};
      assert.deepEqual([kind, method], ['signed_in', 'password_and_code']);
      step.person.cookies.delete(session);
    }
  });

  test('a code is accepted once, and no older one after it', async () => {
    const step = await reachSecondStep(service, owner.user);
    const [older, used, newer] = [codeOf(service, owner, -1), codeOf(service, owner), codeOf(service, owner, 1)];
    await tryCode(step, used);
    assert.ok(await isSignedIn(step.person));
    const thief = await reachSecondStep(service, owner.user);
    for (const code of [used, older]) await assertRefused(thief.person, await tryCode(thief, code), 400);
    await tryCode(thief, newer);
    assert.ok(await isSignedIn(thief.person), 'the next one is another');
  });

  test('of ten concurrent uses of one code, one signs in', async () => {
    const step = await reachSecondStep(service, owner.user);
    const code = codeOf(service, owner);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => post(step.person, step.form.action, { ...step.form.fields, code })),
    );
    assert.equal(answers.filter(({ status }) => status === 303).length, 1);
    const cookies = answers.flatMap(({ headers }) => headers.getSetCookie());
    assert.equal(cookies.filter((line) => line.startsWith(`${session}=`)).length, 1);
  });

  test("another person's code is refused", async () => {
    const other = await newOwner(service);
    const step = await reachSecondStep(service, owner.user);
    await assertRefused(step.person, await tryCode(step, codeOf(service, other)), 400);
    await assertRefused(step.person, await tryCode(step, other.recoveryCodes[0] ?? ''), 400);
    const othersStep = await reachSecondStep(service, other.user);
    await tryCode(othersStep, codeOf(service, other));
    assert.ok(await isSignedIn(othersStep.person), 'and is not used up by that');
  });

  test('empty, malformed and oversized input is refused', async () => {
    const step = await reachSecondStep(service, owner.user);
    for (const code of ['', ' ', '000000x', '１２３４５６', '0'.repeat(5000), "' OR 1=1 --", 'undefined']) {
      await assertRefused(step.person, await tryCode(step, code), 400);
    }
  });

  test('no code is no guess: the page asks for it, however often it is left out', async () => {
    const step = await reachSecondStep(service, owner.user);
    for (let number = 0; number < 12; number++) {
      const response = await tryCode(step, number % 2 === 0 ? '' : ' ');
      assert.equal(response.status, 400);
      assert.match(await response.text(), /id="code-problem"[^>]*>[\s\S]*?Enter your code\./);
    }
    await tryCode(step, codeOf(service, owner));
    assert.ok(await isSignedIn(step.person));
  });

  test("six wrong codes don't block the right one", async () => {
    const step = await reachSecondStep(service, owner.user);
    for (let number = 0; number < 6; number++) {
      await assertRefused(step.person, await tryCode(step, wrongCode(service, owner, number)), 400);
    }
    await tryCode(step, codeOf(service, owner));
    assert.ok(await isSignedIn(step.person));
  });

  test('after ten failures the second step is blocked for a while, except in a known browser', async () => {
    owner.person.cookies.delete(session);
    const known = await reachSecondStep(service, owner.user, owner.person);
    const step = await reachSecondStep(service, owner.user);
    for (let number = 0; number < 10; number++) {
      await assertRefused(step.person, await tryCode(step, wrongCode(service, owner, number)), 400);
    }
    const again = await reachSecondStep(service, owner.user);
    for (const each of [step, again]) {
      const throttled = await tryCode(each, codeOf(service, owner));
      const retryAfter = Number(throttled.headers.get('retry-after'));
      assert.ok(retryAfter > 0 && retryAfter <= 900, `${retryAfter}`);
      await assertRefused(each.person, throttled, 429);
      await assertRefused(each.person, await tryCode(each, owner.recoveryCodes[0] ?? ''), 429);
    }
    assert.equal((await lastEventOf(service, owner.user))?.reason, 'throttled');
    assert.equal((await tryCode(known, codeOf(service, owner))).status, 200, 'the owner gets in');

    service.clock.advance(15 * MINUTE);
    const later = await reachSecondStep(service, owner.user);
    await tryCode(later, codeOf(service, owner));
    assert.ok(await isSignedIn(later.person));
  });

  test("parallel guesses can't exceed the limit", async () => {
    const step = await reachSecondStep(service, owner.user);
    const statuses = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        tryCode(step, wrongCode(service, owner, index)).then((response) => response.status),
      ),
    );
    assert.ok(statuses.filter((status) => status === 400).length <= 10);
    assert.equal((await tryCode(step, codeOf(service, owner))).status, 429);
  });

  test('its form only works in the browser that gave the password', async () => {
    const step = await reachSecondStep(service, owner.user);
    const other = await reachSecondStep(service, owner.user);
    const code = codeOf(service, owner);
    const pending = step.form.fields.pending ?? '';
    await assertRefused(other.person, await tryCode({ ...other, form: step.form }, code), 403);
    const stranger = new Person(service);
    await assertRefused(stranger, await tryCode({ person: stranger, form: step.form }, code), 403);
    const { fields } = await formIn(await step.person.visit('/sign-in'));
    for (const ticket of ['', 'x', `x${pending}`, `${pending}x`, pending.split('.')[0] ?? '', fields.continue ?? '']) {
      const form = { ...step.form, fields: { pending: ticket } };
      await assertRefused(step.person, await tryCode({ ...step, form }, code), 403);
    }
    const asSignIn = { ...fields, continue: pending, email: owner.user.email, password: owner.user.password };
    await assertRefused(step.person, await post(step.person, '/sign-in', asSignIn), 403);
    await tryCode(step, code);
    assert.ok(await isSignedIn(step.person), 'and the code is not used up by that');
  });

  test('a form from another site is refused', async () => {
    const step = await reachSecondStep(service, owner.user);
    const headers = { Origin: 'https://evil.example' };
    const response = await step.person.submit(step.form, { code: codeOf(service, owner) }, headers);
    await assertRefused(step.person, response, 403);
  });

  test('it expires ten minutes after the password', async () => {
    const step = await reachSecondStep(service, owner.user);
    const late = await reachSecondStep(service, owner.user);
    service.clock.advance(10 * MINUTE - 15);
    await tryCode(step, codeOf(service, owner));
    assert.ok(await isSignedIn(step.person));
    service.clock.advance(MINUTE);
    await assertRefused(late.person, await tryCode(late, codeOf(service, owner)), 403);
    await assertRefused(late.person, await tryCode(late, wrongCode(service, owner)), 403);
  });

  test("it's refused if the password has changed", async () => {
    const own = await newOwner(service);
    // A new app would be paused by the new password.
    service.clock.advance(8 * 24 * 60 * MINUTE);
    const step = await reachSecondStep(service, own.user);
    await setPassword(service.running.services, own.user.email, 'another password entirely', requester);
    await assertRefused(step.person, await tryCode(step, codeOf(service, own)), 403);
    await assertRefused(step.person, await tryCode(step, own.recoveryCodes[0] ?? ''), 403);
    const again = await reachSecondStep(service, { ...own.user, password: 'another password entirely' });
    await tryCode(again, codeOf(service, own));
    assert.ok(await isSignedIn(again.person), 'and the code is not used up by that');
  });

  test("a person disabled in the meantime can't finish it", async () => {
    const own = await newOwner(service);
    const step = await reachSecondStep(service, own.user);
    await disableUser(service.running.services, own.user.email, requester);
    await assertRefused(step.person, await tryCode(step, codeOf(service, own)), 403);
    await assertRefused(step.person, await tryCode(step, own.recoveryCodes[0] ?? ''), 403);
    const left = (await service.rows('recovery_codes')).filter((row) => row.user_id === own.user.id).length;
    assert.equal(left, 10, 'and no code is used up by that');
    const person = new Person(service);
    await assertRefused(person, await person.signIn(own.user), 400);
  });
});
