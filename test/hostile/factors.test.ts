// Getting past the second factor, or raising a session with something weaker.

import assert from 'node:assert/strict';
import { after, before, beforeEach } from 'node:test';
import { deleteUpstream } from '../../src/operations/upstreams/upstreams.ts';
import { setPassword } from '../../src/operations/users/user-recovery.ts';
import { finishReview, signedIn } from '../harness/account.ts';
import { HostileUpstream } from '../harness/hostile-upstream.ts';
import { keptLink } from '../harness/links.ts';
import { newHolder } from '../harness/passkeys.ts';
import { formIn, Person, readForm } from '../harness/person.ts';
import { finishSetUp, setPolicy, setUpOn, setUpPath } from '../harness/policy.ts';
import { proofAsked } from '../harness/proof.ts';
import { authorizePath, newVerifier, obtainTokens } from '../harness/relying-party.ts';
import {
  alignToStep,
  codeOf,
  exchangedIdToken,
  idTokenOf,
  isSignedIn,
  newOwner,
  type Owner,
  reachSecondStep,
  securityPath,
  setUpPage,
  tryCode,
  turnOn,
} from '../harness/second-factors.ts';
import { requester, startTestService, type TestClient, type TestService, type TestUser } from '../harness/service.ts';
import { startTwoInstances } from '../harness/two-instances.ts';
import { addUpstream, allowLoopbackUpstreams, signInWith } from '../harness/upstreams.ts';
import { attack } from './attack.ts';

const [MINUTE, DAY] = [60, 24 * 60 * 60];
const session = 'latchkey_session';

let service: TestService;
let client: TestClient;
let provider: HostileUpstream;

before(async () => {
  service = await startTestService(allowLoopbackUpstreams);
  client = await service.newClient();
  provider = await HostileUpstream.start(() => service.clock.now());
  await addUpstream(service, provider, { createsAccounts: true });
});
after(async () => {
  await service?.stop();
  await provider?.stop();
});
beforeEach(async () => {
  provider.twists = {};
  service.clock.advance(16 * MINUTE);
  alignToStep(service);
  await setPolicy(service, 'optional');
});

/** An owner who has approved the application before, so that only the second step is between the password and a code. */
async function approvingOwner(): Promise<Owner> {
  const user = await service.newUser();
  const { person } = await obtainTokens(service, client, user);
  return { user, person, ...(await turnOn(service, person)) };
}

const rowsOf = async (table: string, user: TestUser) =>
  (await service.rows(table)).filter((row) => row.user_id === user.id);

const copyOf = (person: Person, at = service) => {
  const copy = new Person(at);
  for (const [name, value] of person.cookies) copy.cookies.set(name, value);
  return copy;
};

attack(1, 'the password alone opens nothing, wherever its owner goes from the second step', async () => {
  for (const policy of ['optional', 'everyone'] as const) {
    await setPolicy(service, 'optional');
    const { user } = await approvingOwner();
    await setPolicy(service, policy);
    const path = authorizePath(client, newVerifier());
    const person = new Person(service);
    const signIn = await formIn(await person.visit(path), '/sign-in');
    const { email, password } = user;
    const { pending = '' } = (await formIn(await person.submit(signIn, { email, password }), '/sign-in/second-step'))
      .fields;
    const pages: string[] = [];
    for (const target of [
      path,
      authorizePath(client, newVerifier()),
      '/account',
      '/account/security',
      '/account/proof/done',
      '/sign-in/verify',
      '/admin',
      '/oauth/logout',
      '/sign-in/second-step',
    ]) {
      const response = await person.visit(target);
      assert.doesNotMatch(response.headers.get('location') ?? '', /[?&]code=/, target);
      pages.push(await response.text());
    }
    const silent = await person.visit(authorizePath(client, newVerifier(), { prompt: 'none' }));
    assert.match(silent.headers.get('location') ?? '', /error=login_required/);
    assert.equal((await person.request('/api/me')).status, 401);
    for (const [action, field] of [
      ['/oauth-authorize/decision', 'request'],
      ['/sign-in/verify', 'verify'],
      ['/sign-in/proof', 'proven'],
      ['/account/profile', 'form_token'],
      ['/account/proof', 'form_token'],
    ] as const) {
      const response = await person.submit(
        { action, fields: { [field]: pending, decision: 'approve' }, buttons: [] },
        {},
      );
      assert.doesNotMatch(response.headers.get('location') ?? '', /[?&]code=/, action);
      pages.push(await response.text());
    }
    for (const page of pages) assert.ok(!page.includes(user.id) && !page.includes('Grace Hopper'));
    assert.equal(person.cookies.has(session), false);

    provider.person = { sub: `stranger-${policy}`, email: `stranger-${policy}@people.example`, email_verified: true };
    await setPolicy(service, 'optional');
    await signInWith(service, provider, person);
    const me = await (await person.request('/api/me')).text();
    assert.ok(me.includes(`stranger-${policy}@`) && !me.includes(user.id), 'the other way in leads to its own account');
  }
});

