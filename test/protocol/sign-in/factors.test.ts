import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstFactorOf, recordOf, type SignInFactors, signInMethods } from '../../../src/protocol/sign-in/factors.ts';

// The names are in stores, exports and dashboards, and the amr values in sessions and tokens.
const recorded: readonly (readonly [SignInFactors['first'], SignInFactors['second'], string, string])[] = [
  ['password', 'none', 'password', 'pwd'],
  ['password', 'trusted_device', 'password_on_trusted_device', 'pwd'],
  ['password', 'code', 'password_and_code', 'pwd otp mfa'],
  ['password', 'recovery_code', 'password_and_recovery_code', 'pwd otp mfa'],
  ['password', 'passkey', 'password_and_passkey', 'pwd pop mfa'],
  ['passkey', 'none', 'passkey', 'pop user mfa'],
  ['sign_up', 'none', 'sign_up', 'pwd'],
  ['upstream', 'none', 'upstream', 'fed'],
  ['upstream', 'trusted_device', 'upstream_on_trusted_device', 'fed'],
  ['upstream', 'upstream', 'upstream_two_factors', 'fed mfa'],
  ['upstream', 'code', 'upstream_and_code', 'fed otp mfa'],
  ['upstream', 'recovery_code', 'upstream_and_recovery_code', 'fed otp mfa'],
  ['upstream', 'passkey', 'upstream_and_passkey', 'fed pop mfa'],
  ['email_code', 'none', 'email_code', 'otp'],
  ['email_code', 'code', 'email_code_and_code', 'otp mfa'],
  ['email_code', 'recovery_code', 'email_code_and_recovery_code', 'otp mfa'],
  ['email_code', 'passkey', 'email_code_and_passkey', 'otp pop mfa'],
];

test('a pair of factors is recorded as it was in 0.3.0', () => {
  for (const [first, second, method, amr] of recorded) {
    const row = recordOf({ first, second } as SignInFactors);
    assert.deepEqual([row.method, row.amr.join(' ')], [method, amr]);
  }
  assert.deepEqual(
    signInMethods,
    recorded.map(([, , method]) => method),
  );
});

test('the first factor of a session is known by its amr', () => {
  const provable = recorded.filter(([first]) => ['password', 'upstream', 'email_code'].includes(first));
  for (const [first, , , amr] of provable) assert.equal(firstFactorOf(amr.split(' ')), first);
});
