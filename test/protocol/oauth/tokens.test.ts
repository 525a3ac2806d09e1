import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { signAccessToken, signIdToken } from '../../../src/protocol/oauth/jwt.ts';
import {
  isCurrent,
  issueAccessToken,
  issueIdToken,
  readAccessToken,
  type TokenSubject,
} from '../../../src/protocol/oauth/tokens.ts';

const subject: TokenSubject = {
  issuer: 'https://login.example',
  grantId: 'grant1',
  userId: 'user1',
  clientId: 'client1',
};
const now = 1_800_000_000_999;
const key = new TextEncoder().encode('the key that only the service has, 32+ bytes');
const otherKey = new TextEncoder().encode('a key that the service has never had at all');
const secret = 'lk_secret_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG';
const secretBytes = new TextEncoder().encode(secret);
const currentDate = new Date(now);

describe('an access token', () => {
  const token = issueAccessToken(subject, ['openid', 'email'], 'token1', key, now);

  test('it has exactly the specified claims', async () => {
    const { payload, protectedHeader } = await jwtVerify(token, key, { currentDate });
    assert.deepEqual(protectedHeader, { alg: 'HS256', typ: 'at+jwt' });
    assert.deepEqual(payload, {
      iss: 'https://login.example',
      sub: 'user1',
      aud: 'client1',
      client_id: 'client1',
      scope: 'openid email',
      iat: 1_800_000_000,
      exp: 1_800_000_900,
      jti: 'token1',
      grant: 'grant1',
    });
  });

  test('another key does not verify it', async () => {
    await assert.rejects(jwtVerify(token, otherKey, { currentDate }), {
      code: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
    });
  });

  test('it is read back', () => {
    assert.deepEqual(readAccessToken(token, subject.issuer, [key]), {
      grantId: 'grant1',
      tokenId: 'token1',
      userId: 'user1',
      clientId: 'client1',
      scopes: ['openid', 'email'],
      expiresAt: 1_800_000_900_000,
    });
  });

  test('it is read back under an older key', () => {
    assert.equal(readAccessToken(token, subject.issuer, [otherKey, key])?.tokenId, 'token1');
  });

  test('a token without scopes is read back', () => {
    const bare = issueAccessToken(subject, [], 'token1', key, now);
    assert.deepEqual(readAccessToken(bare, subject.issuer, [key])?.scopes, []);
  });

  test('an independent library sees it expire after 15 minutes', async () => {
    await jwtVerify(token, key, { currentDate: new Date(1_800_000_899_999) });
    await assert.rejects(jwtVerify(token, key, { currentDate: new Date(1_800_000_900_000) }), {
      code: 'ERR_JWT_EXPIRED',
    });
  });

  const complete = {
    iss: subject.issuer,
    sub: 'u',
    aud: 'c',
    client_id: 'c',
    scope: 'openid',
    iat: 1_800_000_000,
    exp: 1_800_000_900,
    jti: 't',
    grant: 'g',
  };
  const without = (name: string) => Object.fromEntries(Object.entries(complete).filter(([claim]) => claim !== name));
  const refused = [
    { name: 'a token under another key is not read', token, keys: [otherKey] },
    { name: 'a token is not read without keys', token, keys: [] },
    {
      name: 'a token of another issuer is not read',
      token: issueAccessToken({ ...subject, issuer: 'https://other.example' }, [], 't', key, now),
      keys: [key],
    },
    {
      name: 'an issuer with a trailing slash is another one',
      token: issueAccessToken({ ...subject, issuer: 'https://login.example/' }, [], 't', key, now),
      keys: [key],
    },
    {
      name: 'an ID token is not read, whatever its claims',
      token: signIdToken(JSON.stringify(complete), key),
      keys: [key],
    },
    {
      name: 'a token without a grant is not read',
      token: signAccessToken(JSON.stringify(without('grant')), key),
      keys: [key],
    },
    {
      name: 'a token without an id is not read',
      token: signAccessToken(JSON.stringify(without('jti')), key),
      keys: [key],
    },
    {
      name: 'a token without a subject is not read',
      token: signAccessToken(JSON.stringify(without('sub')), key),
      keys: [key],
    },
    {
      name: 'a token without a client is not read',
      token: signAccessToken(JSON.stringify(without('client_id')), key),
      keys: [key],
    },
    {
      name: 'a token without a scope is not read',
      token: signAccessToken(JSON.stringify(without('scope')), key),
      keys: [key],
    },
    {
      name: 'a token without an issuer is not read',
      token: signAccessToken(JSON.stringify(without('iss')), key),
      keys: [key],
    },
    {
      name: 'a token without a time of issue is not read',
      token: signAccessToken(JSON.stringify(without('iat')), key),
      keys: [key],
    },
    {
      name: 'a token that never expires is not read',
      token: signAccessToken(JSON.stringify(without('exp')), key),
      keys: [key],
    },
    {
      name: 'a token for more than 900 seconds is not read',
      token: signAccessToken(JSON.stringify({ ...complete, exp: complete.iat + 901 }), key),
      keys: [key],
    },
    {
      name: 'a token with a time that is not a number is not read',
      token: signAccessToken(JSON.stringify({ ...complete, exp: '1800000900' }), key),
      keys: [key],
    },
    {
      name: 'a token with scopes that are no text is not read',
      token: signAccessToken(JSON.stringify({ ...complete, scope: ['openid'] }), key),
      keys: [key],
    },
    { name: 'a refresh token is not read', token: `lkr_${'0'.repeat(26)}.${'a'.repeat(43)}`, keys: [key] },
    { name: 'an empty text is not read', token: '', keys: [key] },
  ];
  for (const c of refused)
    test(c.name, () => assert.equal(readAccessToken(c.token, subject.issuer, c.keys), undefined));

  test('the complete token is accepted', () => {
    assert.equal(readAccessToken(signAccessToken(JSON.stringify(complete), key), subject.issuer, [key])?.grantId, 'g');
  });
});

