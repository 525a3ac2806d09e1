// Every form under /account: refused without the token of the session, from another site, and without the current
// password where it is asked for.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { newAuthenticatorSecret } from '../../../src/operations/account/second-factors.ts';
import { sealSecret } from '../../../src/operations/sign-in/authenticator-secret.ts';
import { totpCode, totpStep } from '../../../src/protocol/sign-in/totp.ts';
import { type CompleteUser, formTokenOf, newCompleteUser, placedPng, signedIn, upload } from '../../harness/account.ts';
import { formIn, Person } from '../../harness/person.ts';
import { startTestService, type TestClient, type TestService } from '../../harness/service.ts';
import { assertNothingChanged, everythingIn, routesUnder } from '../../harness/store.ts';

const MINUTE = 60;

let service: TestService;
let client: TestClient;

before(async () => {
  service = await startTestService();
  client = await service.newClient();
});
after(() => service.stop());
// Emails and attempts are limited: each test starts when those of the tests before it no longer count.
beforeEach(() => service.clock.advance(16 * MINUTE));

const wrongPassword = /The current password is not right/;

/** Every form under /account, filled in so that it would change something. */
const forms: Record<string, (complete: CompleteUser) => Promise<Record<string, string>> | Record<string, string>> = {
  '/account': () => ({ name: 'Mallory', given_name: 'Mal', family_name: 'Lory', locale: 'de' }),
  '/account/email': ({ user }) => ({ email: 'mallory@example.test', current_password: user.password }),
  '/account/email/confirm': ({ link }) => ({ link }),
  '/account/sessions': () => ({ end_others: 'yes' }),
  '/account/apps': () => ({ remove: client.id }),
  '/account/delete': ({ user }) => ({ current_password: user.password }),
  '/account/password': ({ user }) => ({ current_password: user.password, new_password: 'another phrase of mine' }),
  '/account/authenticator': ({ user }) => {
    const secret = newAuthenticatorSecret(service.running.services);
    const code = totpCode(secret, totpStep(service.clock.now()));
    const sealed = sealSecret(service.running.services, user.id, secret);
    return { secret: sealed, code, current_password: user.password };
  },
  '/account/authenticator/remove': proven,
  '/account/recovery-codes': proven,
  '/account/proof/options': () => ({}),
  '/account/passkeys/options': ({ user }) => ({ name: 'Another phone', current_password: user.password }),
  '/account/passkeys': ({ user, challenge }) => ({
    ...{ challenge, answer: '{}', name: 'Another phone', current_password: user.password },
  }),
  '/account/review': (complete) => ({ review: 'remove', ...proven(complete) }),
  '/account/review/paused': ({ user }) => ({ keep: 'authenticator', current_password: user.password }),
  '/account/security/paused': ({ user }) => ({ keep: 'authenticator', current_password: user.password }),
  '/account/passkeys/remove': (complete) => ({ remove: complete.passkey.id, ...proven(complete) }),
};

/** What a change of second factors asks for. */
function proven({ user, secret }: CompleteUser): Record<string, string> {
  return { current_password: user.password, code: totpCode(secret, totpStep(service.clock.now())) };
}

const foreignHeaders: Record<string, string>[] = [
  { Origin: 'https://evil.example' },
  { Origin: 'null' },
  { Origin: 'http://localhost:1' },
  { 'Sec-Fetch-Site': 'cross-site' },
  { 'Sec-Fetch-Site': 'same-site' },
];

