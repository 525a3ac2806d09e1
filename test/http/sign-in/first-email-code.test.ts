// Somebody has made an account with an address that isn't theirs, and its owner signs in with a code.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createApiKey } from '../../../src/operations/api-keys/api-keys.ts';
import { changeSettings } from '../../../src/operations/settings/change-settings.ts';
import { createUser } from '../../../src/operations/users/users.ts';
import { digestOf } from '../../../src/protocol/digest.ts';
import { newId } from '../../../src/protocol/identifiers.ts';
import { finishReview, signedIn } from '../../harness/account.ts';
import {
  askForCode,
  enter,
  newestCode,
  newMailboxOwner,
  setPolicy,
  signInWithCode,
} from '../../harness/email-codes.ts';
import { HostileUpstream } from '../../harness/hostile-upstream.ts';
import { keptLink } from '../../harness/links.ts';
import { formIn, type Person, readForm } from '../../harness/person.ts';
import { alignToStep, codeOf, isSignedIn, keyOn, turnOn } from '../../harness/second-factors.ts';
import { requester, type TestUser } from '../../harness/service.ts';
import { serviceOfSuite } from '../../harness/suite.ts';
import { addUpstream, allowLoopbackUpstreams } from '../../harness/upstreams.ts';

const service = serviceOfSuite(allowLoopbackUpstreams);
let provider: HostileUpstream;
before(async () => {
  provider = await HostileUpstream.start(() => service.clock.now());
  await addUpstream(service, provider);
  alignToStep(service);
});
after(() => provider.stop());
beforeEach(async () => {
  service.clock.advance(30 * 60);
  await setPolicy(service, { email_codes: 'everyone', second_factor: 'optional' });
});

const userRow = async ({ id }: { id: string }) => (await service.rows('users')).find((row) => row.id === id);
const own = async (table: string, { id }: { id: string }) =>
  (await service.rows(table)).filter((row) => row.user_id === id || row.created_by === id);

/** An account with all that can be prepared, and the browser of whoever did. */
async function prepared(options: { admin?: boolean } = {}) {
  const user = await service.newUser({ emailVerified: false, ...options });
  const thief = await signedIn(service, user);
  await keptLink(service, 'change_email', user.id, 'thief@example.test');
  return { user, thief };
}

