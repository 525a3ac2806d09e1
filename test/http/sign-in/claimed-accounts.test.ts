// Somebody has prepared an account for an address that isn't theirs, and its owner comes by a link or a code: what was in it ends, and
// with a second factor in force nothing happens.

import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { createApiKey } from '../../../src/operations/api-keys/api-keys.ts';
import { changeSettings } from '../../../src/operations/settings/change-settings.ts';
import { endSessions } from '../../../src/operations/users/disable-user.ts';
import { makeRecoveryLink, removeSecondFactors } from '../../../src/operations/users/user-recovery.ts';
import { digestOf } from '../../../src/protocol/digest.ts';
import { signedIn } from '../../harness/account.ts';
import { askForCode, enter, newestCode, setPolicy, signInWithCode } from '../../harness/email-codes.ts';
import { keptLink } from '../../harness/links.ts';
import { createPasskey, formOfLink, type LinkForm, resetForm } from '../../harness/passwordless.ts';
import { answerOf, formIn, Person, readForm } from '../../harness/person.ts';
import {
  authorizePath,
  newVerifier,
  obtainTokens,
  postForm,
  refreshParameters,
  userinfo,
} from '../../harness/relying-party.ts';
import { alignToStep, isSignedIn, turnOn } from '../../harness/second-factors.ts';
import { requester, type TestUser } from '../../harness/service.ts';
import { withoutAddress } from '../../harness/sign-up.ts';
import { SoftwareAuthenticator } from '../../harness/software-authenticator.ts';
import { mailsTo } from '../../harness/store.ts';
import { serviceOfSuite } from '../../harness/suite.ts';
import { anUpstream } from '../../storage/conformance/upstreams.ts';
import { anEvent } from '../../storage/records.ts';

const DAY = 24 * 60 * 60;
const newPassword = 'a phrase of the owner';

const service = serviceOfSuite();
beforeEach(async () => {
  service.clock.advance(30 * 60);
  alignToStep(service);
  await setPolicy(service, { email_codes: 'everyone', second_factor: 'optional' });
});

const storage = () => service.running.services.storage;
const rowOf = async ({ id }: { id: string }) => (await service.rows('users')).find((row) => row.id === id);
const rowsOf = async (table: string, { id }: { id: string }) =>
  (await service.rows(table)).filter((row) => row.user_id === id || row.created_by === id);

/** With an identity, an API key, an application and a paused passkey, all older than seven days. */
async function prepared() {
  const user = await service.newUser({ emailVerified: false, admin: true });
  const client = await service.newClient({ name: 'Prepared app' });
  const { person: thief, tokens } = await obtainTokens(service, client, user);
  const found = await storage().findSession(digestOf(thief.cookies.get('latchkey_session') ?? ''), service.clock.now());
  assert.ok(found);
  const upstream = anUpstream();
  await storage().createUpstream(upstream, undefined, 100, anEvent());
  const identity = { issuer: upstream.issuer, subject: 'x', email: null, linkedAt: service.clock.now() };
  const linked = { ...identity, userId: user.id, lastUsedAt: null };
  assert.ok(await storage().linkIdentity(linked, found.session, found.user.sessionGeneration, 10, anEvent()));
  const actor = { kind: 'administrator', id: user.id } as const;
  await createApiKey(service.running.services, { name: 'x', permission: 'write' }, { ...requester, actor });
  service.clock.advance(8 * DAY);
  return { user, client, thief, tokens, identity };
}

async function recoveryForm({ email }: { email: string }): Promise<LinkForm> {
  const made = await makeRecoveryLink(service.running.services, { email }, requester);
  assert.ok(made.kind === 'done');
  return formOfLink(service, email, made.url.replace(service.url, ''));
}

const choosePassword = async ({ person, form }: LinkForm) => person.submit(form, { password: newPassword });

interface Way {
  readonly come: (user: TestUser) => Promise<Response>;
  readonly verifies: boolean;
  readonly event: 'email_verified_by_code' | 'account_claimed';
}

