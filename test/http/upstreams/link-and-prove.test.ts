// Linking an identity to an account, and proving with one who is in a session. Either counts in the session that began it
// and nowhere else, so that nobody's response ends up in somebody else's account.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { currentSession } from '../../../src/operations/sessions/sessions.ts';
import { startUpstream } from '../../../src/operations/sign-in/upstreams/start.ts';
import { changeUpstream } from '../../../src/operations/upstreams/upstreams.ts';
import { listIdentities, unlinkIdentity } from '../../../src/operations/users/identities.ts';
import { setPassword } from '../../../src/operations/users/user-recovery.ts';
import { HostileUpstream } from '../../harness/hostile-upstream.ts';
import { formIn, Person } from '../../harness/person.ts';
import { codeOf, turnOn, wrongCode } from '../../harness/second-factors.ts';
import { requester, startTestService, type TestService } from '../../harness/service.ts';
import { addUpstream, allowLoopbackUpstreams, isSignedIn, respond, signInWith } from '../../harness/upstreams.ts';

let service: TestService;
let provider: HostileUpstream;
let subjects = 0;

before(async () => {
  service = await startTestService(allowLoopbackUpstreams);
  provider = await HostileUpstream.start(() => service.clock.now());
  await addUpstream(service, provider, { createsAccounts: true });
});
after(async () => {
  await service?.stop();
  await provider?.stop();
});

const destination = { kind: 'page', path: '/account/security' } as const;

async function sessionOf(person: Person) {
  const signedIn = await currentSession(service.running.services, person.cookies.get('latchkey_session'));
  assert.ok(signedIn);
  return signedIn;
}

/** What the account page does when somebody wants to link an identity, or to prove who they are. */
async function begin(person: Person, purpose: 'link' | 'prove'): Promise<string> {
  await person.visit('/sign-in?to=/account');
  const browser = person.cookies.get('latchkey_browser') ?? '';
  const signedIn = await sessionOf(person);
  const start = { name: 'company', destination, browser, purpose, signedIn } as const;
  const outcome = await startUpstream(service.running.services, start);
  assert.ok(outcome.kind === 'redirect');
  person.cookies.set('latchkey_upstream', outcome.sealed);
  return outcome.url;
}

function newSubject(more: Record<string, unknown> = {}): string {
  const sub = `subject-${++subjects}`;
  provider.twists = {};
  provider.person = { sub, email: `${sub}@people.example`, email_verified: true, ...more };
  return sub;
}

async function signedInPerson() {
  const user = await service.newUser();
  const person = new Person(service);
  await person.signIn(user);
  return { user, person };
}

async function identitiesOf(userId: string): Promise<string[]> {
  return (await service.running.services.storage.listIdentities(userId)).map(({ subject }) => subject);
}

async function lastReason() {
  return (await service.events('sign_in_failed')).at(-1)?.detail?.reason;
}

describe('linking', () => {
  test('adds the identity to the account, whatever its email address, and sends an email', async () => {
    const { user, person } = await signedInPerson();
    const sub = newSubject({ email: 'unrelated@elsewhere.example', email_verified: false });
    const response = await person.request(pathOf(provider.authorize(await begin(person, 'link'))));
    assert.equal(response.headers.get('location'), '/account/security');
    assert.deepEqual(await identitiesOf(user.id), [sub]);
    const event = (await service.events('identity_linked')).at(-1);
    assert.deepEqual([event?.userId, event?.detail?.upstream, event?.detail?.label], [user.id, 'company', 'Company']);
    const { person: later } = await signInWith(service, provider);
    assert.ok(isSignedIn(later));
    assert.equal((await sessionOf(later)).user.id, user.id);
    const emails = await service.running.services.emailQueue.list(10);
    assert.ok(emails.some(({ email }) => email.text.includes('sign in to your account with Company')));
  });

  test("doesn't take over someone else's identity", async () => {
    const sub = newSubject();
    await signInWith(service, provider);
    const { user, person } = await signedInPerson();
    const response = await respond(person, provider.authorize(await begin(person, 'link')));
    assert.equal(response.status, 409);
    assert.equal(await lastReason(), 'upstream_identity_taken');
    assert.deepEqual(await identitiesOf(user.id), []);
    const owner = await service.running.services.storage.findIdentity({ issuer: provider.issuer, subject: sub });
    assert.notEqual(owner?.user.id, user.id);
  });

  test('ignores a response that someone else started, signed in or not', async () => {
    const attacker = await signedInPerson();
    const { user, person: victim } = await signedInPerson();
    newSubject();
    const back = provider.authorize(await begin(attacker.person, 'link'));
    assert.equal((await respond(victim, back)).status, 400);
    // Even with the attacker's cookies for the round trip in the victim's browser.
    for (const name of ['latchkey_upstream', 'latchkey_browser']) {
      victim.cookies.set(name, attacker.person.cookies.get(name) ?? '');
    }
    assert.equal((await respond(victim, back)).status, 400);
    assert.equal(await lastReason(), 'upstream_expired');
    assert.deepEqual(await identitiesOf(user.id), []);
  });

  test("doesn't accept a response to an earlier sign-in", async () => {
    const { user, person } = await signedInPerson();
    newSubject();
    await respond(person, provider.authorize(await begin(person, 'prove')));
    assert.deepEqual(await identitiesOf(user.id), []);
  });

  test('needs proof that was fresh when it started, and the same session', async () => {
    const { user, person } = await signedInPerson();
    newSubject();
    service.clock.advance(16 * 60);
    assert.equal((await respond(person, provider.authorize(await begin(person, 'link')))).status, 403);
    assert.equal(await lastReason(), 'upstream_not_fresh');
    await person.signIn(user);
    const fresh = await signedInPerson();
    const back = provider.authorize(await begin(fresh.person, 'link'));
    const { storage, journal } = service.running.services;
    const event = journal.event({ kind: 'signed_out' }, requester);
    await storage.endSession((await sessionOf(fresh.person)).session.digest, event);
    assert.equal((await respond(fresh.person, back)).status, 400);
    assert.deepEqual(await identitiesOf(fresh.user.id), []);
  });

  test('is undone by a password reset, because someone else may have linked it', async () => {
    const { user, person } = await signedInPerson();
    service.clock.advance(1);
    newSubject();
    await respond(person, provider.authorize(await begin(person, 'link')));
    assert.equal((await identitiesOf(user.id)).length, 1);
    await setPassword(service.running.services, { id: user.id }, 'another phrase of mine', requester);
    assert.deepEqual(await identitiesOf(user.id), []);
    assert.equal((await service.events('identity_unlinked')).at(-1)?.userId, user.id);
  });

  test('can be undone, except for the last way to sign in', async () => {
    const { services } = service.running;
    const sub = newSubject();
    await signInWith(service, provider);
    const key = { issuer: provider.issuer, subject: sub };
    const user = (await services.storage.findIdentity(key))?.user;
    assert.ok(user);
    assert.deepEqual(
      (await listIdentities(services, user)).map(({ canUnlink }) => canUnlink),
      [false],
    );
    assert.equal((await unlinkIdentity(services, user, key, requester)).kind, 'last_way_in');
    const hash = await services.passwords.hash('correct horse battery');
    const event = services.journal.event({ kind: 'user_password_set', userId: user.id }, requester);
    await services.storage.setPasswordHash(user.id, hash, service.clock.now(), event);
    const withPassword = (await services.storage.findUser(user.id)) ?? assert.fail();
    assert.deepEqual(
      (await listIdentities(services, withPassword)).map(({ canUnlink }) => canUnlink),
      [true],
    );
    assert.equal((await unlinkIdentity(services, withPassword, key, requester)).kind, 'unlinked');
    assert.equal((await unlinkIdentity(services, withPassword, key, requester)).kind, 'not_linked');
    assert.equal((await service.events('identity_unlinked')).at(-1)?.detail?.upstream, 'company');
  });
});

