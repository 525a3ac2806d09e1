// A session that was started without a second factor, when a policy or an application requires one: it is asked for with
// the next request, the session goes on with it, and what was started continues.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { updateClient } from '../../../src/operations/clients/clients.ts';
import { removeSecondFactors } from '../../../src/operations/users/user-recovery.ts';
import { signedIn } from '../../harness/account.ts';
import { newKey } from '../../harness/api.ts';
import { send, visit } from '../../harness/console.ts';
import { answerOf, formIn, Person, readForm } from '../../harness/person.ts';
import { finishSetUp, sessionSetUpPath, setPolicy, setUpOn, verifyPath } from '../../harness/policy.ts';
import { authorizePath, newVerifier, obtainTokens, userinfo } from '../../harness/relying-party.ts';
import {
  alignToStep,
  codeOf,
  eventsOf,
  exchangedIdToken,
  isSignedIn,
  newOwner,
  type Owner,
  wrongCode,
} from '../../harness/second-factors.ts';
import { requester, type TestClient, type TestService } from '../../harness/service.ts';
import { startTwoInstances, type TwoInstances } from '../../harness/two-instances.ts';

const HOUR = 60 * 60;
const session = 'latchkey_session';

let both: TwoInstances;
let service: TestService;
let client: TestClient;

before(async () => {
  both = await startTwoInstances();
  service = both.one;
  client = await service.newClient();
});
after(() => both?.stop());
beforeEach(async () => {
  service.clock.advance(HOUR);
  alignToStep(service);
  both.two.clock.advance((service.clock.now() - both.two.clock.now()) / 1000);
  await setPolicy(service, 'optional');
});

/** The form that asks for a code, on the way to a page. */
const verifyForm = async (person: Person, path: string) => formIn(await person.visit(path), verifyPath);
const apiStatus = async (person: Person, path = '/api/me') => (await person.request(path)).status;

/** A session with a password alone, of somebody who has an app by now. */
const ownerWithOldSession = (): Promise<Owner> => newOwner(service);

describe('someone without a second factor', () => {
  test('sets one up before a page, which then opens', async () => {
    const user = await service.newUser();
    const person = await signedIn(service, user);
    const before = person.cookies.get(session);
    await setPolicy(service, 'everyone');
    const redirect = await person.request('/account/sessions?x=1');
    assert.equal(redirect.status, 302);
    assert.equal(redirect.headers.get('location'), '/sign-in/verify?to=/account/sessions%3Fx%3D1');
    const setUp = await setUpOn(await person.visit('/account/sessions?x=1'), sessionSetUpPath);
    assert.equal(readForm(await (await person.visit('/account/profile')).text(), '/account/profile'), undefined);
    const { continueTo } = await finishSetUp(service, person, setUp);
    assert.equal(continueTo, '/account/sessions?x=1');
    assert.ok(await isSignedIn(person));
    assert.notEqual(person.cookies.get(session), before);

    const old = new Person(service);
    old.cookies.set(session, before ?? '');
    assert.equal(await isSignedIn(old), false, 'a copy of the old secret gains nothing');
    const kinds = (await eventsOf(service, user)).map(({ kind }) => kind);
    assert.deepEqual(kinds.slice(-2), ['authenticator_added', 'session_raised']);
    const again = await person.request(`${verifyPath}?to=/account/apps`);
    assert.equal(again.headers.get('location'), '/account/apps', 'nothing more is asked');
  });

  test('has to confirm the password if it was long ago', async () => {
    const user = await service.newUser();
    const person = await signedIn(service, user);
    service.clock.advance(16 * 60);
    await setPolicy(service, 'everyone');
    const setUp = await setUpOn(await person.visit('/account'), sessionSetUpPath);
    const code = codeOf(service, setUp);
    for (const values of [{ code }, { code, current_password: 'not the password' }]) {
      const response = await person.submit(setUp.form, values);
      assert.equal(response.status, 400);
      assert.match(await response.text(), /name="current_password"/);
    }
    const at = service.clock.now();
    await finishSetUp(service, person, setUp, { current_password: user.password });
    assert.ok(await isSignedIn(person));
    const [stored] = (await service.rows('sessions')).filter((row) => row.user_id === user.id);
    assert.equal(Number(stored?.proven_at), at, 'password and code are the proof that later changes ask for');
  });

  test('can sign out instead', async () => {
    const person = await signedIn(service, await service.newUser());
    await setPolicy(service, 'everyone');
    const form = await formIn(await person.visit('/account'), '/sign-out');
    await person.submit(form, {});
    assert.equal(person.cookies.has(session), false);
  });

  test("an administrator who enables the policy is asked next, and isn't locked out", async () => {
    const admin = await signedIn(service, await service.newUser({ admin: true }));
    const form = readForm((await visit(admin, '/admin/settings')).page, '/admin/settings');
    assert.ok(form);
    const saved = await admin.submit(form, { second_factor: 'administrators', sure: 'yes' });
    const [, next = ''] = /<a class="button primary" href="([^"]+)"/.exec(await saved.text()) ?? [];
    const { continueTo } = await finishSetUp(service, admin, await setUpOn(await admin.visit(next), sessionSetUpPath));
    assert.match((await visit(admin, continueTo)).page, /name="second_factor" value="administrators" checked/);
    assert.equal((await send(admin, '/admin/settings', '/admin/settings', { second_factor: 'optional' })).status, 200);
  });
});

