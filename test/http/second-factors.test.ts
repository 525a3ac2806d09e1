// The second step of a sign-in, and passkeys: what they ask for, what they accept once, and what they refuse. The passkeys
// are a software authenticator's, made below, which answers as a browser would, and wrongly where a test wants it.

import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { disableUser } from '../../src/operations/admin/user-access.ts';
import { setPassword } from '../../src/operations/admin/user-recovery.ts';
import { newRecoveryCode } from '../../src/protocol/sign-in/recovery-code.ts';
import { base32, totpCode, totpStep } from '../../src/protocol/sign-in/totp.ts';
import { type Form, formIn, Person, readForm } from '../harness/person.ts';
import { authorizePath, decodeJwt, exchangeParameters, newVerifier, postForm } from '../harness/relying-party.ts';
import {
  origin,
  startTestService,
  type TestClient,
  type TestService,
  type TestUser,
  tables,
} from '../harness/service.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const session = 'latchkey_session';
const security = '/account/security';

let service: TestService;
let client: TestClient;

before(async () => {
  service = await startTestService();
  client = await service.newClient();
});
after(() => service.stop());

/** Each test begins with no failures counted, and at the beginning of 30 seconds of a code. */
beforeEach(() => {
  service.clock.advance(HOUR);
  alignToStep();
});

function alignToStep(): void {
  service.clock.advance(30 - (Math.floor(service.clock.now() / 1000) % 30));
}

// The authenticator app.

interface App {
  readonly secret: Uint8Array;
  readonly recoveryCodes: readonly string[];
}

interface Owner extends App {
  readonly user: TestUser;
  /** A browser in which the person is signed in, and has been since before the app was turned on. */
  readonly person: Person;
}

function codeOf({ secret }: { secret: Uint8Array }, offset = 0): string {
  return totpCode(secret, totpStep(service.clock.now()) + offset);
}

/** A code that is right at no time near now. */
function wrongCode(app: { secret: Uint8Array }, number = 0): string {
  const near = [-2, -1, 0, 1, 2].map((offset) => codeOf(app, offset));
  const [code = ''] = Array.from({ length: 6 }, (_, index) => String(100_000 + 7 * number + index)).filter(
    (candidate) => !near.includes(candidate),
  );
  return code;
}

/** The key on the set-up page, as an app reads it when it is typed in. */
function keyOn(page: string): { key: string; secret: Uint8Array } {
  const key = (/<code class="key">([^<]+)<\/code>/.exec(page)?.[1] ?? '').replaceAll(' ', '');
  assert.match(key, /^[A-Z2-7]{32}$/);
  const bits = [...key].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  const bytes = bits.join('').match(/.{8}/g) ?? [];
  return { key, secret: Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2)) };
}

const recoveryCodesOn = (page: string) =>
  [...page.matchAll(/<li><code>([^<]+)<\/code>/g)].map(([, code]) => code ?? '');

async function setUpPage(person: Person): Promise<{ form: Form; key: string; secret: Uint8Array }> {
  const page = await (await person.visit('/account/authenticator')).text();
  const form = readForm(page, '/account/authenticator');
  assert.ok(form, page);
  return { form, ...keyOn(page) };
}

async function turnOn(person: Person, user: TestUser): Promise<App> {
  const { form, secret } = await setUpPage(person);
  const response = await person.submit(form, { code: codeOf({ secret }), current_password: user.password });
  assert.equal(response.status, 200);
  const recoveryCodes = recoveryCodesOn(await response.text());
  // The code that has turned it on is used up.
  service.clock.advance(MINUTE);
  return { secret, recoveryCodes };
}

async function newOwner(): Promise<Owner> {
  const user = await service.newUser();
  const person = new Person(service);
  await person.signIn(user);
  return { user, person, ...(await turnOn(person, user)) };
}

/** The second step, as the password leads to it. */
async function reachSecondStep(user: TestUser, person = new Person(service)): Promise<{ person: Person; form: Form }> {
  const response = await person.signIn(user);
  assert.equal(response.status, 200);
  return { person, form: await formIn(response, '/sign-in/second-step') };
}

async function tryCode(step: { person: Person; form: Form }, code: string): Promise<Response> {
  return step.person.submit(step.form, { code });
}

function post(person: Person, path: string, fields: Record<string, string>): Promise<Response> {
  return person.request(path, { method: 'POST', body: new URLSearchParams(fields) });
}

const isSignedIn = async (person: Person) =>
  person.cookies.has(session) && (await person.request('/account')).status === 200;

async function assertRefused(person: Person, response: Response, status: number): Promise<void> {
  assert.equal(response.status, status);
  assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
  assert.match(await response.text(), /<h1>/);
  assert.equal(person.cookies.has(session), false);
}

async function lastEvents(user: TestUser): Promise<Record<string, unknown>[]> {
  const own = (await service.events()).filter(({ userId }) => userId === user.id);
  return own.map(({ kind, detail }) => ({ kind, ...detail }));
}

const lastEvent = async (user: TestUser) => (await lastEvents(user)).at(-1);

/** From an authorization request to the ID token of the code that it leads to; `prove` does the second step. */
async function idTokenOf(
  person: Person,
  user: TestUser,
  changes: Record<string, string>,
  prove: (step: { person: Person; form: Form }) => Promise<Response>,
): Promise<Record<string, unknown>> {
  const verifier = newVerifier();
  const signIn = await formIn(await person.visit(authorizePath(client, verifier, changes)), '/sign-in');
  let response = await person.submit(signIn, { email: user.email, password: user.password });
  const page = await response.clone().text();
  const form = readForm(page, '/sign-in/second-step');
  if (form !== undefined) response = await prove({ person, form });
  if (response.status === 200) {
    response = await person.submit(await formIn(response, '/oauth-authorize/decision'), { decision: 'approve' });
  }
  return exchanged(response, verifier);
}

async function exchanged(response: Response, verifier: string): Promise<Record<string, unknown>> {
  const code = new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? '';
  const { body } = await postForm(service, '/oauth/token', exchangeParameters(client, code, verifier));
  return decodeJwt(body.id_token);
}

