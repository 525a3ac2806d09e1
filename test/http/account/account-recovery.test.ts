// An owner takes their account back from somebody who knew the password: by a password reset, and by "This wasn't me".

import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import { makeRecoveryLink, setPassword } from '../../../src/operations/users/user-recovery.ts';
import { finishReview, signedIn } from '../../harness/account.ts';
import { answer, newHolder, offered, passkeysOf, register } from '../../harness/passkeys.ts';
import { formIn, Person, readForm } from '../../harness/person.ts';
import { proofAsked } from '../../harness/proof.ts';
import { authorizePath, newVerifier, obtainTokens, userinfo } from '../../harness/relying-party.ts';
import {
  alignToStep,
  codeOf,
  eventsOf,
  isSignedIn,
  newOwner,
  type Owner,
  post,
  reachSecondStep,
  securityPath,
  tryCode,
  turnOn,
} from '../../harness/second-factors.ts';
import { requester, type TestClient, type TestUser } from '../../harness/service.ts';
import { askToReset, password } from '../../harness/sign-up.ts';
import { SoftwareAuthenticator } from '../../harness/software-authenticator.ts';
import { assertNothingChanged, everythingIn, linkFor, mailsTo } from '../../harness/store.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

const service = serviceOfSuite();
let client: TestClient;

before(async () => {
  client = await service.newClient({ name: 'Calendar' });
});
// Emails and attempts are limited: each test starts when those of the tests before it no longer count.
beforeEach(() => {
  service.clock.advance(16 * MINUTE);
  alignToStep(service);
});

async function resetByEmail(user: TestUser): Promise<TestUser> {
  await askToReset(service, user.email);
  const person = new Person(service);
  const form = await formIn(await person.visit(await linkFor(service, user.email)));
  assert.equal((await person.submit(form, { password })).status, 200);
  return { ...user, password };
}

async function signsInWith(device: SoftwareAuthenticator): Promise<boolean> {
  const offer = await offered(service);
  await answer(offer, device.get(offer.challenge));
  return isSignedIn(offer.person);
}

const rowsOf = async (table: string, user: TestUser) =>
  (await service.rows(table)).filter((row) => row.user_id === user.id);

