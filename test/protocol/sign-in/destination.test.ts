// Where a sign-in may lead, and how a destination is written in tickets and links.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  accountPage,
  authorizationUrl,
  formatDestination,
  parseDestination,
  parsePage,
  withoutLink,
} from '../../../src/protocol/sign-in/destination.ts';

const query = 'client_id=abc&redirect_uri=https%3A%2F%2Fapp.example%2Fcb%3Fa%3D1&state=%E2%9C%93+x';

test('an authorization request is read with its client and its redirect URI', () => {
  assert.deepEqual(parseDestination(`/oauth-authorize?${query}`), {
    kind: 'authorization',
    query,
    clientId: 'abc',
    redirectUri: 'https://app.example/cb?a=1',
  });
});

test('a page of the account or the console is read with its query', () => {
  for (const path of [
    '/account',
    '/account/security',
    '/admin',
    '/admin/people/abc?q=a%20b&page=2',
    '/admin/people/auth0%7C1%3A.%40~/edit',
  ]) {
    assert.deepEqual(parseDestination(path), { kind: 'page', path });
    assert.deepEqual(parsePage(path), { kind: 'page', path });
  }
});

test('a destination is written exactly as it was read', () => {
  const spellings = [
    '/account',
    '/admin?q=',
    `/oauth-authorize?${query}`,
    '/oauth-authorize?redirect_uri=x%3a%2F&&client_id=%61b&state=%c3%a4',
  ];
  for (const text of spellings) {
    const destination = parseDestination(text);
    assert.ok(destination, text);
    assert.equal(formatDestination(destination), text);
  }
  assert.equal(authorizationUrl(query), `/oauth-authorize?${query}`);
});

test("a URL that isn't a page of the service isn't a destination", () => {
  const foreign = [
    '',
    '/',
    'account',
    '//account',
    '//evil.example/account',
    '/\\evil.example',
    'https://evil.example/account',
    '/account/../sign-out',
    '/account/./..',
    '/account/..?x',
    '/account/%2e%2e/sign-out',
    '/admin/people/..%2Fx',
    '/account//evil.example',
    '/account#x',
    '/account\n',
    '/account?x=\r\nSet-Cookie:a=b',
    '/accounts',
    '/administrator',
    '/sign-out',
    '/oauth-authorize',
    '/oauth-authorize.php?client_id=a&redirect_uri=b',
  ];
  for (const text of foreign) {
    assert.equal(parseDestination(text), undefined, text);
    assert.equal(parsePage(text), undefined, text);
  }
});

test("an authorization request isn't a page", () => {
  assert.equal(parsePage(`/oauth-authorize?${query}`), undefined);
});

test('an authorization request needs exactly one client_id and redirect_uri to be a destination', () => {
  const incomplete = [
    '',
    'client_id=abc',
    'redirect_uri=https%3A%2F%2Fapp.example',
    'client_id=&redirect_uri=x',
    'client_id=a&client_id=a&redirect_uri=x',
    'client_id=a&redirect_uri=x&redirect_uri=x',
    'client_id=a%00&redirect_uri=x',
    'client_id=a&redirect_uri=%ff',
  ];
  for (const text of incomplete) assert.equal(parseDestination(`/oauth-authorize?${text}`), undefined, text);
});

test("only a link's secret is removed from a stored destination", () => {
  const stored = (text: string) => formatDestination(withoutLink(parseDestination(text) ?? accountPage));
  for (const path of ['/account/email/confirm?link=lkl_x', '/account/email/confirm?a=b&%6Cink=lkl_x']) {
    assert.equal(stored(path), '/account/email/confirm');
  }
  for (const text of ['/account', '/admin/people?q=link', `/oauth-authorize?${query}&link=x`]) {
    assert.equal(stored(text), text);
  }
});