describe('turning on an authenticator app', () => {
  test('it needs the current password and a right code, and shows the same key until then', async () => {
    const user = await service.newUser();
    const person = new Person(service);
    await person.signIn(user);
    const { form, key, secret } = await setUpPage(person);
    const right = { code: codeOf({ secret }), current_password: user.password };
    for (const wrong of [
      { ...right, code: wrongCode({ secret }) },
      { ...right, code: '' },
      { ...right, current_password: 'not the password' },
      { ...right, current_password: '' },
    ]) {
      const response = await person.submit(form, wrong);
      assert.equal(response.status, 400);
      assert.equal(keyOn(await response.text()).key, key);
    }
    assert.equal((await service.rows('authenticators')).filter((row) => row.user_id === user.id).length, 0);
    assert.equal((await lastEvent(user))?.reason, 'wrong_password_in_account');

    const response = await person.submit(form, right);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    const codes = recoveryCodesOn(await response.text());
    assert.equal(new Set(codes).size, 10);
    for (const code of codes) assert.match(code, /^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){3}$/);
    assert.equal((await lastEvent(user))?.kind, 'authenticator_added');
    assert.equal((await person.request('/account/authenticator')).headers.get('location'), security);

    const step = await reachSecondStep(user);
    await assertRefused(step.person, await tryCode(step, right.code), 400);
  });

  test('a second one, set up in another window, changes nothing', async () => {
    const user = await service.newUser();
    const person = new Person(service);
    await person.signIn(user);
    const other = await setUpPage(person);
    const app = await turnOn(person, user);
    const fields = { ...other.form.fields, code: codeOf(other), current_password: user.password };
    const response = await post(person, '/account/authenticator', fields);
    assert.equal(response.headers.get('location'), `${security}?done=not-possible`);
    const step = await reachSecondStep(user);
    await assertRefused(step.person, await tryCode(step, codeOf(other)), 400);
    await tryCode(step, codeOf(app));
    assert.ok(await isSignedIn(step.person));
  });

  test("the form works with the key of its own person, in the person's own session", async () => {
    const [user, stranger] = [await service.newUser(), await service.newUser()];
    const [person, other] = [new Person(service), new Person(service)];
    await person.signIn(user);
    await other.signIn(stranger);
    const [own, foreign] = [await setUpPage(person), await setUpPage(other)];
    const fields = { code: codeOf(foreign), current_password: user.password };
    const submit = (form: Form, who: Person) => post(who, '/account/authenticator', { ...form.fields, ...fields });

    const mixed = { ...own.form, fields: { ...own.form.fields, secret: foreign.form.fields.secret ?? '' } };
    assert.equal((await submit(mixed, person)).headers.get('location'), `${security}?done=not-possible`);
    assert.equal((await submit(foreign.form, person)).status, 403);
    assert.match((await submit(own.form, new Person(service))).headers.get('location') ?? '', /^\/sign-in/);
    const ids = [user.id, stranger.id];
    assert.equal((await service.rows('authenticators')).filter((row) => ids.includes(String(row.user_id))).length, 0);
  });
});

describe('the second step', () => {
  let owner: Owner;
  before(async () => {
    owner = await newOwner();
  });

  test('the password alone gives no session, and is no sign-in yet', async () => {
    const person = new Person(service);
    const form = await formIn(await person.visit('/sign-in'));
    const fields = { ...form.fields, email: owner.user.email, password: owner.user.password };
    const count = async () => (await lastEvents(owner.user)).filter(({ kind }) => kind === 'signed_in').length;
    const [sessions, signIns] = [(await service.rows('sessions')).length, await count()];

    const response = await post(person, '/sign-in', fields);
    assert.equal(response.status, 200);
    assert.deepEqual(response.headers.getSetCookie(), []);
    assert.match(await response.text(), /action="\/sign-in\/second-step"/);
    assert.match((await person.request('/account')).headers.get('location') ?? '', /^\/sign-in/);
    assert.equal((await service.rows('sessions')).length, sessions);
    assert.equal(await count(), signIns);
    assert.equal((await lastEvent(owner.user))?.kind, 'second_step_asked');
  });

  test('a password that is being checked while an app is turned on is not enough any more', async (t) => {
    const { passwords, storage, journal } = service.running.services;
    const user = await service.newUser();
    const verify = passwords.verify.bind(passwords);
    t.mock.method(passwords, 'verify', async (...given: Parameters<typeof verify>) => {
      const right = await verify(...given);
      const event = journal.event({ kind: 'authenticator_added', userId: user.id }, origin);
      await storage.enableAuthenticator(user.id, { sealedSecret: '', lastStep: 0 }, [], service.clock.now(), event);
      return right;
    });
    const person = new Person(service);
    await assertRefused(person, await person.signIn(user), 400);
    assert.equal((await lastEvent(user))?.reason, 'changed_meanwhile');
  });

  test('on the way to an application its page may lead on to that application, and to no other', async () => {
    const person = new Person(service);
    const signIn = await formIn(await person.visit(authorizePath(client, newVerifier())), '/sign-in');
    const fields = { email: owner.user.email, password: owner.user.password };
    const policy = (response: Response) =>
      /form-action ([^;]+)/.exec(response.headers.get('content-security-policy') ?? '')?.[1];
    const step = await person.submit(signIn, fields);
    assert.equal(policy(step), "'self' http://localhost:9999");
    const form = await formIn(step, '/sign-in/second-step');
    assert.equal(policy(await tryCode({ person, form }, wrongCode(owner))), "'self' http://localhost:9999");
    assert.equal(policy(await new Person(service).signIn(owner.user)), "'self'");
  });

  test('a wrong password leads to no second step', async () => {
    const person = new Person(service);
    const response = await person.signIn({ ...owner.user, password: 'not the password' });
    assert.equal(readForm(await response.clone().text(), '/sign-in/second-step'), undefined);
    await assertRefused(person, response, 400);
  });

  test('the code of now signs in, those of the neighbouring 30 seconds too, and no others', async () => {
    const step = await reachSecondStep(owner.user);
    for (const offset of [-2, 2]) await assertRefused(step.person, await tryCode(step, codeOf(owner, offset)), 400);
    assert.equal((await lastEvent(owner.user))?.reason, 'wrong_second_step');
    for (const offset of [-1, 0, 1]) {
      service.clock.advance(3 * 30);
      const code = codeOf(owner, offset);
      await tryCode(step, ` ${code.slice(0, 3)} ${code.slice(3)} `);
      assert.ok(await isSignedIn(step.person), `${offset}`);
      const { kind, method } = (await lastEvent(owner.user)) ?? {};
      assert.deepEqual([kind, method], ['signed_in', 'password_and_code']);
      step.person.cookies.delete(session);
    }
  });

  test('a code is accepted once, and none that is older', async () => {
    const step = await reachSecondStep(owner.user);
    const [older, used, newer] = [codeOf(owner, -1), codeOf(owner), codeOf(owner, 1)];
    await tryCode(step, used);
    assert.ok(await isSignedIn(step.person));
    const thief = await reachSecondStep(owner.user);
    for (const code of [used, older]) await assertRefused(thief.person, await tryCode(thief, code), 400);
    await tryCode(thief, newer);
    assert.ok(await isSignedIn(thief.person), 'the next one is another');
  });

  test('of ten uses of one code at the same time one signs in', async () => {
    const step = await reachSecondStep(owner.user);
    const code = codeOf(owner);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => post(step.person, step.form.action, { ...step.form.fields, code })),
    );
    assert.equal(answers.filter(({ status }) => status === 303).length, 1);
    const cookies = answers.flatMap(({ headers }) => headers.getSetCookie());
    assert.equal(cookies.filter((line) => line.startsWith(`${session}=`)).length, 1);
  });

  test("another person's code is refused", async () => {
    const other = await newOwner();
    const step = await reachSecondStep(owner.user);
    await assertRefused(step.person, await tryCode(step, codeOf(other)), 400);
    await assertRefused(step.person, await tryCode(step, other.recoveryCodes[0] ?? ''), 400);
    const othersStep = await reachSecondStep(other.user);
    await tryCode(othersStep, codeOf(other));
    assert.ok(await isSignedIn(othersStep.person), 'and is not used up by that');
  });

  test('nothing, nonsense and very much is refused', async () => {
    const step = await reachSecondStep(owner.user);
    for (const code of ['', ' ', '000000x', '１２３４５６', '0'.repeat(5000), "' OR 1=1 --", 'undefined']) {
      await assertRefused(step.person, await tryCode(step, code), 400);
    }
  });

  test('six wrong codes do not lock out the right one', async () => {
    const step = await reachSecondStep(owner.user);
    for (let number = 0; number < 6; number++) {
      await assertRefused(step.person, await tryCode(step, wrongCode(owner, number)), 400);
    }
    await tryCode(step, codeOf(owner));
    assert.ok(await isSignedIn(step.person));
  });

  test('after ten failures the second step is closed for a while, but not in a browser that is known', async () => {
    owner.person.cookies.delete(session);
    const known = await reachSecondStep(owner.user, owner.person);
    const step = await reachSecondStep(owner.user);
    for (let number = 0; number < 10; number++) {
      await assertRefused(step.person, await tryCode(step, wrongCode(owner, number)), 400);
    }
    const again = await reachSecondStep(owner.user);
    for (const each of [step, again]) {
      const throttled = await tryCode(each, codeOf(owner));
      const retryAfter = Number(throttled.headers.get('retry-after'));
      assert.ok(retryAfter > 0 && retryAfter <= 900, `${retryAfter}`);
      await assertRefused(each.person, throttled, 429);
      await assertRefused(each.person, await tryCode(each, owner.recoveryCodes[0] ?? ''), 429);
    }
    assert.equal((await lastEvent(owner.user))?.reason, 'throttled');
    assert.equal((await tryCode(known, codeOf(owner))).status, 200, 'the owner gets in');

    service.clock.advance(15 * MINUTE);
    const later = await reachSecondStep(owner.user);
    await tryCode(later, codeOf(owner));
    assert.ok(await isSignedIn(later.person));
  });

  test('parallel guesses do not slip in under the limit', async () => {
    const step = await reachSecondStep(owner.user);
    const statuses = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        tryCode(step, wrongCode(owner, index)).then((response) => response.status),
      ),
    );
    assert.ok(statuses.filter((status) => status === 400).length <= 10);
    assert.equal((await tryCode(step, codeOf(owner))).status, 429);
  });

  test('its form works only in the browser that has given the password', async () => {
    const step = await reachSecondStep(owner.user);
    const other = await reachSecondStep(owner.user);
    const code = codeOf(owner);
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
    const step = await reachSecondStep(owner.user);
    const headers = { Origin: 'https://evil.example' };
    const response = await step.person.submit(step.form, { code: codeOf(owner) }, headers);
    await assertRefused(step.person, response, 403);
  });

  test('ten minutes after the password it is over', async () => {
    const step = await reachSecondStep(owner.user);
    const late = await reachSecondStep(owner.user);
    service.clock.advance(10 * MINUTE - 15);
    await tryCode(step, codeOf(owner));
    assert.ok(await isSignedIn(step.person));
    service.clock.advance(MINUTE);
    await assertRefused(late.person, await tryCode(late, codeOf(owner)), 403);
    await assertRefused(late.person, await tryCode(late, wrongCode(owner)), 403);
  });

  test('it is over when the password has been changed meanwhile', async () => {
    const own = await newOwner();
    const step = await reachSecondStep(own.user);
    await setPassword(service.running.services, own.user.email, 'another password entirely', origin);
    await assertRefused(step.person, await tryCode(step, codeOf(own)), 403);
    await assertRefused(step.person, await tryCode(step, own.recoveryCodes[0] ?? ''), 403);
    const again = await reachSecondStep({ ...own.user, password: 'another password entirely' });
    await tryCode(again, codeOf(own));
    assert.ok(await isSignedIn(again.person), 'and the code is not used up by that');
  });

  test('a person who is disabled meanwhile cannot finish it', async () => {
    const own = await newOwner();
    const step = await reachSecondStep(own.user);
    await disableUser(service.running.services, own.user.email, origin);
    await assertRefused(step.person, await tryCode(step, codeOf(own)), 403);
    await assertRefused(step.person, await tryCode(step, own.recoveryCodes[0] ?? ''), 403);
    const left = (await service.rows('recovery_codes')).filter((row) => row.user_id === own.user.id).length;
    assert.equal(left, 10, 'and no code is used up by that');
    const person = new Person(service);
    await assertRefused(person, await person.signIn(own.user), 400);
  });
});

