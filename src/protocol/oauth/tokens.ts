// The claims of access tokens and ID tokens, and how an access token that a client presents is read.

import { hash } from 'node:crypto';
import { MINUTE } from '../durations.ts';
import { acrOf } from '../sign-in/factors.ts';
import { lifetimes } from './grant.ts';
import { type SigningKey, signAccessToken, signIdToken, verifyAccessToken } from './jwt.ts';
import { formatScopes, parseScopes, type Scope } from './scope.ts';

export interface TokenSubject {
  readonly issuer: string;
  readonly grantId: string;
  readonly userId: string;
  readonly clientId: string;
}

export interface AccessTokenFacts {
  readonly grantId: string;
  readonly tokenId: string;
  readonly userId: string;
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: number;
}

export function issueAccessToken(
  subject: TokenSubject,
  scopes: readonly Scope[],
  tokenId: string,
  key: SigningKey,
  now: number,
): string {
  const [issuer, user, client] = quotedParties(subject);
  const iat = Math.floor(now / 1000);
  const exp = accessTokenExpiry(now) / 1000;
  const times = `"iat":${iat},"exp":${exp}`;
  const claims = `{"iss":${issuer},"sub":${user},"aud":${client},"client_id":${client},"scope":"${formatScopes(scopes)}",${times},"jti":"${tokenId}","grant":"${subject.grantId}"}`;
  return signAccessToken(claims, key);
}

/** The expiry of a token issued now, in whole seconds. */
export function accessTokenExpiry(now: number): number {
  return Math.floor(now / 1000) * 1000 + lifetimes.accessToken;
}

/** The token's claims, expired or not; undefined if this service didn't issue it. */
export function readAccessToken(
  token: string,
  issuer: string,
  keys: readonly SigningKey[],
): AccessTokenFacts | undefined {
  const claims = verifyAccessToken(token, keys);
  if (claims === undefined || claims.iss !== issuer) return undefined;
  const { grant, jti, sub, client_id, scope, iat, exp } = claims;
  if (typeof grant !== 'string' || typeof jti !== 'string' || typeof sub !== 'string') return undefined;
  if (typeof client_id !== 'string' || typeof scope !== 'string') return undefined;
  if (typeof iat !== 'number' || typeof exp !== 'number') return undefined;
  // No token is issued for longer, so one that claims to be valid longer is forged.
  if (!((exp - iat) * 1000 <= lifetimes.accessToken)) return undefined;
  return {
    grantId: grant,
    tokenId: jti,
    userId: sub,
    clientId: client_id,
    scopes: parseScopes(scope),
    expiresAt: exp * 1000,
  };
}

/** How far the clocks of two instances may differ. */
const clockTolerance = MINUTE;

/** Whether the token is valid now: not expired, and not issued in the future. */
export function isCurrent({ expiresAt }: AccessTokenFacts, now: number): boolean {
  return now < expiresAt && expiresAt <= now + lifetimes.accessToken + clockTolerance;
}

export interface Authentication {
  /** When the user signed in, in milliseconds. */
  readonly authTime: number;
  readonly amr: readonly string[];
  readonly nonce: string | null;
  /** Identifies the grant, so that the service recognizes the token (id-token-hint.ts). */
  readonly sid: string;
  /** Claims of the application, as the text of a JSON object. */
  readonly claims?: string | undefined;
}

export function issueIdToken(
  subject: TokenSubject,
  authentication: Authentication,
  accessToken: string,
  key: SigningKey,
  now: number,
): string {
  const [issuer, user, client] = quotedParties(subject);
  const { authTime, nonce, amr, sid, claims: further = '{}' } = authentication;
  const iat = Math.floor(now / 1000);
  const times = `"exp":${iat + lifetimes.accessToken / 1000},"iat":${iat},"auth_time":${Math.floor(authTime / 1000)}`;
  const ofRequest = nonce === null ? '' : `"nonce":${JSON.stringify(nonce)},`;
  const methods = `"amr":${JSON.stringify(amr)},"sid":"${sid}","acr":"${acrOf(amr)}"`;
  const others = further === '{}' ? '}' : `,${further.slice(1)}`;
  const claims = `{"iss":${issuer},"sub":${user},"aud":${client},${times},${ofRequest}"at_hash":"${leftHalf(accessToken)}",${methods}${others}`;
  return signIdToken(claims, key);
}

/** As JSON. Ids that the service made have no character that needs to be quoted, but those of an import may. */
function quotedParties({ issuer, userId, clientId }: TokenSubject): [string, string, string] {
  return [JSON.stringify(issuer), JSON.stringify(userId), JSON.stringify(clientId)];
}

const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The first half of the token's digest: 16 bytes, so of the last of 22 characters only the first two of six bits. */
function leftHalf(token: string): string {
  const digest = hash('sha256', token, 'base64url');
  return digest.slice(0, 21) + base64url.charAt(base64url.indexOf(digest.charAt(21)) & 0b110000);
}
