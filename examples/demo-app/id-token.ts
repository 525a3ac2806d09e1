// The checks that a client owes an ID token, in the order of the interface: signature, iss, aud, exp, nonce. The algorithm
// is pinned: the signature is computed with HS256 whatever the token's header says.

import { createHmac, timingSafeEqual } from 'node:crypto';

export interface Expectation {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly nonce: string;
}

export type Verdict = { kind: 'accepted'; sub: string } | { kind: 'rejected'; problem: string };

/** `now` is in seconds. */
export function checkIdToken(idToken: string, expected: Expectation, now: number): Verdict {
  const [header = '', payload = '', signature = '', ...rest] = idToken.split('.');
  const mac = createHmac('sha256', expected.clientSecret).update(`${header}.${payload}`).digest();
  const presented = Buffer.from(signature, 'base64url');
  if (rest.length > 0 || presented.length !== mac.length || !timingSafeEqual(presented, mac)) {
    return rejected('has a wrong signature');
  }
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
  if (claims.iss !== expected.issuer) return rejected('is from another issuer');
  if (claims.aud !== expected.clientId) return rejected('is for another client');
  if (typeof claims.exp !== 'number' || claims.exp <= now) return rejected('has expired');
  if (claims.nonce !== expected.nonce) return rejected('answers another request');
  if (typeof claims.sub !== 'string') return rejected('names nobody');
  return { kind: 'accepted', sub: claims.sub };
}

function rejected(problem: string): Verdict {
  return { kind: 'rejected', problem };
}
