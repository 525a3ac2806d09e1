// Compact JWS with HS256 and nothing else. Headers are constants: a token whose header is not byte for byte the
// expected one is not ours, so `alg` is never read from a token.

import { createHmac, type KeyObject } from 'node:crypto';
import { sameText } from '../digest.ts';

export type Claims = Readonly<Record<string, unknown>>;
export type SigningKey = string | Uint8Array | KeyObject;

const idTokenHeader = encode({ alg: 'HS256', typ: 'JWT' });
const accessTokenHeader = encode({ alg: 'HS256', typ: 'at+jwt' });
const accessTokenStart = `${accessTokenHeader}.`;

export function signIdToken(claims: Claims, key: SigningKey): string {
  return sign(idTokenHeader, claims, key);
}

export function signAccessToken(claims: Claims, key: SigningKey): string {
  return sign(accessTokenHeader, claims, key);
}

/** The claims of an access token that one of the keys has signed, or undefined. Says nothing about time. */
export function verifyAccessToken(token: string, keys: readonly SigningKey[]): Claims | undefined {
  if (!token.startsWith(accessTokenStart)) return undefined;
  const dot = token.lastIndexOf('.');
  const input = token.slice(0, dot);
  const signature = token.slice(dot + 1);
  // Compared as text: decoding is lenient (padding, other alphabets), and only the one canonical spelling is accepted.
  if (!keys.some((key) => sameText(signature, signatureOf(input, key)))) return undefined;
  return JSON.parse(Buffer.from(input.slice(accessTokenStart.length), 'base64url').toString());
}

function sign(header: string, claims: Claims, key: SigningKey): string {
  const input = `${header}.${encode(claims)}`;
  return `${input}.${signatureOf(input, key)}`;
}

function signatureOf(input: string, key: SigningKey): string {
  return createHmac('sha256', key).update(input).digest('base64url');
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