const ways: Record<string, Way> = {
  'a code by email': {
    come: async ({ email }) => (await signInWithCode(service, email)).response,
    verifies: true,
    event: 'email_verified_by_code',
  },
  'a new password by a link': {
    come: async ({ email }) => choosePassword(await resetForm(service, email)),
    verifies: true,
    event: 'account_claimed',
  },
  'a passkey by a link': {
    come: async ({ email }) => createPasskey(await resetForm(service, email), new SoftwareAuthenticator(service.url)),
    verifies: true,
    event: 'account_claimed',
  },
  "an administrator's link": {
    come: async (user) => choosePassword(await recoveryForm(user)),
    verifies: false,
    event: 'account_claimed',
  },
};

for (const [name, { come, verifies, event: kind }] of Object.entries(ways)) {
  test(`${name} ends everything in an account whose address wasn't verified`, async () => {
    const { user, client, thief, tokens, identity } = await prepared();
    assert.equal((await come(user)).status, 200);
    const row = await rowOf(user);
    assert.equal(row?.email_verified_at !== null, verifies);
    assert.equal(await storage().findIdentity(identity), undefined);
    assert.deepEqual(await rowsOf('api_keys', user), []);
    assert.deepEqual(await rowsOf('consents', user), []);
    assert.equal(await isSignedIn(thief), false);
    assert.equal((await userinfo(service, tokens.access_token)).status, 401);
    const refreshed = await postForm(service, '/oauth/token', refreshParameters(client, tokens.refresh_token));
    assert.equal(refreshed.status, 400);
    assert.equal((await thief.signIn(user)).status, 400);
    const [event] = (await service.events(kind)).slice(-1);
    const ended = ['password', 'identities', 'sessions', 'api_keys', 'apps'];
    assert.deepEqual([event?.userId, event?.detail?.ended], [user.id, ended]);
    const [mail] = (await mailsTo(service, user.email)).filter(({ subject }) =>
      subject.startsWith('Your account was reset'),
    );
    assert.match(mail?.text ?? '', /Everything in it was removed/);
  });
}

test("the consent in a prepared account gives no code to the owner's browser", async () => {
  const { user, client } = await prepared();
  const { person } = await signInWithCode(service, user.email);
  await person.submit(await formIn(await person.visit('/account/review'), '/account/review'), { review: 'done' });
  const path = `${authorizePath(client, newVerifier())}&prompt=none`;
  assert.equal(answerOf(await person.request(path)).searchParams.get('error'), 'consent_required');
});

test('a reset of a verified account keeps connected apps', async () => {
  const user = await service.newUser();
  const client = await service.newClient();
  const { tokens } = await obtainTokens(service, client, user);
  assert.equal((await choosePassword(await resetForm(service, user.email))).status, 200);
  const refreshed = await postForm(service, '/oauth/token', refreshParameters(client, tokens.refresh_token));
  assert.equal(refreshed.status, 200);
});