describe('recovery codes', () => {
  let owner: Owner;
  before(async () => {
    owner = await newOwner();
  });

  test('each signs in once, however it is typed, and activity tells of it', async () => {
    const typings: ((code: string) => string)[] = [
      (code) => code,
      (code) => code.toUpperCase(),
      (code) => ` ${code.replaceAll('-', ' ')} `,
      (code) => code.replaceAll('-', ''),
      (code) => code.replaceAll('-', '–').replaceAll('0', 'o').replaceAll('1', 'l'),
      (code) => code.toUpperCase().replaceAll('0', 'O').replaceAll('1', 'I'),
    ];
    const step = await reachSecondStep(owner.user);
    for (const [index, type] of typings.entries()) {
      const code = owner.recoveryCodes[index] ?? '';
      await tryCode(step, type(code));
      assert.ok(await isSignedIn(step.person), type(code));
      const [used, signedIn] = (await lastEvents(owner.user)).slice(-2);
      assert.deepEqual(used, { kind: 'recovery_code_used', left: 9 - index });
      assert.equal(signedIn?.method, 'password_and_recovery_code');
      step.person.cookies.delete(session);
      await assertRefused(step.person, await tryCode(step, code), 400);
    }
    assert.match(await (await owner.person.visit(security)).text(), /4 of your codes are left/);
  });

  test('of ten uses of one code at the same time one signs in', async () => {
    const step = await reachSecondStep(owner.user);
    const fields = { ...step.form.fields, code: owner.recoveryCodes[6] ?? '' };
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(step.person, step.form.action, fields)));
    assert.equal(answers.filter(({ status }) => status === 303).length, 1);
  });

  test('a code that was never given out is refused', async () => {
    const step = await reachSecondStep(owner.user);
    const code = newRecoveryCode((size) => randomBytes(size));
    await assertRefused(step.person, await tryCode(step, code), 400);
  });

  test('new codes need the password, and void the old ones', async () => {
    const form = await formIn(await owner.person.visit(security), '/account/recovery-codes');
    assert.equal((await owner.person.submit(form, { current_password: 'not the password' })).status, 400);
    const response = await owner.person.submit(form, { current_password: owner.user.password });
    assert.equal((await lastEvent(owner.user))?.kind, 'recovery_codes_replaced');
    const fresh = recoveryCodesOn(await response.text());
    assert.equal(fresh.length, 10);
    const step = await reachSecondStep(owner.user);
    await assertRefused(step.person, await tryCode(step, owner.recoveryCodes[9] ?? ''), 400);
    await tryCode(step, fresh[9] ?? '');
    assert.ok(await isSignedIn(step.person));
  });

  test('there are none without a second factor', async () => {
    const user = await service.newUser();
    const person = new Person(service);
    await person.signIn(user);
    const page = await (await person.visit(security)).text();
    assert.equal(readForm(page, '/account/recovery-codes'), undefined);
    const token = readForm(page, '/account/password')?.fields.form_token ?? '';
    const fields = { form_token: token, current_password: user.password };
    const response = await post(person, '/account/recovery-codes', fields);
    assert.equal(response.headers.get('location'), `${security}?done=not-possible`);
    assert.equal((await service.rows('recovery_codes')).filter((row) => row.user_id === user.id).length, 0);
  });
});

