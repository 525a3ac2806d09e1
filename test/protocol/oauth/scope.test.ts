import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  chooseScopes,
  coversScopes,
  describeUngranted,
  formatScopes,
  isScope,
  parseScopes,
  readRequestedScopes,
  type Scope,
  supportedScopes,
} from '../../../src/protocol/oauth/scope.ts';

test('the supported scopes are openid, profile and email', () => {
  assert.deepEqual(supportedScopes, ['openid', 'profile', 'email']);
});

describe('valid and invalid scopes', () => {
  const cases = [
    { value: 'openid', expected: true },
    { value: 'profile', expected: true },
    { value: 'email', expected: true },
    { value: 'OpenID', expected: false },
    { value: 'offline_access', expected: false },
    { value: 'openid ', expected: false },
    { value: '', expected: false },
    { value: 'toString', expected: false },
  ];
  for (const c of cases) {
    test(`"${c.value}" is ${c.expected ? 'a' : 'no'} scope`, () => assert.equal(isScope(c.value), c.expected));
  }
});

describe('the scopes that a request gets', () => {
  const all: Scope[] = ['openid', 'profile', 'email'];
  const cases: { name: string; requested: string | undefined; allowed: Scope[]; expected: Scope[] | undefined }[] = [
    { name: 'an omitted scope means all that are allowed', requested: undefined, allowed: all, expected: all },
    {
      name: 'an omitted scope never means more than is allowed',
      requested: undefined,
      allowed: ['email'],
      expected: ['email'],
    },
    { name: 'an empty scope counts as omitted', requested: '', allowed: ['openid'], expected: ['openid'] },
    { name: 'a scope of spaces counts as omitted', requested: '  ', allowed: ['openid'], expected: ['openid'] },
    {
      name: 'an omitted scope comes in the one order too',
      requested: undefined,
      allowed: ['email', 'openid'],
      expected: ['openid', 'email'],
    },
    { name: 'one allowed scope is granted alone', requested: 'email', allowed: all, expected: ['email'] },
    { name: 'several scopes are granted', requested: 'openid email', allowed: all, expected: ['openid', 'email'] },
    { name: 'the order asked in does not matter', requested: 'email profile openid', allowed: all, expected: all },
    { name: 'a scope named twice is granted once', requested: 'email email', allowed: all, expected: ['email'] },
    {
      name: 'several spaces separate like one',
      requested: ' openid   email ',
      allowed: all,
      expected: ['openid', 'email'],
    },
    { name: 'an unknown scope is refused', requested: 'openid offline_access', allowed: all, expected: undefined },
    {
      name: 'a scope that is not allowed is refused',
      requested: 'openid email',
      allowed: ['openid'],
      expected: undefined,
    },
    { name: 'a scope in another case is refused', requested: 'OPENID', allowed: all, expected: undefined },
    { name: 'a comma does not separate scopes', requested: 'openid,email', allowed: all, expected: undefined },
    { name: 'a tab does not separate scopes', requested: 'openid\temail', allowed: all, expected: undefined },
  ];
  for (const c of cases) test(c.name, () => assert.deepEqual(chooseScopes(c.requested, c.allowed), c.expected));

  test('the returned list is a copy', () => {
    const allowed: Scope[] = ['openid'];
    chooseScopes(undefined, allowed)?.push('email');
    assert.deepEqual(allowed, ['openid']);
  });
});

describe('the scopes that an authorization request gets', () => {
  const all: Scope[] = ['openid', 'profile', 'email'];
  const chosen: [string, string | undefined, Scope[], string[]][] = [
    ['all that are registered when it names none', undefined, all, []],
    ['those that it names', 'email openid', ['openid', 'email'], []],
    ['without an unknown one', 'openid offline_access', ['openid'], ['offline_access']],
    ['without several, each named once', 'groups a openid a groups', ['openid'], ['groups', 'a']],
    ['in another case it is unknown', 'openid EMAIL', ['openid'], ['EMAIL']],
    ['with every character of the standard', "openid !#[]~'", ['openid'], ["!#[]~'"]],
  ];
  for (const [name, requested, scopes, ignored] of chosen) {
    test(name, () => assert.deepEqual(readRequestedScopes(requested, all), { kind: 'chosen', scopes, ignored }));
  }

  const refused: [string, string, string][] = [
    ['nothing but an unknown one', 'offline_access', "Unknown scope: 'offline_access'."],
    ['nothing but unknown ones', 'openid,email groups', "Unknown scope: 'openid,email', 'groups'."],
    ['one that is not registered', 'openid email', "Scope not registered for this client: 'email'."],
    ['the same next to unknown ones', 'groups email openid', "Scope not registered for this client: 'email'."],
    ['a malformed one', 'openid a"b\\c', "Malformed scope: 'a?b?c'."],
    ['one outside ASCII', 'openid é', "Malformed scope: '?'."],
    ['many', 'a b c d e', "Unknown scope: 'a', 'b', 'c' and 2 more."],
    ['a long one', 'x'.repeat(5000), `Unknown scope: '${'x'.repeat(40)}'.`],
  ];
  for (const [name, requested, description] of refused) {
    test(`refused: ${name}`, () => {
      assert.deepEqual(readRequestedScopes(requested, ['openid']), { kind: 'invalid', description });
    });
  }

  test("a refresh error names the scopes that weren't granted", () => {
    assert.equal(describeUngranted('openid email groups', ['openid']), "Scope not granted: 'email', 'groups'.");
  });
});

describe('scopes as text', () => {
  const cases: { scopes: Scope[]; text: string }[] = [
    { scopes: [], text: '' },
    { scopes: ['openid'], text: 'openid' },
    { scopes: ['openid', 'profile', 'email'], text: 'openid profile email' },
  ];
  for (const c of cases) {
    test(`"${c.text}" is written and read back`, () => {
      assert.equal(formatScopes(c.scopes), c.text);
      assert.deepEqual(parseScopes(c.text), c.scopes);
    });
  }

  test("a scope that's no longer supported is dropped when reading", () => {
    assert.deepEqual(parseScopes('openid address email'), ['openid', 'email']);
  });
});

describe('whether scopes cover others', () => {
  const cases: { name: string; held: Scope[]; wanted: Scope[]; expected: boolean }[] = [
    { name: 'equal scopes cover each other', held: ['openid', 'email'], wanted: ['email', 'openid'], expected: true },
    { name: 'more scopes cover fewer', held: ['openid', 'email'], wanted: ['openid'], expected: true },
    { name: 'fewer scopes do not cover more', held: ['openid'], wanted: ['openid', 'email'], expected: false },
    { name: 'other scopes do not cover', held: ['profile'], wanted: ['email'], expected: false },
    { name: 'no scopes cover nothing wanted', held: [], wanted: [], expected: true },
    { name: 'no scopes do not cover one', held: [], wanted: ['openid'], expected: false },
  ];
  for (const c of cases) test(c.name, () => assert.equal(coversScopes(c.held, c.wanted), c.expected));
});
