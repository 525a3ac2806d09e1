import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PasswordPolicy } from '../../../src/protocol/resources/settings.ts';
import { canHavePassword, passwordStanding } from '../../../src/protocol/sign-in/password-policy.ts';
import { canDoWithoutPassword } from '../../../src/protocol/sign-in/ways-in.ts';

const lastDay = '2027-01-31';
const lastMoment = Date.parse('2027-01-31T23:59:59.999Z');

/** Policy, last day, administrator, time; whether a password can be set, and what becomes of one that exists. */
const cases: readonly (readonly [PasswordPolicy, string, boolean, number, boolean, string])[] = [
  ['allowed', '', false, lastMoment, true, 'allowed'],
  ['allowed', '', true, lastMoment, true, 'allowed'],
  // The date is about those who shouldn't have a password.
  ['allowed', lastDay, false, lastMoment + 1, true, 'allowed'],
  ['allowed', lastDay, true, lastMoment + 1, true, 'allowed'],
  ['not_for_administrators', '', false, lastMoment, true, 'allowed'],
  ['not_for_administrators', lastDay, false, lastMoment + 1, true, 'allowed'],
  ['not_for_administrators', '', true, lastMoment, false, 'ending'],
  ['not_for_administrators', lastDay, true, lastMoment, false, 'ending'],
  ['not_for_administrators', lastDay, true, lastMoment + 1, false, 'over'],
  ['off', '', false, lastMoment, false, 'ending'],
  ['off', '', true, lastMoment, false, 'ending'],
  ['off', lastDay, false, 0, false, 'ending'],
  ['off', lastDay, false, lastMoment, false, 'ending'],
  ['off', lastDay, false, lastMoment + 1, false, 'over'],
  ['off', lastDay, true, lastMoment + 1, false, 'over'],
];

for (const [passwords, passwords_until, hasRole, now, canHave, standing] of cases) {
  const who = hasRole ? 'an administrator' : 'somebody';
  const when = now > lastMoment ? 'after' : 'until';
  test(`${passwords} ${when} ${passwords_until || 'no date'}, ${who}: ${standing}`, () => {
    const settings = { passwords, passwords_until };
    assert.equal(canHavePassword(settings, hasRole), canHave);
    const found = passwordStanding(settings, hasRole, now);
    assert.equal(found.kind, standing);
    if (found.kind === 'ending') assert.equal(found.until, passwords_until === '' ? undefined : lastMoment);
  });
}

for (const [passkeys, recoveryCodes, expected] of [
  [0, 0, false],
  [0, 10, false],
  [1, 0, false],
  [1, 1, true],
  [2, 0, true],
  [2, 10, true],
] as const) {
  test(`with ${passkeys} passkeys and ${recoveryCodes} recovery codes, a password ${expected ? 'can' : "can't"} be removed`, () => {
    assert.equal(canDoWithoutPassword({ passkeys, recoveryCodes }), expected);
  });
}