describe('removing the app', () => {
  test('it needs the password, takes the codes along, and afterwards the password is enough', async () => {
    const { user, person } = await newOwner();
    const form = await formIn(await person.visit(security), '/account/authenticator/remove');
    for (const password of ['', 'not the password']) {
      assert.equal((await person.submit(form, { current_password: password })).status, 400);
    }
    await reachSecondStep(user);
    const response = await post(person, form.action, { ...form.fields, current_password: user.password });
    assert.equal(response.headers.get('location'), `${security}?done=authenticator`);
    assert.equal((await lastEvent(user))?.kind, 'authenticator_removed');
    assert.equal((await service.rows('recovery_codes')).filter((row) => row.user_id === user.id).length, 0);
    const again = await post(person, form.action, { ...form.fields, current_password: user.password });
    assert.equal(again.headers.get('location'), `${security}?done=not-possible`);
    const browser = new Person(service);
    await browser.signIn(user);
    assert.ok(await isSignedIn(browser));
  });
});

describe('what applications are told', () => {
  let owner: Owner;
  before(async () => {
    owner = await newOwner();
  });
  const byCode = (step: { person: Person; form: Form }) => tryCode(step, codeOf(owner));

  test('the ID token says how the person has signed in', async () => {
    const plain = await service.newUser();
    assert.deepEqual((await idTokenOf(new Person(service), plain, {}, byCode)).amr, ['pwd']);
    assert.deepEqual((await idTokenOf(new Person(service), owner.user, {}, byCode)).amr, ['pwd', 'otp', 'mfa']);
    const byRecovery = (step: { person: Person; form: Form }) => tryCode(step, owner.recoveryCodes[0] ?? '');
    assert.deepEqual((await idTokenOf(new Person(service), owner.user, {}, byRecovery)).amr, ['pwd', 'otp', 'mfa']);
  });

  test('prompt=login and max_age ask again, and for the code too', async () => {
    const person = new Person(service);
    const first = await idTokenOf(person, owner.user, {}, byCode);
    for (const changes of [{ prompt: 'login' }, { max_age: '60' }] as Record<string, string>[]) {
      service.clock.advance(2 * MINUTE);
      const before = person.cookies.get(session);
      const signIn = await formIn(await person.visit(authorizePath(client, newVerifier(), changes)), '/sign-in');
      const half = await person.submit(signIn, { email: owner.user.email, password: owner.user.password });
      assert.match(await half.text(), /action="\/sign-in\/second-step"/);
      assert.equal(person.cookies.get(session), before, 'half a sign-in starts nothing');

      const token = await idTokenOf(person, owner.user, changes, byCode);
      assert.notEqual(person.cookies.get(session), before);
      assert.deepEqual(token.amr, ['pwd', 'otp', 'mfa']);
      assert.ok(Number(token.auth_time) >= Number(first.auth_time) + 2 * MINUTE);
    }
  });

  test('half a sign-in does not answer prompt=login', async () => {
    const person = new Person(service);
    await idTokenOf(person, owner.user, {}, byCode);
    const path = authorizePath(client, newVerifier(), { prompt: 'login' });
    const signIn = await formIn(await person.visit(path), '/sign-in');
    await person.submit(signIn, { email: owner.user.email, password: owner.user.password });
    assert.equal((await person.visit(path)).status, 200);
    assert.ok(readForm(await (await person.visit(path)).text(), '/sign-in'));
  });
});

// Passkeys.

type Cbor = number | string | Uint8Array | ReadonlyMap<number | string, Cbor>;

function cbor(value: Cbor): Buffer {
  const head = (major: number, size: number) => {
    if (size < 24) return Buffer.from([(major << 5) | size]);
    return size < 256
      ? Buffer.from([(major << 5) | 24, size])
      : Buffer.from([(major << 5) | 25, size >> 8, size & 255]);
  };
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, member]) => [cbor(key), cbor(member)])]);
}

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest();
const flag = { present: 0x01, verified: 0x04, attested: 0x40 };

/** What an answer says instead of the truth. */
interface Lies {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly flags?: number;
  readonly counter?: number;
  readonly key?: KeyObject;
  readonly id?: string;
  /** Changes the answer after everything in it is signed. */
  readonly bend?: (answer: Answer) => unknown;
}

interface Answer {
  id: string;
  rawId: string;
  type: string;
  clientExtensionResults: object;
  response: Record<string, unknown>;
}

interface Challenge {
  readonly options: Record<string, unknown> & { challenge: string };
  /** What goes back with the answer. */
  readonly challenge: string;
}

class SoftwareAuthenticator {
  readonly id = randomBytes(32).toString('base64url');
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  counter = 0;

  create({ options }: Challenge, lies: Lies = {}): string {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const point = [x, y].map((part) => Buffer.from(part, 'base64url')) as [Buffer, Buffer];
    // COSE: an elliptic curve, ES256, P-256.
    const key = new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, point[0]],
      [-3, point[1]],
    ]);
    const id = Buffer.from(this.id, 'base64url');
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([id.length >> 8, id.length & 255]), id, cbor(key)]);
    const authData = Buffer.concat([this.#state(flag.present | flag.verified | flag.attested, lies), attested]);
    const attestation = new Map<string, Cbor>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]);
    const response = {
      clientDataJSON: this.#clientData('webauthn.create', options, lies).toString('base64url'),
      attestationObject: cbor(attestation).toString('base64url'),
      transports: ['internal'],
    };
    return this.#answer(response, lies);
  }

  get({ options }: Challenge, lies: Lies = {}): string {
    const state = this.#state(flag.present | flag.verified, lies);
    const clientData = this.#clientData('webauthn.get', options, lies);
    const signed = Buffer.concat([state, sha256(clientData)]);
    const response = {
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: state.toString('base64url'),
      signature: sign('sha256', signed, lies.key ?? this.#keys.privateKey).toString('base64url'),
    };
    return this.#answer(response, lies);
  }

  #state(flags: number, lies: Lies): Buffer {
    const rest = Buffer.alloc(5);
    rest.writeUInt8(lies.flags ?? flags, 0);
    rest.writeUInt32BE(lies.counter ?? this.counter, 1);
    return Buffer.concat([sha256(lies.rpId ?? 'localhost'), rest]);
  }

  #clientData(type: string, options: Challenge['options'], lies: Lies): Buffer {
    const data = { type: lies.type ?? type, challenge: lies.challenge ?? options.challenge };
    return Buffer.from(JSON.stringify({ ...data, origin: lies.origin ?? service.url, crossOrigin: false }));
  }

  #answer(response: Record<string, unknown>, lies: Lies): string {
    const id = lies.id ?? this.id;
    const answer = { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
    return JSON.stringify(lies.bend?.(answer) ?? answer);
  }
}

