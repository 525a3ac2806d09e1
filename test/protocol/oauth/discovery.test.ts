import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { claimsFor } from '../../../src/protocol/oauth/claims.ts';
import { discoveryDocument } from '../../../src/protocol/oauth/discovery.ts';
import { supportedScopes } from '../../../src/protocol/oauth/scope.ts';

// As a client reads it: after JSON.
const document: Record<string, unknown> = JSON.parse(JSON.stringify(discoveryDocument('https://login.example')));

describe('the discovery document', () => {
  const cases: { field: string; value: unknown }[] = [
    { field: 'issuer', value: 'https://login.example' },
    { field: 'authorization_endpoint', value: 'https://login.example/oauth-authorize.php' },
    { field: 'token_endpoint', value: 'https://login.example/oauth/token' },
    { field: 'userinfo_endpoint', value: 'https://login.example/oauth/userinfo' },
    { field: 'revocation_endpoint', value: 'https://login.example/oauth/revoke' },
    { field: 'jwks_uri', value: 'https://login.example/oauth/jwks.json' },
    { field: 'response_types_supported', value: ['code'] },
    { field: 'grant_types_supported', value: ['authorization_code', 'refresh_token'] },
    { field: 'code_challenge_methods_supported', value: ['S256'] },
    { field: 'token_endpoint_auth_methods_supported', value: ['client_secret_post', 'none'] },
    { field: 'id_token_signing_alg_values_supported', value: ['HS256'] },
    { field: 'scopes_supported', value: ['openid', 'profile', 'email'] },
    { field: 'subject_types_supported', value: ['public'] },
    { field: 'authorization_response_iss_parameter_supported', value: true },
    { field: 'request_parameter_supported', value: false },
    // These two are true when they are left out (OpenID Connect Discovery, RFC 8414).
    { field: 'request_uri_parameter_supported', value: false },
    { field: 'response_modes_supported', value: ['query'] },
  ];
  for (const c of cases) {
    test(`${c.field} is ${JSON.stringify(c.value)}`, () => assert.deepEqual(document[c.field], c.value));
  }

  test('it lists exactly the prompts that a request can have', () => {
    assert.deepEqual(document.prompt_values_supported, ['none', 'login', 'consent', 'select_account']);
  });

  test('every claim of userinfo is listed', () => {
    const person = {
      id: 'x',
      email: 'x',
      emailVerifiedAt: 1,
      name: 'x',
      givenName: 'x',
      familyName: 'x',
      preferredUsername: 'x',
      picture: 'x',
      locale: 'x',
      updatedAt: 1,
    };
    const listed = document.claims_supported as string[];
    for (const claim of Object.keys(claimsFor(person, supportedScopes))) assert.ok(listed.includes(claim), claim);
    assert.equal(new Set(listed).size, listed.length);
  });

  test('it names only existing endpoints', () => {
    const addresses = Object.keys(document).filter((field) => /_endpoint$|_uri$/.test(field));
    assert.deepEqual(addresses.sort(), [
      'authorization_endpoint',
      'end_session_endpoint',
      'jwks_uri',
      'revocation_endpoint',
      'token_endpoint',
      'userinfo_endpoint',
    ]);
  });
});