describe('a password reset', () => {
  test('locks out someone who added a passkey, lets the owner in, and removes all other access with one button', async () => {
    const user = await service.newUser({ admin: true });
    const { tokens, person: attacker } = await obtainTokens(service, client, user);
    const device = new SoftwareAuthenticator(service.url);
    assert.equal((await register(attacker, device)).status, 200);
    const key = await formIn(await attacker.visit('/admin/keys'), '/admin/keys');
    await attacker.submit(key, { name: 'Left behind', permission: 'write', days: '' });
    assert.equal(await signsInWith(device), true);

    const renewed = await resetByEmail(user);
    assert.equal(await isSignedIn(attacker), false);
    assert.equal(await signsInWith(device), false, 'the passkey signs nobody in');

    const owner = new Person(service);
    const page = await (await owner.signIn(renewed)).text();
    assert.ok(await isSignedIn(owner), 'and no second step is asked for');
    assert.match(page, /<h1>Review your account<\/h1>/);
    for (const listed of [/Passkey “My phone”/, /Calendar/, /Left behind/, /This device/]) assert.match(page, listed);
    // In a second browser, the review is there until it is done.
    const other = new Person(service);
    assert.match(await (await other.signIn(renewed)).text(), /<h1>Review your account<\/h1>/);

    const form = readForm(page, '/account/review');
    assert.ok(form);
    const done = await owner.submit(form, { review: 'remove' });
    assert.match(await done.text(), /<h1>Your apps<\/h1>/);
    assert.ok(await isSignedIn(owner));
    assert.equal(await isSignedIn(other), false);
    for (const table of ['passkeys', 'recovery_codes', 'consents'])
      assert.deepEqual(await rowsOf(table, user), [], table);
    assert.equal((await rowsOf('known_devices', user)).length, 1);
    assert.deepEqual(
      (await service.rows('api_keys')).filter((row) => row.created_by === user.id),
      [],
    );
    assert.equal((await userinfo(service, tokens.access_token)).status, 401);
    const kinds = (await eventsOf(service, user)).map(({ kind }) => kind);
    for (const kind of ['passkey_removed', 'app_removed', 'api_key_ended', 'sessions_ended', 'account_reviewed']) {
      assert.equal(kinds.filter((each) => each === kind).length, 1, kind);
    }
    assert.match(
      await (await new Person(service).signIn(renewed)).text(),
      /<h1>Your apps<\/h1>/,
      'it is not shown again',
    );
  });

  test('lets the owner keep their new passkey', async () => {
    const { user, device } = await newHolder(service);
    const renewed = await resetByEmail(user);
    const owner = new Person(service);
    const form = await formIn(await owner.signIn(renewed), '/account/review/paused?to=%2Faccount');
    const [keep] = form.buttons.filter(({ name }) => name === 'keep');
    assert.equal(await signsInWith(device), false);
    const kept = await owner.submit(form, { keep: keep?.value ?? '' });
    assert.match(await kept.text(), /Sign-in method kept/);
    assert.equal(await signsInWith(device), true);
    await reachSecondStep(service, renewed);
    assert.equal((await rowsOf('recovery_codes', user)).filter((row) => row.suspended_at === null).length, 10);
  });

  test('lists suspended factors on the security page, where they can be removed', async () => {
    const { user } = await newOwner(service);
    const renewed = await resetByEmail(user);
    const owner = await signedIn(service, renewed);
    await finishReview(owner);
    const page = await (await owner.visit(securityPath)).text();
    assert.equal(page.includes('href="/account/authenticator"'), false, 'there is one to decide about first');
    const form = readForm(page, `${securityPath}/paused`);
    assert.ok(form);
    const removed = await owner.submit(form, { remove: 'authenticator' });
    assert.match(await removed.text(), /Sign-in method removed/);
    for (const table of ['authenticators', 'recovery_codes']) assert.deepEqual(await rowsOf(table, user), []);
  });

  for (const [age, name, asked] of [
    [7 * DAY - 2 * MINUTE, 'less than 7 days', false],
    [7 * DAY + MINUTE, 'more than 7 days', true],
  ] as const) {
    test(`an authenticator app that is ${name} old ${asked ? 'is still asked for' : 'is not asked for'}`, async () => {
      const owner = await newOwner(service);
      service.clock.advance(age);
      const renewed = await resetByEmail(owner.user);
      const person = new Person(service);
      const form = readForm(await (await person.signIn(renewed)).text(), '/sign-in/second-step');
      assert.equal(form !== undefined, asked);
      assert.equal(await isSignedIn(person), !asked);
      if (form === undefined) return;
      await tryCode({ person, form }, codeOf(service, owner));
      assert.ok(await isSignedIn(person));
    });
  }

  test('suspends recently replaced recovery codes, even if the app is old', async () => {
    const owner = await newOwner(service);
    service.clock.advance(8 * DAY);
    const person = await reachSecondStep(service, owner.user);
    await tryCode(person, codeOf(service, owner));
    service.clock.advance(30);
    const codes = await formIn(await person.person.visit(securityPath), '/account/recovery-codes');
    const shown = await (await person.person.submit(codes, {})).text();
    const [, code = ''] = /<li><code>([^<]*)<\/code><\/li>/.exec(shown) ?? [];
    assert.notEqual(code, '');
    service.clock.advance(MINUTE);
    const step = await reachSecondStep(service, await resetByEmail(owner.user));
    assert.equal((await tryCode(step, code)).status, 400);
    assert.equal((await tryCode(step, codeOf(service, owner))).status, 200);
  });

  /** An owner whose app is older than the 7 days, at the review after a reset that they have reached with `code`. */
  async function reviewWithOldApp(code: (owner: Owner) => string) {
    const owner = await newOwner(service);
    service.clock.advance(8 * DAY);
    const renewed = await resetByEmail(owner.user);
    const step = await reachSecondStep(service, renewed);
    const page = await (await tryCode(step, code(owner))).text();
    const form = readForm(page, '/account/review');
    assert.ok(form, page);
    return { owner, renewed, person: step.person, page, form };
  }

  test('right after the password and an older factor, the button removes that factor too', async () => {
    const { owner, renewed, person, page, form } = await reviewWithOldApp((owner) => codeOf(service, owner));
    assert.match(page, /Authenticator app/);
    const done = await person.submit(form, { review: 'remove' });
    assert.match(await done.text(), /<h1>Your apps<\/h1>/);
    for (const table of ['authenticators', 'recovery_codes']) assert.deepEqual(await rowsOf(table, owner.user), []);
    assert.ok(await isSignedIn(await signedIn(service, renewed)), 'the password alone signs in');
    const told = (await mailsTo(service, owner.user.email)).filter(({ text }) => text.includes('verification is off'));
    assert.equal(told.length, 1);
  });

  test('later, the button asks for the password and a factor', async () => {
    const { owner, person, form } = await reviewWithOldApp(({ recoveryCodes }) => recoveryCodes[0] ?? '');
    service.clock.advance(15 * MINUTE + 1);
    const since = await everythingIn(service);
    const proof = await proofAsked(await person.submit(form, { review: 'remove' }));
    await assertNothingChanged(service, since);
    const [, , code = ''] = owner.recoveryCodes;
    for (const wrong of [{ password: owner.user.password, code }, { password }]) {
      await proofAsked(await person.submit(proof, wrong), 400);
      assert.equal((await rowsOf('authenticators', owner.user)).length, 1);
    }
    assert.match(await (await person.submit(proof, { password, code })).text(), /<h1>Your apps<\/h1>/);
    assert.deepEqual(await rowsOf('authenticators', owner.user), []);
  });

  test('keeping a factor voids proof given without it', async () => {
    const { user } = await newHolder(service);
    const renewed = await resetByEmail(user);
    const [owner, thief] = [await signedIn(service, renewed), await signedIn(service, renewed)];
    const paused = await formIn(await owner.visit('/account/review'), '/account/review/paused?to=%2Faccount');
    const [keep] = paused.buttons.filter(({ name }) => name === 'keep');
    await owner.submit(paused, { keep: keep?.value ?? '' });
    const form = await formIn(await thief.visit('/account/review'), '/account/review');
    const asked = await proofAsked(await thief.submit(form, { review: 'remove' }));
    await proofAsked(await thief.submit(asked, { password }), 400);
    assert.equal((await passkeysOf(service, user)).length, 1);
    assert.ok(await isSignedIn(owner));
  });

  for (const [way, set] of [
    [
      "an administrator's recovery link",
      async (user: TestUser) => {
        const made = await makeRecoveryLink(service.running.services, user.id, requester);
        assert.equal(made.kind, 'done');
        const person = new Person(service);
        const url = made.kind === 'done' ? made.url : '';
        await person.submit(await formIn(await person.visit(url)), { password });
      },
    ],
    [
      'a password that an administrator sets',
      (user: TestUser) => setPassword(service.running.services, user.id, password, requester),
    ],
  ] as const) {
    test(`${way} suspends new factors, too`, async () => {
      const { user, device } = await newHolder(service);
      await set(user);
      assert.equal(await signsInWith(device), false);
      const page = await (await new Person(service).signIn({ ...user, password })).text();
      assert.match(page, /<h1>Review your account<\/h1>/);
      assert.deepEqual(await rowsOf('known_devices', user).then((rows) => rows.length), 1);
    });
  }

  test('changing the password while signed in suspends nothing', async () => {
    const { person, device } = await newHolder(service);
    const form = await formIn(await person.visit(securityPath), '/account/password');
    await person.submit(form, { new_password: password });
    assert.equal(await signsInWith(device), true);
  });

  test("the review continues to the application; with nothing to review, it's skipped", async () => {
    const { user } = await newHolder(service);
    const path = authorizePath(client, newVerifier());
    const person = new Person(service);
    const signIn = await formIn(await person.visit(path), '/sign-in');
    const renewed = await resetByEmail(user);
    const review = await person.submit(signIn, { email: renewed.email, password });
    assert.match(review.headers.get('content-security-policy') ?? '', /form-action 'self' http:\/\/localhost:9999/);
    const onward = await person.submit(await formIn(review, '/account/review'), { review: 'done' });
    assert.ok(readForm(await onward.text(), '/oauth-authorize/decision'), 'to the consent page');

    const plain = await service.newUser();
    const elsewhere = new Person(service);
    const again = await formIn(await elsewhere.visit(path), '/sign-in');
    await resetByEmail(plain);
    const straight = await elsewhere.submit(again, { email: plain.email, password });
    assert.ok(readForm(await straight.text(), '/oauth-authorize/decision'));
    assert.equal((await service.running.services.storage.findUser(plain.id))?.reviewSince, null);
  });

  test('the review redirects nowhere else, and does nothing without its token or its button', async () => {
    const { user } = await newHolder(service);
    const owner = new Person(service);
    await owner.signIn(await resetByEmail(user));
    const form = await formIn(await owner.visit('/account/review?to=https://evil.example/'), '/account/review');
    assert.equal(form.fields.to, '/account');
    const since = await everythingIn(service);
    assert.equal((await post(owner, '/account/review', { review: 'remove' })).status, 403);
    assert.equal((await owner.submit(form, { review: '' })).status, 400);
    await assertNothingChanged(service, since);
    const left = await post(owner, '/account/review', { ...form.fields, to: '//evil.example', review: 'done' });
    assert.equal(left.headers.get('location'), '/account');
  });
});

