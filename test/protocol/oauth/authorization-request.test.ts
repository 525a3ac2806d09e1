import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type AuthorizationError,
  type AuthorizationRequest,
  type RegisteredClient,
  type RequestReading,
  readAuthorizationRequest,
  soleParameter,
} from '../../../src/protocol/oauth/authorization-request.ts';
import { readQuery } from '../../../src/protocol/reading/parameters.ts';

const client: RegisteredClient = {
  id: 'client1',
  redirectUris: ['https://app.example/cb'],
  scopes: ['openid', 'email'],
};
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const complete: Readonly<Record<string, string>> = {
  response_type: 'code',
  client_id: 'client1',
  redirect_uri: 'https://app.example/cb',
  scope: 'openid email',
  state: 's t+a/t=e',
  nonce: 'n-1',
  code_challenge: challenge,
  code_challenge_method: 'S256',
};

function readText(query: string): RequestReading {
  return readAuthorizationRequest(readQuery(query), client, 'https://app.example/cb');
}

function queryWith(changes: Readonly<Record<string, string | undefined>>): string {
  const entries = Object.entries({ ...complete, ...changes }).filter((entry) => entry[1] !== undefined);
  return new URLSearchParams(entries as [string, string][]).toString();
}

function readWith(changes: Readonly<Record<string, string | undefined>>): RequestReading {
  return readText(queryWith(changes));
}

function accepted(reading: RequestReading): AuthorizationRequest {
  assert.equal(reading.kind, 'valid', JSON.stringify(reading));
  return (reading as Extract<RequestReading, { kind: 'valid' }>).request;
}

function refusedAs(reading: RequestReading, error: AuthorizationError, mention: RegExp): void {
  assert.equal(reading.kind, 'invalid');
  if (reading.kind !== 'invalid') return;
  assert.equal(reading.error, error);
  assert.match(reading.description, mention);
}

test('a complete request is read field by field', () => {
  assert.deepEqual(readWith({}), {
    kind: 'valid',
    request: {
      clientId: 'client1',
      redirectUri: 'https://app.example/cb',
      state: 's t+a/t=e',
      scopes: ['openid', 'email'],
      ignoredScopes: [],
      nonce: 'n-1',
      codeChallenge: challenge,
      prompt: new Set(),
      maxAge: undefined,
      loginHint: undefined,
      idTokenHint: undefined,
      prefersTwoFactors: false,
    },
  });
});

describe('optional parameters', () => {
  const cases: {
    name: string;
    changes: Record<string, string | undefined>;
    expected: Partial<AuthorizationRequest>;
  }[] = [
    { name: 'a request without state is accepted', changes: { state: undefined }, expected: { state: undefined } },
    { name: 'an empty state counts as none', changes: { state: '' }, expected: { state: undefined } },
    { name: 'a request without nonce is accepted', changes: { nonce: undefined }, expected: { nonce: undefined } },
    { name: 'an empty nonce counts as none', changes: { nonce: '' }, expected: { nonce: undefined } },
    {
      name: 'without scope the registered scopes apply',
      changes: { scope: undefined },
      expected: { scopes: ['openid', 'email'] },
    },
    { name: 'an empty scope counts as none', changes: { scope: '' }, expected: { scopes: ['openid', 'email'] } },
    { name: 'fewer scopes than registered are kept to', changes: { scope: 'email' }, expected: { scopes: ['email'] } },
    { name: 'login_hint is read', changes: { login_hint: 'a@b.example' }, expected: { loginHint: 'a@b.example' } },
    { name: 'acr_values is read', changes: { acr_values: '2' }, expected: { prefersTwoFactors: true } },
    { name: 'ui_locales is accepted', changes: { ui_locales: 'de en' }, expected: {} },
    { name: 'an unknown parameter is ignored', changes: { audience: 'x', display: 'popup' }, expected: {} },
    { name: 'an empty request parameter counts as none', changes: { request: '' }, expected: {} },
    { name: 'an empty request_uri counts as none', changes: { request_uri: '' }, expected: {} },
    {
      name: 'a state of 4000 characters is kept whole',
      changes: { state: 'x'.repeat(4000) },
      expected: { state: 'x'.repeat(4000) },
    },
    { name: 'a state outside ASCII is kept', changes: { state: 'é😀"<&' }, expected: { state: 'é😀"<&' } },
  ];
  for (const c of cases) {
    test(c.name, () => {
      const request = accepted(readWith(c.changes));
      assert.deepEqual({ ...request, ...c.expected }, request);
    });
  }

  test('unknown parameters can be repeated or malformed', () => {
    accepted(readText(`${queryWith({})}&x=1&x=2&y=%zz`));
  });
});