async function challengeFor(person: Person, form: Form): Promise<Challenge> {
  const response = await post(person, `${form.action}/options`, form.fields);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('cache-control'), 'no-store');
  return (await response.json()) as Challenge;
}

interface Holder {
  readonly user: TestUser;
  readonly person: Person;
  readonly device: SoftwareAuthenticator;
  readonly recoveryCodes: readonly string[];
}

/** The form for a new passkey, filled in. */
async function passkeyForm(person: Person, user: TestUser): Promise<Form> {
  const form = await formIn(await person.visit(security), '/account/passkeys');
  return { ...form, fields: { ...form.fields, name: 'My phone', current_password: user.password } };
}

async function register(
  person: Person,
  user: TestUser,
  device: SoftwareAuthenticator,
  lies: Lies = {},
): Promise<Response> {
  const form = await passkeyForm(person, user);
  const challenge = await challengeFor(person, form);
  const fields = { answer: device.create(challenge, lies), challenge: challenge.challenge };
  return post(person, form.action, { ...form.fields, ...fields });
}

async function newHolder(): Promise<Holder> {
  const user = await service.newUser();
  const person = new Person(service);
  await person.signIn(user);
  const device = new SoftwareAuthenticator();
  const response = await register(person, user, device);
  assert.equal(response.status, 200);
  return { user, person, device, recoveryCodes: recoveryCodesOn(await response.text()) };
}

/** The sign-in page in a browser of its own, with a challenge for passkeys. */
async function offered(person = new Person(service), path = '/sign-in') {
  const form = await formIn(await person.visit(path), '/sign-in/passkey');
  return { person, form, challenge: await challengeFor(person, form) };
}

type Offer = Awaited<ReturnType<typeof offered>>;

function answer({ person, form, challenge }: Offer, text: string): Promise<Response> {
  return person.submit(form, { answer: text, challenge: challenge.challenge });
}

async function secondStepOffered(user: TestUser): Promise<Offer> {
  const { person, form } = await reachSecondStep(user);
  return { person, form, challenge: await challengeFor(person, form) };
}

const passkeysOf = async (user: TestUser) => (await service.rows('passkeys')).filter((row) => row.user_id === user.id);

describe('registering a passkey', () => {
  let user: TestUser;
  let person: Person;
  before(async () => {
    user = await service.newUser();
    person = new Person(service);
    await person.signIn(user);
  });

  test('the browser is asked for a key of this service that is kept there and verifies its person', async () => {
    const { options } = await challengeFor(person, await passkeyForm(person, user));
    assert.deepEqual(options.rp, { name: 'Latchkey', id: 'localhost' });
    assert.deepEqual(options.user, {
      id: Buffer.from(user.id).toString('base64url'),
      name: user.email,
      displayName: 'Grace Hopper',
    });
    assert.equal(Buffer.from(options.challenge, 'base64url').length, 32);
    assert.equal(options.attestation, 'none');
    const { residentKey, userVerification } = options.authenticatorSelection as Record<string, unknown>;
    assert.deepEqual([residentKey, userVerification], ['required', 'required']);
    const other = await challengeFor(person, await passkeyForm(person, user));
    assert.notEqual(other.options.challenge, options.challenge);
  });

  const lies: Record<string, Lies> = {
    'of another site': { origin: 'https://evil.example' },
    'of another port': { origin: 'http://localhost:1' },
    'for another service': { rpId: 'evil.example' },
    'to another challenge': { challenge: randomBytes(32).toString('base64url') },
    'to no challenge': { challenge: '' },
    'that is a sign-in': { type: 'webauthn.get' },
    'without verification of the person': { flags: flag.present | flag.attested },
    'without presence of the person': { flags: flag.verified | flag.attested },
    'without a key': { flags: flag.present | flag.verified },
  };
  for (const [name, lie] of Object.entries(lies)) {
    test(`an answer ${name} registers nothing`, async () => {
      const response = await register(person, user, new SoftwareAuthenticator(), lie);
      assert.equal(response.headers.get('location'), `${security}?done=not-possible`);
      assert.deepEqual(await passkeysOf(user), []);
    });
  }

  test('the password is asked for, and a name that can be seen', async () => {
    const device = new SoftwareAuthenticator();
    const form = await passkeyForm(person, user);
    for (const { problem, ...wrong } of [
      { current_password: 'not the password', problem: /The current password is not right/ },
      { current_password: '', problem: /The current password is not right/ },
      { name: 'x'.repeat(101), problem: /A name needs/ },
    ]) {
      const challenge = await challengeFor(person, form);
      const fields = { ...form.fields, answer: device.create(challenge), challenge: challenge.challenge, ...wrong };
      // Before the browser makes a passkey, and again when it brings one.
      for (const path of [`${form.action}/options`, form.action]) {
        const refused = await post(person, path, fields);
        assert.equal(refused.status, 400, path);
        assert.match(await refused.text(), problem, path);
      }
    }
    assert.deepEqual(await passkeysOf(user), []);
  });

  test('a wrong password counts once, and a right one not at all', async () => {
    const holder = await newHolder();
    const form = await passkeyForm(holder.person, holder.user);
    const options = (password: string) =>
      post(holder.person, `${form.action}/options`, { ...form.fields, current_password: password });
    for (let attempt = 0; attempt < 9; attempt++) assert.equal((await options('not the password')).status, 400);
    const added = await register(holder.person, holder.user, new SoftwareAuthenticator());
    assert.equal(added.headers.get('location'), `${security}?done=passkey-added`);
    assert.equal((await options('not the password')).status, 400);
    const throttled = await options(holder.user.password);
    assert.equal(throttled.status, 429);
    assert.ok(Number(throttled.headers.get('retry-after')) > 0);
    const { problem } = (await throttled.json()) as { problem: string };
    assert.match(problem, /^That was tried too often\. Wait 1[45] minutes and try again\.$/);
  });

  test('a challenge works in the browser that asked for it, for five minutes, and once', async () => {
    const form = await passkeyForm(person, user);
    const submit = (device: SoftwareAuthenticator, challenge: Challenge) =>
      post(person, form.action, {
        ...{ ...form.fields, answer: device.create(challenge), challenge: challenge.challenge },
      });
    const foreign = (await offered()).challenge;
    assert.equal((await submit(new SoftwareAuthenticator(), foreign)).status, 400);
    const expired = await challengeFor(person, form);
    service.clock.advance(5 * MINUTE);
    const late = await submit(new SoftwareAuthenticator(), expired);
    assert.equal(late.headers.get('location'), `${security}?done=not-possible`);
    assert.deepEqual(await passkeysOf(user), []);

    const own = await challengeFor(person, form);
    service.clock.advance(5 * MINUTE - 5);
    assert.equal((await submit(new SoftwareAuthenticator(), own)).status, 200);
    const again = await submit(new SoftwareAuthenticator(), own);
    assert.equal(again.headers.get('location'), `${security}?done=not-possible`);
    assert.equal((await passkeysOf(user)).length, 1);
  });

  test('the first one brings recovery codes, a second does not, and the known ones are named', async () => {
    const holder = await newHolder();
    assert.equal(holder.recoveryCodes.length, 10);
    assert.deepEqual((await lastEvents(holder.user)).at(-1), { kind: 'passkey_added', name: 'My phone' });
    const { options } = await challengeFor(holder.person, await passkeyForm(holder.person, holder.user));
    const known = options.excludeCredentials as { id: string }[];
    assert.deepEqual(
      known.map(({ id }) => id),
      [holder.device.id],
    );
    const second = await register(holder.person, holder.user, new SoftwareAuthenticator());
    assert.equal(second.headers.get('location'), `${security}?done=passkey-added`);
    assert.equal((await passkeysOf(holder.user)).length, 2);
  });

  test('a passkey that somebody has registered already is refused, and stays theirs', async () => {
    const holder = await newHolder();
    const before = await passkeysOf(user);
    const response = await register(person, user, holder.device);
    assert.equal(response.headers.get('location'), `${security}?done=not-possible`);
    assert.deepEqual(await passkeysOf(user), before);
    assert.equal((await passkeysOf(holder.user)).length, 1);
  });

  test('removing one needs the password, and takes the codes along when it was the last', async () => {
    const holder = await newHolder();
    const stranger = await newHolder();
    const remove = async (who: Holder, id: string, password: string) => {
      const { action, fields } = await formIn(await who.person.visit(security), '/account/passkeys/remove');
      return post(who.person, action, { ...fields, remove: id, current_password: password });
    };
    assert.equal((await remove(holder, holder.device.id, 'not the password')).status, 400);
    const foreign = await remove(stranger, holder.device.id, stranger.user.password);
    assert.equal(foreign.headers.get('location'), `${security}?done=not-possible`);
    assert.equal((await passkeysOf(holder.user)).length, 1);
    const removed = await remove(holder, holder.device.id, holder.user.password);
    assert.equal(removed.headers.get('location'), `${security}?done=passkey`);
    assert.equal((await lastEvent(holder.user))?.kind, 'passkey_removed');
    assert.equal((await service.rows('recovery_codes')).filter((row) => row.user_id === holder.user.id).length, 0);
    const offer = await offered();
    await assertRefused(offer.person, await answer(offer, holder.device.get(offer.challenge)), 400);
  });
});

