// The demo application's checks of an ID token, against tokens that jose has signed.

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { type JWTPayload, SignJWT } from 'jose';
import { checkIdToken } from '../../examples/demo-app/id-token.ts';

const now = 1_800_000_000;
const secret = 'a-client-secret-of-more-than-32-bytes';
const expected = { issuer: 'https://login.example', clientId: 'app', clientSecret: secret, nonce: 'n' };
const claims = { iss: 'https://login.example', aud: 'app', sub: 'ada', exp: now + 900, nonce: 'n' };

function signed(changes: JWTPayload = {}, key = secret): Promise<string> {
  return new SignJWT({ ...claims, ...changes })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(key));
}

test('a right token is accepted', async () => {
  assert.deepEqual(checkIdToken(await signed(), expected, now), { kind: 'accepted', sub: 'ada' });
});

for (const [name, token, problem] of [
  ['another secret', () => signed({}, 'another-secret-of-more-than-32-bytes-'), /signature/],
  ['another issuer', () => signed({ iss: 'https://evil.example' }), /issuer/],
  ['another audience', () => signed({ aud: 'other' }), /client/],
  ['an expiry that has come', () => signed({ exp: now }), /expired/],
  ['another nonce', () => signed({ nonce: 'x' }), /request/],
  ['no nonce', () => signed({ nonce: undefined }), /request/],
  ['no subject', () => signed({ sub: 5 as unknown as string }), /nobody/],
  ['a fourth part', async () => `${await signed()}.x`, /signature/],
  [
    'alg none',
    async () => {
      const header = Buffer.from('{"alg":"none"}').toString('base64url');
      return `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`;
    },
    /signature/,
  ],
  [
    'RS256',
    () => {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      return new SignJWT(claims).setProtectedHeader({ alg: 'RS256' }).sign(privateKey);
    },
    /signature/,
  ],
] as const) {
  test(`a token with ${name} is rejected`, async () => {
    const verdict = checkIdToken(await token(), expected, now);
    assert.equal(verdict.kind, 'rejected');
    assert.match(verdict.kind === 'rejected' ? verdict.problem : '', problem);
  });
}
