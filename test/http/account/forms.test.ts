// Every form under /account: refused without the token of the session and from another site, and without recent proof of
// identity where it needs it.

import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import { sealSecret } from '../../../src/operations/second-factors/authenticator-secret.ts';
import { newAuthenticatorSecret } from '../../../src/operations/second-factors/second-factors.ts';
import { digestOf } from '../../../src/protocol/digest.ts';
import { totpCode, totpStep } from '../../../src/protocol/sign-in/totp.ts';
import { type CompleteUser, formTokenOf, newCompleteUser, placedPng, signedIn, upload } from '../../harness/account.ts';
import { formIn, Person } from '../../harness/person.ts';
import { proofAsked } from '../../harness/proof.ts';
import type { TestClient } from '../../harness/service.ts';
import { assertNothingChanged, everythingIn, routesUnder } from '../../harness/store.ts';
import { serviceOfSuite } from '../../harness/suite.ts';
import { anUpstream } from '../../storage/conformance/upstreams.ts';
import { anEvent } from '../../storage/records.ts';

const MINUTE = 60;

const service = serviceOfSuite();
let client: TestClient;

before(async () => {
  client = await service.newClient();
});
// Emails and attempts are limited: each test starts when those of the tests before it no longer count.
beforeEach(() => service.clock.advance(16 * MINUTE));

const upstream = anUpstream();
const subject = 'a linked identity';

/** Links an identity to the user, in their session. */
async function linkIdentity({ user, person }: CompleteUser): Promise<void> {
  const { storage } = service.running.services;
  assert.ok(await storage.createUpstream(upstream, undefined, 100, anEvent()));
  const found = await storage.findSession(digestOf(person.cookies.get('latchkey_session') ?? ''), service.clock.now());
  assert.ok(found);
  const { issuer } = upstream;
  const identity = { issuer, subject, userId: user.id, email: null, linkedAt: 0, lastUsedAt: null };
  assert.ok(await storage.linkIdentity(identity, found.session, found.user.sessionGeneration, 20, anEvent()));
}

/** Every form under /account, filled in so that it would change something. */
const forms: Record<string, (complete: CompleteUser) => Promise<Record<string, string>> | Record<string, string>> = {
  '/account/profile': () => ({ name: 'Mallory', given_name: 'Mal', family_name: 'Lory', locale: 'de' }),
  '/account': () => ({ name: 'Mallory', given_name: 'Mal', family_name: 'Lory', locale: 'de' }),
  '/account/email': () => ({ email: 'mallory@example.test' }),
  '/account/email/confirm': ({ link }) => ({ link }),
  '/account/sessions': () => ({ end_others: 'yes' }),
  '/account/apps': () => ({ remove: client.id }),
  '/account/delete': () => ({}),
  '/account/password': () => ({ new_password: 'another phrase of mine' }),
  '/account/authenticator': ({ user }) => {
    const secret = newAuthenticatorSecret(service.running.services);
    const code = totpCode(secret, totpStep(service.clock.now()));
    const sealed = sealSecret(service.running.services, user.id, secret);
    return { secret: sealed, code };
  },
  '/account/authenticator/remove': () => ({}),
  '/account/recovery-codes': () => ({}),
  '/account/proof': () => ({}),
  '/account/proof/options': () => ({}),
  '/account/passkeys/options': () => ({ name: 'Another phone' }),
  '/account/password/remove': () => ({}),
  '/account/passkey': ({ challenge }) => ({ challenge, answer: '{}' }),
  '/account/passkeys': ({ challenge }) => ({ challenge, answer: '{}', name: 'Another phone' }),
  '/account/review': () => ({ review: 'remove' }),
  '/account/review/paused': () => ({ keep: 'authenticator' }),
  '/account/security/paused': () => ({ keep: 'authenticator' }),
  '/account/identities/link': () => ({ upstream: upstream.name }),
  '/account/identities/unlink': () => ({ issuer: upstream.issuer, subject }),
  '/account/passkeys/remove': (complete) => ({ remove: complete.passkey.id }),
};

/** These change something that an unattended browser must not be enough for. */
const powerful = [
  '/account/email',
  '/account/delete',
  '/account/password',
  '/account/password/remove',
  '/account/authenticator',
  '/account/passkey',
  '/account/passkeys',
  '/account/authenticator/remove',
  '/account/recovery-codes',
  '/account/passkeys/remove',
  '/account/review',
  '/account/review/paused',
  '/account/security/paused',
  '/account/proof',
  '/account/identities/link',
  '/account/identities/unlink',
];

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
    await linkIdentity(complete);
    token = await formTokenOf(complete.person);
    const stranger = await signedIn(service, await service.newUser());
    others = [undefined, '', 'x', `${token}x`, await formTokenOf(complete.other), await formTokenOf(stranger)];
    since = await everythingIn(service);
  });

  test('every form under /account is tested here', async () => {
    const tested = [...Object.keys(forms), '/account/picture'];
    assert.deepEqual(await routesUnder(service, '/account', 'POST'), tested.sort());
  });

  for (const [action, fill] of Object.entries(forms)) {
    test(`${action} is refused without the session's token, and from another site`, async () => {
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

  test("/account/picture is refused without the session's token, and from another site", async () => {
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

  describe('that need recent proof of identity', () => {
    const send = async (action: string) => {
      const fields = { ...(await forms[action]?.(complete)), form_token: token };
      return complete.person.submit({ action, fields, buttons: [] }, {});
    };
    const rightProof = () => ({
      password: complete.user.password,
      code: totpCode(complete.secret, totpStep(service.clock.now())),
    });

    test('ask for it and change nothing without it or with a wrong one', async () => {
      for (const action of powerful) {
        service.clock.advance(16 * MINUTE);
        const form = await proofAsked(await send(action));
        for (const password of ['', 'wrong password']) {
          const refused = await complete.person.submit(form, { ...rightProof(), password });
          const page = await refused.clone().text();
          assert.match(page, /Incorrect password/);
          await proofAsked(refused, 400);
        }
      }
      await assertNothingChanged(service, since);
      const events = await service.events('sign_in_failed');
      assert.deepEqual(events.at(-1)?.detail, { reason: 'wrong_password_in_account' });
    });

    test('are blocked together for a while after ten wrong attempts', async () => {
      service.clock.advance(16 * MINUTE);
      for (let attempt = 0; attempt < 10; attempt++) {
        const form = await proofAsked(await send(powerful[attempt % powerful.length] as string));
        await proofAsked(await complete.person.submit(form, { password: 'wrong one' }), 400);
      }
      let retryAfter = 0;
      for (const action of powerful) {
        const refused = await complete.person.submit(await proofAsked(await send(action)), rightProof());
        assert.equal(refused.status, 429, action);
        retryAfter = Number(refused.headers.get('retry-after'));
        assert.ok(retryAfter > 0 && retryAfter <= 15 * MINUTE);
        assert.match(await refused.text(), /Too many attempts/);
      }
      await assertNothingChanged(service, since);
      const neighbour = await signedIn(service, await service.newUser());
      service.clock.advance(15 * MINUTE + 1);
      const form = await formIn(await neighbour.visit('/account/delete'), '/account/delete');
      const asked = await proofAsked(await neighbour.submit(form, {}));
      await proofAsked(await neighbour.submit(asked, { password: 'wrong' }), 400);
      const codes = await complete.person.submit(await proofAsked(await send('/account/recovery-codes')), rightProof());
      assert.equal(codes.status, 200);
      assert.match(await codes.text(), /Save your recovery codes/);
    });
  });
});
