// What a request to sign out leads to: every row of the table, and every combination of what it consists of.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  claimantOf,
  logoutReturn,
  type PresentedHint,
  type ReturnRefusal,
  readLogoutRequest,
  type SessionStep,
  sessionStep,
} from '../../../src/protocol/oauth/logout.ts';
import { readQuery } from '../../../src/protocol/reading/parameters.ts';

const registered = 'https://app.example/bye?from=latchkey';
const hints = {
  none: 'none',
  invalid: 'invalid',
  own: { clientId: 'photos', userId: 'ada' },
  other: { clientId: 'photos', userId: 'bob' },
} as const satisfies Record<string, PresentedHint>;
const uris = { none: undefined, registered, unregistered: 'https://app.example/bye' } as const;
const clients = {
  active: { postLogoutRedirectUris: ['https://app.example/', registered], revokedAt: null },
  revoked: { postLogoutRedirectUris: [registered], revokedAt: 1 },
  deleted: undefined,
} as const;

interface Case {
  readonly hint?: keyof typeof hints;
  readonly clientId?: 'photos' | 'mail' | undefined;
  readonly uri?: keyof typeof uris;
  readonly client?: keyof typeof clients;
  readonly signedIn?: boolean;
}

function outcomeOf(given: Case): [SessionStep, 'page' | 'redirect' | ReturnRefusal] {
  const hint = hints[given.hint ?? 'none'];
  const claimant = claimantOf(given.clientId, hint);
  const request = { postLogoutRedirectUri: uris[given.uri ?? 'none'], state: undefined };
  const back = logoutReturn(request, claimant, clients[given.client ?? 'active']);
  const step = sessionStep(claimant, hint, given.signedIn === false ? undefined : 'ada');
  return [step, back.kind === 'none' ? 'page' : back.kind === 'redirect' ? 'redirect' : back.reason];
}

describe('the rows of the table', () => {
  const mismatch = 'post_logout_redirect_uri_mismatch';
  const rows: [string, Case, ReturnType<typeof outcomeOf>][] = [
    ['hint of the person signed in here; registered URI', { hint: 'own', uri: 'registered' }, ['end', 'redirect']],
    ['the same without a URI', { hint: 'own' }, ['end', 'page']],
    [
      "no session; URI of the hint's client",
      { signedIn: false, hint: 'other', uri: 'registered' },
      ['none', 'redirect'],
    ],
    ['no session; URI of client_id', { signedIn: false, clientId: 'photos', uri: 'registered' }, ['none', 'redirect']],
    ['no hint', {}, ['ask', 'page']],
    ['no hint; URI of client_id', { clientId: 'photos', uri: 'registered' }, ['ask', 'redirect']],
    ['a hint of another person', { hint: 'other', uri: 'registered' }, ['ask', 'redirect']],
    [
      'a hint that does not verify',
      { hint: 'invalid', clientId: 'photos', uri: 'registered' },
      ['ask', 'hint_invalid'],
    ],
    ['client_id is not the aud', { hint: 'own', clientId: 'mail', uri: 'registered' }, ['ask', 'client_mismatch']],
    ['unregistered URI', { hint: 'own', uri: 'unregistered' }, ['end', mismatch]],
    ['nothing says whose it is', { uri: 'registered' }, ['ask', 'client_missing']],
    ['client revoked', { hint: 'own', uri: 'registered', client: 'revoked' }, ['end', 'client_revoked']],
    ['client deleted', { hint: 'own', uri: 'registered', client: 'deleted' }, ['end', 'unknown_client']],
    ['without a session, ask becomes the page', { signedIn: false, hint: 'invalid' }, ['none', 'page']],
  ];
  for (const [name, given, expected] of rows) test(name, () => assert.deepEqual(outcomeOf(given), expected));
});

test('in every combination, a session only ends for its own hint, and a redirect needs a proven client', () => {
  let combinations = 0;
  for (const hint of Object.keys(hints) as (keyof typeof hints)[])
    for (const clientId of [undefined, 'photos', 'mail'] as const)
      for (const uri of Object.keys(uris) as (keyof typeof uris)[])
        for (const client of Object.keys(clients) as (keyof typeof clients)[])
          for (const signedIn of [true, false]) {
            const given = { hint, clientId, uri, client, signedIn };
            const [step, back] = outcomeOf(given);
            const verifies = hint === 'own' || hint === 'other';
            const agrees = !verifies || clientId !== 'mail';
            const ends = hint === 'own' && agrees;
            assert.equal(step, signedIn ? (ends ? 'end' : 'ask') : 'none', JSON.stringify(given));
            const vouched = hint !== 'invalid' && agrees && (verifies || clientId !== undefined);
            const redirects = uri === 'registered' && client === 'active' && vouched;
            assert.equal(back === 'redirect', redirects, JSON.stringify(given));
            assert.equal(back === 'page', uri === 'none', JSON.stringify(given));
            combinations++;
          }
  assert.equal(combinations, 4 * 3 * 3 * 3 * 2);
});

describe('the redirect', () => {
  const location = (uri: string, state?: string) => {
    const client = { postLogoutRedirectUris: [uri], revokedAt: null };
    const back = logoutReturn({ postLogoutRedirectUri: uri, state }, claimantOf('photos', 'none'), client);
    return back.kind === 'redirect' ? back.location : back.kind;
  };
  test('is exactly the URI if no state was sent', () => {
    for (const uri of ['https://a.example', 'https://a.example/?', 'com.example.app:/bye']) {
      assert.equal(location(uri), uri);
    }
  });
  test('includes the state that was sent', () => {
    assert.equal(location('https://a.example/bye', 'é &=#+'), 'https://a.example/bye?state=%C3%A9%20%26%3D%23%2B');
    assert.equal(location('https://a.example/?x=1', 's'), 'https://a.example/?x=1&state=s');
  });
});

describe('a request', () => {
  test('has five parameters; others are ignored', () => {
    const query =
      'id_token_hint=h&client_id=c&post_logout_redirect_uri=u&state=s&ui_locales=de&logout_hint=x&x=1&x=2&y=%';
    assert.deepEqual(readLogoutRequest(readQuery(query)), {
      idTokenHint: 'h',
      clientId: 'c',
      postLogoutRedirectUri: 'u',
      state: 's',
      uiLocales: 'de',
    });
  });
  for (const name of ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state', 'ui_locales']) {
    test(`with a repeated or malformed ${name} is invalid`, () => {
      for (const query of [`${name}=a&${name}=b`, `${name}=a&${name}=a`, `${name}=%`, `${name}=a%00`, `${name}=%0A`]) {
        assert.equal(readLogoutRequest(readQuery(query)), undefined, query);
      }
    });
  }
});
