// Who can sign in with an identity provider, as one choice, and when nobody new can.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freeName } from '../../../src/protocol/upstreams/presets.ts';
import {
  letsNobodyIn,
  rulesFor,
  type SignInRules,
  type Who,
  whoCanSignIn,
} from '../../../src/protocol/upstreams/who-can-sign-in.ts';

const rules = (createsAccounts: boolean, trustedDomains: string[], allowedDomains: string[]): SignInRules => ({
  createsAccounts,
  trustedDomains,
  allowedDomains,
});

for (const [name, given, who] of [
  ['no accounts, no domains', rules(false, [], []), 'linked'],
  ['the same domains in another order', rules(true, ['a.example', 'b.example'], ['b.example', 'a.example']), 'domains'],
  ['every domain', rules(true, ['*'], []), 'anyone'],
  ['linked people of a domain that routes', rules(false, ['a.example'], []), 'custom'],
  ['linked people of an allowed domain', rules(false, ['a.example'], ['a.example']), 'custom'],
  ['accounts for one domain, sign-in for all', rules(true, ['a.example'], []), 'custom'],
  ['more trusted than allowed', rules(true, ['a.example', 'b.example'], ['a.example']), 'custom'],
  ['every domain and one', rules(true, ['*', 'a.example'], []), 'custom'],
  ['accounts for nobody', rules(true, [], []), 'custom'],
] as const) {
  test(`${name} is ${who}`, () => assert.equal(whoCanSignIn(given), who));
}

test('every choice is read back as the one that was made', () => {
  for (const who of ['linked', 'domains', 'anyone'] satisfies Who[]) {
    assert.equal(whoCanSignIn(rulesFor(who, ['a.example'])), who);
  }
});

for (const [name, given, people, warned] of [
  ['linked only, and nobody has', rules(false, [], []), { linked: 0, hasDirectory: false }, true],
  ['linked only, and somebody has', rules(false, [], []), { linked: 1, hasDirectory: false }, false],
  ['linked by a directory', rules(false, [], []), { linked: 0, hasDirectory: true }, false],
  ['accounts without a trusted domain', rules(true, [], []), { linked: 0, hasDirectory: false }, true],
  ['accounts for a trusted domain', rules(true, ['a.example'], []), { linked: 0, hasDirectory: false }, false],
  ['accounts for anyone', rules(true, ['*'], []), { linked: 0, hasDirectory: false }, false],
  [
    'an allowed domain that is not trusted',
    rules(true, ['b.example'], ['a.example']),
    { linked: 0, hasDirectory: true },
    true,
  ],
  ['an allowed domain among all', rules(true, ['*'], ['a.example']), { linked: 0, hasDirectory: false }, false],
] as const) {
  test(`${name}: ${warned ? 'nobody' : 'somebody'} gets in`, () => assert.equal(letsNobodyIn(given, people), warned));
}

test('a name that is taken gets a number', () => {
  assert.equal(freeName({ name: 'google' }, []), 'google');
  assert.equal(freeName({ name: 'google' }, ['google', 'google-2']), 'google-3');
});
