// When a sign-in counts, for applications and as proof of identity.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SignInFactors } from '../../../src/protocol/sign-in/factors.ts';
import { signInTimes } from '../../../src/protocol/sign-in/proof.ts';

const now = 1_800_000_000_000;
const old = now - 5 * 3600 * 1000;

const cases: [SignInFactors, upstreamTime: number | null, authTime: number, provenAt: number][] = [
  [{ first: 'password', second: 'none' }, null, now, now],
  [{ first: 'password', second: 'code' }, null, now, now],
  [{ first: 'password', second: 'trusted_device' }, null, now, 0],
  [{ first: 'passkey', second: 'none' }, null, now, now],
  [{ first: 'upstream', second: 'none' }, old, old, old],
  [{ first: 'upstream', second: 'none' }, null, now, 0],
  [{ first: 'upstream', second: 'none' }, now + 1, now, now],
  [{ first: 'upstream', second: 'none' }, Number.POSITIVE_INFINITY, now, now],
  [{ first: 'upstream', second: 'none' }, 0, 0, 0],
  [{ first: 'upstream', second: 'upstream' }, old, old, old],
  [{ first: 'upstream', second: 'upstream' }, null, now, 0],
  [{ first: 'upstream', second: 'trusted_device' }, old, old, 0],
  [{ first: 'upstream', second: 'trusted_device' }, null, now, 0],
  [{ first: 'upstream', second: 'code' }, old, now, now],
  [{ first: 'upstream', second: 'recovery_code' }, old, now, now],
  [{ first: 'upstream', second: 'passkey' }, null, now, now],
];

for (const [factors, upstreamTime, authTime, provenAt] of cases) {
  test(`${factors.first} with ${factors.second}, when the identity provider says ${upstreamTime}`, () => {
    assert.deepEqual(signInTimes(factors, upstreamTime, now), { authTime, provenAt });
  });
}

const codes: [SignInFactors, onlyWayIn: boolean, provenAt: number][] = [
  [{ first: 'email_code', second: 'none' }, false, 0],
  [{ first: 'email_code', second: 'none' }, true, now],
  [{ first: 'email_code', second: 'code' }, false, 0],
  [{ first: 'email_code', second: 'code' }, true, now],
  [{ first: 'email_code', second: 'recovery_code' }, false, 0],
  [{ first: 'email_code', second: 'recovery_code' }, true, now],
  // A passkey is proof by itself.
  [{ first: 'email_code', second: 'passkey' }, false, now],
];

for (const [factors, onlyWayIn, provenAt] of codes) {
  test(`a code by email with ${factors.second}, ${onlyWayIn ? 'the only way in' : 'beside another way in'}`, () => {
    assert.deepEqual(signInTimes(factors, null, now, onlyWayIn), { authTime: now, provenAt });
  });
}
