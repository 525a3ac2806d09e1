import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ClaimsSubject, claimsFor } from '../../../src/protocol/oauth/claims.ts';
import type { Scope } from '../../../src/protocol/oauth/scope.ts';

const person: ClaimsSubject = {
  id: 'user1',
  email: 'ada@people.example',
  emailVerifiedAt: 1_700_000_000_000,
  name: 'Ada Lovelace',
  givenName: 'Ada',
  familyName: 'Lovelace',
  preferredUsername: 'ada',
  picture: 'https://people.example/ada.png',
  locale: 'en-GB',
  updatedAt: 1_800_000_000_999,
};
const profile = {
  name: 'Ada Lovelace',
  given_name: 'Ada',
  family_name: 'Lovelace',
  preferred_username: 'ada',
  picture: 'https://people.example/ada.png',
  locale: 'en-GB',
  updated_at: 1_800_000_000,
};
const email = { email: 'ada@people.example', email_verified: true };
const nothingKnown = { givenName: null, familyName: null, preferredUsername: null, picture: null, locale: null };

const cases: { name: string; person?: Partial<ClaimsSubject>; scopes: Scope[]; expected: object }[] = [
  { name: 'sub is given without any scope', scopes: [], expected: { sub: 'user1' } },
  { name: 'openid covers sub alone', scopes: ['openid'], expected: { sub: 'user1' } },
  {
    name: 'profile covers the profile and no e-mail address',
    scopes: ['profile'],
    expected: { sub: 'user1', ...profile },
  },
  { name: 'email covers the address and no profile', scopes: ['email'], expected: { sub: 'user1', ...email } },
  {
    name: 'all scopes cover everything',
    scopes: ['openid', 'profile', 'email'],
    expected: { sub: 'user1', ...profile, ...email },
  },
  {
    name: 'a claim without a value is left out',
    person: nothingKnown,
    scopes: ['profile'],
    expected: { sub: 'user1', name: 'Ada Lovelace', updated_at: 1_800_000_000 },
  },
  {
    name: 'an empty value is left out',
    person: { ...nothingKnown, name: '', givenName: '' },
    scopes: ['profile'],
    expected: { sub: 'user1', updated_at: 1_800_000_000 },
  },
  {
    name: 'an address that is not verified says so',
    person: { emailVerifiedAt: null },
    scopes: ['email'],
    expected: { sub: 'user1', email: 'ada@people.example', email_verified: false },
  },
  {
    name: 'a time of zero is a value',
    person: { ...nothingKnown, updatedAt: 0 },
    scopes: ['profile'],
    expected: { sub: 'user1', name: 'Ada Lovelace', updated_at: 0 },
  },
];
for (const c of cases) {
  test(c.name, () => assert.deepEqual(claimsFor({ ...person, ...c.person }, c.scopes), c.expected));
}