describe('"This wasn\'t me"', () => {
  /** Each way to add a factor, by a person who is signed in. */
  const additions: Record<string, (person: Person) => Promise<unknown>> = {
    authenticators: (person) => turnOn(service, person),
    passkeys: (person) => register(person, new SoftwareAuthenticator(service.url)),
  };

  for (const [table, add] of Object.entries(additions)) {
    test(`undoes a factor in ${table} and ends all sessions, once, even after a password change`, async () => {
      const user = await service.newUser();
      const [owner, attacker] = [await signedIn(service, user), await signedIn(service, user)];
      await add(attacker);
      const path = await linkFor(service, user.email);
      assert.match(path, /^\/not-me\?link=/);
      const change = await formIn(await attacker.visit(securityPath), '/account/password');
      await attacker.submit(change, { new_password: password });

      const reader = new Person(service);
      const since = await everythingIn(service);
      for (const method of ['GET', 'HEAD']) assert.equal((await reader.request(path, { method })).status, 200);
      await assertNothingChanged(service, since);
      assert.equal((await rowsOf(table, user)).length, 1);

      const undone = await reader.submit(await formIn(await reader.visit(path), '/not-me'), {});
      assert.match(await undone.text(), /href="\/reset-password"/, 'a reset is offered');
      for (const each of [table, 'recovery_codes', 'known_devices']) assert.deepEqual(await rowsOf(each, user), []);
      for (const each of [owner, attacker]) assert.equal(await isSignedIn(each), false);
      assert.equal((await reader.visit(path)).status, 410);
      assert.equal((await eventsOf(service, user)).at(-1)?.kind, 'factor_undone');
    });
  }

  test('undoes exactly its own factor', async () => {
    const holder = await newHolder(service);
    const { user, person } = holder;
    service.clock.advance(MINUTE);
    await turnOn(service, person);
    const aboutApp = await linkFor(service, user.email);
    // The app that the email was about is replaced by another one.
    const remove = await formIn(await person.visit(securityPath), '/account/authenticator/remove');
    await person.submit(remove, {});
    const [own] = await passkeysOf(service, user);
    await turnOn(service, person);
    const reader = new Person(service);
    await reader.submit(await formIn(await reader.visit(aboutApp), '/not-me'), {});
    assert.equal((await rowsOf('authenticators', user)).length, 1, 'the later app stays');
    assert.deepEqual(await passkeysOf(service, user), [own]);
    assert.equal((await rowsOf('recovery_codes', user)).length, 10, 'so do the codes that came with the passkey');
    assert.equal(await isSignedIn(person), false, 'but all sessions end');
  });

  test('undoes new recovery codes', async () => {
    const owner = await newOwner(service);
    service.clock.advance(30);
    const form = await formIn(await owner.person.visit(securityPath), '/account/recovery-codes');
    await owner.person.submit(form, {});
    const reader = new Person(service);
    await reader.submit(await formIn(await reader.visit(await linkFor(service, owner.user.email)), '/not-me'), {});
    assert.deepEqual(await rowsOf('recovery_codes', owner.user), []);
    assert.equal((await rowsOf('authenticators', owner.user)).length, 1);
  });

  test("the email names the factor, and its page doesn't reveal the account", async () => {
    const { user } = await newHolder(service);
    const texts = (await mailsTo(service, user.email)).map(({ text }) => text);
    assert.equal(texts.filter((text) => text.includes('A passkey was added to your account.')).length, 1);
    const page = await (await new Person(service).visit(await linkFor(service, user.email))).text();
    assert.match(page, /A passkey was added to your account\./);
    assert.equal(page.includes(user.email), false);
  });
});
