import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { secondFactorPolicies } from '../../../src/protocol/resources/settings.ts';
import { type FactorNeed, factorNeed, satisfies } from '../../../src/protocol/sign-in/second-factor-policy.ts';

describe('who needs a second factor, by policy and client', () => {
  const needs: Record<(typeof secondFactorPolicies)[number], { person: FactorNeed; administrator: FactorNeed }> = {
    optional: { person: 'none', administrator: 'none' },
    administrators: { person: 'none', administrator: 'policy' },
    everyone: { person: 'policy', administrator: 'policy' },
  };
  for (const policy of secondFactorPolicies) {
    for (const hasRole of [false, true]) {
      const who = hasRole ? 'administrator' : 'person';
      test(`${policy}, ${who}`, () => {
        const need = (client: 'required' | 'optional' | undefined) => factorNeed({ policy, hasRole, client });
        assert.equal(need(undefined), needs[policy][who]);
        assert.equal(need('optional'), needs[policy][who]);
        assert.equal(need('required'), 'client');
      });
    }
  }
});

describe('which sessions satisfy it', () => {
  const sessions = {
    'a password': { amr: ['pwd'], trusted: false },
    'a password in a trusted browser': { amr: ['pwd'], trusted: true },
    'a password and a code': { amr: ['pwd', 'otp', 'mfa'], trusted: false },
    'a passkey': { amr: ['pop', 'user', 'mfa'], trusted: false },
  };
  const enough: Record<keyof typeof sessions, FactorNeed[]> = {
    'a password': ['none'],
    'a password in a trusted browser': ['none', 'policy'],
    'a password and a code': ['none', 'policy', 'client'],
    'a passkey': ['none', 'policy', 'client'],
  };
  for (const [name, session] of Object.entries(sessions)) {
    test(name, () => {
      const met = (['none', 'policy', 'client'] as const).filter((need) => satisfies(session, need));
      assert.deepEqual(met, enough[name as keyof typeof sessions]);
    });
  }
});
