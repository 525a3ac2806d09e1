// Resetting a forgotten password by a link in an email.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, beforeEach, describe, test } from 'node:test';
import { disableUser } from '../../../src/operations/users/disable-user.ts';
import { editUser } from '../../../src/operations/users/edit-user.ts';
import { inviteUser } from '../../../src/operations/users/invitations.ts';
import { newId } from '../../../src/protocol/identifiers.ts';
import { formIn, Person } from '../../harness/person.ts';
import {
  authorizePath,
  newVerifier,
  obtainTokens,
  postForm,
  refreshParameters,
  userinfo,
} from '../../harness/relying-party.ts';
import { requester, type TestClient } from '../../harness/service.ts';
import {
  askToReset,
  askToSignUp,
  newAddress,
  password,
  statusOfSignIn,
  traitsOf,
  usersWith,
} from '../../harness/sign-up.ts';
import { linkFor, mailsTo } from '../../harness/store.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const MINUTE = 60;
const session = 'latchkey_session';

const service = serviceOfSuite({ LATCHKEY_SIGN_UP: 'open' });
let client: TestClient;

before(async () => {
  client = await service.newClient({ name: 'Calendar' });
});
// Emails are limited for a network: each test starts when those of the tests before it no longer count.
beforeEach(() => service.clock.advance(16 * MINUTE));

