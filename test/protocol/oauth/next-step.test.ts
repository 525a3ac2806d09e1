import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ApplicationClaim, keysOf } from '../../../src/protocol/oauth/application-claims.ts';
import type { AuthorizationRequest, Prompt } from '../../../src/protocol/oauth/authorization-request.ts';
import { type AuthorizationFacts, type AuthorizationStep, nextStep } from '../../../src/protocol/oauth/next-step.ts';
import type { Scope } from '../../../src/protocol/oauth/scope.ts';

const now = 1_800_000_000_000;
const noClaims = { clientClaims: [], consentedClaims: null };

const steps = {
  sign: { kind: 'sign_in' },
  choose: { kind: 'choose_account' },
  ask: { kind: 'ask_consent' },
  ok: { kind: 'approved' },
  login: { kind: 'denied', error: 'login_required' },
  consent: { kind: 'denied', error: 'consent_required' },
  refuse: { kind: 'no_access' },
  denied: { kind: 'denied', error: 'access_denied' },
} as const satisfies Record<string, AuthorizationStep>;
type Step = keyof typeof steps;

function requestWith(changes: Partial<AuthorizationRequest>): AuthorizationRequest {
  return {
    clientId: 'client1',
    redirectUri: 'https://app.example/cb',
    state: undefined,
    scopes: ['openid', 'email'],
    ignoredScopes: [],
    nonce: undefined,
    codeChallenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    prompt: new Set(),
    maxAge: undefined,
    loginHint: undefined,
    idTokenHint: undefined,
    prefersTwoFactors: false,
    ...changes,
  };
}

