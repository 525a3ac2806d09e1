// The checks that a client must make on an ID token, in the order of the specification: signature, iss, aud, exp,
// nonce, then the other claims. All of them are made, so that the inspector can list them; one that fails rejects the
// token.

import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { type Check, equal, shown } from './checks.ts';

export interface Expectation {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Undefined for a token from a refresh, which sends no nonce. */
  readonly nonce: string | undefined;
  /** For a token from a refresh, who signed in originally. */
  readonly sub?: string;
  /** The access token of the same response. */
  readonly accessToken: string;
}

type Claims = Record<string, unknown>;

export type Verdict = { readonly header: Claims; readonly claims: Claims; readonly checks: readonly Check[] } & (
  | { readonly kind: 'accepted'; readonly sub: string }
  | { readonly kind: 'rejected'; readonly problem: string }
);

interface Finding extends Check {
  /** The rest of a sentence that starts with "the ID token", for a check that failed. */
  readonly problem: string;
}

/** `now` is in seconds. */
export function checkIdToken(idToken: string, expected: Expectation, now: number): Verdict {
  const parts = idToken.split('.');
  const header = decoded(parts[0]);
  const claims = decoded(parts[1]);
  const findings = [
    signature(parts, expected.clientSecret),
    or('is from another issuer', equal('iss', 'is the issuer', claims.iss, expected.issuer)),
    or('is for another client', equal('aud', 'is this client', claims.aud, expected.clientId)),
    expiry(claims.exp, now),
    ...(expected.nonce === undefined
      ? []
      : [or('belongs to another request', equal('nonce', 'is the one that was sent', claims.nonce, expected.nonce))]),
    subject(claims.sub, expected.sub),
    ...(claims.at_hash === undefined ? [] : [accessTokenHash(claims.at_hash, expected.accessToken)]),
  ];
  const failed = findings.find((finding) => !finding.ok);
  const checks = findings.map(({ problem, ...check }) => check);
  return failed === undefined
    ? { kind: 'accepted', sub: claims.sub as string, header, claims, checks }
    : { kind: 'rejected', problem: failed.problem, header, claims, checks };
}

/** Always HS256, whatever the header says, so that a token with "alg": "none" fails. */
function signature([header = '', payload = '', mac = '', ...rest]: string[], clientSecret: string): Finding {
  const right = createHmac('sha256', clientSecret).update(`${header}.${payload}`).digest();
  const presented = Buffer.from(mac, 'base64url');
  const ok = rest.length === 0 && presented.length === right.length && timingSafeEqual(presented, right);
  return {
    name: 'signature',
    rule: 'is HS256 with the client secret, whatever the header says',
    ok,
    detail: ok ? 'the same HMAC was computed here' : 'a different HMAC was computed here',
    problem: 'has an invalid signature',
  };
}

function expiry(exp: unknown, now: number): Finding {
  const left = typeof exp === 'number' ? Math.floor(exp - now) : undefined;
  const detail = left === undefined ? shown(exp) : left > 0 ? `${left} seconds left` : `expired ${-left} seconds ago`;
  const ok = typeof exp === 'number' && exp > now;
  return { name: 'exp', rule: 'is in the future', ok, detail, problem: 'has expired' };
}

function subject(sub: unknown, before: string | undefined): Finding {
  if (before !== undefined) return or('is for someone else', equal('sub', 'is the person who signed in', sub, before));
  const ok = typeof sub === 'string' && sub !== '';
  return { name: 'sub', rule: 'identifies the person', ok, detail: shown(sub), problem: 'identifies nobody' };
}

function accessTokenHash(found: unknown, accessToken: string): Finding {
  const hash = createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url');
  return or('belongs to another access token', equal('at_hash', 'belongs to the access token', found, hash));
}

function or(problem: string, check: Check): Finding {
  return { ...check, problem };
}

/** Anything but a JSON object has no claims, so every check of a claim fails. */
function decoded(part = ''): Claims {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof value === 'object' && value !== null ? (value as Claims) : {};
  } catch {
    return {};
  }
}