describe('proving', () => {
  async function passwordless(more: Record<string, unknown> = {}) {
    const sub = newSubject(more);
    const { person } = await signInWith(service, provider);
    return { sub, person };
  }
  const provenNow = async (person: Person) => service.clock.now() - (await sessionOf(person)).session.provenAt < 1000;

  test('asks for a fresh sign-in, and accepts nothing else', async () => {
    const { person } = await passwordless();
    assert.equal(await provenNow(person), false);
    const url = await begin(person, 'prove');
    const asked = new URL(url).searchParams;
    assert.deepEqual([asked.get('prompt'), asked.get('max_age')], ['login', '0']);
    provider.twists = { claims: ({ auth_time: _, ...rest }) => rest };
    assert.equal((await respond(person, provider.authorize(url))).status, 403);
    assert.equal(await lastReason(), 'upstream_not_fresh');
    provider.twists = { claims: (all) => ({ ...all, auth_time: Number(all.iat) - 300 }) };
    await respond(person, provider.authorize(await begin(person, 'prove')));
    assert.equal(await provenNow(person), false);
    provider.twists = {};
    const response = await person.request(pathOf(provider.authorize(await begin(person, 'prove'))));
    assert.equal(response.headers.get('location'), '/account/security');
    assert.equal(await provenNow(person), true);
  });

  test('counts from when the person signed in there', async () => {
    const { person } = await passwordless();
    const back = provider.authorize(await begin(person, 'prove'));
    const signedInAt = Math.floor(service.clock.now() / 1000) * 1000;
    service.clock.advance(5 * 60);
    await respond(person, back);
    assert.equal((await sessionOf(person)).session.provenAt, signedInAt);
  });

  test("isn't possible with someone else's or an unknown identity", async () => {
    const { person } = await passwordless();
    for (const known of [true, false]) {
      newSubject();
      if (known) await signInWith(service, provider);
      assert.equal((await respond(person, provider.authorize(await begin(person, 'prove')))).status, 403);
      assert.equal(await lastReason(), 'upstream_other_person');
      assert.equal(await provenNow(person), false);
    }
  });

  test('needs an allowed domain', async () => {
    const { services } = service.running;
    const { person } = await passwordless();
    await changeUpstream(services, 'company', { allowedDomains: ['elsewhere.example'] }, requester);
    assert.equal((await respond(person, provider.authorize(await begin(person, 'prove')))).status, 403);
    assert.equal(await lastReason(), 'upstream_domain_not_allowed');
    assert.equal(await provenNow(person), false);
    await changeUpstream(services, 'company', { allowedDomains: [] }, requester);
  });

  test('also asks for a second factor if there is one', async () => {
    const { sub, person } = await passwordless({ auth_time: Math.floor(service.clock.now() / 1000) });
    const app = await turnOn(service, person);
    service.clock.advance(16 * 60);
    provider.person = { sub, email: `${sub}@people.example`, email_verified: true };
    const response = await respond(person, provider.authorize(await begin(person, 'prove')));
    assert.equal(response.status, 200);
    assert.equal(await provenNow(person), false);
    const form = await formIn(response, '/sign-in/proof');
    const wrong = await person.submit(form, { code: wrongCode(service, app) });
    assert.equal(wrong.status, 400);
    const other = await signedInPerson();
    assert.equal((await other.person.submit(form, { code: codeOf(service, app) })).status, 403);
    await person.submit(form, { code: codeOf(service, app) });
    assert.equal(await provenNow(person), true);
  });
});

function pathOf(url: URL): string {
  return url.pathname + url.search;
}
