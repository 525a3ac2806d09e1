// Signs and verifies JWTs with HS256, the only algorithm. A token's header must be exactly the one that this file writes, so
// the `alg` of a presented token is never read.

import { hmacSha256, sameText } from '../digest.ts';
import { hmacFromStates } from '../resumable-hmac.ts';

export type Claims = Readonly<Record<string, unknown>>;
export type SigningKey = string | Uint8Array;

const idTokenHeader = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url');
const accessTokenHeader = Buffer.from('{"alg":"HS256","typ":"at+jwt"}').toString('base64url');
const logoutTokenHeader = Buffer.from('{"alg":"HS256","typ":"logout+jwt"}').toString('base64url');
const idTokenForm = new RegExp(`^${idTokenHeader}\\.([A-Za-z0-9_-]+)\\.[A-Za-z0-9_-]{43}$`);

/** `claims` are a JSON object as text. */
export function signIdToken(claims: string, key: SigningKey): string {
  return sign(idTokenHeader, claims, key);
}

/** `claims` are a JSON object as text. */
export function signAccessToken(claims: string, key: SigningKey): string {
  return sign(accessTokenHeader, claims, key);
}

/** `claims` are a JSON object as text. Signed with the states of the client's secret, which the service doesn't have. */
export function signLogoutToken(claims: string, states: string): string {
  const input = `${logoutTokenHeader}.${encode(claims)}`;
  return `${input}.${hmacFromStates(states, input)}`;
}

/**
 * The payload of what has the form of an ID token of this service, as text. The signature isn't verified: the service
 * doesn't keep the secrets that sign ID tokens. So a claim counts only if it's proved in another way.
 */
export function unverifiedIdTokenPayload(token: string): string | undefined {
  const payload = idTokenForm.exec(token)?.[1];
  return payload === undefined ? undefined : Buffer.from(payload, 'base64url').toString();
}

/** The claims of an access token that was signed with one of the keys, or undefined. Expiry is not checked. */
export function verifyAccessToken(token: string, keys: readonly SigningKey[]): Claims | undefined {
  return verify(accessTokenHeader, token, keys);
}

/** The claims of an ID token that was signed with the client's secret, or undefined. Expiry is not checked. */
export function verifyIdToken(token: string, secret: string): Claims | undefined {
  return verify(idTokenHeader, token, [secret]);
}

/** The claims of a logout token that was signed with the client's secret, or undefined. Expiry is not checked. */
export function verifyLogoutToken(token: string, secret: string): Claims | undefined {
  return verify(logoutTokenHeader, token, [secret]);
}

function verify(header: string, token: string, keys: readonly SigningKey[]): Claims | undefined {
  if (!token.startsWith(header) || token.charAt(header.length) !== '.') return undefined;
  const dot = token.lastIndexOf('.');
  const input = token.slice(0, dot);
  const signature = token.slice(dot + 1);
  // Compared as text: base64 decoders accept several spellings of the same bytes, and only the canonical one is valid.
  if (!keys.some((key) => sameText(signature, hmacSha256(key, input)))) return undefined;
  return JSON.parse(Buffer.from(input.slice(header.length + 1), 'base64url').toString());
}

function sign(header: string, claims: string, key: SigningKey): string {
  const input = `${header}.${encode(claims)}`;
  return `${input}.${hmacSha256(key, input)}`;
}

/** For the claims of usual tokens: a buffer for each would cost more than encoding it. */
const scratch = Buffer.allocUnsafe(4096);

function encode(json: string): string {
  // A UTF-16 code unit has at most three bytes.
  if (json.length * 3 > scratch.length) return Buffer.from(json).toString('base64url');
  return scratch.toString('base64url', 0, scratch.write(json));
}
