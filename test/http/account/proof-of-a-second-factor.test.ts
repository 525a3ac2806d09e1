// Changing second factors needs one of them, besides the password.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { newHolder, proofBy, register } from '../../harness/passkeys.ts';
import { formIn } from '../../harness/person.ts';
import {
  alignToStep,
  codeOf,
  lastEventOf,
  newOwner,
  type Owner,
  post,
  reachSecondStep,
  securityPath,
  tryCode,
  wrongCode,
} from '../../harness/second-factors.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { SoftwareAuthenticator } from '../../harness/software-authenticator.ts';
import { mailsTo } from '../../harness/store.ts';

const DAY = 24 * 60 * 60;

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());
/** Each test starts at the start of a code's 30 seconds. */
beforeEach(() => alignToStep(service));

const changes = ['/account/recovery-codes', '/account/passkeys/remove', '/account/authenticator/remove'];
const tables = ['authenticators', 'passkeys', 'recovery_codes'];
const factorsOf = async ({ id }: { id: string }) => {
  const rows = await Promise.all(tables.map((table) => service.rows(table)));
  return JSON.stringify(rows.flat().filter((row) => row.user_id === id));
};

async function change({ person, user }: Omit<Owner, 'secret' | 'recoveryCodes'>, path: string, proof: object) {
  const { action, fields } = await formIn(await person.visit(securityPath), path);
  return post(person, action, { ...fields, current_password: user.password, ...proof });
}

describe('a change of second factors', () => {
  test('is refused with the password alone, and with anything but a right proof', async () => {
    const owner = await newOwner(service);
    await register(owner.person, owner.user, new SoftwareAuthenticator(service.url));
    const [stranger, other] = [await newHolder(service), await newOwner(service)];
    const used = { code: codeOf(service, owner) };
    await tryCode(await reachSecondStep(service, owner.user), used.code);
    const since = await factorsOf(owner.user);
    const proofs: object[] = [
      {},
      { code: '' },
      used,
      { code: wrongCode(service, owner) },
      { code: codeOf(service, other) },
      { code: other.recoveryCodes[0] ?? '' },
      await proofBy(stranger),
    ];
    for (const path of changes) {
      for (const proof of proofs) {
        const refused = await change(owner, path, proof);
        assert.equal(refused.status, 400, JSON.stringify([path, proof]));
        assert.match(await refused.text(), /That is not right, or has been used before/);
      }
      // So many wrong codes in a day would be throttled.
      service.clock.advance(DAY);
    }
    assert.equal(await factorsOf(owner.user), since);
    assert.equal((await lastEventOf(service, owner.user))?.reason, 'wrong_second_step');
  });

  test('needs the password first: without it nobody guesses a code', async () => {
    const owner = await newOwner(service);
    const refused = await change(owner, '/account/recovery-codes', {
      current_password: 'wrong',
      code: codeOf(service, owner),
    });
    assert.match(await refused.text(), /The current password is not right/);
    assert.equal((await change(owner, '/account/recovery-codes', { code: codeOf(service, owner) })).status, 200);
  });

  test('works without JavaScript by a recovery code, also for somebody who has only passkeys', async () => {
    const holder = await newHolder(service);
    const page = await (await holder.person.visit(securityPath)).text();
    assert.match(page, /<label for="codes-code">Recovery code<\/label>/);
    const [code = ''] = holder.recoveryCodes;
    const removed = await change(holder, '/account/passkeys/remove', { code });
    assert.equal(removed.headers.get('location'), `${securityPath}?done=passkey`);
    assert.equal(await factorsOf(holder.user), '[]');
  });

  test('works by a passkey, whose answer is accepted once', async () => {
    const holder = await newHolder(service);
    const proof = await proofBy(holder);
    assert.equal((await change(holder, '/account/recovery-codes', proof)).status, 200);
    assert.equal((await change(holder, '/account/recovery-codes', proof)).status, 400);
  });

  test('is limited like the second step of a sign-in, and its owner hears of wrong codes', async () => {
    const owner = await newOwner(service);
    const guess = (number: number) =>
      change(owner, '/account/authenticator/remove', { code: wrongCode(service, owner, number) });
    for (let number = 0; number < 10; number++) assert.equal((await guess(number)).status, 400);
    assert.equal((await guess(10)).status, 429);
    const told = (await mailsTo(service, owner.user.email)).filter(({ subject }) => /may know/.test(subject));
    assert.equal(told.length, 1);
  });
});