attack(2, 'someone with a second factor gets no other one with the password alone', async () => {
  const waiting = await service.newUser();
  const withPasskey = await newHolder(service);
  await setPolicy(service, 'everyone');
  // Both browsers are at the set-up, from before there was a factor.
  const [one, two, three] = [new Person(service), new Person(service), new Person(service)];
  const [first, second] = [await setUpOn(await one.signIn(waiting)), await setUpOn(await two.signIn(waiting))];
  const third = await setUpOn(await three.signIn(waiting));
  await finishSetUp(service, one, first);
  const [enrolled] = await rowsOf('authenticators', waiting);
  for (const [browser, setUp, policy] of [
    [two, second, 'everyone'],
    [three, third, 'optional'],
  ] as const) {
    await setPolicy(service, policy);
    const late = await browser.submit(setUp.form, { code: codeOf(service, setUp) });
    assert.ok(readForm(await late.text(), '/sign-in/second-step'), 'it asks for the factor that there is now');
    assert.equal(browser.cookies.has(session), false);
  }
  await setPolicy(service, 'everyone');
  assert.equal((await rowsOf('authenticators', waiting))[0]?.sealed_secret, enrolled?.sealed_secret);

  // With tickets of somebody else, and of another step, in the browser that they are bound to.
  for (const victim of [waiting, withPasskey.user]) {
    const browser = new Person(service);
    const own = await setUpOn(await browser.signIn(await service.newUser()));
    const { form } = await reachSecondStep(service, victim, browser);
    for (const ticket of [form.fields.pending ?? '', own.form.fields.set_up ?? '']) {
      const action = { action: setUpPath, fields: { set_up: ticket, pending: ticket }, buttons: [] };
      await browser.submit(action, { code: codeOf(service, own) });
    }
    const me = browser.cookies.has(session) ? await (await browser.request('/api/me')).text() : '';
    assert.ok(!me.includes(victim.id));
    const factors = [...(await rowsOf('authenticators', victim)), ...(await rowsOf('passkeys', victim))];
    assert.equal(factors.length, 1, 'nothing was added for the victim');
  }

  // A suspended factor is none: the new password is known to whoever reset it, not to whoever enrolled the factor.
  await setPolicy(service, 'optional');
  const owner = await newOwner(service);
  await setPassword(service.running.services, { id: owner.user.id }, 'another phrase of mine', requester);
  await setPolicy(service, 'everyone');
  assert.equal((await new Person(service).signIn(owner.user)).status, 400, 'the old password leads nowhere');
  // After a week, a factor is no longer suspended by a new password, so that is no way to the set-up either.
  await setPolicy(service, 'optional');
  const settled = await newOwner(service);
  service.clock.advance(8 * DAY);
  const password = 'another phrase of mine';
  await setPassword(service.running.services, { id: settled.user.id }, password, requester);
  await setPolicy(service, 'everyone');
  await formIn(await new Person(service).signIn({ ...settled.user, password }), '/sign-in/second-step');
});

