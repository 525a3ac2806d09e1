// Somebody who needs a second factor and has none sets it up during the sign-in, before there is a session or a code.

import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import { newLink } from '../../../src/operations/email-links/links.ts';
import { removeSecondFactors, setPassword } from '../../../src/operations/users/user-recovery.ts';
import { createPasskey, formOfLink, type LinkForm, resetForm, signUpForm } from '../../harness/passwordless.ts';
import { answerOf, formIn, Person, readForm } from '../../harness/person.ts';
import { finishSetUp, setPolicy, setUpOn } from '../../harness/policy.ts';
import { authorizePath, newVerifier } from '../../harness/relying-party.ts';
import {
  alignToStep,
  assertRefused,
  codeOf,
  eventsOf,
  exchangedIdToken,
  isSignedIn,
  newOwner,
  reachSecondStep,
  recoveryCodesOn,
  tryCode,
  turnOn,
  wrongCode,
} from '../../harness/second-factors.ts';
import { requester, type TestClient, type TestUser } from '../../harness/service.ts';
import { newAddress } from '../../harness/sign-up.ts';
import { SoftwareAuthenticator } from '../../harness/software-authenticator.ts';
import { mailsTo } from '../../harness/store.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;
const session = 'latchkey_session';

const service = serviceOfSuite({ LATCHKEY_SIGN_UP: 'open' });
let client: TestClient;

before(async () => {
  client = await service.newClient();
});
beforeEach(async () => {
  service.clock.advance(8 * DAY);
  alignToStep(service);
  await setPolicy(service, 'everyone');
});

async function reachSetUp(user: TestUser, person = new Person(service)) {
  const response = await person.signIn(user);
  assert.equal(response.status, 200);
  return { person, setUp: await setUpOn(response) };
}

