// People whom a directory has created sign in for the first time: at its identity provider, with a code by email, or after a reset.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createScimToken, revokeScimToken } from '../../../src/operations/scim/scim-tokens.ts';
import { changeSettings } from '../../../src/operations/settings/change-settings.ts';
import { changeUpstream, deleteUpstream } from '../../../src/operations/upstreams/upstreams.ts';
import { makeAdministrator, removeAdministrator, verifyEmail } from '../../../src/operations/users/disable-user.ts';
import type { ScimTokenInput } from '../../../src/protocol/resources/scim-token.ts';
import { setPolicy } from '../../harness/email-codes.ts';
import { HostileUpstream } from '../../harness/hostile-upstream.ts';
import { type MailServer, startMailServer } from '../../harness/mail-server.ts';
import { formIn, Person } from '../../harness/person.ts';
import { directoryWith, type TestDirectory } from '../../harness/scim.ts';
import { requester, startTestService, type TestService } from '../../harness/service.ts';
import { askToReset, password, statusOfSignIn } from '../../harness/sign-up.ts';
import {
  addUpstream,
  allowLoopbackUpstreams,
  isSignedIn,
  pressButton,
  respond,
  signInWith,
} from '../../harness/upstreams.ts';

const DAY = 24 * 60 * 60;

let service: TestService;
let mail: MailServer;
let provider: HostileUpstream;
let other: HostileUpstream;
/** Its people sign in at `company`, by `sub`; those of `entra` by `oid`. */
let okta: TestDirectory;
let entra: TestDirectory;
let count = 0;

before(async () => {
  mail = await startMailServer();
  service = await startTestService({
    ...allowLoopbackUpstreams,
    LATCHKEY_SMTP_URL: mail.url,
    LATCHKEY_MAIL_FROM: 'Latchkey <latchkey@example.test>',
  });
  provider = await HostileUpstream.start(() => service.clock.now());
  other = await HostileUpstream.start(() => service.clock.now());
  await addUpstream(service, provider, { createsAccounts: false });
  await addUpstream(service, other, { name: 'other', label: 'Other', createsAccounts: false });
  okta = (await newToken({ source: 'okta', upstream: 'company' })).directory;
  entra = (await newToken({ source: 'entra', upstream: 'company', subjectClaim: 'oid' })).directory;
});
after(async () => {
  await service?.stop();
  await provider?.stop();
  await other?.stop();
  await mail?.stop();
});
// Sign-ins at identity providers and emails are limited for a network.
beforeEach(() => service.clock.advance(16 * 60));

async function newToken(given: Partial<ScimTokenInput>): Promise<{ directory: TestDirectory; id: string }> {
  const outcome = await createScimToken(service.running.services, { name: 'Directory', ...given }, requester);
  if (outcome.kind === 'refused') throw new Error(outcome.problems[0].says);
  return { directory: directoryWith(service, outcome.secret), id: outcome.token.id };
}

/** What a directory and an identity provider know about somebody new. */
function newcomer() {
  const key = `new-${++count}`;
  return { key, email: `${key}@people.example` };
}

/** Signs in at an identity provider; undefined if that leads to no session. */
async function signInAs(claims: Record<string, unknown>, at = provider, name = 'company'): Promise<Person | undefined> {
  at.person = { email: `unrelated-${++count}@people.example`, email_verified: true, ...claims };
  const { person } = await signInWith(service, at, new Person(service), name);
  return isSignedIn(person) ? person : undefined;
}

async function ownerOf(subject: string, at = provider): Promise<string | undefined> {
  return (await service.running.services.storage.findIdentity({ issuer: at.issuer, subject }))?.user.id;
}

async function lastRefusal() {
  return (await service.events('sign_in_failed')).at(-1)?.detail?.reason;
}

