import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, test } from 'node:test';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import {
  signAccessToken,
  signIdToken,
  verifyAccessToken,
  verifyIdToken,
  verifyLogoutToken,
} from '../../../src/protocol/oauth/jwt.ts';

const key = 'a secret of the service with enough bytes in it';
const otherKey = 'another secret of the service, also long enough';
const claims = { iss: 'https://login.example', sub: 'user1', name: 'Zoë' };

const bytes = (text: string) => new TextEncoder().encode(text);
const base64url = (text: string) => Buffer.from(text).toString('base64url');

/** A token with any header, correctly signed. */
function forge(header: object, payload: object = claims, algorithm = 'sha256', secret = key): string {
  const input = `${base64url(JSON.stringify(header))}.${base64url(JSON.stringify(payload))}`;
  return `${input}.${createHmac(algorithm, secret).update(input).digest('base64url')}`;
}

function partsOf(token: string): [string, string, string] {
  return token.split('.') as [string, string, string];
}

describe('a signed token', () => {
  const kinds = [
    { name: 'ID token', sign: signIdToken, typ: 'JWT' },
    { name: 'access token', sign: signAccessToken, typ: 'at+jwt' },
  ];
  for (const { name, sign, typ } of kinds) {
    test(`an independent library verifies an ${name} with its key`, async () => {
      const { payload } = await jwtVerify(sign(JSON.stringify(claims), key), bytes(key), {
        algorithms: ['HS256'],
        typ,
      });
      assert.deepEqual(payload, claims);
    });

    test(`an independent library refuses an ${name} with another key`, async () => {
      await assert.rejects(jwtVerify(sign(JSON.stringify(claims), key), bytes(otherKey)), {
        code: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
      });
    });

    test(`the header of an ${name} only has alg and typ`, () => {
      assert.deepEqual(decodeProtectedHeader(sign(JSON.stringify(claims), key)), { alg: 'HS256', typ });
    });

    test(`a key as bytes or text gives the same ${name}`, () => {
      assert.equal(sign(JSON.stringify(claims), bytes(key)), sign(JSON.stringify(claims), key));
    });
  }
});