describe('someone who has one', () => {
  test('is asked for it, and the session is upgraded', async () => {
    const owner = await ownerWithOldSession();
    const { person } = owner;
    await setPolicy(service, 'everyone');
    const form = await verifyForm(person, '/account/apps');
    assert.equal((await person.submit(form, { code: wrongCode(service, owner) })).status, 400);
    const before = person.cookies.get(session);
    const response = await person.submit(form, { code: codeOf(service, owner) });
    assert.equal(response.status, 200);
    assert.match(await response.text(), /Connected apps/);
    assert.notEqual(person.cookies.get(session), before);
    const [row] = (await service.rows('sessions')).filter((each) => each.user_id === owner.user.id);
    assert.equal(row?.amr, 'pwd otp mfa');
  });

  test('can use a recovery code', async () => {
    const owner = await ownerWithOldSession();
    await setPolicy(service, 'everyone');
    const code = owner.recoveryCodes[0] ?? '';
    await owner.person.submit(await verifyForm(owner.person, '/account'), { code });
    assert.ok(await isSignedIn(owner.person));
    assert.equal((await service.events('recovery_code_used')).filter((e) => e.userId === owner.user.id).length, 1);
  });

  test('has wrong codes counted as in the second step of a sign-in', async () => {
    const owner = await ownerWithOldSession();
    await setPolicy(service, 'everyone');
    const form = await verifyForm(owner.person, '/account');
    for (let attempt = 0; attempt < 10; attempt++) {
      await owner.person.submit(form, { code: wrongCode(service, owner, attempt) });
    }
    const limited = await owner.person.submit(form, { code: codeOf(service, owner) });
    assert.equal(limited.status, 429);
    assert.ok(Number(limited.headers.get('retry-after')) > 0);
  });

  test("and loses it at the same time isn't upgraded", async (t) => {
    const owner = await ownerWithOldSession();
    await setPolicy(service, 'everyone');
    const form = await verifyForm(owner.person, '/account');
    const { storage } = service.running.services;
    const accept = storage.acceptAuthenticatorStep.bind(storage);
    t.mock.method(storage, 'acceptAuthenticatorStep', async (...given: Parameters<typeof accept>) => {
      const accepted = await accept(...given);
      await removeSecondFactors(service.running.services, owner.user.email, requester);
      return accepted;
    });
    assert.equal((await owner.person.submit(form, { code: codeOf(service, owner) })).status, 403);
    assert.equal(await apiStatus(owner.person), 403);
  });

  test("with another session's form is refused", async () => {
    const [one, two] = [await ownerWithOldSession(), await ownerWithOldSession()];
    await setPolicy(service, 'everyone');
    const form = await verifyForm(one.person, '/account');
    assert.equal((await two.person.submit(form, { code: codeOf(service, two) })).status, 403);
    const anonymous = new Person(service);
    assert.equal((await anonymous.submit(form, { code: codeOf(service, one) })).status, 403);
  });
});