describe('the next step by prompt, session, consent and kind of client', () => {
  const sessions: Record<string, Pick<AuthorizationFacts, 'authenticatedAt' | 'answered'>> = {
    'no session': { authenticatedAt: undefined, answered: undefined },
    'a session': { authenticatedAt: now - 3_600_000, answered: undefined },
    'a person who has just signed in': { authenticatedAt: now, answered: 'signed_in' },
    'a person who has just chosen the account': { authenticatedAt: now - 3_600_000, answered: 'chose_account' },
  };
  // A public client's redirect URI that another program could receive too. Those on https are the same as a confidential one.
  const redirectUri = 'com.example.app:/cb';
  const consents: { scopes: Scope[] | undefined; clientIsPublic: boolean }[] = [
    { scopes: undefined, clientIsPublic: false },
    { scopes: ['openid'], clientIsPublic: false },
    { scopes: ['openid', 'profile', 'email'], clientIsPublic: false },
    { scopes: undefined, clientIsPublic: true },
    { scopes: ['openid'], clientIsPublic: true },
    { scopes: ['openid', 'profile', 'email'], clientIsPublic: true },
  ];
  const same = (step: Step): Step[] => Array<Step>(6).fill(step);

  // The columns: a confidential client with no consent, too narrow a consent and a covering one; a public client likewise.
  const table: { prompt: string; session: string; expected: Step[] }[] = [
    { prompt: '', session: 'no session', expected: same('sign') },
    { prompt: '', session: 'a session', expected: ['ask', 'ask', 'ok', 'ask', 'ask', 'ask'] },
    { prompt: '', session: 'a person who has just signed in', expected: ['ask', 'ask', 'ok', 'ask', 'ask', 'ask'] },
    {
      prompt: '',
      session: 'a person who has just chosen the account',
      expected: ['ask', 'ask', 'ok', 'ask', 'ask', 'ask'],
    },

    { prompt: 'none', session: 'no session', expected: same('login') },
    { prompt: 'none', session: 'a session', expected: ['consent', 'consent', 'ok', 'consent', 'consent', 'consent'] },
    {
      prompt: 'none',
      session: 'a person who has just signed in',
      expected: ['consent', 'consent', 'ok', 'consent', 'consent', 'consent'],
    },
    {
      prompt: 'none',
      session: 'a person who has just chosen the account',
      expected: ['consent', 'consent', 'ok', 'consent', 'consent', 'consent'],
    },

    { prompt: 'login', session: 'no session', expected: same('sign') },
    { prompt: 'login', session: 'a session', expected: same('sign') },
    {
      prompt: 'login',
      session: 'a person who has just signed in',
      expected: ['ask', 'ask', 'ok', 'ask', 'ask', 'ask'],
    },
    { prompt: 'login', session: 'a person who has just chosen the account', expected: same('sign') },

    { prompt: 'consent', session: 'no session', expected: same('sign') },
    { prompt: 'consent', session: 'a session', expected: same('ask') },
    { prompt: 'consent', session: 'a person who has just signed in', expected: same('ask') },
    { prompt: 'consent', session: 'a person who has just chosen the account', expected: same('ask') },

    { prompt: 'select_account', session: 'no session', expected: same('sign') },
    { prompt: 'select_account', session: 'a session', expected: same('choose') },
    {
      prompt: 'select_account',
      session: 'a person who has just signed in',
      expected: ['ask', 'ask', 'ok', 'ask', 'ask', 'ask'],
    },
    {
      prompt: 'select_account',
      session: 'a person who has just chosen the account',
      expected: ['ask', 'ask', 'ok', 'ask', 'ask', 'ask'],
    },

    { prompt: 'login consent', session: 'no session', expected: same('sign') },
    { prompt: 'login consent', session: 'a session', expected: same('sign') },
    { prompt: 'login consent', session: 'a person who has just signed in', expected: same('ask') },
    { prompt: 'login consent', session: 'a person who has just chosen the account', expected: same('sign') },

    { prompt: 'login select_account', session: 'no session', expected: same('sign') },
    { prompt: 'login select_account', session: 'a session', expected: same('sign') },
    {
      prompt: 'login select_account',
      session: 'a person who has just signed in',
      expected: ['ask', 'ask', 'ok', 'ask', 'ask', 'ask'],
    },
    { prompt: 'login select_account', session: 'a person who has just chosen the account', expected: same('sign') },

    { prompt: 'consent select_account', session: 'no session', expected: same('sign') },
    { prompt: 'consent select_account', session: 'a session', expected: same('choose') },
    { prompt: 'consent select_account', session: 'a person who has just signed in', expected: same('ask') },
    { prompt: 'consent select_account', session: 'a person who has just chosen the account', expected: same('ask') },

    { prompt: 'login consent select_account', session: 'no session', expected: same('sign') },
    { prompt: 'login consent select_account', session: 'a session', expected: same('sign') },
    { prompt: 'login consent select_account', session: 'a person who has just signed in', expected: same('ask') },
    {
      prompt: 'login consent select_account',
      session: 'a person who has just chosen the account',
      expected: same('sign'),
    },
  ];
  for (const row of table) {
    test(`prompt "${row.prompt}" with ${row.session}`, () => {
      const session = sessions[row.session] as Pick<AuthorizationFacts, 'authenticatedAt' | 'answered'>;
      const request = requestWith({ redirectUri, prompt: new Set(row.prompt.split(' ').filter(Boolean) as Prompt[]) });
      const results = consents.map(({ scopes, clientIsPublic }) =>
        nextStep(
          {
            request,
            clientIsPublic,
            hintIsOfAnother: false,
            hasAccess: true,
            lacksSecondFactor: false,
            reviewDue: false,
            consentedScopes: scopes,
            ...noClaims,
            ...session,
          },
          now,
        ),
      );
      assert.deepEqual(
        results,
        row.expected.map((step) => steps[step]),
      );
    });
  }
});