describe('a passkey instead of an app', () => {
  async function challengeOn({ person, setUp }: Awaited<ReturnType<typeof reachSetUp>>) {
    const answer = await person.request('/sign-in/set-up/options', {
      method: 'POST',
      body: new URLSearchParams(setUp.form.fields),
    });
    assert.equal(answer.status, 200);
    return (await answer.json()) as { options: { challenge: string; user: { id: string } }; challenge: string };
  }
  const device = () => new SoftwareAuthenticator(service.url);

  test('starts the session, brings recovery codes, and is asked for next time', async () => {
    const user = await service.newUser();
    const at = await reachSetUp(user);
    const challenge = await challengeOn(at);
    const given = { answer: device().create(challenge), challenge: challenge.challenge };
    const page = await at.person.submit(at.setUp.form, given);
    assert.equal(recoveryCodesOn(await page.text()).length, 10);
    assert.ok(await isSignedIn(at.person));
    const kinds = (await eventsOf(service, user)).map(({ kind, method }) => method ?? kind);
    assert.ok(kinds.includes('passkey_added') && kinds.includes('password_and_passkey'), String(kinds));
    assert.equal(
      (await mailsTo(service, user.email)).filter(({ text }) => text.includes('A passkey was added')).length,
      1,
    );
    // Neither the offer nor the challenge works again.
    await at.person.submit(at.setUp.form, given);
    assert.equal((await service.rows('passkeys')).filter(({ user_id }) => user_id === user.id).length, 1);
    assert.match(await (await new Person(service).signIn(user)).text(), /action="\/sign-in\/second-step"/);
  });

  test('is refused for another page than the one that asked for it, and the page says so', async () => {
    const user = await service.newUser();
    const first = await reachSetUp(user);
    const challenge = await challengeOn(first);
    const second = await reachSetUp(await service.newUser(), first.person);
    const given = { answer: device().create(challenge), challenge: challenge.challenge };
    const page = await second.person.submit(second.setUp.form, given);
    assert.equal(page.status, 400);
    assert.match(await page.text(), /Couldn&#39;t create the passkey/);
    for (const wrong of [{ answer: 'x' }, { answer: '{}', challenge: 'x' }, { ...given, answer: '{"id":"x"}' }]) {
      assert.equal((await first.person.submit(first.setUp.form, wrong)).status, 400);
    }
    assert.equal(await isSignedIn(first.person), false);
    const stranger = new Person(service);
    const options = { method: 'POST', body: new URLSearchParams(first.setUp.form.fields) };
    assert.equal((await stranger.request('/sign-in/set-up/options', options)).status, 403);
  });
});

describe('the policy', () => {
  test('everyone: the password alone starts no session, the set-up does, and the factor is asked for next time', async () => {
    const user = await service.newUser();
    const sessions = (await service.rows('sessions')).length;
    const { person, setUp } = await reachSetUp(user);
    assert.equal(person.cookies.has(session), false);
    assert.equal((await service.rows('sessions')).length, sessions);
    const { secret, recoveryCodes, continueTo } = await finishSetUp(service, person, setUp);
    assert.equal(continueTo, '/account');
    assert.ok(await isSignedIn(person));
    const kinds = (await eventsOf(service, user)).map(({ kind, method }) => method ?? kind);
    assert.deepEqual(kinds, ['user_created', 'second_step_asked', 'authenticator_added', 'password_and_code']);
    assert.ok((await mailsTo(service, user.email)).some(({ text }) => text.includes('/not-me?link=')));

    const next = await reachSecondStep(service, user);
    assert.equal((await tryCode(next, codeOf(service, { secret }))).status, 200);
    assert.ok(await isSignedIn(next.person));
    const byCode = await reachSecondStep(service, user);
    await tryCode(byCode, recoveryCodes[0] ?? '');
    assert.ok(await isSignedIn(byCode.person));
  });

  test('administrators: applies to them only', async () => {
    await setPolicy(service, 'administrators');
    const person = new Person(service);
    await person.signIn(await service.newUser());
    assert.ok(await isSignedIn(person));
    await reachSetUp(await service.newUser({ admin: true }));
  });

  test('optional: applies to nobody', async () => {
    await setPolicy(service, 'optional');
    const person = new Person(service);
    await person.signIn(await service.newUser({ admin: true }));
    assert.ok(await isSignedIn(person));
  });

  test('people with a second factor are asked for it, as always', async () => {
    await setPolicy(service, 'optional');
    const owner = await newOwner(service);
    await setPolicy(service, 'everyone');
    const step = await reachSecondStep(service, owner.user);
    await tryCode(step, codeOf(service, owner));
    assert.ok(await isSignedIn(step.person));
  });

  for (const purpose of ['sign_up', 'invite'] as const) {
    test(`an account created with a link (${purpose}) needs one before its first session`, async () => {
      const { services } = service.running;
      const { link, url } = newLink(services, purpose, null, { email: `${purpose}@example.test` });
      await services.storage.storeLink(link, services.journal.event({ kind: 'sign_up_requested' }, requester));
      const person = new Person(service);
      const form = await formIn(await person.visit(new URL(url).pathname + new URL(url).search));
      const response = await person.submit(form, { name: 'New Comer', password: 'a rather long phrase' });
      assert.equal(person.cookies.has(session), false);
      await finishSetUp(service, person, await setUpOn(response));
      assert.ok(await isSignedIn(person));
    });
  }
});

describe('the factor that an account was created with through an emailed link', () => {
  /** The email address of the new account. `open` makes the form, `finish` the account with its factor. */
  const invited = async () => {
    const { services } = service.running;
    const email = newAddress();
    const { link, url } = newLink(services, 'invite', null, { email, mailed: 'yes' });
    await services.storage.storeLink(link, services.journal.event({ kind: 'user_invited' }, requester));
    return formOfLink(service, email, new URL(url).pathname + new URL(url).search);
  };
  const withPasskey = async (opened: LinkForm) => {
    // The service takes a moment to check the passkey.
    const { storage } = service.running.services;
    const consume = storage.consumeTicket;
    storage.consumeTicket = (...ticket) => {
      service.clock.advance(1);
      return consume(...ticket);
    };
    try {
      assert.equal((await createPasskey(opened, new SoftwareAuthenticator(service.url))).status, 200);
    } finally {
      storage.consumeTicket = consume;
    }
  };
  const withPassword = async ({ person, form }: LinkForm) =>
    setUpOn(await person.submit(form, { name: 'New Comer', password: 'a rather long phrase' }));
  const withApp = async (opened: LinkForm) => {
    const setUp = await withPassword(opened);
    service.clock.advance(5 * MINUTE);
    await finishSetUp(service, opened.person, setUp);
  };
  const withPasskeyAfterPassword = async ({ person, ...opened }: LinkForm) => {
    const { form } = await withPassword({ person, ...opened });
    service.clock.advance(5 * MINUTE);
    await createPasskey({ ...opened, person, form }, new SoftwareAuthenticator(service.url));
    assert.ok(await isSignedIn(person));
  };
  const cases = [
    ['a passkey', () => signUpForm(service), withPasskey],
    ['an app, after a password', () => signUpForm(service), withApp],
    ['a passkey, after a password', () => signUpForm(service), withPasskeyAfterPassword],
    ['a passkey, by an invitation', () => invited(), withPasskey],
  ] as const;
  for (const [name, open, create] of cases) {
    test(`${name}: the mailbox alone doesn't get in after a reset within 7 days`, async () => {
      const opened = await open();
      await create(opened);
      service.clock.advance(6 * DAY);
      const { storage } = service.running.services;
      const user = await storage.findUserByEmail(opened.email);
      assert.ok(user);
      const before = await storage.findSignInFacts(user.id);
      const reset = await resetForm(service, opened.email);
      await reset.person.submit(reset.form, { password: 'another long phrase' });
      const { passkeys, authenticator, recoveryCodes } = await storage.findSignInFacts(user.id);
      const { passkeys: made, authenticator: app } = before;
      assert.deepEqual([passkeys, authenticator, recoveryCodes], [made, app, 10]);
      const page = await new Person(service).signIn({
        ...opened,
        password: 'another long phrase',
      } as unknown as TestUser);
      assert.match(await page.text(), /action="\/sign-in\/second-step"/);
    });
  }
});

describe('on the way to an application', () => {
  test('the code is issued after the set-up, and the ID token has two factors', async () => {
    const verifier = newVerifier();
    const path = authorizePath(client, verifier, { prompt: 'login' });
    const user = await service.newUser();
    const person = new Person(service);
    const signIn = await formIn(await person.visit(path), '/sign-in');
    const response = await person.submit(signIn, { email: user.email, password: user.password });
    const { continueTo } = await finishSetUp(service, person, await setUpOn(response));
    assert.equal(continueTo, path, 'prompt=login is answered by this sign-in');
    const consent = await formIn(await person.visit(continueTo), '/oauth-authorize/decision');
    const answer = await person.submit(consent, { decision: 'approve' });
    const token = await exchangedIdToken(service, client, answer, verifier);
    assert.deepEqual([token.acr, token.amr], ['2', ['pwd', 'otp', 'mfa']]);
  });

  test('a single application can require it', async () => {
    await setPolicy(service, 'optional');
    const strict = await service.newClient({ secondFactor: 'required' });
    const user = await service.newUser();
    const person = new Person(service);
    const path = authorizePath(strict, newVerifier());
    const signIn = await formIn(await person.visit(path), '/sign-in');
    const response = await person.submit(signIn, { email: user.email, password: user.password });
    const { continueTo } = await finishSetUp(service, person, await setUpOn(response));
    assert.ok(readForm(await (await person.visit(continueTo)).text(), '/oauth-authorize/decision'));
    const elsewhere = new Person(service);
    await elsewhere.signIn(await service.newUser());
    assert.ok(await isSignedIn(elsewhere), 'elsewhere the password is enough');
  });
});

describe('the set-up', () => {
  test('refuses a wrong code, keeps its key, and is limited like the second step', async () => {
    const user = await service.newUser();
    const { person, setUp } = await reachSetUp(user);
    for (let attempt = 0; attempt < 10; attempt++) {
      const response = await person.submit(setUp.form, { code: wrongCode(service, setUp, attempt) });
      assert.equal(response.status, 400);
      assert.deepEqual((await setUpOn(response)).secret, setUp.secret);
    }
    const limited = await person.submit(setUp.form, { code: codeOf(service, setUp) });
    assert.equal(limited.status, 429);
    assert.ok(Number(limited.headers.get('retry-after')) > 0);
    assert.equal(person.cookies.has(session), false);
    // Another browser of whoever knows the password has the same limit.
    const other = await reachSetUp(user);
    assert.equal((await other.person.submit(other.setUp.form, { code: codeOf(service, other.setUp) })).status, 429);
  });

  test('works once, even if the factor is removed afterwards', async () => {
    const user = await service.newUser();
    const { person, setUp } = await reachSetUp(user);
    const thief = new Person(service);
    for (const [name, value] of person.cookies) thief.cookies.set(name, value);
    await finishSetUp(service, person, setUp);
    await removeSecondFactors(service.running.services, user.email, requester);
    await assertRefused(thief, await thief.submit(setUp.form, { code: codeOf(service, setUp) }), 403);
    assert.deepEqual(
      (await service.rows('authenticators')).filter((row) => row.user_id === user.id),
      [],
    );
  });

  test('succeeds once if done twice at the same time', async () => {
    const user = await service.newUser();
    const { person, setUp } = await reachSetUp(user);
    const code = codeOf(service, setUp);
    const responses = await Promise.all([1, 2, 3].map(() => person.submit(setUp.form, { code })));
    const pages = await Promise.all(responses.map((response) => response.text()));
    assert.equal(pages.filter((page) => recoveryCodesOn(page).length === 10).length, 1);
    assert.equal((await service.rows('sessions')).filter((row) => row.user_id === user.id).length, 1);
  });

  test('expires after ten minutes', async () => {
    const { person, setUp } = await reachSetUp(await service.newUser());
    service.clock.advance(600);
    await assertRefused(person, await person.submit(setUp.form, { code: codeOf(service, setUp) }), 403);
  });

  test('expires when the password changes', async () => {
    const user = await service.newUser();
    const { person, setUp } = await reachSetUp(user);
    await setPassword(service.running.services, user.email, 'quite another phrase', requester);
    await assertRefused(person, await person.submit(setUp.form, { code: codeOf(service, setUp) }), 403);
  });

  test('is bound to its browser and person', async () => {
    const [one, two] = [await reachSetUp(await service.newUser()), await reachSetUp(await service.newUser())];
    const code = codeOf(service, one.setUp);
    await assertRefused(two.person, await two.person.submit(one.setUp.form, { code }), 403);
    const [encoded = '', stamp = ''] = one.setUp.form.fields.set_up?.split('.') ?? [];
    const text = Buffer.from(encoded, 'base64url').toString('latin1');
    const other = Buffer.from(two.setUp.form.fields.set_up?.split('.')[0] ?? '', 'base64url').toString('latin1');
    const swapped = JSON.stringify({ ...JSON.parse(text), key: JSON.parse(other).key });
    for (const ticket of ['', 'x', `${encoded}.`, `${Buffer.from(swapped, 'latin1').toString('base64url')}.${stamp}`]) {
      const form = { ...one.setUp.form, fields: { set_up: ticket } };
      await assertRefused(one.person, await one.person.submit(form, { code }), 403);
    }
  });

  test("doesn't bypass a factor that was added meanwhile", async () => {
    const user = await service.newUser();
    const { person, setUp } = await reachSetUp(user);
    await setPolicy(service, 'optional');
    const elsewhere = new Person(service);
    await elsewhere.signIn(user);
    const app = await turnOn(service, elsewhere);
    const response = await person.submit(setUp.form, { code: codeOf(service, setUp) });
    const form = await formIn(response, '/sign-in/second-step');
    assert.equal(person.cookies.has(session), false);
    await tryCode({ person, form }, codeOf(service, app));
    assert.ok(await isSignedIn(person));
  });

  test('replaces an authenticator suspended by a password reset', async () => {
    const user = await service.newUser();
    const first = await reachSetUp(user);
    await finishSetUp(service, first.person, first.setUp);
    await setPassword(service.running.services, user.email, 'quite another phrase', requester);
    const { person, setUp } = await reachSetUp({ ...user, password: 'quite another phrase' });
    const { continueTo } = await finishSetUp(service, person, setUp);
    assert.match(continueTo, /^\/account\/review/);
    assert.ok(await isSignedIn(person));
    const [row, ...others] = (await service.rows('authenticators')).filter((each) => each.user_id === user.id);
    assert.deepEqual([row?.suspended_at, others.length], [null, 0]);
  });
});

test('enabling the policy during a sign-in applies to that sign-in', async (t) => {
  await setPolicy(service, 'optional');
  const { passwords } = service.running.services;
  const verify = passwords.verify.bind(passwords);
  const mocked = t.mock.method(passwords, 'verify', async (...given: Parameters<typeof verify>) => {
    const right = await verify(...given);
    await setPolicy(service, 'everyone');
    return right;
  });
  await reachSetUp(await service.newUser());
  mocked.mock.restore();

  // A session that started just before is asked with its next request.
  await setPolicy(service, 'optional');
  const person = new Person(service);
  const path = authorizePath(client, newVerifier());
  const user = await service.newUser();
  const signIn = await formIn(await person.visit(path), '/sign-in');
  const consent = await person.submit(signIn, { email: user.email, password: user.password });
  await setPolicy(service, 'everyone');
  const decided = await person.submit(await formIn(consent, '/oauth-authorize/decision'), { decision: 'approve' });
  await setUpOn(decided, '/sign-in/verify/set-up');
});

test('removing the second factor before the session starts means no session', async (t) => {
  await setPolicy(service, 'optional');
  const owner = await newOwner(service);
  const { storage } = service.running.services;
  const accept = storage.acceptAuthenticatorStep.bind(storage);
  t.mock.method(storage, 'acceptAuthenticatorStep', async (...given: Parameters<typeof accept>) => {
    const accepted = await accept(...given);
    await removeSecondFactors(service.running.services, owner.user.email, requester);
    return accepted;
  });
  const step = await reachSecondStep(service, owner.user);
  await assertRefused(step.person, await tryCode(step, codeOf(service, owner)), 403);
});

test('a canceled request returns to the application without a second factor', async () => {
  await setPolicy(service, 'optional');
  const person = new Person(service);
  const user = await service.newUser();
  const signIn = await formIn(await person.visit(authorizePath(client, newVerifier())), '/sign-in');
  const consent = await person.submit(signIn, { email: user.email, password: user.password });
  await setPolicy(service, 'everyone');
  const form = await formIn(consent, '/oauth-authorize/decision');
  assert.equal(answerOf(await person.submit(form, { decision: 'cancel' })).searchParams.get('error'), 'access_denied');
});