describe('the first sign-in at the identity provider of the source', () => {
  test('links the identity whose sub is the externalId, for good', async () => {
    const { key, email } = newcomer();
    const id = await okta.create(email, { externalId: key, displayName: 'Ada' });
    // The address there says nothing: it isn't even verified, and another one.
    const person = await signInAs({ sub: key, email: 'someone@elsewhere.example', email_verified: false });
    assert.ok(person);
    assert.match(await (await person.visit('/account')).text(), /Ada/);
    assert.equal(await ownerOf(key), id);
    const [event] = (await service.events('identity_linked')).filter(({ userId }) => userId === id);
    assert.deepEqual([event?.detail?.upstream, event?.detail?.source], ['company', 'okta']);
    assert.ok(await signInAs({ sub: key }));
    assert.equal((await service.events('identity_linked')).filter(({ userId }) => userId === id).length, 1);

    // What the directory calls them later has no part in it.
    const renamed = `${key}-renamed`;
    assert.equal((await okta.patch(id, { op: 'replace', path: 'externalId', value: renamed })).status, 204);
    assert.ok(await signInAs({ sub: key }));
    assert.equal(await signInAs({ sub: renamed }), undefined, 'a second identity of the same person');
    assert.equal(await ownerOf(renamed), undefined);
  });

  test('links the identity whose oid is the externalId, if the token says so', async () => {
    const { key, email } = newcomer();
    const id = await entra.create(email, { externalId: key });
    assert.equal(await signInAs({ sub: key }), undefined, 'sub is not oid');
    assert.ok(await signInAs({ sub: `pairwise-${key}`, oid: key }));
    assert.equal(await ownerOf(`pairwise-${key}`), id);
    assert.ok(await signInAs({ sub: `pairwise-${key}` }), 'the subject is known from now on');
    assert.equal(await signInAs({ sub: `another-${key}`, oid: key }), undefined, 'a second subject with the same oid');
  });

  test('an oid says nothing about people of a token that says sub', async () => {
    const { key, email } = newcomer();
    await okta.create(email, { externalId: key });
    assert.equal(await signInAs({ sub: `x-${key}`, oid: key }), undefined);
  });

  test('an oid that is no text of an ID is none', async () => {
    const { email } = newcomer();
    await entra.create(email, { externalId: '7' });
    await entra.create(newcomer().email);
    for (const oid of [7, ['7'], { value: '7' }, true, '', ' 7', '7 ', '７', null, undefined]) {
      assert.equal(await signInAs({ sub: `odd-${++count}`, oid }), undefined, JSON.stringify(oid));
    }
    assert.ok(await signInAs({ sub: `odd-${++count}`, oid: '7' }));
  });

  test('of someone who was here before the directory is told to them', async () => {
    const { services } = service.running;
    assert.equal((await changeSettings(services, { scim_verified_domains: ['example.test'] }, requester)).kind, 'done');
    const { directory } = await newToken({ source: 'hr', upstream: 'company', adopts: true });
    const user = await service.newUser();
    const { key } = newcomer();
    assert.equal((await directory.patch(user.id, { op: 'add', path: 'externalId', value: key })).status, 204);
    assert.ok(await signInAs({ sub: key }));
    assert.match((await mail.next(user.email, /security settings were changed/)).text, /Company/);
    assert.equal((await changeSettings(services, { scim_verified_domains: [] }, requester)).kind, 'done');
  });

  test('is not decided by what userinfo says', async () => {
    const { key, email } = newcomer();
    const id = await entra.create(email, { externalId: key });
    provider.person = { sub: `profile-${key}` };
    provider.twists = { userinfo: (body) => ({ ...body, oid: key, email, email_verified: true }) };
    const { person } = await signInWith(service, provider);
    provider.twists = {};
    assert.equal(isSignedIn(person), false);
    assert.equal(await ownerOf(`profile-${key}`), undefined);
    assert.equal((await service.running.services.storage.findUser(id))?.disabledAt, null);
  });

  test('an email address never decides it', async () => {
    const { key, email } = newcomer();
    await okta.create(email, { externalId: key });
    for (const sub of [`other-${key}`, email, key.toUpperCase()]) {
      assert.equal(await signInAs({ sub, email, email_verified: true }), undefined, sub);
      assert.equal(await lastRefusal(), 'upstream_email_taken');
      assert.equal(await ownerOf(sub), undefined);
    }
    // An externalId that is an address is an ID like others.
    const second = newcomer();
    await okta.create(second.email, { externalId: second.email });
    assert.equal(await signInAs({ sub: second.key, email: second.email, email_verified: true }), undefined);
  });

  test('counts at the upstream that the token names, and while a token does', async () => {
    const { key, email } = newcomer();
    const short = await newToken({ source: 'short', upstream: 'other', days: 1 });
    const id = await short.directory.create(email, { externalId: key });
    const none = await newToken({ source: 'nowhere' });
    const elsewhere = newcomer();
    await none.directory.create(elsewhere.email, { externalId: elsewhere.key });
    assert.equal(await signInAs({ sub: key }), undefined, 'another upstream');
    assert.equal(await signInAs({ sub: elsewhere.key }), undefined, 'a token without an upstream');
    assert.equal(await signInAs({ sub: elsewhere.key }, other, 'other'), undefined);

    service.clock.advance(DAY);
    assert.equal(await signInAs({ sub: key }, other, 'other'), undefined, 'an expired token');
    const next = await newToken({ source: 'short', upstream: 'other' });
    assert.equal((await revokeScimToken(service.running.services, next.id, requester)).kind, 'done');
    assert.equal(await signInAs({ sub: key }, other, 'other'), undefined, 'a revoked token');
    // Two tokens of one source are one source.
    await newToken({ source: 'short', upstream: 'other' });
    await newToken({ source: 'short', upstream: 'other' });
    assert.ok(await signInAs({ sub: key }, other, 'other'));
    assert.equal(await ownerOf(key, other), id);
  });

  test('ends with the upstream: another one of its name is not where they come from', async () => {
    const { services } = service.running;
    const old = await HostileUpstream.start(() => service.clock.now());
    try {
      await addUpstream(service, old, { name: 'old', createsAccounts: false });
      const { directory } = await newToken({ source: 'old', upstream: 'old' });
      const { key, email } = newcomer();
      await directory.create(email, { externalId: key });
      assert.equal((await deleteUpstream(services, 'old', requester)).kind, 'done');
      await addUpstream(service, old, { name: 'old', createsAccounts: false });
      assert.equal(await signInAs({ sub: key }, old, 'old'), undefined);
    } finally {
      await old.stop();
    }
  });

  test('two people of two sources with one name are nobody', async () => {
    const { key, email } = newcomer();
    const second = await newToken({ source: 'second', upstream: 'company' });
    const first = await okta.create(email, { externalId: key });
    const twin = await second.directory.create(newcomer().email, { externalId: key });
    assert.equal(await signInAs({ sub: key }), undefined);
    assert.equal(await ownerOf(key), undefined);
    // Somebody who has changed from one source to the other.
    assert.equal((await okta.patch(first, { op: 'replace', path: 'active', value: false })).status, 204);
    assert.ok(await signInAs({ sub: key }));
    assert.equal(await ownerOf(key), twin);
  });

  test('people with a role are not linked', async () => {
    const { key, email } = newcomer();
    const { services } = service.running;
    const id = await okta.create(email, { externalId: key });
    await service.newUser({ admin: true });
    assert.equal((await makeAdministrator(services, { id }, requester)).kind, 'done');
    assert.equal(await signInAs({ sub: key }), undefined);
    assert.equal(await ownerOf(key), undefined);
    assert.equal((await removeAdministrator(services, { id }, requester)).kind, 'done');
    assert.ok(await signInAs({ sub: key }));
  });

  test("someone disabled isn't linked, and gets no new account instead", async () => {
    await changeUpstream(service.running.services, 'company', { createsAccounts: true }, requester);
    const { key, email } = newcomer();
    const id = await okta.create(email, { externalId: key, active: false });
    const people = (await service.rows('users')).length;
    assert.equal(await signInAs({ sub: key }), undefined);
    assert.equal(await lastRefusal(), 'disabled');
    assert.equal((await service.rows('users')).length, people);
    assert.equal(await ownerOf(key), undefined);
    await changeUpstream(service.running.services, 'company', { createsAccounts: false }, requester);
    assert.equal((await okta.patch(id, { op: 'replace', path: 'active', value: 'True' })).status, 204);
    assert.ok(await signInAs({ sub: key }));
  });

  test('of someone who was deleted and created again starts anew', async () => {
    const { key, email } = newcomer();
    const id = await okta.create(email, { externalId: key });
    const before = await signInAs({ sub: key });
    assert.equal((await okta.send('DELETE', `/Users/${id}`)).status, 204);
    assert.equal(await ownerOf(key), undefined);
    const again = await okta.create(email, { externalId: key });
    assert.equal((await before?.request('/account'))?.status, 302);
    assert.ok(await signInAs({ sub: key }));
    assert.equal(await ownerOf(key), again);
    assert.deepEqual(
      (await service.rows('identities')).filter((row) => row.user_id === id),
      [],
    );
  });

  test('from two browsers at the same moment links one identity', async () => {
    const { key, email } = newcomer();
    const id = await okta.create(email, { externalId: key });
    provider.person = { sub: key };
    const people = [new Person(service), new Person(service)];
    const backs: URL[] = [];
    for (const person of people) backs.push(provider.authorize(await pressButton(person)));
    await Promise.all(people.map((person, index) => respond(person, backs[index] as URL)));
    assert.deepEqual(people.map(isSignedIn), [true, true]);
    const linked = (await service.rows('identities')).filter((row) => row.user_id === id);
    assert.equal(linked.length, 1);
  });

  for (const [moment, method] of [
    ['before', 'findProvisioned'],
    ['while', 'linkProvisioned'],
  ] as const) {
    test(`signs both browsers in when the other one links the identity ${moment} this one would`, async (context) => {
      const { key, email } = newcomer();
      await okta.create(email, { externalId: key });
      // An email address that says nothing leads to no other account.
      provider.person = { sub: key, email: 'someone@elsewhere.example', email_verified: false };
      const { storage } = service.running.services;
      const [first, second] = [new Person(service), new Person(service)];
      const others = provider.authorize(await pressButton(first));
      const back = provider.authorize(await pressButton(second));
      const original = storage[method].bind(storage) as (...given: unknown[]) => Promise<unknown>;
      const mocked = context.mock.method(storage, method, async (...given: unknown[]) => {
        mocked.mock.restore();
        assert.equal((await respond(first, others)).status, 200);
        return original(...given);
      });
      assert.equal((await respond(second, back)).status, 200);
      assert.deepEqual([isSignedIn(first), isSignedIn(second)], [true, true]);
    });
  }
});