describe('prompt', () => {
  const good: { value: string; expected: string[] }[] = [
    { value: 'none', expected: ['none'] },
    { value: 'login', expected: ['login'] },
    { value: 'consent', expected: ['consent'] },
    { value: 'select_account', expected: ['select_account'] },
    { value: 'login consent', expected: ['login', 'consent'] },
    { value: 'consent select_account login', expected: ['consent', 'select_account', 'login'] },
    { value: ' login  login ', expected: ['login'] },
    { value: '', expected: [] },
  ];
  for (const c of good) {
    test(`prompt "${c.value}" is read`, () => {
      assert.deepEqual(accepted(readWith({ prompt: c.value })).prompt, new Set(c.expected));
    });
  }
  for (const value of ['create', 'None', 'login,consent', 'login create', 'toString']) {
    test(`prompt "${value}" is refused`, () => {
      refusedAs(readWith({ prompt: value }), 'invalid_request', /prompt must be among/);
    });
  }
  for (const value of ['none login', 'consent none', 'none select_account']) {
    test(`prompt "${value}" is refused because none can't be combined`, () => {
      refusedAs(readWith({ prompt: value }), 'invalid_request', /stands alone/);
    });
  }
});

describe('max_age', () => {
  const good = [
    { value: '0', expected: 0 },
    { value: '1', expected: 1 },
    { value: '0600', expected: 600 },
    { value: '86400', expected: 86_400 },
    { value: '9999999999', expected: 9_999_999_999 },
    { value: '', expected: undefined },
  ];
  for (const c of good) {
    test(`max_age "${c.value}" is read`, () => {
      assert.equal(accepted(readWith({ max_age: c.value })).maxAge, c.expected);
    });
  }
  for (const value of ['-1', '+1', '1.5', '1e3', '0x10', 'abc', ' 5', '5 ', 'NaN', 'Infinity', '12345678901', '٥']) {
    test(`max_age "${value}" is refused`, () => {
      refusedAs(readWith({ max_age: value }), 'invalid_request', /max_age must be a number/);
    });
  }
});