describe('verifying an access token', () => {
  test("a token's claims are read back", () => {
    assert.deepEqual(verifyAccessToken(signAccessToken(JSON.stringify(claims), key), [key]), claims);
  });

  test('any of the keys can verify', () => {
    assert.deepEqual(verifyAccessToken(signAccessToken(JSON.stringify(claims), key), [otherKey, key]), claims);
  });

  test('another key does not verify', () => {
    assert.equal(verifyAccessToken(signAccessToken(JSON.stringify(claims), key), [otherKey]), undefined);
  });

  test('without keys nothing is verified', () => {
    assert.equal(verifyAccessToken(signAccessToken(JSON.stringify(claims), key), []), undefined);
  });

  test('a token made elsewhere in exactly this form is verified', () => {
    assert.deepEqual(verifyAccessToken(forge({ alg: 'HS256', typ: 'at+jwt' }), [key]), claims);
  });

  const good = signAccessToken(JSON.stringify(claims), key);
  const [header, payload, signature] = partsOf(good);
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  // The last of 43 characters carries four bits; the two below them decode to the same bytes.
  const lastDigit = alphabet.indexOf(signature.slice(-1));
  const sameBytes = signature.slice(0, -1) + alphabet[lastDigit ^ 1];
  const admin = base64url(JSON.stringify({ ...claims, sub: 'admin' }));
  const unsigned = base64url(JSON.stringify({ alg: 'none', typ: 'at+jwt' }));

  const refused = [
    { name: 'an empty text is not a token', token: '' },
    { name: 'a single dot is not a token', token: '.' },
    { name: 'two dots are no token', token: '..' },
    { name: 'a text without dots is not a token', token: 'abc' },
    { name: 'a header alone is not a token', token: header },
    { name: 'a header with a dot is not a token', token: `${header}.` },
    { name: 'a token without a signature is refused', token: `${header}.${payload}` },
    { name: 'a token with an empty signature is refused', token: `${header}.${payload}.` },
    { name: 'changed claims are refused', token: `${header}.${admin}.${signature}` },
    {
      name: 'a changed signature is refused',
      token: `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
    },
    { name: 'a shortened signature is refused', token: good.slice(0, -1) },
    { name: 'a lengthened signature is refused', token: `${good}A` },
    { name: 'a signature with padding is refused', token: `${good}=` },
    { name: 'a signature spelled with other unused bits is refused', token: `${header}.${payload}.${sameBytes}` },
    { name: 'a signature with a space is refused', token: `${good} ` },
    { name: 'a signature with a line feed is refused', token: `${good}\n` },
    { name: 'claims with padding are refused', token: `${header}.${payload}=.${signature}` },
    { name: 'a fourth part is refused', token: `${good}.${signature}` },
    { name: 'a part before the header is refused', token: `x.${good}` },
    { name: 'a space before the token is refused', token: ` ${good}` },
    { name: 'alg none without a signature is refused', token: `${unsigned}.${payload}.` },
    { name: 'alg none is refused even with the right signature', token: forge({ alg: 'none', typ: 'at+jwt' }) },
    { name: 'an ID token signed with the same key is refused', token: signIdToken(JSON.stringify(claims), key) },
    { name: 'another typ is refused', token: forge({ alg: 'HS256', typ: 'JWT' }) },
    { name: 'a missing typ is refused', token: forge({ alg: 'HS256' }) },
    { name: 'HS512 is refused', token: forge({ alg: 'HS512', typ: 'at+jwt' }, claims, 'sha512') },
    { name: 'a header in another order is refused', token: forge({ typ: 'at+jwt', alg: 'HS256' }) },
    { name: 'a header with a kid is refused', token: forge({ alg: 'HS256', typ: 'at+jwt', kid: '1' }) },
    { name: 'an empty key does not verify', token: forge({ alg: 'HS256', typ: 'at+jwt' }, claims, 'sha256', '') },
  ];
  for (const c of refused) test(c.name, () => assert.equal(verifyAccessToken(c.token, [key]), undefined));

  test('the alternative encoding of a signature decodes to the same bytes', () => {
    assert.deepEqual(Buffer.from(sameBytes, 'base64url'), Buffer.from(signature, 'base64url'));
    assert.notEqual(sameBytes, signature);
  });

  test('a signature in plain base64 is refused', () => {
    for (let serial = 0; ; serial++) {
      const token = signAccessToken(JSON.stringify({ serial }), key);
      const [head, body, mark] = partsOf(token);
      if (!/[-_]/.test(mark)) continue;
      assert.deepEqual(verifyAccessToken(token, [key]), { serial });
      const respelled = `${head}.${body}.${mark.replaceAll('-', '+').replaceAll('_', '/')}`;
      assert.equal(verifyAccessToken(respelled, [key]), undefined);
      return;
    }
  });
});

describe('tokens that a client verifies with its secret', () => {
  const header = (typ: string, alg = 'HS256') => ({ alg, typ });
  const kinds = [
    { name: 'ID token', verify: verifyIdToken, typ: 'JWT', other: 'logout+jwt' },
    { name: 'logout token', verify: verifyLogoutToken, typ: 'logout+jwt', other: 'JWT' },
  ];
  for (const { name, verify, typ, other } of kinds) {
    test(`the claims of a ${name} are read back with the secret alone`, () => {
      assert.deepEqual(verify(forge(header(typ)), key), claims);
      assert.equal(verify(forge(header(typ)), otherKey), undefined);
    });

    for (const [problem, token] of [
      ['of another kind', forge(header(other))],
      ['for access', forge(header('at+jwt'))],
      ['that says it has no signature', `${base64url('{"alg":"none"}')}.${base64url(JSON.stringify(claims))}.`],
      ['without a signature', forge(header(typ)).replace(/[^.]+$/, '')],
      ['of another algorithm', forge(header(typ, 'HS512'), claims, 'sha512')],
      ['with more after it', `${forge(header(typ))}=`],
      ['with other claims', forge(header(typ)).replace(/\.[^.]+\./, `.${base64url('{}')}.`)],
      ['that is empty', ''],
      ['that is only a header', base64url(JSON.stringify(header(typ)))],
    ] as const) {
      test(`no ${name}: one ${problem}`, () => assert.equal(verify(token, key), undefined));
    }
  }
});