describe('with a second factor in force', () => {
  for (const [age, days] of [
    ['of today', 0],
    ['of last month', 30],
  ] as const) {
    test(`${age}, a link neither verifies nor changes anything, and says to ask an administrator`, async () => {
      const user = await service.newUser({ emailVerified: false });
      const thief = await signedIn(service, user);
      await turnOn(service, thief);
      service.clock.advance(days * DAY);
      const link = await keptLink(service, 'reset_password', user.id, user.email);
      const before = await rowOf(user);
      const owner = new Person(service);
      const path = `/reset-password/finish?link=${link}`;
      const opened = await owner.visit(path);
      assert.equal(opened.status, 403);
      const page = await opened.text();
      assert.match(page, /<h1>Ask your administrator<\/h1>/);
      assert.match(page, /remove two-step verification and give you a recovery link/);
      // The form of another page, for a link that somebody has opened before.
      const other = await formOfLink(
        service,
        user.email,
        `/reset-password/finish?link=${await keptLink(service, 'reset_password', (await service.newUser()).id, 'x@example.test')}`,
      );
      const sent = await other.person.submit(
        { ...other.form, fields: { ...other.form.fields, link } },
        { password: newPassword },
      );
      assert.equal(sent.status, 403);
      assert.match(await sent.text(), /<h1>Ask your administrator<\/h1>/);
      assert.deepEqual(await rowOf(user), before);
      assert.equal((await rowsOf('authenticators', user)).length, 1);

      // Nor does the email about the factor have a link that takes it away.
      const undo = (await mailsTo(service, user.email)).filter(({ text }) => text.includes('/not-me'));
      assert.deepEqual(undo, []);

      const refused = await makeRecoveryLink(service.running.services, { id: user.id }, requester);
      assert.ok(refused.kind === 'refused');
      assert.match(refused.problems[0].says, /was never verified, .*: remove them first$/);
      await removeSecondFactors(service.running.services, { id: user.id }, requester);
      assert.equal((await choosePassword(await recoveryForm(user))).status, 200);
      assert.equal(await isSignedIn(thief), false);
      assert.equal(await isSignedIn(await signedIn(service, { ...user, password: newPassword })), true);
      assert.equal((await rowOf(user))?.email_verified_at, null, 'nobody has shown the mailbox');
    });
  }

  test('one that is added while the page is open stops the link', async () => {
    const user = await service.newUser({ emailVerified: false });
    const thief = await signedIn(service, user);
    const opened = await resetForm(service, user.email);
    const change = storage().changePassword;
    storage().changePassword = async (...given) => {
      storage().changePassword = change;
      await turnOn(service, thief);
      return change(...given);
    };
    assert.equal((await choosePassword(opened)).status, 410);
    const row = await rowOf(user);
    assert.deepEqual([row?.email_verified_at, await isSignedIn(thief)], [null, true]);
  });

  test('asking for the link is answered as for every other account', async () => {
    const [bare, locked] = [await service.newUser(), await service.newUser({ emailVerified: false })];
    await turnOn(service, await signedIn(service, locked));
    const pages = [];
    for (const email of [bare.email, locked.email, 'nobody@example.test']) {
      const person = new Person(service);
      const response = await person.submit(await formIn(await person.visit('/reset-password'), '/reset-password'), {
        email,
      });
      pages.push([response.status, withoutAddress(await response.text(), email).replace(/value="[^"]*"/g, '')]);
    }
    assert.deepEqual(pages[1], pages[0]);
    assert.deepEqual(pages[2], pages[0]);
  });
});

describe('a sign-in that waits for its second step', () => {
  /** Somebody without a password, who has to set up a second factor after a code by email. */
  async function waiting() {
    const made = await service.newUser();
    const { email, id } = made;
    await createPasskey(await resetForm(service, email), new SoftwareAuthenticator(service.url));
    await removeSecondFactors(service.running.services, { id }, requester);
    assert.equal((await storage().findUser(id))?.passwordHash, '');
    await changeSettings(service.running.services, { second_factor: 'everyone' }, requester);
    const asked = await askForCode(service, email);
    const page = await (await enter(asked, await newestCode(service, email))).text();
    const form = readForm(page, '/sign-in/set-up');
    assert.ok(form, page);
    return { id, email, person: asked.person, form };
  }

  const ends: Record<string, (user: { id: string; email: string }) => Promise<unknown>> = {
    'a reset to a passkey, from no password to none': async ({ email }) =>
      createPasskey(await resetForm(service, email), new SoftwareAuthenticator(service.url)),
    'signing out everywhere': ({ id }) => endSessions(service.running.services, { id }, requester),
  };
  for (const [name, end] of Object.entries(ends)) {
    test(`doesn't outlive ${name}`, async () => {
      const { id, email, person, form } = await waiting();
      await end({ id, email });
      const response = await person.submit(form, { code: '000000' });
      assert.match(await response.text(), /expired/);
      assert.equal(person.cookies.has('latchkey_session'), false);
    });
  }
});

test('verifying the address in a session ends what others have, and keeps this session and the password', async () => {
  const user = await service.newUser({ emailVerified: false });
  const client = await service.newClient();
  const { person: thief, tokens } = await obtainTokens(service, client, user);
  const owner = await signedIn(service, user);
  const link = await keptLink(service, 'change_email', user.id, user.email);
  const form = await formIn(await owner.visit(`/account/email/confirm?link=${link}`), '/account/email/confirm');
  assert.equal((await owner.submit(form, {})).status, 200);
  assert.notEqual((await rowOf(user))?.email_verified_at, null);
  assert.deepEqual([await isSignedIn(owner), await isSignedIn(thief)], [true, false]);
  const refreshed = await postForm(service, '/oauth/token', refreshParameters(client, tokens.refresh_token));
  assert.equal(refreshed.status, 400);
  assert.deepEqual(await rowsOf('consents', user), []);
  assert.equal(await isSignedIn(await signedIn(service, user)), true);
});