describe('forms', () => {
  let complete: CompleteUser;
  let token: string;
  /** Tokens that don't belong to this session. */
  let others: (string | undefined)[];
  let since: string[];
  before(async () => {
    complete = await newCompleteUser(service, client);
    token = await formTokenOf(complete.person);
    const stranger = await signedIn(service, await service.newUser());
    others = [undefined, '', 'x', `${token}x`, await formTokenOf(complete.other), await formTokenOf(stranger)];
    since = await everythingIn(service);
  });

  test('every form under /account is tested here', () => {
    const tested = [...Object.keys(forms), '/account/picture'];
    assert.deepEqual(routesUnder(service, '/account', 'POST'), tested.sort());
  });

  for (const [action, fill] of Object.entries(forms)) {
    test(`${action} takes nothing without the token of the session, and nothing from another site`, async () => {
      const { person } = complete;
      const fields = await fill(complete);
      for (const other of others) {
        const given = other === undefined ? fields : { ...fields, form_token: other };
        const refused = await person.submit({ action, fields: given, buttons: [] }, {});
        assert.equal(refused.status, 403, `token ${other}`);
      }
      for (const headers of foreignHeaders) {
        const form = { action, fields: { ...fields, form_token: token }, buttons: [] };
        assert.equal((await person.submit(form, {}, headers)).status, 403, JSON.stringify(headers));
      }
      const nobody = await new Person(service).request(action, { method: 'POST', body: new URLSearchParams(fields) });
      assert.equal(nobody.status, 303);
      assert.match(nobody.headers.get('location') ?? '', /^\/sign-in\?to=\/account/);
      await assertNothingChanged(service, since);
    });
  }

  test('/account/picture takes nothing without the token of the session, and nothing from another site', async () => {
    const { person } = complete;
    for (const values of [{ picture: placedPng }, { remove: 'yes' }] as Record<string, string | Buffer>[]) {
      for (const other of others) {
        const fields = other === undefined ? values : { ...values, form_token: other };
        assert.equal((await upload(person, fields)).status, 403, `token ${other}`);
      }
      for (const headers of foreignHeaders) {
        const refused = await upload(person, { ...values, form_token: token }, headers);
        assert.equal(refused.status, 403, JSON.stringify(headers));
      }
      assert.equal((await upload(new Person(service), { ...values, form_token: token })).status, 303);
    }
    await assertNothingChanged(service, since);
  });

  describe('that ask for the current password', () => {
    const sensitive: string[] = [];
    before(async () => {
      for (const [action, fill] of Object.entries(forms)) {
        if ('current_password' in (await fill(complete))) sensitive.push(action);
      }
    });

    const send = async (action: string, changes: Record<string, string>) => {
      const fields = { ...(await forms[action]?.(complete)), ...changes, form_token: token };
      return complete.person.submit({ action, fields, buttons: [] }, {});
    };

    test('are refused without it and with a wrong one', async () => {
      assert.equal(sensitive.length, 12);
      for (const action of sensitive) {
        service.clock.advance(16 * MINUTE);
        for (const password of ['', 'wrong password']) {
          const refused = await send(action, { current_password: password });
          assert.equal(refused.status, 400, `${action} with "${password}"`);
          // The review may come without the field, if it was opened while the sign-in counted as the proof.
          const reminder = action === '/account/review' && password === '';
          assert.match(await refused.text(), reminder ? /Confirm it&#39;s you/ : wrongPassword);
        }
      }
      await assertNothingChanged(service, since);
      const events = await service.events('sign_in_failed');
      assert.deepEqual(events.at(-1)?.detail, { reason: 'wrong_password_in_account' });
    });

    test('are closed for a while after ten wrong ones, together, and not for good', async () => {
      for (let attempt = 0; attempt < 10; attempt++) {
        const refused = await send(sensitive[attempt % sensitive.length] as string, { current_password: 'wrong one' });
        assert.equal(refused.status, 400);
      }
      let retryAfter = 0;
      for (const action of sensitive) {
        const refused = await send(action, {});
        assert.equal(refused.status, 429, action);
        retryAfter = Number(refused.headers.get('retry-after'));
        assert.ok(retryAfter > 0 && retryAfter <= 15 * MINUTE);
        assert.match(await refused.text(), /That was tried too often/);
      }
      await assertNothingChanged(service, since);
      const neighbour = await signedIn(service, await service.newUser());
      const form = await formIn(await neighbour.visit('/account/data'), '/account/delete');
      assert.equal(
        (await neighbour.submit(form, { current_password: 'wrong' })).status,
        400,
        'others are not affected',
      );
      service.clock.advance(retryAfter + 1);
      assert.equal((await send('/account/recovery-codes', {})).status, 200);
    });
  });
});
