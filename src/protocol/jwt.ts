// Compact JWS with HS256 and nothing else. Headers are constants: a token whose header is not byte for byte the
// expected one is not ours, so `alg` is never read from a token.

import { createHmac, timingSafeEqual } from 'node:crypto';

export type Claims = Readonly<Record<string, unknown>>;
export type SigningKey = string | Uint8Array;

const idTokenHeader = encode({ alg: 'HS256', typ: 'JWT' });
const accessTokenHeader = encode({ alg: 'HS256', typ: 'at+jwt' });

export function signIdToken(claims: Claims, key: SigningKey): string {
  return sign(idTokenHeader, claims, key);
}

export function signAccessToken(claims: Claims, key: SigningKey): string {
  return sign(accessTokenHeader, claims, key);
}

/** The claims of an access token that one of the keys has signed, or undefined. Says nothing about time. */
export function verifyAccessToken(token: string, keys: readonly SigningKey[]): Claims | undefined {
  const dot = token.lastIndexOf('.');
  const input = token.slice(0, dot);
  if (!input.startsWith(`${accessTokenHeader}.`)) return undefined;
  const signature = Buffer.from(token.slice(dot + 1), 'base64url');
  // Decoding is lenient (padding, other alphabets); only the one canonical spelling is accepted.
  if (signature.toString('base64url') !== token.slice(dot + 1)) return undefined;
  for (const key of keys) {
    const expected = createHmac('sha256', key).update(input).digest();
    if (expected.length === signature.length && timingSafeEqual(expected, signature)) {
      return JSON.parse(Buffer.from(input.slice(accessTokenHeader.length + 1), 'base64url').toString());
    }
  }
  return undefined;
}

function sign(header: string, claims: Claims, key: SigningKey): string {
  const input = `${header}.${encode(claims)}`;
  return `${input}.${createHmac('sha256', key).update(input).digest('base64url')}`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