describe('the next step by max_age', () => {
  const cases: {
    name: string;
    maxAge: number;
    age: number | undefined;
    answered?: AuthorizationFacts['answered'];
    prompt?: Prompt;
    expected: Step;
  }[] = [
    { name: 'a sign-in exactly as old as max_age is recent enough', maxAge: 60, age: 60_000, expected: 'ok' },
    { name: 'a sign-in a millisecond older than max_age is repeated', maxAge: 60, age: 60_001, expected: 'sign' },
    { name: 'a max_age of zero asks everyone to sign in', maxAge: 0, age: 1, expected: 'sign' },
    {
      name: 'a max_age of zero is met by the sign-in it asked for',
      maxAge: 0,
      age: 5000,
      answered: 'signed_in',
      expected: 'ok',
    },
    {
      name: 'choosing an account does not make a sign-in recent',
      maxAge: 60,
      age: 60_001,
      answered: 'chose_account',
      expected: 'sign',
    },
    { name: 'without a session max_age changes nothing', maxAge: 60, age: undefined, expected: 'sign' },
    {
      name: 'an old sign-in with prompt=none is login_required',
      maxAge: 60,
      age: 60_001,
      prompt: 'none',
      expected: 'login',
    },
    { name: 'a recent sign-in with prompt=none is approved', maxAge: 60, age: 60_000, prompt: 'none', expected: 'ok' },
    {
      name: 'an old sign-in is repeated before the account is chosen',
      maxAge: 60,
      age: 60_001,
      prompt: 'select_account',
      expected: 'sign',
    },
    { name: 'a recent sign-in does not spare prompt=login', maxAge: 60, age: 1000, prompt: 'login', expected: 'sign' },
  ];
  for (const c of cases) {
    test(c.name, () => {
      const facts: AuthorizationFacts = {
        request: requestWith({ maxAge: c.maxAge, prompt: new Set(c.prompt === undefined ? [] : [c.prompt]) }),
        clientIsPublic: false,
        hintIsOfAnother: false,
        authenticatedAt: c.age === undefined ? undefined : now - c.age,
        answered: c.answered,
        consentedScopes: ['openid', 'email'],
        ...noClaims,
        hasAccess: true,
        lacksSecondFactor: false,
        reviewDue: false,
      };
      assert.deepEqual(nextStep(facts, now), steps[c.expected]);
    });
  }
});

test('consent to exactly the requested scopes is remembered', () => {
  const facts: AuthorizationFacts = {
    request: requestWith({ scopes: ['openid'] }),
    clientIsPublic: false,
    hintIsOfAnother: false,
    authenticatedAt: now,
    answered: undefined,
    consentedScopes: ['openid'],
    ...noClaims,
    hasAccess: true,
    lacksSecondFactor: false,
    reviewDue: false,
  };
  assert.deepEqual(nextStep(facts, now), steps.ok);
});

describe('whether consent for a public client is remembered', () => {
  const cases: [string, Step][] = [
    ['https://app.example/cb', 'ok'],
    ['HTTPS://APP.example/cb', 'ok'],
    ['https://app.example:8443/cb', 'ok'],
    ['http://localhost/cb', 'ask'],
    ['http://127.0.0.1:1234/cb', 'ask'],
    ['http://[::1]/cb', 'ask'],
    ['https://localhost/cb', 'ask'],
    ['https://127.0.0.1/cb', 'ask'],
    ['com.example.app:/cb', 'ask'],
  ];
  for (const [redirectUri, expected] of cases) {
    test(`${redirectUri}: ${expected}`, () => {
      const facts = {
        clientIsPublic: true,
        hintIsOfAnother: false,
        hasAccess: true,
        lacksSecondFactor: false,
        reviewDue: false,
        ...noClaims,
      };
      const request = requestWith({ redirectUri });
      assert.deepEqual(
        nextStep(
          { ...facts, authenticatedAt: now, answered: undefined, request, consentedScopes: ['openid', 'email'] },
          now,
        ),
        steps[expected],
      );
    });
  }
});

