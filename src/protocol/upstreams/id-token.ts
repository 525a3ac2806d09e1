// Rules for ID tokens of identity providers, in addition to those that the library enforces.

import { hash } from 'node:crypto';
import { hmacSha256, sameText } from '../digest.ts';
import type { RawClaims } from './claims.ts';

/** Clocks differ a little. In seconds. */
export const clockTolerance = 60;

export interface IdTokenFacts {
  readonly token: string;
  readonly claims: RawClaims;
  readonly clientId: string;
  readonly accessToken: string;
  readonly code: string;
  /** When the round trip began, and the time now, in milliseconds. */
  readonly startedAt: number;
  readonly now: number;
}

/** What is wrong with the token; undefined if it's valid. */
export function idTokenProblem({ token, claims, clientId, accessToken, code, startedAt, now }: IdTokenFacts) {
  // The library only checks azp if there are several audiences.
  if (claims.azp !== undefined && claims.azp !== clientId) return 'the ID token is for another authorized party (azp)';
  const issuedAt = claims.iat;
  if (typeof issuedAt !== 'number' || issuedAt > now / 1000 + clockTolerance) return 'the ID token is from the future';
  if (issuedAt < startedAt / 1000 - clockTolerance) return 'the ID token is older than the sign-in';
  const algorithm = algorithmOf(token);
  if (claims.at_hash !== undefined && claims.at_hash !== halfHash(algorithm, accessToken)) {
    return "the ID token's at_hash is of another access token";
  }
  if (claims.c_hash !== undefined && claims.c_hash !== halfHash(algorithm, code)) {
    return "the ID token's c_hash is of another code";
  }
  return undefined;
}

/** Whether HMAC with the client secret has signed the token. Nothing but the exact spelling of a signature counts. */
export function isSignedWith(token: string, secret: string): boolean {
  const dot = token.lastIndexOf('.');
  return algorithmOf(token) === 'HS256' && sameText(token.slice(dot + 1), hmacSha256(secret, token.slice(0, dot)));
}

function algorithmOf(token: string): string {
  const header = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { alg?: unknown };
  return typeof header.alg === 'string' ? header.alg : '';
}

/** The left half of a hash that is as long as the one of the signature. */
function halfHash(algorithm: string, text: string): string {
  const name = algorithm.endsWith('256') ? 'sha256' : algorithm.endsWith('384') ? 'sha384' : 'sha512';
  const digest = hash(name, text, 'buffer');
  return digest.subarray(0, digest.length / 2).toString('base64url');
}
