// What verifies an email address, and what that does to an account that had it unverified. The table here is the tests' own.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proofs } from '../../../src/protocol/account/what-ends.ts';

const table = `
                verifies  ends              besideFactor
email_code      true      account_claimed   false
reset_link      true      account_claimed   false
recovery_link   false     account_claimed   false
address_link    true      address_verified  true
administrator   true      address_vouched   true
directory       true      address_vouched   true`;

test('proof of a mailbox empties an account that was never verified, or does nothing beside a factor', () => {
  const [, ...rows] = table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  const expected = rows.map(([proof, verifies, ends, besideFactor]) => [
    proof,
    { verifies: verifies === 'true', ends, besideFactor: besideFactor === 'true' },
  ]);
  assert.deepEqual(proofs, Object.fromEntries(expected));
});