describe('refused requests', () => {
  const cases: {
    name: string;
    changes: Record<string, string | undefined>;
    error: AuthorizationError;
    mention: RegExp;
  }[] = [
    {
      name: 'a missing response_type is refused',
      changes: { response_type: undefined },
      error: 'invalid_request',
      mention: /response_type is missing/,
    },
    {
      name: 'an empty response_type is refused',
      changes: { response_type: '' },
      error: 'invalid_request',
      mention: /response_type is missing/,
    },
    {
      name: 'response_type token is refused',
      changes: { response_type: 'token' },
      error: 'unsupported_response_type',
      mention: /code/,
    },
    {
      name: 'response_type id_token is refused',
      changes: { response_type: 'id_token' },
      error: 'unsupported_response_type',
      mention: /code/,
    },
    {
      name: 'response_type code id_token is refused',
      changes: { response_type: 'code id_token' },
      error: 'unsupported_response_type',
      mention: /code/,
    },
    {
      name: 'response_type CODE is refused',
      changes: { response_type: 'CODE' },
      error: 'unsupported_response_type',
      mention: /code/,
    },
    {
      name: 'a missing code_challenge is refused',
      changes: { code_challenge: undefined },
      error: 'invalid_request',
      mention: /PKCE is required/,
    },
    {
      name: 'an empty code_challenge is refused',
      changes: { code_challenge: '' },
      error: 'invalid_request',
      mention: /PKCE is required/,
    },
    {
      name: 'PKCE left out whole is refused',
      changes: { code_challenge: undefined, code_challenge_method: undefined },
      error: 'invalid_request',
      mention: /PKCE is required/,
    },
    {
      name: 'a missing code_challenge_method is refused',
      changes: { code_challenge_method: undefined },
      error: 'invalid_request',
      mention: /S256/,
    },
    {
      name: 'the method plain is refused',
      changes: { code_challenge_method: 'plain' },
      error: 'invalid_request',
      mention: /S256/,
    },
    {
      name: 'the method s256 in lower case is refused',
      changes: { code_challenge_method: 's256' },
      error: 'invalid_request',
      mention: /S256/,
    },
    {
      name: 'a challenge of 42 characters is refused',
      changes: { code_challenge: challenge.slice(1) },
      error: 'invalid_request',
      mention: /43 base64url/,
    },
    {
      name: 'a challenge of 44 characters is refused',
      changes: { code_challenge: `${challenge}A` },
      error: 'invalid_request',
      mention: /43 base64url/,
    },
    {
      name: 'a padded challenge is refused',
      changes: { code_challenge: `${challenge}=` },
      error: 'invalid_request',
      mention: /43 base64url/,
    },
    {
      name: 'nothing but an unknown scope is refused',
      changes: { scope: 'phone' },
      error: 'invalid_scope',
      mention: /'phone'/,
    },
    {
      name: 'a scope that is not registered is refused',
      changes: { scope: 'openid profile phone' },
      error: 'invalid_scope',
      mention: /'profile'/,
    },
    {
      name: 'a request object is refused',
      changes: { request: 'eyJ' },
      error: 'request_not_supported',
      mention: /request/,
    },
    {
      name: 'a request_uri is refused',
      changes: { request_uri: 'urn:x' },
      error: 'request_uri_not_supported',
      mention: /request_uri/,
    },
    {
      name: 'a request object is refused before what it may contain',
      changes: { request: 'eyJ', response_type: undefined },
      error: 'request_not_supported',
      mention: /request/,
    },
  ];
  for (const c of cases) test(c.name, () => refusedAs(readWith(c.changes), c.error, c.mention));
});

describe('every parameter must be well-formed and not repeated', () => {
  const names = [
    'client_id',
    'redirect_uri',
    'response_type',
    'scope',
    'state',
    'nonce',
    'code_challenge',
    'code_challenge_method',
    'prompt',
    'max_age',
    'login_hint',
    'ui_locales',
    'request',
    'request_uri',
    'id_token_hint',
  ];
  for (const name of names) {
    const rest = queryWith({ [name]: undefined });
    test(`a repeated ${name} is refused`, () => {
      refusedAs(readText(`${rest}&${name}=a&${name}=a`), 'invalid_request', new RegExp(`^${name} is repeated`));
    });
    test(`a repeated ${name} is refused when one is empty`, () => {
      refusedAs(readText(`${rest}&${name}=&${name}=a`), 'invalid_request', new RegExp(`^${name} is repeated`));
    });
    for (const bad of ['%zz', '%ff', 'a%00', 'a%0d%0ab']) {
      test(`${name} with ${bad} is refused`, () => {
        refusedAs(readText(`${rest}&${name}=${bad}`), 'invalid_request', new RegExp(`^${name} has characters`));
      });
    }
  }
});

describe('a sole parameter', () => {
  const cases = [
    { name: 'a parameter that came once is given', query: 'client_id=a&x=1', expected: 'a' },
    { name: 'an absent parameter is not given', query: 'x=1', expected: undefined },
    { name: 'an empty parameter is not given', query: 'client_id=', expected: undefined },
    { name: 'a repeated parameter is not given', query: 'client_id=a&client_id=a', expected: undefined },
    { name: 'a parameter with a control character is not given', query: 'client_id=a%00', expected: undefined },
    { name: 'a parameter that is not UTF-8 is not given', query: 'client_id=%ff', expected: undefined },
    { name: 'a fault elsewhere does not hide a parameter', query: 'x=%ff&client_id=a&y=1&y=2', expected: 'a' },
  ];
  for (const c of cases) test(c.name, () => assert.equal(soleParameter(readQuery(c.query), 'client_id'), c.expected));
});
