// When an identity provider's word that an email address is verified counts, and whom a list of allowed domains lets in.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countsAsVerified, isAllowedDomain, readClaims } from '../../../src/protocol/upstreams/claims.ts';

const cases: [claims: Record<string, unknown>, trusted: string[], counts: boolean][] = [
  [{ email_verified: true }, ['example.com'], true],
  [{ email_verified: true }, ['*'], true],
  [{ email_verified: true }, [], false],
  [{ email_verified: true }, ['other.example', 'mail.example.com', 'com'], false],
  [{ email_verified: false }, ['*'], false],
  [{ email_verified: 'true' }, ['*'], false],
  [{ email_verified: 1 }, ['*'], false],
  [{}, ['*'], false],
  [{ email_verified: true, email: 'not an address' }, ['*'], false],
  [{ email_verified: true, email: undefined }, ['*'], false],
  // As Microsoft Entra ID says it.
  [{ xms_edov: true }, ['example.com'], true],
  [{ xms_edov: 1 }, ['example.com'], true],
  [{ xms_edov: '1' }, ['example.com'], true],
  [{ xms_edov: true }, [], false],
  [{ xms_edov: false }, ['*'], false],
  [{ xms_edov: '0' }, ['*'], false],
  [{ xms_edov: true, email_verified: false }, ['*'], false],
];

for (const [claims, trustedDomains, counts] of cases) {
  test(`${JSON.stringify(claims)} from an upstream trusted for ${trustedDomains.join(', ') || 'nothing'}: ${counts}`, () => {
    const read = readClaims({ sub: '1', email: 'ada@Example.com', ...claims });
    assert.ok(read);
    assert.equal(countsAsVerified(read, { trustedDomains, allowedDomains: [] }), counts);
  });
}

const allowances: [
  claims: Record<string, unknown>,
  rules: { allowed: string[]; trusted: string[] },
  allowed: boolean,
][] = [
  [{}, { allowed: [], trusted: [] }, true],
  [{ email_verified: true }, { allowed: ['example.com'], trusted: ['example.com'] }, true],
  [{ email_verified: true }, { allowed: ['example.com'], trusted: ['*'] }, true],
  [{ email_verified: true }, { allowed: ['other.example'], trusted: ['*'] }, false],
  [{ email_verified: false }, { allowed: ['example.com'], trusted: ['*'] }, false],
  [{ email_verified: true }, { allowed: ['example.com'], trusted: ['other.example'] }, false],
  [{ email_verified: true }, { allowed: ['example.com'], trusted: [] }, false],
];

for (const [claims, { allowed: allowedDomains, trusted: trustedDomains }, allowed] of allowances) {
  const rules = `allowed ${allowedDomains.join(', ')}; trusted ${trustedDomains.join(', ')}`;
  test(`${JSON.stringify(claims)} with these domains: ${rules}: ${allowed}`, () => {
    const read = readClaims({ sub: '1', email: 'ada@Example.com', ...claims });
    assert.ok(read);
    assert.equal(isAllowedDomain(read, { trustedDomains, allowedDomains }), allowed);
  });
}