describe('a hint about someone other than the signed-in person', () => {
  const cases: {
    prompt?: Prompt;
    age: number | undefined;
    answered?: AuthorizationFacts['answered'];
    expected: Step;
  }[] = [
    { age: 1000, expected: 'sign' },
    { age: 1000, prompt: 'none', expected: 'login' },
    { age: 1000, prompt: 'select_account', expected: 'sign' },
    { age: 1000, answered: 'chose_account', expected: 'sign' },
    { age: 1000, answered: 'signed_in', expected: 'login' },
    { age: undefined, expected: 'sign' },
  ];
  for (const { prompt, age, answered, expected } of cases) {
    test(`prompt "${prompt ?? ''}", answered ${answered ?? 'nothing'}: ${expected}`, () => {
      const facts: AuthorizationFacts = {
        request: requestWith({ prompt: new Set(prompt === undefined ? [] : [prompt]) }),
        clientIsPublic: false,
        hintIsOfAnother: true,
        authenticatedAt: age === undefined ? undefined : now - age,
        answered,
        consentedScopes: ['openid', 'email'],
        ...noClaims,
        hasAccess: true,
        lacksSecondFactor: false,
        reviewDue: false,
      };
      assert.deepEqual(nextStep(facts, now), steps[expected]);
    });
  }
});

describe('the next step of someone without access', () => {
  const cases: {
    name: string;
    prompt?: Prompt;
    signedIn?: false;
    answered?: 'signed_in' | 'chose_account';
    expected: Step;
  }[] = [
    { name: 'is refused before consent is asked for', expected: 'refuse' },
    { name: 'is refused although consent is asked for again', prompt: 'consent', expected: 'refuse' },
    { name: 'goes back at once with prompt=none', prompt: 'none', expected: 'denied' },
    { name: 'signs in first', signedIn: false, expected: 'sign' },
    {
      name: 'with prompt=none and without a session learns nothing',
      signedIn: false,
      prompt: 'none',
      expected: 'login',
    },
    { name: 'signs in again first', prompt: 'login', expected: 'sign' },
    { name: 'is refused after signing in again', prompt: 'login', answered: 'signed_in', expected: 'refuse' },
    { name: 'may choose another account first', prompt: 'select_account', expected: 'choose' },
    { name: 'is refused with the account', prompt: 'select_account', answered: 'chose_account', expected: 'refuse' },
  ];
  for (const { name, prompt, signedIn, answered, expected } of cases) {
    test(name, () => {
      const facts: AuthorizationFacts = {
        request: requestWith({ prompt: new Set(prompt === undefined ? [] : [prompt]) }),
        clientIsPublic: false,
        authenticatedAt: signedIn === false ? undefined : now,
        answered,
        consentedScopes: ['openid', 'email'],
        ...noClaims,
        hasAccess: false,
        lacksSecondFactor: false,
        reviewDue: false,
        hintIsOfAnother: false,
      };
      assert.deepEqual(nextStep(facts, now), steps[expected]);
    });
  }
});

describe('a session that lacks a second factor', () => {
  const cases: [string, Prompt[], Partial<AuthorizationFacts>, AuthorizationStep][] = [
    ['is asked for it', [], {}, { kind: 'second_factor' }],
    ['is asked for it before consent', [], { consentedScopes: undefined }, { kind: 'second_factor' }],
    ['is asked for it after the account was chosen', ['select_account'], {}, { kind: 'choose_account' }],
    ['is login_required with prompt=none', ['none'], {}, { kind: 'denied', error: 'login_required' }],
    ['signs in first where it has to', ['login'], {}, { kind: 'sign_in' }],
    ['has just signed in and is asked', ['login'], { answered: 'signed_in' }, { kind: 'second_factor' }],
    ['is none at all', [], { authenticatedAt: undefined }, { kind: 'sign_in' }],
  ];
  for (const [name, prompt, changes, expected] of cases) {
    test(name, () => {
      const facts = {
        request: requestWith({ prompt: new Set(prompt) }),
        clientIsPublic: false,
        authenticatedAt: now,
        answered: undefined,
        consentedScopes: ['openid', 'email'] as const,
        ...noClaims,
        lacksSecondFactor: true,
        reviewDue: false,
        hasAccess: true,
        hintIsOfAnother: false,
        ...changes,
      };
      assert.deepEqual(nextStep(facts, now), expected);
    });
  }
});

