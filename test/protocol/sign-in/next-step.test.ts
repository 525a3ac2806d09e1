import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SignInFactors } from '../../../src/protocol/sign-in/factors.ts';
import {
  type Established,
  nextStep,
  type ProvedFactors,
  type SignInStep,
} from '../../../src/protocol/sign-in/next-step.ts';

const password: SignInFactors = { first: 'password', second: 'none' };
const upstream: SignInFactors = { first: 'upstream', second: 'none' };

function proved(factors: SignInFactors, facts: Partial<ProvedFactors> = {}): Established {
  return {
    kind: 'factors',
    factors,
    hasSecondFactor: false,
    trustsBrowser: false,
    need: 'none',
    mayAddFactor: true,
    prefersTwo: false,
    hasLostFactor: false,
    ...facts,
  };
}

const start = (factors: SignInFactors): SignInStep => ({ kind: 'start_session', factors });
const secondStep: SignInStep = { kind: 'second_step' };
const setUp: SignInStep = { kind: 'set_up' };
const spared = (first: 'password' | 'upstream') => start({ first, second: 'trusted_device' });

const onePerson: Record<string, readonly [Partial<ProvedFactors>, (first: 'password' | 'upstream') => SignInStep]> = {
  'without a second factor': [{}, (first) => start({ first, second: 'none' })],
  'without one, at a client that prefers two': [{ prefersTwo: true }, (first) => start({ first, second: 'none' })],
  'without one, needed by policy': [{ need: 'policy' }, () => setUp],
  'without one, needed by the client': [{ need: 'client' }, () => setUp],
  'without one, needed by policy, in a trusted browser': [{ need: 'policy', trustsBrowser: true }, () => setUp],
  'with a second factor': [{ hasSecondFactor: true }, () => secondStep],
  'with one, needed by policy': [{ hasSecondFactor: true, need: 'policy' }, () => secondStep],
  'with one, needed by the client': [{ hasSecondFactor: true, need: 'client' }, () => secondStep],
  'with one, in a trusted browser': [{ hasSecondFactor: true, trustsBrowser: true }, spared],
  'with one, needed by policy, in a trusted browser': [
    { hasSecondFactor: true, trustsBrowser: true, need: 'policy' },
    spared,
  ],
  'with one, needed by the client, in a trusted browser': [
    { hasSecondFactor: true, trustsBrowser: true, need: 'client' },
    () => secondStep,
  ],
  'with one, preferred by the client, in a trusted browser': [
    { hasSecondFactor: true, trustsBrowser: true, prefersTwo: true },
    () => secondStep,
  ],
};

describe('after a single factor', () => {
  for (const factors of [password, upstream]) {
    for (const [who, [facts, expected]] of Object.entries(onePerson)) {
      test(`${factors.first}, ${who}`, () => {
        const { first } = factors;
        assert.ok(first === 'password' || first === 'upstream');
        assert.deepEqual(nextStep(proved(factors, facts)), expected(first));
      });
    }
  }
});

test('who was imported without their second factor needs a link after the password, and after nothing else', () => {
  const lost = { hasLostFactor: true };
  for (const need of ['none', 'policy', 'client'] as const) {
    assert.deepEqual(nextStep(proved(password, { ...lost, need })), { kind: 'set_up_by_link' });
  }
  assert.deepEqual(nextStep(proved(password, { ...lost, trustsBrowser: true })), { kind: 'set_up_by_link' });
  assert.deepEqual(nextStep(proved(upstream, lost)), start(upstream));
  assert.deepEqual(nextStep(proved(upstream, { ...lost, need: 'policy' })), setUp);
});

describe('after a code by email', () => {
  const code: SignInFactors = { first: 'email_code', second: 'none' };
  const cases: Record<string, readonly [Partial<ProvedFactors>, SignInStep]> = {
    'without a second factor': [{ mayAddFactor: false }, start(code)],
    'with one': [{ hasSecondFactor: true, mayAddFactor: false }, secondStep],
    'with one, in a trusted browser': [{ hasSecondFactor: true, mayAddFactor: false, trustsBrowser: true }, secondStep],
    'without one that is needed, which takes more than a code': [{ mayAddFactor: false, need: 'policy' }, start(code)],
    'without one that a client needs': [{ mayAddFactor: false, need: 'client' }, start(code)],
    'without one that is needed, and with nothing else to prove': [{ need: 'policy' }, setUp],
  };
  for (const [who, [facts, expected]] of Object.entries(cases)) {
    test(who, () => assert.deepEqual(nextStep(proved(code, facts)), expected));
  }
});

describe('after two factors, the session starts whatever is asked for', () => {
  const complete: readonly SignInFactors[] = [
    { first: 'passkey', second: 'none' },
    { first: 'upstream', second: 'upstream' },
    ...(['password', 'upstream', 'email_code'] as const).flatMap((first) =>
      (['code', 'recovery_code', 'passkey'] as const).map((second) => ({ first, second })),
    ),
  ];
  for (const factors of complete) {
    test(`${factors.first} and ${factors.second}`, () => {
      for (const need of ['none', 'policy', 'client'] as const) {
        for (const hasSecondFactor of [false, true]) {
          const facts = { need, hasSecondFactor, prefersTwo: true };
          assert.deepEqual(nextStep(proved(factors, facts)), start(factors));
        }
      }
    });
  }
});

describe('after creating an account', () => {
  const factors: SignInFactors = { first: 'sign_up', second: 'none' };
  test('the session starts', () => assert.deepEqual(nextStep(proved(factors)), start(factors)));
  for (const need of ['policy', 'client'] as const) {
    test(`a second factor is set up if one is needed: ${need}`, () =>
      assert.deepEqual(nextStep(proved(factors, { need })), setUp));
  }
});

describe('without a session, and in one', () => {
  const cases: Record<string, readonly [Established, SignInStep['kind']]> = {
    'nobody is known': [{ kind: 'nobody' }, 'sign_in'],
    'nothing is missing': [complete({}), 'done'],
    'the password was reset': [complete({ reviewDue: true }), 'review'],
    'a passkey is to replace the password': [complete({ passkeyWanted: true }), 'passkey'],
    'the password was reset, and a passkey is to replace it': [
      complete({ reviewDue: true, passkeyWanted: true }),
      'review',
    ],
    'a factor that the person has wasn’t proved': [lacking(true, true), 'second_step'],
    'a factor that the person has wasn’t proved, without recent proof': [lacking(true, false), 'second_step'],
    'there is no factor': [lacking(false, true), 'set_up'],
    'there is no factor, and only an upstream can prove who it is': [lacking(false, false), 'prove'],
  };
  for (const [name, [established, expected]] of Object.entries(cases)) {
    test(`${name}: ${expected}`, () => assert.equal(nextStep(established).kind, expected));
  }

  test('a second factor comes before the review', () => {
    const both = { ...lacking(true, true), reviewDue: true };
    assert.equal(nextStep(both).kind, 'second_step');
  });
});

function complete(more: { reviewDue?: boolean; passkeyWanted?: boolean }) {
  return { kind: 'session', lacking: undefined, reviewDue: false, passkeyWanted: false, ...more } as const;
}

function lacking(hasSecondFactor: boolean, canProveHere: boolean) {
  return {
    kind: 'session',
    lacking: { hasSecondFactor, canProveHere },
    reviewDue: false,
    passkeyWanted: false,
  } as const;
}