describe('the first code that verifies an address', () => {
  test('ends the password, sessions, known browsers and links, and leads to the review', async () => {
    const { user, thief } = await prepared();
    const { person, response } = await signInWithCode(service, user.email);
    const page = await response.text();
    assert.match(page, /Review your account/);
    assert.match(page, /Anything set up before that, such as a password, was removed/);
    assert.match(page, /Only codes by email\./);
    const row = await userRow(user);
    assert.equal(row?.password_hash, '');
    assert.equal(row?.email_verified_at, row?.review_since);
    assert.notEqual(row?.email_verified_at, null);
    assert.equal((await own('sessions', user)).length, 1);
    assert.equal((await own('known_devices', user)).length, 1);
    assert.deepEqual(await own('links', user), []);
    assert.equal((await thief.request('/account')).status, 302);
    thief.cookies.delete('latchkey_session');
    assert.equal((await thief.signIn(user)).status, 400);
    assert.equal(thief.cookies.has('latchkey_session'), false);
    const [event] = await service.events('email_verified_by_code').then((all) => all.slice(-1));
    assert.deepEqual([event?.userId, event?.detail?.ended], [user.id, ['password', 'sessions']]);
    await person.submit(await formIn(new Response(page), '/account/review'), { review: 'done' });
    assert.equal((await userRow(user))?.review_since, null);
    assert.equal((await person.request('/account')).status, 200);
  });

  test('ends the API keys of an administrator', async () => {
    const { user } = await prepared({ admin: true });
    const { services } = service.running;
    const actor = { kind: 'administrator', id: user.id } as const;
    const key = await createApiKey(
      services,
      { name: 'prepared', permission: 'administrator' },
      { ...requester, actor },
    );
    assert.equal(key.kind, 'done');
    assert.equal((await own('api_keys', user)).length, 1);
    await signInWithCode(service, user.email);
    assert.deepEqual(await own('api_keys', user), []);
    assert.equal((await service.events('api_key_ended')).at(-1)?.userId, user.id);
  });

  test('unlinks identities', async () => {
    const { user, thief } = await prepared();
    const { storage } = service.running.services;
    await linkIdentity(user, thief);
    assert.equal((await storage.listIdentities(user.id)).length, 1);
    await signInWithCode(service, user.email);
    assert.deepEqual(await storage.listIdentities(user.id), []);
    assert.equal((await service.events('identity_unlinked')).at(-1)?.userId, user.id);
  });

  test("doesn't make the browser's mark known again, which somebody may have copied", async () => {
    const { user, thief } = await prepared();
    const mark = thief.cookies.get('latchkey_device');
    thief.cookies.delete('latchkey_session');
    await signInWithCode(service, user.email, thief);
    assert.ok(await isSignedIn(thief));
    assert.notEqual(thief.cookies.get('latchkey_device'), mark);
    const [device, ...more] = await own('known_devices', user);
    assert.ok(device);
    assert.deepEqual(more, []);
  });

  test('is proof enough to set a new password', async () => {
    const { user } = await prepared();
    const { person } = await signInWithCode(service, user.email);
    await finishReview(person);
    const form = await formIn(await person.visit('/account/security'), '/account/password');
    await person.submit(form, { new_password: 'a phrase of the owner' });
    person.cookies.delete('latchkey_session');
    await person.signIn({ ...user, password: 'a phrase of the owner' });
    assert.ok(await isSignedIn(person));
  });

  test('asks for no review where there was nothing, and later codes end nothing', async () => {
    const bare = await newMailboxOwner(service, { emailVerified: false });
    const { person, response } = await signInWithCode(service, bare.email);
    assert.doesNotMatch(await response.text(), /Review your account/);
    const row = await userRow(bare);
    assert.deepEqual([row?.review_since, row?.email_verified_at === null], [null, false]);
    const form = await formIn(await person.visit('/account/security'), '/account/password');
    await person.submit(form, { new_password: 'a phrase of the owner' });
    await signInWithCode(service, bare.email);
    assert.notEqual((await userRow(bare))?.password_hash, '');
    assert.ok(await isSignedIn(person));
  });

  test('ends it all before a second factor that is needed is set up, which is not a way around it', async () => {
    const { user, thief } = await prepared();
    await setPolicy(service, { second_factor: 'everyone' });
    const { person, response } = await signInWithCode(service, user.email);
    const page = await response.text();
    const form = readForm(page, '/sign-in/set-up');
    assert.ok(form, page);
    const row = await userRow(user);
    assert.equal(row?.password_hash, '');
    assert.deepEqual(await own('sessions', user), []);
    thief.cookies.delete('latchkey_session');
    assert.equal((await thief.signIn(user)).status, 400);
    const codes = await (await person.submit(form, { code: codeOf(service, keyOn(page)) })).text();
    assert.match(codes, /href="\/account\/review/);
    assert.match(await (await person.visit('/account/review')).text(), /Anything set up before that/);
  });

  test('with a second factor in force changes nothing, and says to ask an administrator', async () => {
    const { user, thief } = await prepared();
    await turnOn(service, thief);
    const before = await userRow(user);
    const asked = await askForCode(service, user.email);
    const code = await newestCode(service, user.email);
    const wrong = await enter(asked, '22222222');
    assert.doesNotMatch(await wrong.text(), /Ask your administrator/);
    const response = await enter(asked, code);
    assert.equal(response.status, 403);
    const page = await response.text();
    assert.match(page, /<h1>Ask your administrator<\/h1>/);
    assert.match(page, /Ask your administrator to remove two-step verification and give you a recovery link\./);
    assert.equal(asked.person.cookies.has('latchkey_session'), false);
    const after = await userRow(user);
    assert.deepEqual({ ...after, last_active_at: 0 }, { ...before, last_active_at: 0 });
    assert.ok(await isSignedIn(thief));
    assert.equal((await service.events('sign_in_failed')).at(-1)?.detail?.reason, 'unverified_email');
    assert.equal((await enter(asked, code)).status, 400, 'it was used up');
  });

  test('of two at the same moment, one starts a session and the other nothing', async () => {
    const { user } = await prepared();
    const asked = await askForCode(service, user.email);
    const code = await newestCode(service, user.email);
    const body = () => new URLSearchParams({ ...asked.form.fields, code });
    const send = () => asked.person.request('/sign-in/code', { method: 'POST', body: body() });
    const statuses = (await Promise.all([send(), send(), send()])).map(({ status }) => status);
    assert.deepEqual(statuses.toSorted(), [303, 400, 400]);
    assert.equal((await own('sessions', user)).length, 1);
  });

  test('a factor that is added at this moment stops it', async () => {
    const { user, thief } = await prepared();
    const asked = await askForCode(service, user.email);
    const code = await newestCode(service, user.email);
    const { storage } = service.running.services;
    const use = storage.useEmailCode;
    storage.useEmailCode = async (...given) => {
      storage.useEmailCode = use;
      await turnOn(service, thief);
      return use(...given);
    };
    assert.equal((await enter(asked, code)).status, 400);
    const row = await userRow(user);
    assert.notEqual(row?.password_hash, '');
    assert.equal(row?.email_verified_at, null);
  });
});

test('an account that waits for approval stays as it is: the right code says so', async () => {
  const { services } = service.running;
  await changeSettings(services, { sign_up: 'approval' }, requester);
  const { storage, clock, journal } = services;
  const outcome = await createUser(
    services,
    { email: 'waiting@example.test', name: 'Ada', password: 'a phrase of my own', emailVerified: true, admin: false },
    requester,
  );
  assert.ok(outcome.kind === 'done');
  const { user } = outcome;
  await storage.deleteUser(user.id, journal.event({ kind: 'user_deleted', userId: user.id }, requester));
  const waiting = { ...user, id: newId(randomBytes), disabledAt: clock.now(), pendingSince: clock.now() };
  await storage.createUser(waiting, journal.event({ kind: 'user_created', userId: waiting.id }, requester));
  const asked = await askForCode(service, user.email);
  const code = await newestCode(service, user.email);
  assert.equal((await enter(asked, '22222222')).status, 400);
  const response = await enter(asked, code);
  assert.equal(response.status, 403);
  assert.match(await response.text(), /Your account is waiting for approval\./);
  assert.equal(asked.person.cookies.has('latchkey_session'), false);
  assert.equal((await service.events('sign_in_failed')).at(-1)?.detail?.reason, 'waiting_for_approval');
  assert.equal((await enter(asked, code)).status, 400, 'it was used up');
});

async function linkIdentity({ id }: TestUser, person: Person): Promise<void> {
  const { storage, clock, journal } = service.running.services;
  const found = await storage.findSession(digestOf(person.cookies.get('latchkey_session') ?? ''), clock.now());
  assert.ok(found);
  const { session, user } = found;
  const { issuer } = provider;
  const identity = { issuer, subject: 'x', email: null, userId: id, linkedAt: clock.now(), lastUsedAt: null };
  const event = journal.event({ kind: 'identity_linked', userId: id }, requester);
  assert.ok(await storage.linkIdentity(identity, session, user.sessionGeneration, 10, event));
}
