// What is a hint, and what merely looks like one.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatSid, readHint } from '../../../src/protocol/oauth/id-token-hint.ts';
import { issueAccessToken, issueIdToken } from '../../../src/protocol/oauth/tokens.ts';

const issuer = 'https://id.example';
const subject = { issuer, clientId: 'photos', userId: 'ada', grantId: '01jcq3v9k2m4n6p8r0s2t4v6w8' };
const key = Buffer.alloc(32, 1);
const otherKey = Buffer.alloc(32, 2);

function idToken(about = subject, sidKey = key): string {
  const authentication = { authTime: 0, amr: ['pwd'], nonce: 'n', sid: formatSid(about, sidKey) };
  return issueIdToken(about, authentication, 'access', 'the secret of the client', 0);
}

const parts = (token: string): [string, string, string] => token.split('.') as [string, string, string];
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const claimsOf = (token: string) => JSON.parse(Buffer.from(parts(token)[1], 'base64url').toString());

function withClaims(changes: Record<string, unknown>, token = idToken()): string {
  const [header, , signature] = parts(token);
  return `${header}.${encode({ ...claimsOf(token), ...changes })}.${signature}`;
}

const read = (token: string, keys = [key]) => readHint(token, issuer, keys);
const expected = { clientId: 'photos', userId: 'ada' };

test('an ID token of this service is a valid hint, however old it is', () => {
  assert.deepEqual(read(idToken()), expected);
});

test("it's valid under any of the keys, and not without keys", () => {
  assert.deepEqual(read(idToken(), [otherKey, key]), expected);
  assert.equal(read(idToken(), [otherKey]), undefined);
  assert.equal(read(idToken(), []), undefined);
});

test("claims that aren't covered by the sid don't matter", () => {
  assert.deepEqual(read(withClaims({ exp: 0, nonce: 'other', admin: true })), expected);
});

test('a grant has one sid per key', () => {
  assert.equal(formatSid(subject, key), formatSid({ ...subject }, key));
  const others = [
    formatSid(subject, otherKey),
    ...(['issuer', 'clientId', 'userId', 'grantId'] as const).map((name) =>
      formatSid({ ...subject, [name]: 'x' }, key),
    ),
  ];
  assert.equal(new Set([...others, formatSid(subject, key)]).size, 6);
});

describe("isn't a valid hint:", () => {
  const [header, payload, signature] = parts(idToken());
  const bob = claimsOf(idToken({ ...subject, userId: 'bob' }));
  const mac = claimsOf(idToken()).sid.split('.')[1];
  const cases: Record<string, string> = {
    'an empty text': '',
    'no JWT': 'hello',
    'an access token': issueAccessToken(subject, ['openid'], 'id', key, 0),
    'an ID token without a sid': withClaims({ sid: undefined }),
    'another issuer': withClaims({ iss: 'https://other.example' }),
    'another client': withClaims({ aud: 'mail' }),
    'a list of clients': withClaims({ aud: ['photos'] }),
    'another person': withClaims({ sub: 'bob' }),
    "another person's sid": withClaims({ sid: bob.sid }),
    'a sid of another grant': withClaims({ sid: `01jcq3v9k2m4n6p8r0s2t4v6w9.${mac}` }),
    'a sid that is not text': withClaims({ sid: 7 }),
    'a sid without its grant': withClaims({ sid: mac }),
    'a sid with more behind it': withClaims({ sid: `${formatSid(subject, key)}=` }),
    'alg: none': `${encode({ alg: 'none', typ: 'JWT' })}.${payload}.`,
    'alg: none with the right header for us': `${header}.${payload}.`,
    'another header that means the same': `${encode({ typ: 'JWT', alg: 'HS256' })}.${payload}.${signature}`,
    'a header with a key id': `${encode({ alg: 'HS256', typ: 'JWT', kid: '1' })}.${payload}.${signature}`,
    'two parts': `${header}.${payload}`,
    'four parts': `${idToken()}.${signature}`,
    'a payload that is not JSON': `${header}.${Buffer.from('{').toString('base64url')}.${signature}`,
    'a payload that is a list': `${header}.${encode([1])}.${signature}`,
    'a repeated claim': `${header}.${Buffer.from(`{"sub":"bob",${Buffer.from(payload, 'base64url').toString().slice(1)}`).toString('base64url')}.${signature}`,
    'a space before it': ` ${idToken()}`,
    'a line break behind it': `${idToken()}\n`,
  };
  for (const [name, token] of Object.entries(cases)) test(name, () => assert.equal(read(token), undefined));
});