describe('signing in with a passkey', () => {
  let holder: Holder;
  before(async () => {
    holder = await newHolder();
  });

  test('it needs no password, names nobody beforehand, and applications are told', async () => {
    const verifier = newVerifier();
    const offer = await offered(new Person(service), authorizePath(client, verifier));
    assert.equal(offer.challenge.options.rpId, 'localhost');
    assert.equal(offer.challenge.options.userVerification, 'required');
    assert.equal(offer.challenge.options.allowCredentials ?? undefined, undefined);
    const consent = await answer(offer, holder.device.get(offer.challenge));
    const form = await formIn(consent, '/oauth-authorize/decision');
    const token = await exchanged(await offer.person.submit(form, { decision: 'approve' }), verifier);
    assert.equal(token.sub, holder.user.id);
    assert.deepEqual(token.amr, ['pop', 'user', 'mfa']);
    assert.equal(
      (await lastEvents(holder.user)).find(({ kind, method }) => kind === 'signed_in' && method === 'passkey')?.kind,
      'signed_in',
    );
    const [row] = await passkeysOf(holder.user);
    assert.ok(Number(row?.last_used_at) > Number(row?.created_at));
  });

  test('it answers prompt=login', async () => {
    const person = new Person(service);
    await answer(await offered(person), '');
    const first = await offered(person);
    await answer(first, holder.device.get(first.challenge));
    const verifier = newVerifier();
    const offer = await offered(person, authorizePath(client, verifier, { prompt: 'login' }));
    let response = await answer(offer, holder.device.get(offer.challenge));
    if (response.status === 200) {
      response = await person.submit(await formIn(response, '/oauth-authorize/decision'), { decision: 'approve' });
    }
    assert.deepEqual((await exchanged(response, verifier)).amr, ['pop', 'user', 'mfa']);
  });

  const otherKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const bent = (change: Record<string, unknown>): Lies => ({
    bend: (given) => ({ ...given, response: { ...given.response, ...change } }),
  });
  const lies: Record<string, Lies> = {
    'of another site': { origin: 'https://evil.example' },
    'of another port': { origin: 'http://localhost:1' },
    'of a site whose name begins like ours': { origin: 'http://localhost.evil.example' },
    'for another service': { rpId: 'evil.example' },
    'to another challenge': { challenge: randomBytes(32).toString('base64url') },
    'to no challenge': { challenge: '' },
    'that is a registration': { type: 'webauthn.create' },
    'signed by another key': { key: otherKey },
    'without verification of the person': { flags: flag.present },
    'without presence of the person': { flags: flag.verified },
    'without any flag': { flags: 0 },
    'of an unknown passkey': { id: randomBytes(32).toString('base64url') },
    'with an empty signature': bent({ signature: '' }),
    'with a signature over something else': bent({
      signature: sign('sha256', Buffer.from('x'), otherKey).toString('base64url'),
    }),
    'with data that was exchanged afterwards': bent({
      authenticatorData: Buffer.concat([sha256('localhost'), Buffer.from([5, 0, 0, 0, 9])]).toString('base64url'),
    }),
    'for another id inside': { bend: (given) => ({ ...given, rawId: 'AAAA' }) },
    'of another kind': { bend: (given) => ({ ...given, type: 'password' }) },
  };
  for (const [name, lie] of Object.entries(lies)) {
    test(`an answer ${name} is refused`, async () => {
      const offer = await offered();
      await assertRefused(offer.person, await answer(offer, holder.device.get(offer.challenge, lie)), 400);
      const [failed] = (await service.events('sign_in_failed')).slice(-1);
      assert.equal(failed?.detail?.reason, 'wrong_passkey');
      await answer(offer, holder.device.get(offer.challenge));
      assert.ok(await isSignedIn(offer.person), 'and the true answer is accepted after it');
    });
  }

  test('a challenge of another browser is refused', async () => {
    const [mine, theirs] = [await offered(), await offered()];
    const given = holder.device.get(theirs.challenge);
    await assertRefused(mine.person, await answer({ ...mine, challenge: theirs.challenge }, given), 400);
    await assertRefused(mine.person, await answer(mine, given), 400);
    const stranger = new Person(service);
    await assertRefused(stranger, await answer({ ...theirs, person: stranger }, given), 403);
    for (const ticket of ['', 'x', `${theirs.challenge.challenge}x`, mine.form.fields.continue ?? '']) {
      const response = await theirs.person.submit(theirs.form, { answer: given, challenge: ticket });
      await assertRefused(theirs.person, response, 400);
    }
    await answer(theirs, given);
    assert.ok(await isSignedIn(theirs.person));
  });

  test('a challenge is answered once, by one of ten at the same time', async () => {
    const offer = await offered();
    const fields = {
      ...offer.form.fields,
      answer: holder.device.get(offer.challenge),
      challenge: offer.challenge.challenge,
    };
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(offer.person, offer.form.action, fields)));
    assert.equal(answers.filter(({ status }) => status === 303).length, 1);
    offer.person.cookies.delete(session);
    await assertRefused(offer.person, await post(offer.person, offer.form.action, fields), 400);
  });

  test('a challenge is answered within five minutes', async () => {
    const [late, soon] = [await offered(), await offered()];
    service.clock.advance(5 * MINUTE - 5);
    await answer(soon, holder.device.get(soon.challenge));
    assert.ok(await isSignedIn(soon.person));
    service.clock.advance(5);
    await assertRefused(late.person, await answer(late, holder.device.get(late.challenge)), 400);
  });

  test('a counter that goes back, or stands still after having counted, is refused', async () => {
    const counting = await newHolder();
    const use = async (counter: number) => {
      const offer = await offered();
      const response = await answer(offer, counting.device.get(offer.challenge, { counter }));
      return { person: offer.person, response };
    };
    assert.ok(await isSignedIn((await use(7)).person));
    for (const counter of [7, 6, 0]) {
      const { person, response } = await use(counter);
      await assertRefused(person, response, 400);
    }
    assert.ok(await isSignedIn((await use(8)).person));
  });

  test('the passkey of a disabled person is refused, and the record says why', async () => {
    const stopped = await newHolder();
    await disableUser(service.running.services, stopped.user.email, origin);
    const offer = await offered();
    await assertRefused(offer.person, await answer(offer, stopped.device.get(offer.challenge)), 400);
    assert.equal((await lastEvent(stopped.user))?.reason, 'disabled');
  });

  test('a form from another site is refused', async () => {
    const offer = await offered();
    const values = { answer: holder.device.get(offer.challenge), challenge: offer.challenge.challenge };
    const response = await offer.person.submit(offer.form, values, { Origin: 'https://evil.example' });
    await assertRefused(offer.person, response, 403);
  });
});

