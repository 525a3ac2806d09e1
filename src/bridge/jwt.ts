// The tokens that the bridge signs and reads itself: logout tokens, and its own ID tokens when they come back as a hint. Those
// that applications get are the library's.

import { randomUUID, sign, verify } from 'node:crypto';
import type { Claims } from '../protocol/oauth/jwt.ts';
import { logoutEvent, logoutTokenLifetime } from '../protocol/oauth/logout-token.ts';
import type { SigningAlgorithm, SigningKey } from './key-store.ts';

const digests: Readonly<Record<SigningAlgorithm, string | null>> = { RS256: 'sha256', ES256: 'sha256', EdDSA: null };

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

export interface Logout {
  readonly issuer: string;
  readonly clientId: string;
  readonly sub: string;
  readonly sid: string;
}

/** In seconds. */
export function signLogoutToken({ issuer, clientId, sub, sid }: Logout, key: SigningKey, now: number): string {
  const { kid, algorithm, privateKey } = key;
  const header = { alg: algorithm, typ: 'logout+jwt', kid };
  const times = { iat: now, exp: now + logoutTokenLifetime };
  const claims = { iss: issuer, sub, aud: clientId, ...times, jti: randomUUID(), events: { [logoutEvent]: {} }, sid };
  const input = `${encode(header)}.${encode(claims)}`;
  const signature = sign(digests[algorithm], Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}

export interface OwnIdToken {
  readonly clientId: string;
  readonly sub: string;
  readonly sid: string;
}

/** Undefined for anything that isn't an ID token of this bridge. Its age doesn't matter. */
export function readOwnIdToken(token: string, issuer: string, keys: readonly SigningKey[]): OwnIdToken | undefined {
  const [header = '', payload = '', signature = '', ...more] = token.split('.');
  const claimed = objectIn(header);
  // The key says which algorithm it's for, not the token.
  const key = keys.find(({ kid }) => kid === claimed?.kid);
  if (key === undefined || claimed?.alg !== key.algorithm || more.length > 0) return undefined;
  // ID tokens have another type than logout tokens, which are signed with the same key.
  if (claimed.typ !== undefined && claimed.typ !== 'JWT') return undefined;
  const options = { key: key.publicKey, dsaEncoding: 'ieee-p1363' } as const;
  const input = Buffer.from(`${header}.${payload}`);
  if (!verify(digests[key.algorithm], input, options, Buffer.from(signature, 'base64url'))) return undefined;
  const { iss, aud, sub, sid } = objectIn(payload) ?? {};
  const isComplete = iss === issuer && typeof aud === 'string' && typeof sub === 'string' && typeof sid === 'string';
  return isComplete ? { clientId: aud, sub, sid } : undefined;
}

function objectIn(part: string): Claims | undefined {
  try {
    const read: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof read === 'object' && read !== null ? (read as Claims) : undefined;
  } catch {
    return undefined;
  }
}