describe('a review that is due after a recovery', () => {
  const cases: [string, Prompt[], Partial<AuthorizationFacts>, AuthorizationStep][] = [
    ['comes before the request is answered', [], {}, { kind: 'review' }],
    ['comes before consent', [], { consentedScopes: undefined }, { kind: 'review' }],
    ['comes before a second factor for the application', [], { lacksSecondFactor: true }, { kind: 'review' }],
    ['comes before access is refused', [], { hasAccess: false }, { kind: 'review' }],
    ['is interaction_required with prompt=none', ['none'], {}, { kind: 'denied', error: 'interaction_required' }],
    [
      'hides from prompt=none who has access',
      ['none'],
      { hasAccess: false },
      { kind: 'denied', error: 'interaction_required' },
    ],
    ['comes after the account was chosen', ['select_account'], {}, { kind: 'choose_account' }],
    ['comes after signing in again', ['login'], {}, { kind: 'sign_in' }],
    ['comes for somebody who has just signed in', ['login'], { answered: 'signed_in' }, { kind: 'review' }],
  ];
  for (const [name, prompt, changes, expected] of cases) {
    test(name, () => {
      const facts = {
        request: requestWith({ prompt: new Set(prompt) }),
        clientIsPublic: false,
        authenticatedAt: now,
        answered: undefined,
        consentedScopes: ['openid', 'email'] as const,
        ...noClaims,
        lacksSecondFactor: false,
        reviewDue: true,
        hasAccess: true,
        hintIsOfAnother: false,
        ...changes,
      };
      assert.deepEqual(nextStep(facts, now), expected);
    });
  }
});

describe('consent to the claims of an application', () => {
  const claim = (name: string, value: string): ApplicationClaim => ({
    claim: name,
    label: null,
    idToken: false,
    source: 'value',
    value,
  });
  const [tier, plan, otherTier] = [claim('tier', 'gold'), claim('plan', 'basic'), claim('tier', 'silver')];
  const profile = ['openid', 'profile'] as const;
  const cases: [string, readonly Scope[], ApplicationClaim[], ApplicationClaim[] | null, boolean][] = [
    ['to none of none', profile, [], null, true],
    ['to all of them', profile, [tier, plan], [tier, plan], true],
    ['to all of them in another order', profile, [tier, plan], [plan, tier], true],
    ['to one that was removed', profile, [tier], [tier, plan], true],
    ['to the only one that was removed', profile, [], [tier], true],
    ['to one of two', profile, [tier, plan], [tier], false],
    ['to the same name from another source', profile, [otherTier], [tier], false],
    ['to none', profile, [tier], null, false],
    ['to none, without the scope that covers them', ['openid'], [tier], null, true],
  ];
  for (const [name, scopes, clientClaims, agreed, remembered] of cases) {
    for (const prompt of ['', 'none'] as const) {
      test(`${name}, prompt "${prompt}"`, () => {
        const facts: AuthorizationFacts = {
          request: requestWith({ scopes, prompt: new Set(prompt === '' ? [] : [prompt]) }),
          clientIsPublic: false,
          hintIsOfAnother: false,
          authenticatedAt: now,
          answered: undefined,
          consentedScopes: ['openid', 'profile'],
          clientClaims,
          consentedClaims: agreed && keysOf(agreed),
          hasAccess: true,
          lacksSecondFactor: false,
          reviewDue: false,
        };
        const asked = prompt === 'none' ? steps.consent : steps.ask;
        assert.deepEqual(nextStep(facts, now), remembered ? steps.ok : asked);
      });
    }
  }
});
