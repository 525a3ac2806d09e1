// A request for an email is stored as it is, and becomes an email after the response. What happens in between counts.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { deleteUser } from '../../../src/operations/users/disable-user.ts';
import { setPassword } from '../../../src/operations/users/user-recovery.ts';
import { signedIn } from '../../harness/account.ts';
import { formIn, type Person } from '../../harness/person.ts';
import { requester, startTestService, type TestService } from '../../harness/service.ts';
import { askToReset, askToSignUp, newAddress } from '../../harness/sign-up.ts';
import { mailsTo } from '../../harness/store.ts';

let folder: string;
/** Two services on one store. The first leaves what it has queued to the second. */
let taking: TestService;
let answering: TestService;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-two-'));
  const shared = { LATCHKEY_SIGN_UP: 'open', LATCHKEY_DATA_DIR: folder, ...(await sharedDatabase()) };
  taking = await startTestService(shared);
  answering = await startTestService(shared);
  // Nothing happens in the background: the second answers when its emails are listed.
  for (const { running } of [taking, answering]) running.services.emailQueue.sendDue = async () => {};
  taking.running.services.emailQueue.answerRequests = async () => {};
});
after(async () => {
  await taking?.stop();
  await answering?.stop();
  rmSync(folder, { recursive: true, force: true });
});
// Emails are limited for a network: each test starts when those of the tests before it no longer count.
beforeEach(() => taking.clock.advance(16 * 60));

async function sharedDatabase(): Promise<Record<string, string>> {
  if (process.env.TEST_ENGINE !== 'postgres') return {};
  const { sharedPostgres } = await import('../../harness/postgres.ts');
  return { DATABASE_URL: await (await sharedPostgres()).newDatabase() };
}

async function askForAddress(person: Person, email: string): Promise<void> {
  const form = await formIn(await person.visit('/account/email'), '/account/email');
  assert.equal((await person.submit(form, { email })).status, 200);
}

const subjectsTo = async (email: string) =>
  (await mailsTo(answering, email)).map(({ subject }) => subject.split(' · ')[0]);

const linksOf = async (userId: string) => (await answering.rows('links')).filter((row) => row.user_id === userId);

test('a request accepted by one instance can be answered by any other', async () => {
  const [user, stranger] = [await taking.newUser(), newAddress()];
  await askToReset(taking, user.email);
  await askToReset(taking, stranger);
  await askToSignUp(taking, stranger);
  assert.deepEqual(await subjectsTo(user.email), ['Reset your password']);
  assert.deepEqual((await subjectsTo(stranger)).sort(), [
    'Finish creating your account',
    'No account with this email address',
  ]);
  const requested = (await answering.events()).filter(({ kind }) => kind.endsWith('_requested'));
  assert.deepEqual(requested.map(({ kind, userId, address }) => [kind, userId, address]).sort(), [
    ['password_reset_requested', undefined, '127.0.0.1'],
    ['password_reset_requested', user.id, '127.0.0.1'],
    ['sign_up_requested', undefined, '127.0.0.1'],
  ]);
});

test('an account created or deleted before the answer is taken into account', async () => {
  const [soon, gone] = [newAddress(), await taking.newUser()];
  await askToSignUp(taking, soon);
  await askToReset(taking, gone.email);
  await taking.newUser({ email: soon });
  await deleteUser(taking.running.services, gone.email, requester);
  assert.deepEqual(await subjectsTo(soon), ['You already have an account']);
  assert.deepEqual(await subjectsTo(gone.email), ['No account with this email address']);
});

test('an email address change requested under an earlier password is dropped', async () => {
  const [user, wanted] = [await taking.newUser(), newAddress()];
  await askForAddress(await signedIn(taking, user), wanted);
  await setPassword(taking.running.services, user.id, 'a password set meanwhile', requester);
  assert.deepEqual(await subjectsTo(wanted), []);
  assert.deepEqual(await linksOf(user.id), []);
});

test('only the link of the last request works', async () => {
  const [user, wanted] = [await taking.newUser(), newAddress()];
  const person = await signedIn(taking, user);
  for (const email of [newAddress(), newAddress(), wanted]) {
    taking.clock.advance(1);
    await askForAddress(person, email);
  }
  assert.deepEqual(await subjectsTo(wanted), ['Confirm your email address']);
  assert.deepEqual(
    (await linksOf(user.id)).map(({ detail }) => JSON.parse(String(detail)).email),
    [wanted],
  );
});
