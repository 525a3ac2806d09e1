// A password change and the session that goes on after it are one write: both happen, or the old password stays. So are
// a sign-up and its session, and a recovery code and what it is used for. On the embedded store, because the fault is put into its file; the conformance suite holds
// both engines to it.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { formIn, Person } from '../harness/person.ts';
import { proofAsked } from '../harness/proof.ts';
import { isSignedIn, newOwner, reachSecondStep, securityPath, tryCode } from '../harness/second-factors.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { askToSignUp, name, newAddress, password, usersWith } from '../harness/sign-up.ts';
import { linkFor, mailsTo } from '../harness/store.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ LATCHKEY_SIGN_UP: 'open' });
});
after(() => service.stop());

/** Makes every statement of this kind fail while `work` runs. */
async function without<Result>(statement: string, work: () => Promise<Result>): Promise<Result> {
  const database = new DatabaseSync(join(service.dataDir, 'latchkey.db'), { timeout: 5000 });
  database.exec(`CREATE TRIGGER fault BEFORE ${statement} BEGIN SELECT RAISE(ABORT, 'a fault'); END`);
  try {
    return await work();
  } finally {
    database.exec('DROP TRIGGER fault');
    database.close();
  }
}

const withoutNewSessions = <Result>(work: () => Promise<Result>) => without('INSERT ON sessions', work);

test("if the new session can't be started, the password is unchanged and the old session continues", async () => {
  const user = await service.newUser();
  const person = new Person(service);
  await person.signIn(user);
  const form = await formIn(await person.visit('/account/security'), '/account/password');
  const values = { new_password: 'another phrase of mine' };

  const failed = await withoutNewSessions(() => person.submit(form, values));
  assert.equal(failed.status, 500);
  assert.equal((await person.request('/account')).status, 200, 'the session');
  const signedIn = async (password: string) => {
    const other = new Person(service);
    await other.signIn({ ...user, password });
    return (await other.request('/account')).status === 200;
  };
  assert.equal(await signedIn(user.password), true, 'the old password');
  assert.equal(await signedIn(values.new_password), false, 'the new password');
  assert.equal((await service.events('password_changed')).length, 0);

  await person.submit(form, values);
  assert.equal((await person.request('/account')).status, 200, 'the session under its new secret');
  assert.equal(await signedIn(values.new_password), true);
});

test("if the first session can't be started, no account is created and the link still works", async () => {
  const email = newAddress();
  await askToSignUp(service, email);
  const person = new Person(service);
  const form = await formIn(await person.visit(await linkFor(service, email)));
  const failed = await withoutNewSessions(() => person.submit(form, { name, password }));
  assert.equal(failed.status, 500);
  assert.deepEqual(await usersWith(service, email), []);
  assert.equal((await service.events('signed_up')).length, 0);
  assert.equal((await person.submit(form, { name, password })).status, 200);
  assert.equal((await person.request('/account')).status, 200);
});

test("if the session can't be started, the recovery code still works and no email is sent", async () => {
  const owner = await newOwner(service);
  const [code = ''] = owner.recoveryCodes;
  const step = await reachSecondStep(service, owner.user);
  const told = async () =>
    (await mailsTo(service, owner.user.email)).filter(({ text }) => text.includes('recovery codes was used')).length;

  assert.equal((await withoutNewSessions(() => tryCode(step, code))).status, 500);
  assert.equal((await service.events('recovery_code_used')).length, 0);
  assert.equal(await told(), 0);
  await tryCode(step, code);
  assert.ok(await isSignedIn(step.person));
  assert.equal((await service.events('recovery_code_used')).length, 1);
  assert.equal(await told(), 1);
});

test("if the proof can't be stored, its recovery code still works", async () => {
  const owner = await newOwner(service);
  const [code = ''] = owner.recoveryCodes;
  const form = await formIn(await owner.person.visit(securityPath), '/account/authenticator/remove');
  service.clock.advance(16 * 60);
  const asked = await proofAsked(await owner.person.submit(form, {}));
  const proof = { password: owner.user.password, code };
  const prove = () => owner.person.submit(asked, proof);
  assert.equal((await without('UPDATE OF proven_at ON sessions', prove)).status, 500);
  assert.match(await (await prove()).text(), /Authenticator app removed/);
});
