// What verifies an email address, and what that does to an account that had it unverified. The table here is the tests' own.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proofs } from '../../../src/protocol/account/what-ends.ts';

const table = `
                verifies  alone             withFactor
email_code      true      account_claimed   refused
reset_link      true      account_claimed   refused
recovery_link   false     account_claimed   account_recovered
address_link    true      address_verified  address_verified
administrator   true      nothing           nothing
directory       true      nothing           nothing`;

test('proof of a mailbox empties an account that was never verified, or does nothing', () => {
  const [, ...rows] = table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  const expected = rows.map(([proof, verifies, alone, withFactor]) => [
    proof,
    { verifies: verifies === 'true', alone, withFactor },
  ]);
  assert.deepEqual(proofs, Object.fromEntries(expected));
});