describe('what a session without a required factor can do', () => {
  test('nothing in /api, the account and the console', async () => {
    const admin = await signedIn(service, await service.newUser({ admin: true }));
    const person = await signedIn(service, await service.newUser());
    await setPolicy(service, 'administrators');
    for (const path of ['/api/me', '/api/settings', '/api/people', '/api/nothing']) {
      const response = await admin.request(path);
      assert.equal(response.status, 403, path);
      assert.match(((await response.json()) as { message: string }).message, /second factor/);
    }
    assert.equal(await apiStatus(person), 200);
    await setPolicy(service, 'everyone');
    assert.equal(await apiStatus(person), 403);
    for (const path of ['/account/data.json', '/account/apps', '/admin', '/admin/settings', '/admin/people?search=a']) {
      assert.match((await admin.request(path)).headers.get('location') ?? '', /^\/sign-in\/verify\?to=\//, path);
    }
  });

  test('an open form changes nothing', async () => {
    const user = await service.newUser();
    const person = await signedIn(service, user);
    const form = await formIn(await person.visit('/account/profile'), '/account/profile');
    await setPolicy(service, 'everyone');
    const body = new URLSearchParams({ ...form.fields, name: 'Somebody Else' });
    const response = await person.request('/account/profile', { method: 'POST', body });
    assert.equal(response.status, 303);
    assert.equal(response.headers.get('location'), '/sign-in/verify?to=/account/profile');
    assert.notEqual((await service.running.services.storage.findUser(user.id))?.name, 'Somebody Else');
  });

  test('API keys and tokens keep working', async () => {
    const key = await newKey(service, 'administrator');
    const { tokens } = await obtainTokens(service, client, await service.newUser());
    await setPolicy(service, 'everyone');
    const people = await fetch(`${service.url}/api/people`, { headers: key.headers('GET') });
    assert.equal(people.status, 200);
    assert.equal((await userinfo(service, tokens.access_token)).status, 200);
  });
});

describe('an authorization request', () => {
  const silentError = async (person: Person, path: string) =>
    answerOf(await person.request(path)).searchParams.get('error');

  test('of an application that requires two factors asks, then continues', async () => {
    const strict = await service.newClient({ secondFactor: 'required' });
    const owner = await ownerWithOldSession();
    const verifier = newVerifier();
    const path = authorizePath(strict, verifier);
    const silent = authorizePath(strict, newVerifier(), { prompt: 'none' });
    assert.equal(await silentError(owner.person, silent), 'login_required');
    const response = await owner.person.submit(await verifyForm(owner.person, path), { code: codeOf(service, owner) });
    const decision = await formIn(response, '/oauth-authorize/decision');
    const answer = await owner.person.submit(decision, { decision: 'approve' });
    assert.equal((await exchangedIdToken(service, strict, answer, verifier)).acr, '2');
    assert.equal(await silentError(owner.person, silent), null);
  });

  test('is login_required with prompt=none if the policy requires more', async () => {
    const { person } = await obtainTokens(service, client, await service.newUser());
    const silent = authorizePath(client, newVerifier(), { prompt: 'none' });
    assert.equal(await silentError(person, silent), null);
    await setPolicy(service, 'everyone');
    assert.equal(await silentError(person, silent), 'login_required');
  });

  test('asks again if an earlier consent form is submitted', async () => {
    const app = await service.newClient();
    const person = await signedIn(service, await service.newUser());
    const path = authorizePath(app, newVerifier(), { prompt: 'select_account' });
    const account = await formIn(await person.visit(path), '/oauth-authorize/account');
    const decision = await formIn(await person.submit(account, { account: 'current' }), '/oauth-authorize/decision');
    assert.ok(answerOf(await person.submit(decision, { decision: 'approve' })).searchParams.get('code'));
    await updateClient(service.running.services, app.id, { secondFactor: 'required' }, requester);
    const response = await person.submit(decision, { decision: 'approve' });
    assert.equal(response.headers.get('location'), null);
    await setUpOn(response, sessionSetUpPath);
  });

  test('of an application that starts to require it also asks people who approved it before', async () => {
    const app = await service.newClient();
    const { person } = await obtainTokens(service, app, await service.newUser());
    await updateClient(service.running.services, app.id, { secondFactor: 'required' }, requester);
    const response = await person.visit(authorizePath(app, newVerifier()));
    const { continueTo } = await finishSetUp(service, person, await setUpOn(response, sessionSetUpPath));
    assert.ok(answerOf(await person.visit(continueTo)).searchParams.get('code'));
  });
});

describe('with two instances', () => {
  test('a policy enabled at one applies at the other within five seconds', async () => {
    const { two } = both;
    const person = await signedIn(service, await service.newUser());
    const elsewhere = new Person(two);
    const copyCookies = (from: Person, to: Person) => {
      for (const [name, value] of from.cookies) to.cookies.set(name, value);
    };
    copyCookies(person, elsewhere);
    two.clock.advance(3);
    assert.equal(await apiStatus(elsewhere), 200);
    await setPolicy(service, 'everyone');
    two.clock.advance(5);
    assert.equal(await apiStatus(elsewhere), 403);

    // What one instance has shown, the other takes.
    const setUp = await setUpOn(await person.visit('/account'), sessionSetUpPath);
    copyCookies(person, elsewhere);
    await finishSetUp(service, elsewhere, setUp);
    assert.equal(await apiStatus(elsewhere), 200);
    copyCookies(elsewhere, person);
    assert.equal(await apiStatus(person), 200);
  });

  test('of two concurrent set-ups for one person one succeeds', async () => {
    const { two } = both;
    const user = await service.newUser();
    await setPolicy(service, 'everyone');
    two.clock.advance(5);
    const people = [new Person(service), new Person(two)];
    const setUps = await Promise.all(people.map(async (person) => setUpOn(await person.signIn(user))));
    const now = [service, two];
    const responses = await Promise.all(
      people.map((person, index) => {
        const [at, setUp] = [now[index] ?? service, setUps[index]];
        assert.ok(setUp);
        return person.submit(setUp.form, { code: codeOf(at, setUp) });
      }),
    );
    assert.equal(people.filter((person) => person.cookies.has(session)).length, 1);
    assert.ok(responses.every(({ status }) => status === 200 || status === 403));
    assert.equal((await service.rows('authenticators')).filter((row) => row.user_id === user.id).length, 1);
    assert.equal((await service.rows('sessions')).filter((row) => row.user_id === user.id).length, 1);
  });
});
