// Changing the password: what ends with the old one, and what stays.

import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import { digestOf } from '../../../src/protocol/digest.ts';
import { newCompleteUser } from '../../harness/account.ts';
import { formIn } from '../../harness/person.ts';
import { userinfo } from '../../harness/relying-party.ts';
import type { TestClient } from '../../harness/service.ts';
import { mailsTo } from '../../harness/store.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const MINUTE = 60;

const service = serviceOfSuite();
let client: TestClient;

before(async () => {
  client = await service.newClient();
});
// Emails and attempts are limited: each test starts when those of the tests before it no longer count.
beforeEach(() => service.clock.advance(16 * MINUTE));

describe('changing the password', () => {
  test('ends other sessions and earlier links, and keeps this session and connected apps', async () => {
    const { user, person, other, tokens, link } = await newCompleteUser(service, client);
    const form = await formIn(await person.visit('/account/security'), '/account/password');
    const values = { new_password: 'another phrase of mine' };
    const page = await person.submit(form, values);
    assert.match(await page.text(), /Password changed/);
    assert.equal((await person.request('/account')).status, 200);
    assert.equal((await other.request('/account')).status, 302);
    const known = (await service.rows('known_devices')).filter((row) => row.user_id === user.id);
    const here = digestOf(person.cookies.get('latchkey_device') ?? '');
    assert.deepEqual(
      known.map((row) => row.digest),
      [here],
      'the other browser is not known any more',
    );
    assert.equal((await person.visit(`/account/email/confirm?link=${link}`)).status, 410);
    assert.equal((await service.rows('links')).filter((row) => row.user_id === user.id).length, 0);
    assert.equal((await userinfo(service, tokens.access_token)).status, 200);
    assert.ok(
      (await mailsTo(service, user.email)).some(({ subject }) => subject.startsWith('Your password was changed')),
    );
  });
});
