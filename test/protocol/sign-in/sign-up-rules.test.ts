// Who can create an account themselves.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isEmail } from '../../../src/protocol/account/email-address.ts';
import { type SignUpMode, signUpModes } from '../../../src/protocol/resources/settings.ts';
import { judgeSignUp, type SignUpVerdict, signUpLinkEnd } from '../../../src/protocol/sign-in/sign-up-rules.ts';

const domains = ['example.com', 'xn--bcher-kva.example'];

function judged(mode: SignUpMode, attempt: { email?: string; hasLink?: boolean; canSendEmail?: boolean } = {}) {
  return judgeSignUp({ sign_up: mode, sign_up_domains: domains, hasLink: false, canSendEmail: true, ...attempt });
}

describe('a mode', () => {
  const email = 'ada@elsewhere.example';
  const verdicts: Record<SignUpMode, { page: SignUpVerdict; stranger: SignUpVerdict; withLink: SignUpVerdict }> = {
    closed: { page: 'closed', stranger: 'closed', withLink: 'closed' },
    links: { page: 'link_needed', stranger: 'link_needed', withLink: 'allowed' },
    domains: { page: 'allowed', stranger: 'other_domain', withLink: 'allowed' },
    approval: { page: 'allowed', stranger: 'allowed', withLink: 'allowed' },
    open: { page: 'allowed', stranger: 'allowed', withLink: 'allowed' },
  };
  for (const mode of signUpModes) {
    test(mode, () => {
      const { page, stranger, withLink } = verdicts[mode];
      assert.equal(judged(mode), page, 'before an address is known');
      assert.equal(judged(mode, { email }), stranger);
      assert.equal(judged(mode, { email, hasLink: true }), withLink);
      const without = mode === 'closed' ? 'closed' : 'no_mail';
      assert.equal(judged(mode, { email, canSendEmail: false }), without);
      assert.equal(judged(mode, { email, hasLink: true, canSendEmail: false }), without);
    });
  }
});

describe('an address is in a domain', () => {
  for (const [email, isIn] of [
    ['ada@example.com', true],
    ['Ada@EXAMPLE.com', true],
    ['ada+news@example.com', true],
    ['ada@ｅxample.com', true],
    ['ada@bücher.example', true],
    ['ada@BÜCHER.example', true],
    ['ada@xn--bcher-kva.example', true],
    ['ada@mail.example.com', false],
    ['ada@example.com.evil.example', false],
    ['ada@notexample.com', false],
    ['ada@example.co', false],
    ['ada@examp1e.com', false],
    ['example.com@evil.example', false],
    ['ada.example.com@evil.example', false],
    ['ada@exаmple.com', false],
  ] as const) {
    test(email, () => {
      assert.ok(isEmail(email));
      assert.equal(judged('domains', { email }), isIn ? 'allowed' : 'other_domain');
    });
  }

  // None of these is an address, so no account is created for it, whatever its domain looks like.
  for (const email of [
    'ada@example.com.',
    '"ada@evil.example"@example.com',
    'ada@evil.example@example.com',
    'ada@evil.example,x@example.com',
    'ada@example.com\u0000.evil.example',
    'ada@example.com%2eevil.example',
    '<ada@evil.example>@example.com',
  ]) {
    test(`${JSON.stringify(email)} is no address`, () => assert.equal(isEmail(email), false));
  }

  test('without domains, nobody is', () => {
    const attempt = { sign_up: 'domains', hasLink: false, canSendEmail: true, email: 'ada@example.com' } as const;
    assert.equal(judgeSignUp({ ...attempt, sign_up_domains: [] }), 'other_domain');
  });
});

describe('a link to sign up with', () => {
  const link = { uses: 2, used: 1, expiresAt: 1000, revokedAt: null };
  for (const [what, change, now, end] of [
    ['can be used', {}, 999, undefined],
    ['expires', {}, 1000, 'expired'],
    ['is used up', { used: 2 }, 1, 'used_up'],
    ['is used up, even if it has expired since', { used: 2 }, 2000, 'used_up'],
    ['is revoked, whatever else happened', { used: 2, revokedAt: 5 }, 2000, 'revoked'],
  ] as const) {
    test(what, () => assert.equal(signUpLinkEnd({ ...link, ...change }, now), end));
  }
});
