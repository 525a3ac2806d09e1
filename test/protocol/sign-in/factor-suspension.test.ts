import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasJustProvedBoth } from '../../../src/protocol/sign-in/factor-suspension.ts';

const MINUTE = 60 * 1000;

for (const [amr, age, enough] of [
  [['pwd', 'otp', 'mfa'], 0, true],
  [['pwd', 'pop', 'mfa'], 15 * MINUTE - 1, true],
  [['pwd', 'otp', 'mfa'], 15 * MINUTE, false],
  [['pwd'], 0, false],
  // A passkey alone counts as two factors, but neither of them is the password.
  [['pop', 'user', 'mfa'], 0, false],
] as const) {
  test(`a sign-in by ${amr.join(' ')}, ${age} ms ago, ${enough ? 'proves both' : 'does not prove both'}`, () => {
    assert.equal(hasJustProvedBoth({ amr, authTime: 1000 }, 1000 + age), enough);
  });
}
