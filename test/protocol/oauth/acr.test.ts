import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { acrOf, prefersTwoFactors } from '../../../src/protocol/sign-in/factors.ts';

describe('acr by sign-in methods', () => {
  for (const [amr, acr] of [
    [['pwd'], '1'],
    [['pwd', 'otp', 'mfa'], '2'],
    [['pop', 'user', 'mfa'], '2'],
    [[''], '1'],
  ] as const) {
    test(amr.join(' '), () => assert.equal(acrOf(amr), acr));
  }
});

describe('acr_values', () => {
  for (const [values, expected] of [
    [undefined, false],
    ['', false],
    ['1', false],
    ['2', true],
    ['2 1', true],
    ['1 2', false],
    ['urn:mace:incommon:iap:silver 2', true],
    ['phr', false],
    ['22', false],
    ['3  2', true],
  ] as const) {
    test(`${values} ${expected ? 'asks' : 'does not ask'} for two factors`, () =>
      assert.equal(prefersTwoFactors(values), expected));
  }
});