describe('without the identity provider', () => {
  test('nobody is sent an email when a directory creates them', async () => {
    const { email } = newcomer();
    const before = await service.rows('mails');
    await okta.create(email);
    const known = new Set(before.map(({ id }) => id));
    assert.deepEqual(
      (await service.rows('mails')).filter(({ id }) => !known.has(id)),
      [],
    );
    assert.equal(mail.received.filter(({ to }) => to === email).length, 0);
    assert.equal(await statusOfSignIn(service, email, ''), 400);
  });

  for (const verified of [false, true]) {
    test(`a code by email works for ${verified ? 'a verified' : 'an unverified'} address`, async () => {
      const { email } = newcomer();
      const id = await okta.create(email);
      const { storage } = service.running.services;
      if (verified) await verifyEmail(service.running.services, { id }, requester);
      await setPolicy(service, { email_codes: 'everyone' });
      const person = new Person(service);
      const { fields } = await formIn(await person.visit('/sign-in'), '/sign-in');
      const asked = await person.submit({ action: '/sign-in/code', fields, buttons: [] }, { email });
      const { text } = await mail.next(email, /code/i);
      const code = /[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}/.exec(text)?.[0] ?? '';
      await person.submit(await formIn(asked, '/sign-in/code'), { code });
      assert.ok(isSignedIn(person));
      assert.notEqual((await storage.findUser(id))?.emailVerifiedAt, null);
    });
  }

  test('a reset gives them a password', async () => {
    const { email } = newcomer();
    const id = await okta.create(email);
    await askToReset(service, email);
    const { link } = await mail.next(email, /Reset your password|password/i);
    const person = new Person(service);
    const form = await formIn(await person.visit(link.slice(service.url.length)));
    assert.equal((await person.submit(form, { password })).status, 200);
    assert.equal(await statusOfSignIn(service, email, password), 200);

    assert.equal((await okta.patch(id, { op: 'replace', path: 'active', value: false })).status, 204);
    assert.notEqual(await statusOfSignIn(service, email, password), 200);
  });
});
