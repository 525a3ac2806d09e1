// Recovery codes: each signs in once, and new ones replace the old ones.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, beforeEach, describe, test } from 'node:test';
import { newRecoveryCode } from '../../../src/protocol/sign-in/typed-codes.ts';
import { formIn, Person, readForm } from '../../harness/person.ts';
import { prove } from '../../harness/proof.ts';
import {
  alignToStep,
  assertRefused,
  codeOf,
  eventsOf,
  isSignedIn,
  lastEventOf,
  newOwner,
  type Owner,
  post,
  reachSecondStep,
  recoveryCodesOn,
  securityPath,
  tryCode,
} from '../../harness/second-factors.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const HOUR = 60 * 60;
const session = 'latchkey_session';

const service = serviceOfSuite();

/** Each test starts with no failures counted, at the start of a code's 30 seconds. */
beforeEach(() => {
  service.clock.advance(HOUR);
  alignToStep(service);
});

describe('recovery codes', () => {
  let owner: Owner;
  before(async () => {
    owner = await newOwner(service);
  });

  test('each signs in once, in any spelling, and is in the activity', async () => {
    const typings: ((code: string) => string)[] = [
      (code) => code,
      (code) => code.toUpperCase(),
      (code) => ` ${code.replaceAll('-', ' ')} `,
      (code) => code.replaceAll('-', ''),
      (code) => code.replaceAll('-', '–').replaceAll('0', 'o').replaceAll('1', 'l'),
      (code) => code.toUpperCase().replaceAll('0', 'O').replaceAll('1', 'I'),
    ];
    const step = await reachSecondStep(service, owner.user);
    for (const [index, type] of typings.entries()) {
      const code = owner.recoveryCodes[index] ?? '';
      await tryCode(step, type(code));
      assert.ok(await isSignedIn(step.person), type(code));
      const [signedIn, used] = (await eventsOf(service, owner.user)).slice(-2);
      assert.deepEqual(used, { kind: 'recovery_code_used', left: 9 - index });
      assert.equal(signedIn?.method, 'password_and_recovery_code');
      step.person.cookies.delete(session);
      await assertRefused(step.person, await tryCode(step, code), 400);
    }
    assert.match(await (await owner.person.visit(securityPath)).text(), /You have 4 recovery codes left/);
  });

  test('of ten concurrent uses of one code, one signs in', async () => {
    const step = await reachSecondStep(service, owner.user);
    const fields = { ...step.form.fields, code: owner.recoveryCodes[6] ?? '' };
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(step.person, step.form.action, fields)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  });

  test('an unknown code is refused', async () => {
    const step = await reachSecondStep(service, owner.user);
    const code = newRecoveryCode((size) => randomBytes(size));
    await assertRefused(step.person, await tryCode(step, code), 400);
  });

  test('new codes replace the old ones', async () => {
    const form = await formIn(await owner.person.visit(securityPath), '/account/recovery-codes');
    const proof = { password: owner.user.password, code: codeOf(service, owner) };
    const response = await prove(owner.person, await owner.person.submit(form, {}), proof);
    assert.equal((await lastEventOf(service, owner.user))?.kind, 'recovery_codes_replaced');
    const fresh = recoveryCodesOn(await response.text());
    assert.equal(fresh.length, 10);
    const step = await reachSecondStep(service, owner.user);
    await assertRefused(step.person, await tryCode(step, owner.recoveryCodes[9] ?? ''), 400);
    await tryCode(step, fresh[9] ?? '');
    assert.ok(await isSignedIn(step.person));
  });

  test('there are none without a second factor', async () => {
    const user = await service.newUser();
    const person = new Person(service);
    await person.signIn(user);
    const page = await (await person.visit(securityPath)).text();
    assert.equal(readForm(page, '/account/recovery-codes'), undefined);
    const token = readForm(page, '/account/password')?.fields.form_token ?? '';
    const fields = { form_token: token };
    const response = await post(person, '/account/recovery-codes', fields);
    assert.equal(response.headers.get('location'), `${securityPath}?done=not-possible`);
    assert.equal((await service.rows('recovery_codes')).filter((row) => row.user_id === user.id).length, 0);
  });
});
