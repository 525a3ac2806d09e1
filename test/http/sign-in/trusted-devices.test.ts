// "Don't ask for a code on this device for 30 days": skips the second step, and nothing else, for one person in one browser.

import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { disableUser, enableUser } from '../../../src/operations/users/disable-user.ts';
import { setPassword } from '../../../src/operations/users/user-recovery.ts';
import { newHolder, secondStepOffered } from '../../harness/passkeys.ts';
import { formIn, Person, readForm } from '../../harness/person.ts';
import { setPolicy } from '../../harness/policy.ts';
import { proofAsked } from '../../harness/proof.ts';
import { authorizePath, newVerifier } from '../../harness/relying-party.ts';
import {
  alignToStep,
  codeOf,
  eventsOf,
  exchangedIdToken,
  isSignedIn,
  newOwner,
  type Owner,
  reachSecondStep,
  securityPath,
  tryCode,
  turnOn,
  wrongCode,
} from '../../harness/second-factors.ts';
import { requester, type TestUser } from '../../harness/service.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const DAY = 24 * 60 * 60;
const newPassword = 'another phrase of mine';

const service = serviceOfSuite();
beforeEach(() => alignToStep(service));

/** An owner who has ticked the box in a browser, and is signed out again. */
async function trusting(): Promise<Owner & { browser: Person }> {
  const owner = await newOwner(service);
  const { person: browser, form } = await reachSecondStep(service, owner.user);
  await browser.submit(form, { code: codeOf(service, owner), trust: 'yes' });
  assert.ok(await isSignedIn(browser));
  service.clock.advance(30);
  await signOut(browser);
  return { ...owner, browser };
}

const signOut = async (person: Person) => person.submit(await formIn(await person.visit('/account'), '/sign-out'), {});

/** Whether the password alone signs in; otherwise a code is asked for. */
async function skipsCode(person: Person, user: TestUser): Promise<boolean> {
  const page = await (await person.signIn(user)).text();
  const asked = readForm(page, '/sign-in/second-step') !== undefined;
  assert.equal(await isSignedIn(person), !asked);
  return !asked;
}

const sessionOf = async ({ id }: TestUser) =>
  (await service.rows('sessions')).filter((row) => row.user_id === id && Number(row.trusted) === 1);