describe('a passkey as the second step', () => {
  let holder: Holder;
  before(async () => {
    holder = await newHolder();
  });

  test('it finishes a sign-in that began with the password, and applications are told', async () => {
    const token = await idTokenOf(new Person(service), holder.user, {}, async ({ person, form }) => {
      const challenge = await challengeFor(person, form);
      const allowed = challenge.options.allowCredentials as { id: string }[];
      assert.deepEqual(
        allowed.map(({ id }) => id),
        [holder.device.id],
      );
      return answer({ person, form, challenge }, holder.device.get(challenge));
    });
    assert.deepEqual(token.amr, ['pwd', 'pop', 'mfa']);
  });

  test('a recovery code stands in for it', async () => {
    const step = await reachSecondStep(holder.user);
    await assertRefused(step.person, await tryCode(step, '123456'), 400);
    await tryCode(step, holder.recoveryCodes[0] ?? '');
    assert.ok(await isSignedIn(step.person));
  });

  test("another person's passkey is refused", async () => {
    const thief = await newHolder();
    const offer = await secondStepOffered(holder.user);
    await assertRefused(offer.person, await answer(offer, thief.device.get(offer.challenge)), 400);
    assert.equal((await lastEvent(holder.user))?.reason, 'wrong_second_step');
    const under = thief.device.get(offer.challenge, { id: holder.device.id });
    await assertRefused(offer.person, await answer(offer, under), 400);
  });

  test('its challenge is asked for by whoever has given the password, and is answered once', async () => {
    const offer = await secondStepOffered(holder.user);
    const stranger = await reachSecondStep(holder.user);
    const foreign = await post(stranger.person, '/sign-in/second-step/options', offer.form.fields);
    assert.equal(foreign.status, 403);
    const given = holder.device.get(offer.challenge);
    await assertRefused(stranger.person, await answer({ ...offer, ...stranger }, given), 400);
    const fields = { ...offer.form.fields, answer: given, challenge: offer.challenge.challenge };
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(offer.person, offer.form.action, fields)));
    assert.equal(answers.filter(({ status }) => status === 303).length, 1);
  });

  test('a challenge that has expired, and an answer without verification of the person, are refused', async () => {
    const offer = await secondStepOffered(holder.user);
    const unverified = holder.device.get(offer.challenge, { flags: flag.present });
    await assertRefused(offer.person, await answer(offer, unverified), 400);
    service.clock.advance(5 * MINUTE);
    await assertRefused(offer.person, await answer(offer, holder.device.get(offer.challenge)), 400);
  });

  test('ten minutes after the password it is over', async () => {
    const { person, form } = await reachSecondStep(holder.user);
    service.clock.advance(9 * MINUTE);
    const challenge = await challengeFor(person, form);
    service.clock.advance(MINUTE);
    await assertRefused(person, await answer({ person, form, challenge }, holder.device.get(challenge)), 403);
    assert.equal((await post(person, '/sign-in/second-step/options', form.fields)).status, 403);
  });
});