describe('resetting a password', () => {
  test('a link sets the password and ends all sessions, once, and only the newest works', async () => {
    const user = await service.newUser();
    const browsers = [new Person(service), new Person(service)];
    for (const browser of browsers) await browser.signIn(user);
    await askToReset(service, user.email);
    const older = await linkFor(service, user.email);
    await askToReset(service, user.email.toUpperCase());
    const newer = await linkFor(service, user.email);
    assert.notEqual(newer, older);
    assert.equal((await new Person(service).visit(older)).status, 410, 'the newest alone works');

    const person = new Person(service);
    const done = await person.submit(await formIn(await person.visit(newer)), { password });
    assert.equal(done.status, 200);
    assert.match(await done.text(), /Password changed/);
    for (const browser of browsers) assert.equal((await browser.request('/account')).status, 302);
    const known = (await service.rows('known_devices')).filter((row) => row.user_id === user.id);
    assert.deepEqual(known, [], 'no browser is known any more');
    assert.equal(person.cookies.has(session), false, 'the mail alone signs nobody in');
    assert.equal((await person.visit(newer)).status, 410);
    assert.equal(await statusOfSignIn(service, user.email, user.password), 400);
    assert.equal(await statusOfSignIn(service, user.email, password), 200);
    const told = (await mailsTo(service, user.email)).filter(({ subject }) =>
      subject.startsWith('Your password was changed'),
    );
    assert.equal(told.length, 1);
  });

  test('one link used twice at once sets one password', async () => {
    const user = await service.newUser();
    await askToReset(service, user.email);
    const form = await formIn(await new Person(service).visit(await linkFor(service, user.email)));
    const candidates = ['the first of two', 'the second of two'];
    const answers = await Promise.all(candidates.map((each) => new Person(service).submit(form, { password: each })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 410]);
    const winner = candidates[answers.findIndex(({ status }) => status === 200)] as string;
    assert.equal(await statusOfSignIn(service, user.email, winner), 200);
  });

  test('an unknown address and a disabled person get the same response', async () => {
    const email = newAddress();
    const unknown = await traitsOf(await askToReset(service, email));
    const user = await service.newUser({ email });
    const known = await traitsOf(await askToReset(service, email));
    const subjects = async () => (await mailsTo(service, email)).map(({ subject }) => subject.split(' · ')[0]);
    assert.deepEqual(await subjects(), ['Reset your password', 'No account with this email address']);
    const path = await linkFor(service, email);

    await disableUser(service.running.services, user.id, requester);
    const links = await service.rows('links');
    const disabled = await traitsOf(await askToReset(service, email));
    assert.deepEqual(known, unknown);
    assert.deepEqual(disabled, unknown);
    assert.equal((await subjects()).length, 2, 'no mail');
    assert.deepEqual(await service.rows('links'), links, 'and no link');

    const before = await usersWith(service, email);
    const form = { action: '/reset-password/finish', fields: {}, buttons: [] };
    const link = new URLSearchParams(path.split('?')[1]).get('link') ?? '';
    assert.equal((await new Person(service).submit(form, { link, password })).status, 410, 'sent before');
    assert.deepEqual(await usersWith(service, email), before);
  });

  test('it works while signed in, and signs out', async () => {
    const user = await service.newUser();
    const person = new Person(service);
    await person.signIn(user);
    await askToReset(service, user.email, person);
    const done = await person.submit(await formIn(await person.visit(await linkFor(service, user.email))), {
      password,
    });
    assert.match(await done.text(), /Password changed/);
    assert.equal((await person.request('/account')).status, 302);
    assert.equal((await person.signIn({ ...user, password })).status, 200);
  });

  test('a reset during an authorization request continues there with the new password', async () => {
    const user = await service.newUser();
    const path = authorizePath(client, newVerifier());
    const person = new Person(service);
    const { fields } = await formIn(await person.visit(path), '/sign-in');
    const page = await person.submit({ action: '/reset-password/start', fields, buttons: [] }, {});
    await person.submit(await formIn(page, '/reset-password'), { email: user.email });
    const elsewhere = new Person(service);
    const done = await elsewhere.submit(await formIn(await elsewhere.visit(await linkFor(service, user.email))), {
      password,
    });
    const [, onward = ''] = /<a class="button primary" href="([^"]*)"/.exec(await done.text()) ?? [];
    assert.equal(onward.replaceAll('&amp;', '&'), path);
    assert.ok((await elsewhere.authorize(path, { ...user, password })).searchParams.get('code'));
  });

  test('applications stay connected', async () => {
    const user = await service.newUser();
    const { tokens } = await obtainTokens(service, client, user);
    await askToReset(service, user.email);
    const person = new Person(service);
    await person.submit(await formIn(await person.visit(await linkFor(service, user.email))), { password });
    assert.equal((await userinfo(service, tokens.access_token)).status, 200);
    assert.equal(
      (await postForm(service, '/oauth/token', refreshParameters(client, tokens.refresh_token))).status,
      200,
    );
  });

  test('it verifies the email address', async () => {
    const user = await service.newUser({ emailVerified: false });
    await askToReset(service, user.email);
    const person = new Person(service);
    await person.submit(await formIn(await person.visit(await linkFor(service, user.email))), { password });
    assert.notEqual((await service.running.services.storage.findUser(user.id))?.emailVerifiedAt, null);
  });

  test('an account with an email address that nobody can choose any more keeps working', async () => {
    const { storage, journal } = service.running.services;
    for (const email of ['ada@people.example.', 'ada@127.1', 'a＠evil.example@people.example']) {
      const { record: made, password: first } = await service.newUser();
      const record = { ...made, id: newId(randomBytes), email, emailVerifiedAt: null };
      await storage.createUser(record, journal.event({ kind: 'user_created', userId: record.id }, requester));
      assert.equal(await statusOfSignIn(service, email, first), 200, email);
      await askToReset(service, email);
      const person = new Person(service);
      await person.submit(await formIn(await person.visit(await linkFor(service, email))), { password });
      assert.equal(await statusOfSignIn(service, email, password), 200, email);
      const renamed = await editUser(service.running.services, { id: record.id }, { name: 'Ada', email }, requester);
      assert.equal(renamed.kind, 'done', email);
      service.clock.advance(16 * MINUTE);
    }
  });

  test('nothing is sent to such an address without an account, and it gets none', async () => {
    const email = 'b＠evil.example@people.example';
    assert.equal((await askToReset(service, email)).status, (await askToReset(service, newAddress())).status);
    assert.deepEqual(await mailsTo(service, email), []);
    assert.equal((await askToSignUp(service, email)).status, 400);
    const invited = await inviteUser(service.running.services, { email, name: '' }, requester);
    assert.equal(invited.kind, 'refused');
  });
});