describe('a trusted device', () => {
  test("isn't asked for a code for 30 days, and is after that", async () => {
    const { user, browser } = await trusting();
    assert.ok(await skipsCode(browser, user));
    const events = await eventsOf(service, user);
    assert.ok(events.some(({ kind }) => kind === 'device_trusted'));
    assert.equal(events.at(-1)?.method, 'password_on_trusted_device');
    await signOut(browser);
    service.clock.advance(30 * DAY - 31);
    assert.ok(await skipsCode(browser, user));
    await signOut(browser);
    service.clock.advance(1);
    assert.equal(await skipsCode(browser, user), false);
  });

  test('is trusted only if the box is ticked, which survives a wrong code', async () => {
    const owner = await newOwner(service);
    const step = await reachSecondStep(service, owner.user);
    const page = await (await step.person.submit(step.form, { code: wrongCode(service, owner), trust: 'yes' })).text();
    assert.match(page, /<input id="trust"[^>]* checked>/);
    const unticked = await (await new Person(service).signIn(owner.user)).text();
    assert.match(unticked, /<input id="trust" name="trust" type="checkbox" value="yes"> Don&#39;t ask for a code/);
    await tryCode(step, codeOf(service, owner));
    await signOut(step.person);
    assert.equal(await skipsCode(step.person, owner.user), false);
  });

  test('can also be trusted with a passkey as the second step', async () => {
    const { user, device } = await newHolder(service);
    const { person, form, challenge } = await secondStepOffered(service, user);
    await person.submit(form, { answer: device.get(challenge), challenge: challenge.challenge, trust: 'yes' });
    await signOut(person);
    assert.ok(await skipsCode(person, user));
  });

  test('belongs to one person and one browser', async () => {
    const { user, browser } = await trusting();
    const other = await newOwner(service);
    assert.equal(await skipsCode(browser, other.user), false, 'another person in the browser');
    assert.equal(await skipsCode(new Person(service), user), false, 'the person in another browser');
    const mark = browser.cookies.get('latchkey_device') ?? '';
    const copied = new Person(service);
    copied.cookies.set(
      'latchkey_device',
      mark.replace(/.$/, (letter) => (letter === 'A' ? 'B' : 'A')),
    );
    assert.equal(await skipsCode(copied, user), false, 'a mark that only looks like it');
    assert.equal((await browser.signIn({ ...user, password: 'wrong' })).status, 400, 'nor without the password');
    assert.ok(await skipsCode(browser, user));
  });

  test('starts a session with one factor and no proof', async () => {
    const { user, browser, secret } = await trusting();
    const client = await service.newClient();
    const verifier = newVerifier();
    const form = await formIn(await browser.visit(authorizePath(client, verifier)), '/sign-in');
    const consent = await browser.submit(form, { email: user.email, password: user.password });
    const answer = await browser.submit(await formIn(consent, '/oauth-authorize/decision'), { decision: 'approve' });
    assert.deepEqual((await exchangedIdToken(service, client, answer, verifier)).amr, ['pwd']);
    assert.equal((await sessionOf(user)).length, 1);

    const remove = await formIn(await browser.visit(securityPath), '/account/authenticator/remove');
    const proof = await proofAsked(await browser.submit(remove, {}));
    await proofAsked(await browser.submit(proof, { password: user.password }), 400);
    const code = codeOf(service, { secret });
    assert.match(await (await browser.submit(proof, { password: user.password, code })).text(), /app removed/);
  });

  test('is listed under Devices, where only its owner can end it', async () => {
    const { user, person, browser } = await trusting();
    const page = await (await person.visit('/account/sessions')).text();
    assert.match(page, /<h2>Trusted devices<\/h2>/);
    const value = /name="untrust" value="([^"]+)"/.exec(page)?.[1] ?? '';
    const form = readForm(page, '/account/sessions');
    assert.ok(form);
    for (const text of browser.cookies.get('latchkey_device')?.split('.') ?? []) {
      assert.equal(page.includes(text), false, 'the mark is not shown');
    }
    const stranger = new Person(service);
    await stranger.signIn(await service.newUser());
    const foreign = await formIn(await stranger.visit('/account/sessions'), '/account/sessions');
    assert.match(await (await stranger.submit(foreign, { untrust: value })).text(), /That didn&#39;t work/);
    assert.match(await (await person.submit(form, { untrust: value })).text(), /Device no longer trusted/);
    assert.equal((await eventsOf(service, user)).at(-1)?.kind, 'device_trust_ended');
    assert.equal(/Trusted devices/.test(await (await person.visit('/account/sessions')).text()), false);
    assert.equal(await skipsCode(browser, user), false);
    const data = await (await person.request('/account/data.json')).json();
    assert.deepEqual((data as { second_factors: { trusted_browsers: unknown } }).second_factors.trusted_browsers, []);
  });

  test('says which one is this device', async () => {
    const { user, browser } = await trusting();
    assert.ok(await skipsCode(browser, user));
    const page = await (await browser.visit('/account/sessions')).text();
    assert.equal(page.split('This device').length - 1, 2, 'as a session and as a trusted device');
  });

  const endings: Record<string, (owner: Owner & { browser: Person }) => Promise<TestUser>> = {
    'a change of the password, in that very browser': async ({ user, secret, browser }) => {
      assert.ok(await skipsCode(browser, user));
      const form = await formIn(await browser.visit(securityPath), '/account/password');
      const proof = await proofAsked(await browser.submit(form, { new_password: newPassword }));
      await browser.submit(proof, { password: user.password, code: codeOf(service, { secret }) });
      await signOut(browser);
      return { ...user, password: newPassword };
    },
    'a password that an administrator sets': async ({ user }) => {
      // Past the time in which a new factor would be paused.
      service.clock.advance(8 * DAY);
      await setPassword(service.running.services, user.id, newPassword, requester);
      return { ...user, password: newPassword };
    },
    'disabling the person': async ({ user }) => {
      await disableUser(service.running.services, user.id, requester);
      await enableUser(service.running.services, user.id, requester);
      return user;
    },
  };
  for (const [name, end] of Object.entries(endings)) {
    test(`isn't trusted after ${name}`, async () => {
      const owner = await trusting();
      assert.equal(await skipsCode(owner.browser, await end(owner)), false);
    });
  }

  test("isn't trusted after the second factor was removed, whatever is set up next", async () => {
    const { user, person, browser } = await trusting();
    await person.submit(await formIn(await person.visit(securityPath), '/account/authenticator/remove'), {});
    await turnOn(service, person);
    assert.equal(await skipsCode(browser, user), false);
  });
});

describe('what requires a second factor', () => {
  test('a trusted browser satisfies the policy', async () => {
    const { browser, user } = await trusting();
    await setPolicy(service, 'everyone');
    try {
      assert.ok(await skipsCode(browser, user));
      assert.equal((await browser.request('/api/me')).status, 200);
    } finally {
      await setPolicy(service, 'optional');
    }
  });

  for (const [name, parameters, settings] of [
    ['an application that requires two factors', {}, { secondFactor: 'required' }],
    ['acr_values=2', { acr_values: '2' }, {}],
  ] as const) {
    test(`${name} asks for the code, at sign-in and in the session`, async () => {
      const { browser, user, ...app } = await trusting();
      const path = authorizePath(await service.newClient(settings), newVerifier(), parameters);
      const signIn = await formIn(await browser.visit(path), '/sign-in');
      const { email, password } = user;
      await formIn(await browser.submit(signIn, { email, password }), '/sign-in/second-step');

      assert.ok(await skipsCode(browser, user));
      const [before] = await sessionOf(user);
      assert.equal(Number(before?.proven_at), 0);
      const verify = await formIn(await browser.visit(path), '/sign-in/verify');
      await formIn(await browser.submit(verify, { code: codeOf(service, app) }), '/oauth-authorize/decision');
      const stored = (await service.rows('sessions')).filter((row) => row.auth_time === before?.auth_time);
      // The password from the sign-in and the code are proof together, from the time of the password on.
      assert.deepEqual(
        stored.map((row) => [Number(row.trusted), Number(row.proven_at)]),
        [[0, Number(before?.auth_time)]],
      );
    });
  }
});
