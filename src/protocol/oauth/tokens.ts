// The claims of access tokens and ID tokens, and how an access token that a client presents is read.

import { hash } from 'node:crypto';
import { acrOf } from './acr.ts';
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
  const claims = {
    iss: subject.issuer,
    sub: subject.userId,
    aud: subject.clientId,
    client_id: subject.clientId,
    scope: formatScopes(scopes),
    iat: Math.floor(now / 1000),
    exp: accessTokenExpiry(now) / 1000,
    jti: tokenId,
    grant: subject.grantId,
  };
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
const clockTolerance = 60_000;

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
}

export function issueIdToken(
  subject: TokenSubject,
  authentication: Authentication,
  accessToken: string,
  key: SigningKey,
  now: number,
): string {
  const iat = Math.floor(now / 1000);
  const claims = {
    iss: subject.issuer,
    sub: subject.userId,
    aud: subject.clientId,
    exp: iat + lifetimes.accessToken / 1000,
    iat,
    auth_time: Math.floor(authentication.authTime / 1000),
    ...(authentication.nonce === null ? {} : { nonce: authentication.nonce }),
    at_hash: hash('sha256', accessToken, 'buffer').toString('base64url', 0, 16),
    amr: authentication.amr,
    sid: authentication.sid,
    acr: acrOf(authentication.amr),
  };
  return signIdToken(claims, key);
}