describe('an access token is accepted', () => {
  const expiresAt = 1_800_000_900_000;
  const facts = { grantId: 'g', tokenId: 't', userId: 'u', clientId: 'c', scopes: [], expiresAt };
  const cases = [
    { name: 'from its issue', at: expiresAt - 900_000, counts: true },
    { name: 'until just before it expires', at: expiresAt - 1, counts: true },
    { name: 'not from the moment it expires', at: expiresAt, counts: false },
    { name: 'when the clock that issued it is a minute ahead', at: expiresAt - 960_000, counts: true },
    { name: 'not when it comes from the future', at: expiresAt - 960_001, counts: false },
  ];
  for (const { name, at, counts } of cases) test(name, () => assert.equal(isCurrent(facts, at), counts));
});

describe('an ID token', () => {
  const authentication = { authTime: 1_799_999_000_500, amr: ['pwd'], nonce: 'n-1', sid: 'grant1.mac' };
  const accessToken = 'an access token';
  const token = issueIdToken(subject, authentication, accessToken, secret, now);
  const atHash = createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url');

  test('a client verifies it with its secret, and it has exactly the specified claims', async () => {
    const { payload } = await jwtVerify(token, secretBytes, {
      algorithms: ['HS256'],
      issuer: 'https://login.example',
      audience: 'client1',
      currentDate,
    });
    assert.deepEqual(payload, {
      iss: 'https://login.example',
      sub: 'user1',
      aud: 'client1',
      exp: 1_800_000_900,
      iat: 1_800_000_000,
      auth_time: 1_799_999_000,
      nonce: 'n-1',
      at_hash: atHash,
      amr: ['pwd'],
      sid: 'grant1.mac',
      acr: '1',
    });
  });

  test('another secret does not verify it', async () => {
    const other = new TextEncoder().encode(`${secret}x`);
    await assert.rejects(jwtVerify(token, other, { currentDate }), { code: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED' });
  });

  test('its header has no kid', () => {
    assert.deepEqual(decodeProtectedHeader(token), { alg: 'HS256', typ: 'JWT' });
  });

  test('nonce is absent, not null, when none was sent', () => {
    assert.equal(
      'nonce' in decodeJwt(issueIdToken(subject, { ...authentication, nonce: null }, accessToken, secret, now)),
      false,
    );
  });

  test('a nonce outside ASCII comes back unchanged', () => {
    const { nonce } = decodeJwt(issueIdToken(subject, { ...authentication, nonce: 'é😀"' }, accessToken, secret, now));
    assert.equal(nonce, 'é😀"');
  });

  test('at_hash matches the example in OpenID Connect Core', () => {
    // OpenID Connect Core 1.0, appendix A.4: the same algorithm family, SHA-256.
    const printed = 'jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y';
    const claims = decodeJwt(issueIdToken(subject, authentication, printed, secret, now));
    assert.equal(claims.at_hash, '77QmUPtjPfzWtF2AnpK9RQ');
  });

  test('several methods of authentication are listed', () => {
    const claims = decodeJwt(
      issueIdToken(subject, { ...authentication, amr: ['pwd', 'otp'] }, accessToken, secret, now),
    );
    assert.deepEqual(claims.amr, ['pwd', 'otp']);
  });

  test('it is not read as an access token', () => {
    assert.equal(readAccessToken(token, subject.issuer, [secretBytes]), undefined);
  });
});

describe('the text of a token is what JSON.stringify makes of its claims', () => {
  const payloadOf = (token: string) => Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
  const texts = ['user1', 'a"b', 'back\\slash', 'Zoë', '山', '𠮷', '</script>', '\u2028', `${'long'.repeat(500)}`];
  const methods = [['pwd'], ['pwd', 'otp', 'mfa'], []];
  for (const text of texts) {
    test(JSON.stringify(text).slice(0, 40), () => {
      const odd = { issuer: `https://login.example/${text}`, grantId: 'grant1', userId: text, clientId: `c${text}` };
      const access = issueAccessToken(odd, ['openid', 'profile'], 'token1', key, now);
      const iat = Math.floor(now / 1000);
      const parties = { iss: odd.issuer, sub: odd.userId, aud: odd.clientId };
      assert.equal(
        payloadOf(access),
        JSON.stringify({
          ...parties,
          client_id: odd.clientId,
          scope: 'openid profile',
          iat,
          exp: iat + 900,
          jti: 'token1',
          grant: 'grant1',
        }),
      );
      for (const amr of methods) {
        for (const nonce of [null, text]) {
          const token = issueIdToken(odd, { authTime: now - 5000, amr, nonce, sid: 'grant1.sid' }, access, secret, now);
          const digest = createHash('sha256').update(access).digest();
          assert.equal(
            payloadOf(token),
            JSON.stringify({
              ...parties,
              exp: iat + 900,
              iat,
              auth_time: Math.floor((now - 5000) / 1000),
              ...(nonce !== null && { nonce }),
              at_hash: digest.subarray(0, 16).toString('base64url'),
              amr,
              sid: 'grant1.sid',
              acr: amr.includes('mfa') ? '2' : '1',
            }),
          );
        }
      }
    });
  }
});