attack(3, 'neither a field nor a swapped ticket enrolls a factor for someone else', async () => {
  const victim = await service.newUser();
  await setPolicy(service, 'everyone');
  const attacker = await service.newUser();
  const person = new Person(service);
  const setUp = await setUpOn(await person.signIn(attacker));
  const named = { user_id: victim.id, userId: victim.id, email: victim.email, to: victim.email, id: victim.id };
  await finishSetUp(service, person, setUp, named);
  assert.equal((await rowsOf('authenticators', victim)).length, 0);
  assert.equal((await rowsOf('authenticators', attacker)).length, 1);

  await setPolicy(service, 'optional');
  const [one, two] = [await service.newUser(), await service.newUser()];
  const [mine, theirs] = [await signedIn(service, one), await signedIn(service, two)];
  const [own, other] = [await setUpPage(mine), await setUpPage(theirs)];
  const swapped = { ...own.form, fields: { ...other.form.fields, form_token: own.form.fields.form_token ?? '' } };
  for (const key of [own, other]) await mine.submit(swapped, { code: codeOf(service, key), ...named });
  assert.deepEqual([await rowsOf('authenticators', one), await rowsOf('authenticators', two)], [[], []]);
});

const isProven = async (person: Person) => {
  const response = await person.submit(await formIn(await person.visit('/account/delete'), '/account/delete'), {});
  return !/<h1>Confirm it&#39;s you<\/h1>/.test(await response.text());
};

attack(4, "a weaker sign-in is no fresh proof, and isn't two factors", async () => {
  // On a trusted device: one factor, and no proof.
  const owner = await approvingOwner();
  const step = await reachSecondStep(service, owner.user);
  await step.person.submit(step.form, { code: codeOf(service, owner), trust: 'yes' });
  const trusted = step.person;
  trusted.cookies.delete(session);
  service.clock.advance(MINUTE);
  const never = async (): Promise<Response> => assert.fail('it asks for a code');
  const claims = await idTokenOf(service, client, trusted, owner.user, {}, never);
  assert.deepEqual([claims.acr, claims.amr], ['1', ['pwd']]);
  assert.equal(await isProven(trusted), false);

  // A recovery code was proved here and now; it counts as the second factor that it replaces, once.
  const [recoveryCode = ''] = owner.recoveryCodes;
  const byCode = await reachSecondStep(service, owner.user);
  await tryCode(byCode, recoveryCode);
  assert.ok(await isSignedIn(byCode.person));
  const again = await reachSecondStep(service, owner.user);
  await tryCode(again, recoveryCode);
  assert.equal(again.person.cookies.has(session), false);

  // A link from an email sets a password, and signs nobody in.
  for (const [purpose, path] of [
    ['reset_password', '/reset-password/finish'],
    ['recover', '/recover'],
  ] as const) {
    const user = await service.newUser();
    const person = new Person(service);
    const link = await keptLink(service, purpose, user.id, user.email);
    await person.submit(await formIn(await person.visit(`${path}?link=${link}`), path), { password: 'a new phrase' });
    assert.equal(person.cookies.has(session), false, purpose);
    await formIn(await person.visit('/sign-in'), '/sign-in');
  }

  // GitHub never says when somebody has signed in there.
  const github = await HostileUpstream.start(() => service.clock.now());
  try {
    await addUpstream(service, github, { name: 'code', kind: 'github', createsAccounts: true });
    github.github.emails = [{ email: 'hub@people.example', primary: true, verified: true }];
    const { person } = await signInWith(service, github, new Person(service), 'code');
    assert.ok(person.cookies.has(session));
    assert.equal(await isProven(person), false, 'GitHub');
  } finally {
    await deleteUpstream(service.running.services, 'code', requester);
    await github.stop();
  }

  // An identity provider: what it says is hours old, says nothing of, or says of the future.
  for (const [index, authTime] of [-5 * 60 * MINUTE, undefined, 60 * MINUTE].entries()) {
    const sub = `stale-${index}`;
    const now = Math.floor(service.clock.now() / 1000);
    provider.person = { sub, email: `${sub}@people.example`, email_verified: true };
    provider.twists = {
      claims: (all) => ({ ...all, auth_time: authTime === undefined ? undefined : now + authTime, amr: ['mfa'] }),
    };
    const { person } = await signInWith(service, provider);
    if (authTime === 60 * MINUTE && !person.cookies.has(session)) continue;
    if (authTime !== 60 * MINUTE) assert.equal(await isProven(person), false, sub);
    const verifier = newVerifier();
    const stranger = { email: '', password: '' } as TestUser;
    const back = await person.authorize(authorizePath(client, verifier), stranger);
    const response = new Response(null, { headers: { location: String(back) } });
    const token = await exchangedIdToken(service, client, response, verifier);
    assert.equal(token.acr, '1', `${sub}: the amr isn't one that is trusted here`);
    assert.ok(Number(token.auth_time) <= now, sub);
    if (authTime === -5 * 60 * MINUTE) {
      assert.equal(token.auth_time, now + authTime, 'the time at which they really signed in');
      const silent = await person.visit(authorizePath(client, newVerifier(), { prompt: 'none', max_age: '3600' }));
      assert.match(silent.headers.get('location') ?? '', /error=login_required/);
    }
  }
});

