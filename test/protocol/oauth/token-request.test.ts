import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ErrorCode } from '../../../src/protocol/oauth/errors.ts';
import { readTokenRequest, type TokenRequestReading } from '../../../src/protocol/oauth/token-request.ts';

type Changes = Readonly<Record<string, string | undefined>>;

const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const exchange: Changes = {
  grant_type: 'authorization_code',
  code: 'the code',
  redirect_uri: 'https://app.example/cb',
  client_id: 'client1',
  client_secret: 'secret',
  code_verifier: verifier,
};
const refresh: Changes = {
  grant_type: 'refresh_token',
  refresh_token: 'the token',
  client_id: 'client1',
  client_secret: 'secret',
};

function readWith(base: Changes, changes: Changes): TokenRequestReading {
  const entries = Object.entries({ ...base, ...changes });
  return readTokenRequest(new Map(entries.filter((entry): entry is [string, string] => entry[1] !== undefined)));
}

describe('valid token requests', () => {
  test('an exchange is read field by field', () => {
    assert.deepEqual(readWith(exchange, {}), {
      kind: 'valid',
      request: {
        kind: 'authorization_code',
        credentials: { clientId: 'client1', clientSecret: 'secret' },
        code: 'the code',
        redirectUri: 'https://app.example/cb',
        codeVerifier: verifier,
      },
    });
  });

  test('a refresh is read field by field', () => {
    assert.deepEqual(readWith(refresh, { scope: 'openid' }), {
      kind: 'valid',
      request: {
        kind: 'refresh_token',
        credentials: { clientId: 'client1', clientSecret: 'secret' },
        refreshToken: 'the token',
        scope: 'openid',
      },
    });
  });

  const cases: { name: string; base: Changes; changes: Changes }[] = [
    { name: 'an exchange without a secret is read', base: exchange, changes: { client_secret: undefined } },
    { name: 'an exchange with unknown parameters is read', base: exchange, changes: { x: '1', scope: 'openid' } },
    { name: 'a refresh without a scope is read', base: refresh, changes: {} },
    { name: 'a refresh without a secret is read', base: refresh, changes: { client_secret: undefined } },
    { name: 'a refresh with a verifier is read', base: refresh, changes: { code_verifier: 'x' } },
  ];
  for (const c of cases) {
    test(c.name, () => {
      const reading = readWith(c.base, c.changes);
      assert.equal(reading.kind, 'valid');
      if (reading.kind !== 'valid') return;
      assert.equal(reading.request.kind, c.base.grant_type);
      assert.equal(reading.request.credentials.clientSecret, 'client_secret' in c.changes ? undefined : 'secret');
    });
  }
});

describe('refused token requests', () => {
  const cases: { name: string; base: Changes; changes: Changes; code: ErrorCode; mention?: RegExp }[] = [
    {
      name: 'a missing grant_type is refused',
      base: exchange,
      changes: { grant_type: undefined },
      code: 'OAUTH_INVALID_REQUEST',
      mention: /^grant_type is missing/,
    },
    {
      name: 'the grant type password is refused',
      base: exchange,
      changes: { grant_type: 'password' },
      code: 'OAUTH_UNSUPPORTED_GRANT_TYPE',
    },
    {
      name: 'the grant type client_credentials is refused',
      base: exchange,
      changes: { grant_type: 'client_credentials' },
      code: 'OAUTH_UNSUPPORTED_GRANT_TYPE',
    },
    {
      name: 'a grant type in capitals is refused',
      base: exchange,
      changes: { grant_type: 'Authorization_Code' },
      code: 'OAUTH_UNSUPPORTED_GRANT_TYPE',
    },
    {
      name: 'an exchange without client_id fails to authenticate',
      base: exchange,
      changes: { client_id: undefined },
      code: 'OAUTH_INVALID_CLIENT',
      mention: /client_id/,
    },
    {
      name: 'a refresh without client_id fails to authenticate',
      base: refresh,
      changes: { client_id: undefined },
      code: 'OAUTH_INVALID_CLIENT',
      mention: /client_id/,
    },
    {
      name: 'a missing code is refused',
      base: exchange,
      changes: { code: undefined },
      code: 'OAUTH_INVALID_REQUEST',
      mention: /^code is missing/,
    },
    {
      name: 'a missing redirect_uri is refused',
      base: exchange,
      changes: { redirect_uri: undefined },
      code: 'OAUTH_INVALID_REQUEST',
      mention: /^redirect_uri is missing/,
    },
    {
      name: 'a missing code_verifier is refused',
      base: exchange,
      changes: { code_verifier: undefined },
      code: 'OAUTH_INVALID_REQUEST',
      mention: /^code_verifier is missing/,
    },
    {
      name: 'a missing refresh_token is refused',
      base: refresh,
      changes: { refresh_token: undefined },
      code: 'OAUTH_INVALID_REQUEST',
      mention: /^refresh_token is missing/,
    },
    {
      name: 'an exchange with a refresh token in place of a code is refused',
      base: refresh,
      changes: { grant_type: 'authorization_code' },
      code: 'OAUTH_INVALID_REQUEST',
      mention: /^code is missing/,
    },
    {
      name: 'a refresh with a code in place of a refresh token is refused',
      base: exchange,
      changes: { grant_type: 'refresh_token' },
      code: 'OAUTH_INVALID_REQUEST',
      mention: /^refresh_token is missing/,
    },
  ];
  for (const c of cases) {
    test(c.name, () => {
      const reading = readWith(c.base, c.changes);
      assert.equal(reading.kind, 'invalid');
      if (reading.kind !== 'invalid') return;
      assert.equal(reading.error.code, c.code);
      assert.match(reading.error.description ?? '', c.mention ?? /^$/);
    });
  }
});

// The interface gives every verifier that does not match the challenge one code, OAUTH_INVALID_GRANT. One that no
// challenge can match may be refused here with that code, or be left to the exchange, but never under another name.
describe('a verifier that no challenge can match', () => {
  const cases = [
    { name: 'a verifier of 42 characters is a mismatch, not another error', value: 'a'.repeat(42) },
    { name: 'a verifier of 129 characters is a mismatch, not another error', value: 'a'.repeat(129) },
    {
      name: 'a verifier with a character outside its alphabet is a mismatch, not another error',
      value: `${verifier}+`,
    },
  ];
  for (const c of cases) {
    test(c.name, () => {
      const reading = readWith(exchange, { code_verifier: c.value });
      assert.equal(reading.kind === 'valid' ? 'OAUTH_INVALID_GRANT' : reading.error.code, 'OAUTH_INVALID_GRANT');
    });
  }
});