describe('malformed answers', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  const encoded = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url');

  /** Answers that are wrong in form; `right` is one that would be accepted. */
  function broken(right: string): Record<string, string> {
    const whole = JSON.parse(right) as Answer;
    const withResponse = (change: Record<string, unknown>) =>
      JSON.stringify({ ...whole, response: { ...whole.response, ...change } });
    const without = Object.keys(whole.response)
      .filter((name) => name !== 'transports')
      .flatMap((name) => [
        [`no ${name}`, withResponse({ [name]: undefined })],
        [`null as ${name}`, withResponse({ [name]: null })],
        [`a number as ${name}`, withResponse({ [name]: 7 })],
        [`an object as ${name}`, withResponse({ [name]: { length: 3 } })],
        [`nothing as ${name}`, withResponse({ [name]: '' })],
        [`no base64 as ${name}`, withResponse({ [name]: '\u{1f511}%%' })],
      ]);
    return {
      'no answer': '',
      'text that is no JSON': 'answer',
      'half an answer': right.slice(0, right.length / 2),
      null: 'null',
      'a number': '7',
      'a text': '"answer"',
      'a list': '[]',
      'an empty object': '{}',
      'a deep list': nested(2000),
      'a deep object': `${'{"id":'.repeat(800)}1${'}'.repeat(800)}`,
      'an id that is no text': JSON.stringify({ ...whole, id: { toString: 'x' } }),
      'an id that is a list': JSON.stringify({ ...whole, id: [whole.id] }),
      'an id that is very long': JSON.stringify({ ...whole, id: 'A'.repeat(10_000) }),
      'an id alone': JSON.stringify({ id: whole.id }),
      'no response': JSON.stringify({ ...whole, response: undefined }),
      'null as the response': JSON.stringify({ ...whole, response: null }),
      'a deep response': JSON.stringify({ ...whole, response: 0 }).replace(
        '"response":0',
        `"response":${nested(2000)}`,
      ),
      'an answer in the place of a prototype': `{"__proto__":${right}}`,
      'client data that is a list': withResponse({ clientDataJSON: encoded('[]') }),
      'client data that is null': withResponse({ clientDataJSON: encoded('null') }),
      'client data that is deep': withResponse({ clientDataJSON: encoded(nested(3000)) }),
      ...Object.fromEntries(without),
    };
  }

  /** What is particular to the answer of a registration: an attestation in CBOR. */
  function brokenAttestations(right: string): Record<string, string> {
    const whole = JSON.parse(right) as Answer;
    const attested = (bytes: Uint8Array) =>
      JSON.stringify({ ...whole, response: { ...whole.response, attestationObject: encoded(bytes) } });
    const attestation = Buffer.from(String(whole.response.attestationObject), 'base64url');
    return {
      'a deep attestation': attested(Buffer.alloc(8000, 0x81)),
      'a deep attestation of maps': attested(Buffer.alloc(8000, Buffer.from([0xa1, 0x61, 0x61]))),
      'an attestation that promises four billion entries': attested(Buffer.from([0xba, 0xff, 0xff, 0xff, 0xff, 0x61])),
      'an attestation that promises four billion bytes': attested(Buffer.from([0x5a, 0xff, 0xff, 0xff, 0xff, 0x61])),
      'an attestation without end': attested(Buffer.from([0xbf, 0x61, 0x61])),
      'half an attestation': attested(attestation.subarray(0, attestation.length / 2)),
      'zeros as the attestation': attested(Buffer.alloc(500)),
      'random bytes as the attestation': attested(randomBytes(500)),
    };
  }

  let holder: Holder;
  before(async () => {
    holder = await newHolder();
  });

  const failures = () => service.log().split('a request failed').length;

  test('signing in with one is refused with a page, and starts no session', async () => {
    const offer = await offered();
    const before = failures();
    for (const [name, text] of Object.entries(broken(holder.device.get(offer.challenge)))) {
      const response = await answer(offer, text);
      assert.equal(response.status, 400, name);
      await assertRefused(offer.person, response, 400);
    }
    assert.equal(failures(), before);
    await answer(offer, holder.device.get(offer.challenge));
    assert.ok(await isSignedIn(offer.person));
  });

  test('the second step with one is refused with a page, and starts no session', async () => {
    const names = Object.keys(broken(holder.device.get((await offered()).challenge)));
    const before = failures();
    while (names.length > 0) {
      service.clock.advance(HOUR);
      const offer = await secondStepOffered(holder.user);
      const answers = broken(holder.device.get(offer.challenge));
      for (const name of names.splice(0, 10)) {
        const response = await answer(offer, answers[name] ?? '');
        assert.equal(response.status, 400, name);
        await assertRefused(offer.person, response, 400);
      }
    }
    assert.equal(failures(), before);
  });

  test('registering one adds nothing', async () => {
    const form = await passkeyForm(holder.person, holder.user);
    const device = new SoftwareAuthenticator();
    const answersTo = (challenge: Challenge) => {
      const right = device.create(challenge);
      return { ...broken(right), ...brokenAttestations(right) };
    };
    // Each costs a password, so a few of each kind, and a few at a time.
    const names = Object.keys(answersTo(await challengeFor(holder.person, form))).filter((name) =>
      /^(no |text|half|a deep|null|client data|an attestation|random)/.test(name),
    );
    assert.ok(names.length > 20);
    const before = failures();
    while (names.length > 0) {
      const some = names.splice(0, 5).map(async (name) => {
        const challenge = await challengeFor(holder.person, form);
        const fields = { answer: answersTo(challenge)[name] ?? '', challenge: challenge.challenge, name };
        const response = await post(holder.person, form.action, { ...form.fields, ...fields });
        assert.equal(response.headers.get('location'), `${security}?done=not-possible`, name);
      });
      await Promise.all(some);
    }
    assert.equal((await passkeysOf(holder.user)).length, 1);
    assert.equal(failures(), before);
  });

  test('one that is larger than any form is refused with a page', async () => {
    const offer = await offered();
    await assertRefused(offer.person, await answer(offer, 'x'.repeat(100_000)), 413);
  });

  test('after a hundred of them an address is closed for a while', async () => {
    const offer = await offered();
    for (let round = 0; round < 10; round++) {
      await Promise.all(Array.from({ length: 10 }, () => answer(offer, '{}')));
    }
    const throttled = await answer(offer, holder.device.get(offer.challenge));
    assert.ok(Number(throttled.headers.get('retry-after')) > 0);
    await assertRefused(offer.person, throttled, 429);
  });
});

describe('mails', () => {
  test('the person hears of every change of their second factors, and of every recovery code', async () => {
    const { user, person, recoveryCodes } = await newOwner();
    const step = await reachSecondStep(user);
    await tryCode(step, recoveryCodes[0] ?? '');
    await register(person, user, new SoftwareAuthenticator());
    for (const [path, button] of [
      ['/account/recovery-codes', ''],
      ['/account/passkeys/remove', 'remove'],
      ['/account/authenticator/remove', ''],
    ] as const) {
      const { action, fields, buttons } = await formIn(await person.visit(security), path);
      const pressed = button === '' ? {} : { [button]: buttons[0]?.value ?? '' };
      await post(person, action, { ...fields, ...pressed, current_password: user.password });
    }
    const mails = (await service.running.services.emailQueue.list(50)).filter(({ mail }) => mail.to === user.email);
    const changes = mails.filter(({ mail }) => mail.subject.startsWith('The security of your account'));
    assert.deepEqual(changes.map(({ mail }) => mail.text.split('\n\n')[1]).toReversed(), [
      'An authenticator app was set up for your account.',
      'One of your recovery codes was used to sign in.',
      'A passkey was added to your account.',
      'New recovery codes were made for your account. The old ones do not work any more.',
      'A passkey of your account was removed.',
      'The authenticator app of your account was removed.',
    ]);
    for (const { mail } of mails) {
      for (const code of recoveryCodes) assert.equal(mail.text.includes(code), false);
    }
  });
});

describe('what is kept', () => {
  test('no key, code or password stands in the store or the log as it is', async () => {
    const owner = await newOwner();
    const device = new SoftwareAuthenticator();
    await register(owner.person, owner.user, device);
    const step = await reachSecondStep(owner.user);
    const [used, wrong] = [codeOf(owner), wrongCode(owner)];
    await tryCode(step, wrong);
    await tryCode(step, used);
    const recovery = await reachSecondStep(owner.user);
    await tryCode(recovery, owner.recoveryCodes[0] ?? '');
    const offer = await offered();
    await answer(offer, device.get(offer.challenge));
    await service.running.services.journal.flush();

    const text = (value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value);
    const kept: string[] = [service.log()];
    for (const table of tables) {
      for (const row of await service.rows(table)) kept.push(JSON.stringify(Object.values(row).map(text)));
    }
    assert.ok(
      kept.some((line) => line.includes(owner.user.id)),
      'there is something to look at',
    );
    const bytes = Buffer.from(owner.secret);
    const key = base32(owner.secret);
    const secrets = [
      ...[key, key.toLowerCase(), bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url')],
      ...[bytes.toString('latin1'), `"${used}"`, `"${wrong}"`, owner.user.password],
      ...owner.recoveryCodes.flatMap((code) => [code, code.replaceAll('-', '')]),
      ...[step, recovery, offer].flatMap(({ person }) => [...person.cookies.values()]),
      step.form.fields.pending ?? '',
      offer.challenge.options.challenge,
    ];
    for (const secret of secrets) {
      assert.ok(secret.length >= 8);
      assert.equal(kept.filter((line) => line.includes(secret)).length, 0, secret);
    }
  });
});