attack(5, 'a factor that is gone proves nothing, also to whoever was about to use it', async () => {
  const owner = await newOwner(service);
  service.clock.advance(8 * DAY);
  alignToStep(service);
  const proving = await signedInWithCode(owner);
  service.clock.advance(16 * MINUTE);
  const deletion = await formIn(await proving.visit('/account/delete'), '/account/delete');
  const asked = await proofAsked(await proving.submit(deletion, {}));
  const step = await reachSecondStep(service, owner.user);

  const other = await signedInWithCode(owner);
  await other.submit(await formIn(await other.visit(securityPath), '/account/authenticator/remove'), {});
  assert.deepEqual(await rowsOf('authenticators', owner.user), []);
  service.clock.advance(MINUTE);
  const renewed = await turnOn(service, other);
  const { password } = owner.user;
  const proof = await proving.submit(asked, { password, code: codeOf(service, owner) });
  assert.equal(proof.status, 400, 'the old secret is no proof');
  await tryCode(step, codeOf(service, owner));
  assert.equal(step.person.cookies.has(session), false, 'and no second step');

  // The mark of a trusted device: in the sign-in of someone else, after a new password, and after the factor was removed.
  const trust = await reachSecondStep(service, owner.user);
  await trust.person.submit(trust.form, { code: codeOf(service, renewed), trust: 'yes' });
  assert.ok(await isSignedIn(trust.person));
  trust.person.cookies.delete(session);
  await reachSecondStep(service, (await newOwner(service)).user, copyOf(trust.person));
  service.clock.advance(8 * DAY);
  alignToStep(service);
  assert.ok((await copyOf(trust.person).signIn(owner.user)).url.endsWith('/account'), 'it is trusted until then');
  const newPassword = 'another phrase of mine';
  await setPassword(service.running.services, { id: owner.user.id }, newPassword, requester);
  const later = { ...owner, ...renewed, user: { ...owner.user, password: newPassword } };
  await reachSecondStep(service, later.user, copyOf(trust.person));
  const again = await signedInWithCode(later);
  await finishReview(again);
  await again.submit(await formIn(await again.visit(securityPath), '/account/authenticator/remove'), {});
  await turnOn(service, again);
  await reachSecondStep(service, later.user, copyOf(trust.person));

  // At another instance than the one where the factor is removed.
  const both = await startTwoInstances();
  try {
    both.two.clock.advance((both.one.clock.now() - both.two.clock.now()) / 1000);
    for (const each of [both.one, both.two]) alignToStep(each);
    const far = await newOwner(both.one);
    both.one.clock.advance(30);
    both.two.clock.advance((both.one.clock.now() - both.two.clock.now()) / 1000);
    const there = await reachSecondStep(both.one, far.user);
    await there.person.submit(there.form, { code: codeOf(both.one, far), trust: 'yes' });
    assert.ok(await isSignedIn(there.person));
    there.person.cookies.delete(session);
    assert.ok((await copyOf(there.person, both.two).signIn(far.user)).url.endsWith('/account'), 'it is trusted there');
    const removal = await formIn(await far.person.visit(securityPath), '/account/authenticator/remove');
    await far.person.submit(removal, {});
    both.one.clock.advance(30);
    await turnOn(both.one, far.person);
    both.two.clock.advance((both.one.clock.now() - both.two.clock.now()) / 1000);
    await reachSecondStep(both.two, far.user, copyOf(there.person, both.two));
  } finally {
    await both.stop();
  }
});

/** Signs the owner in with password and code, in a new browser. */
async function signedInWithCode(owner: Pick<Owner, 'user' | 'secret'>): Promise<Person> {
  const step = await reachSecondStep(service, owner.user);
  await tryCode(step, codeOf(service, owner));
  assert.ok(await isSignedIn(step.person));
  service.clock.advance(30);
  return step.person;
}
