// Signs and verifies JWTs with HS256, the only algorithm. A token's header must be exactly the one that this file writes, so
// the `alg` of a presented token is never read.

import { sameText } from '../digest.ts';
import { hmacSha256 } from '../hmac.ts';

export type Claims = Readonly<Record<string, unknown>>;
export type SigningKey = string | Uint8Array;

const idTokenHeader = encode({ alg: 'HS256', typ: 'JWT' });
const accessTokenHeader = encode({ alg: 'HS256', typ: 'at+jwt' });
const idTokenForm = new RegExp(`^${idTokenHeader}\\.([A-Za-z0-9_-]+)\\.[A-Za-z0-9_-]{43}$`);
const accessTokenStart = `${accessTokenHeader}.`;

export function signIdToken(claims: Claims, key: SigningKey): string {
  return sign(idTokenHeader, claims, key);
}

export function signAccessToken(claims: Claims, key: SigningKey): string {
  return sign(accessTokenHeader, claims, key);
}

/**
 * The payload of what has the form of an ID token of this service, as text. The signature isn't verified: the service
 * doesn't keep the secrets that sign ID tokens. So nobody may believe a claim that isn't proved in another way.
 */
export function unverifiedIdTokenPayload(token: string): string | undefined {
  const payload = idTokenForm.exec(token)?.[1];
  return payload === undefined ? undefined : Buffer.from(payload, 'base64url').toString();
}

/** The claims of an access token that was signed with one of the keys, or undefined. Expiry is not checked. */
export function verifyAccessToken(token: string, keys: readonly SigningKey[]): Claims | undefined {
  if (!token.startsWith(accessTokenStart)) return undefined;
  const dot = token.lastIndexOf('.');
  const input = token.slice(0, dot);
  const signature = token.slice(dot + 1);
  // Compared as text: base64 decoders accept several spellings of the same bytes, and only the canonical one is valid.
  if (!keys.some((key) => sameText(signature, hmacSha256(key, input)))) return undefined;
  return JSON.parse(Buffer.from(input.slice(accessTokenStart.length), 'base64url').toString());
}

function sign(header: string, claims: Claims, key: SigningKey): string {
  const input = `${header}.${encode(claims)}`;
  return `${input}.${hmacSha256(key, input)}`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
