// The demo application's checks of an ID token, on tokens that jose signed.

import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { type JWTPayload, SignJWT } from 'jose';
import { checkIdToken, type Expectation, type Verdict } from '../../examples/demo-app/id-token.ts';

const now = 1_800_000_000;
const secret = 'a-client-secret-of-more-than-32-bytes';
const expected: Expectation = {
  issuer: 'https://login.example',
  clientId: 'app',
  clientSecret: secret,
  nonce: 'n',
  accessToken: 'an access token',
};
const at_hash = createHash('sha256').update('an access token').digest().subarray(0, 16).toString('base64url');
const claims = { iss: 'https://login.example', aud: 'app', sub: 'ada', exp: now + 900, nonce: 'n', at_hash };

function signed(changes: JWTPayload = {}, key = secret): Promise<string> {
  return new SignJWT({ ...claims, ...changes })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(key));
}

function namesOf({ checks }: Verdict, ok: boolean): string[] {
  return checks.filter((check) => check.ok === ok).map(({ name }) => name);
}

test('a valid token is accepted, with every check in the documented order', async () => {
  const verdict = checkIdToken(await signed(), expected, now);
  assert.equal(verdict.kind === 'accepted' && verdict.sub, 'ada');
  assert.deepEqual(namesOf(verdict, true), ['signature', 'iss', 'aud', 'exp', 'nonce', 'sub', 'at_hash']);
  assert.deepEqual(verdict.claims, claims);
  assert.deepEqual(verdict.header, { alg: 'HS256' });
  assert.match(verdict.checks.find(({ name }) => name === 'exp')?.detail ?? '', /900 seconds left/);
});

test('a refreshed token needs no nonce but must be for the same person', async () => {
  const refreshed = { ...expected, nonce: undefined };
  assert.equal(checkIdToken(await signed(), { ...refreshed, sub: 'ada' }, now).kind, 'accepted');
  const verdict = checkIdToken(await signed(), { ...refreshed, sub: 'grace' }, now);
  assert.match(verdict.kind === 'rejected' ? verdict.problem : '', /someone else/);
});

test('a token without at_hash is accepted', async () => {
  assert.equal(checkIdToken(await signed({ at_hash: undefined }), expected, now).kind, 'accepted');
});

for (const [name, token, problem, crossed] of [
  ['another secret', () => signed({}, 'another-secret-of-more-than-32-bytes-'), /signature/, ['signature']],
  ['another issuer', () => signed({ iss: 'https://evil.example' }), /issuer/, ['iss']],
  ['another audience', () => signed({ aud: 'other' }), /client/, ['aud']],
  ['an expiry that has come', () => signed({ exp: now }), /expired/, ['exp']],
  ['another nonce', () => signed({ nonce: 'x' }), /request/, ['nonce']],
  ['no nonce', () => signed({ nonce: undefined }), /request/, ['nonce']],
  ['no subject', () => signed({ sub: 5 as unknown as string }), /nobody/, ['sub']],
  ['the hash of another access token', () => signed({ at_hash: 'x' }), /access token/, ['at_hash']],
  ['a fourth part', async () => `${await signed()}.x`, /signature/, ['signature']],
  [
    'alg none',
    async () => {
      const header = Buffer.from('{"alg":"none"}').toString('base64url');
      return `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`;
    },
    /signature/,
    ['signature'],
  ],
  [
    'RS256',
    () => {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      return new SignJWT(claims).setProtectedHeader({ alg: 'RS256' }).sign(privateKey);
    },
    /signature/,
    ['signature'],
  ],
  ['nothing in it', async () => '', /signature/, ['signature', 'iss', 'aud', 'exp', 'nonce', 'sub']],
  ['no JSON in it', async () => 'a.b.c', /signature/, ['signature', 'iss', 'aud', 'exp', 'nonce', 'sub']],
] as const) {
  test(`a token with ${name} is rejected`, async () => {
    const verdict = checkIdToken(await token(), expected, now);
    assert.equal(verdict.kind, 'rejected');
    assert.match(verdict.kind === 'rejected' ? verdict.problem : '', problem);
    assert.deepEqual(namesOf(verdict, false), crossed);
  });
}
