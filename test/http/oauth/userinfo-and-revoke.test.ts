// GET /oauth/userinfo and POST /oauth/revoke, and every way in which a token stops working.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { updateClient } from '../../../src/operations/clients/clients.ts';
import { restoreClient, revokeClient } from '../../../src/operations/clients/revoke-client.ts';
import { disableUser, enableUser } from '../../../src/operations/users/disable-user.ts';
import { formIn } from '../../harness/person.ts';
import {
  authorizePath,
  exchangeParameters,
  newVerifier,
  obtainCode,
  obtainTokens,
  postForm,
  refreshParameters,
  userinfo,
} from '../../harness/relying-party.ts';
import { requester, type TestClient, type TestUser } from '../../harness/service.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const service = serviceOfSuite();
let client: TestClient;
let other: TestClient;
let user: TestUser;

before(async () => {
  client = await service.newClient();
  other = await service.newClient();
  user = await service.newUser();
});

const credentials = (who: TestClient) => ({ client_id: who.id, client_secret: who.secret });

async function refreshStatus(who: TestClient, refreshToken: string): Promise<number> {
  return (await postForm(service, '/oauth/token', refreshParameters(who, refreshToken))).status;
}

for (const [scope, claims] of [
  ['openid', ['sub']],
  ['openid email', ['email', 'email_verified', 'sub']],
  ['openid profile', ['family_name', 'given_name', 'name', 'sub', 'updated_at']],
  ['email', ['email', 'email_verified', 'sub']],
] as const) {
  test(`userinfo for the scope "${scope}" returns ${claims.join(', ')}`, async () => {
    const { tokens } = await obtainTokens(service, client, user, { scope });
    const answer = await userinfo(service, tokens.access_token);
    assert.equal(answer.status, 200);
    assert.deepEqual(Object.keys(answer.body).sort(), [...claims]);
    assert.equal(answer.body.sub, user.id);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
  });
}

test('an access token works for 900 seconds', async () => {
  const { tokens } = await obtainTokens(service, client, user);
  service.clock.advance(898);
  assert.equal((await userinfo(service, tokens.access_token)).status, 200);
  service.clock.advance(2);
  const answer = await userinfo(service, tokens.access_token);
  assert.equal(answer.status, 401);
  assert.equal(answer.body.error_code, 'TOKEN_INVALID');
  assert.equal(answer.body.error, 'invalid_token');
  assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer .*error="invalid_token"/);
});

test('missing and malformed tokens get TOKEN_INVALID', async () => {
  const { tokens } = await obtainTokens(service, client, user);
  const [header, payload, signature] = tokens.access_token.split('.');
  const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url');
  const wrong = [
    undefined,
    'Bearer',
    'Bearer ',
    'Bearer x',
    `Basic ${tokens.access_token}`,
    `Bearer ${tokens.access_token}x`,
    `Bearer ${tokens.access_token} x`,
    `Bearer ${tokens.id_token}`,
    `Bearer ${tokens.refresh_token}`,
    `Bearer ${none}.${payload}.`,
    `Bearer ${none}.${payload}.${signature}`,
    `Bearer ${header}.${payload}.`,
    `Bearer ${header}.${payload}`,
    `Bearer ${header}.${signature}.${payload}`,
    `Bearer ${'a'.repeat(7000)}`,
  ];
  for (const authorization of wrong) {
    const headers: Record<string, string> = authorization === undefined ? {} : { Authorization: authorization };
    const response = await fetch(`${service.url}/oauth/userinfo`, { headers });
    assert.equal(response.status, 401, authorization ?? 'no header');
    assert.equal(((await response.json()) as { error_code: string }).error_code, 'TOKEN_INVALID');
    assert.match(response.headers.get('www-authenticate') ?? '', /^Bearer /);
  }
});

test('the token is only accepted in the header, not in the query', async () => {
  const { tokens } = await obtainTokens(service, client, user);
  const response = await fetch(`${service.url}/oauth/userinfo?access_token=${tokens.access_token}`);
  assert.equal(response.status, 401);
});

describe('POST /oauth/userinfo', () => {
  const post = async (headers: Record<string, string>, body?: string) => {
    const response = await fetch(`${service.url}/oauth/userinfo`, { method: 'POST', headers, ...(body && { body }) });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const form = 'application/x-www-form-urlencoded';

  test('with the header answers like GET, whatever the body says', async () => {
    const { tokens } = await obtainTokens(service, client, user);
    const headers = { Authorization: `Bearer ${tokens.access_token}` };
    const got = await (await fetch(`${service.url}/oauth/userinfo`, { headers })).text();
    for (const [type, body] of [
      [form, undefined],
      [form, 'access_token=junk'],
      [form, '%ff&&a=1&a=2'],
      ['application/json', '{'],
    ] as const) {
      const answer = await post({ ...headers, 'Content-Type': type }, body);
      assert.deepEqual([answer.status, answer.text], [200, got]);
    }
  });

  test("without the header isn't authorized, and says where the token belongs if it came as a form", async () => {
    const { tokens } = await obtainTokens(service, client, user);
    const body = `access_token=${tokens.access_token}`;
    for (const [type, hint] of [
      [form, true],
      ['Application/X-WWW-Form-URLEncoded; charset=utf-8', true],
      ['application/json', false],
      [`${form}x`, false],
    ] as const) {
      const answer = await post({ 'Content-Type': type }, body);
      assert.equal(answer.status, 401);
      const { error_code, error_description } = JSON.parse(answer.text);
      assert.equal(error_code, 'TOKEN_INVALID');
      assert.equal(/Authorization header/.test(error_description), hint, type);
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer realm="Latchkey"');
    }
  });

  test('with a wrong token is refused like GET', async () => {
    const answer = await post({ Authorization: 'Bearer x', 'Content-Type': form }, 'a=b');
    assert.equal(answer.status, 401);
    assert.doesNotMatch(answer.text, /Authorization header/);
  });
});

test('"Bearer" is case-insensitive', async () => {
  const { tokens } = await obtainTokens(service, client, user);
  const headers = { Authorization: `bEARER ${tokens.access_token}` };
  assert.equal((await fetch(`${service.url}/oauth/userinfo`, { headers })).status, 200);
});

test('an access token only works at userinfo', async () => {
  const { tokens } = await obtainTokens(service, client, user);
  const headers = { Authorization: `Bearer ${tokens.access_token}` };
  for (const path of ['/api/me', '/api/clients', '/api']) {
    const response = await fetch(service.url + path, { headers });
    assert.equal(response.status, 401);
    const message = "The Authorization header doesn't contain a valid API key.";
    assert.deepEqual(await response.json(), { success: false, message, data: null });
  }
  const apps = await fetch(`${service.url}/account/apps`, { headers, redirect: 'manual' });
  assert.equal(apps.status, 302);
});

test('revoking a refresh token ends it and its access tokens; consent stays', async () => {
  const { tokens, person } = await obtainTokens(service, client, user);
  const answer = await postForm(service, '/oauth/revoke', { token: tokens.refresh_token, ...credentials(client) });
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, {});
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
  assert.equal((await userinfo(service, tokens.access_token)).status, 401);
  assert.equal(await refreshStatus(client, tokens.refresh_token), 400);
  assert.equal((await person.visit(authorizePath(client, newVerifier()))).status, 302, 'no consent page');
  assert.equal((await service.events('token_revoked')).at(-1)?.detail?.token, 'refresh_token');
});

test('revoking an access token ends that token only', async () => {
  const { tokens } = await obtainTokens(service, client, user);
  const second = await postForm(service, '/oauth/token', refreshParameters(client, tokens.refresh_token));
  const parameters = { token: tokens.access_token, token_type_hint: 'refresh_token', ...credentials(client) };
  assert.equal((await postForm(service, '/oauth/revoke', parameters)).status, 200);
  assert.equal((await postForm(service, '/oauth/revoke', parameters)).status, 200, 'twice is no error');
  assert.equal((await userinfo(service, tokens.access_token)).status, 401);
  assert.equal((await userinfo(service, second.body.access_token)).status, 200);
  assert.equal(await refreshStatus(client, tokens.refresh_token), 200);
});

test('a public client revokes its own access token with its client_id alone', async () => {
  const app = await service.newClient({ isPublic: true });
  const { tokens } = await obtainTokens(service, app, user);
  await postForm(service, '/oauth/revoke', { token: tokens.access_token, client_id: app.id });
  assert.equal((await userinfo(service, tokens.access_token)).status, 401);
});

test('revocation can be sent as JSON', async () => {
  const { tokens } = await obtainTokens(service, client, user);
  const response = await fetch(`${service.url}/oauth/revoke`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token: tokens.refresh_token, ...credentials(client) }),
  });
  assert.equal(response.status, 200);
  assert.equal(await refreshStatus(client, tokens.refresh_token), 400);
});

test("revocation always returns 200 and only affects the caller's own tokens", async () => {
  const { tokens, code } = await obtainTokens(service, client, user);
  const tries: [string, Record<string, string>, string | undefined][] = [
    ['an unknown token', { token: 'nothing', ...credentials(client) }, undefined],
    ['an ID token', { token: tokens.id_token, ...credentials(client) }, undefined],
    ['a code', { token: code, ...credentials(client) }, undefined],
    ['a foreign refresh token', { token: tokens.refresh_token, ...credentials(other) }, undefined],
    ['a foreign access token', { token: tokens.access_token, ...credentials(other) }, undefined],
    ['a wrong refresh secret', { token: `${tokens.refresh_token.slice(0, -3)}AAA`, ...credentials(client) }, undefined],
    [
      'a wrong client secret',
      { token: tokens.refresh_token, ...credentials(client), client_secret: 'x' },
      'invalid_client',
    ],
    ['no client secret', { token: tokens.refresh_token, client_id: client.id }, 'invalid_client'],
    ['no client', { token: tokens.refresh_token }, 'invalid_client'],
    ['an unknown client', { token: tokens.refresh_token, client_id: 'x', client_secret: 'y' }, 'invalid_client'],
    ['no token', credentials(client), 'invalid_request'],
  ];
  for (const [name, parameters, error] of tries) {
    const answer = await postForm(service, '/oauth/revoke', parameters);
    assert.equal(answer.status, 200, name);
    assert.equal(answer.body.error, error, name);
    if (error === undefined) assert.deepEqual(answer.body, {}, name);
  }
  assert.equal((await userinfo(service, tokens.access_token)).status, 200);
  assert.equal(await refreshStatus(client, tokens.refresh_token), 200);
  const reasons = (await service.events('client_authentication_failed')).map((event) => event.detail?.reason);
  assert.deepEqual(new Set(reasons), new Set(['wrong_secret', 'secret_missing', 'unknown_client']));
  const refused = (await service.events('revocation_refused')).map((event) => event.detail?.reason);
  assert.deepEqual(refused, ['client_id_missing', 'token_missing']);
});

test('guessing secrets at the revocation endpoint is slowed down, with the same status', async () => {
  service.clock.advance(61);
  const guess = { token: 'x', client_id: client.id, client_secret: 'guess' };
  for (let round = 0; round < 6; round++) {
    await Promise.all(Array.from({ length: 50 }, () => postForm(service, '/oauth/revoke', guess)));
  }
  const started = performance.now();
  const answer = await postForm(service, '/oauth/revoke', guess);
  assert.ok(performance.now() - started >= 900);
  assert.equal(answer.status, 200);
  assert.equal(answer.body.error, 'invalid_client');
  service.clock.advance(61);
});

test('scopes removed from a client no longer apply at refresh and userinfo', async () => {
  const app = await service.newClient();
  const { tokens } = await obtainTokens(service, app, user);
  await updateClient(service.running.services, app.id, { scopes: ['openid', 'email'] }, requester);
  assert.equal('name' in (await userinfo(service, tokens.access_token)).body, false);
  const refreshed = await postForm(service, '/oauth/token', refreshParameters(app, tokens.refresh_token));
  assert.equal(refreshed.body.scope, 'openid email');
});

test('a malformed revocation gets 200 with an error in the body', async () => {
  for (const [type, body] of [
    ['text/plain', 'token=x'],
    ['x', 'token=x'],
    ['application/json', '[]'],
    ['application/json', '{"token": 1}'],
    ['application/x-www-form-urlencoded', 'token=a&token=b'],
    ['application/x-www-form-urlencoded', 'token=%ff'],
  ] as const) {
    const response = await fetch(`${service.url}/oauth/revoke`, {
      method: 'POST',
      headers: { 'Content-Type': type },
      body,
    });
    assert.equal(response.status, 200);
    assert.equal(((await response.json()) as { error: string }).error, 'invalid_request');
  }
});

test('removing an application in Connected apps ends its tokens and codes at once', async () => {
  const { tokens, person } = await obtainTokens(service, client, user);
  const pending = await obtainCode(service, client, user);
  const elsewhere = await obtainTokens(service, other, user);
  const form = await formIn(await person.visit('/account/apps'), '/account/apps');
  const response = await person.submit(form, { remove: client.id });
  assert.match(await response.text(), /Access removed/);
  assert.equal((await userinfo(service, tokens.access_token)).status, 401);
  assert.equal(await refreshStatus(client, tokens.refresh_token), 400);
  const late = await postForm(service, '/oauth/token', exchangeParameters(client, pending.code, pending.verifier));
  assert.equal(late.body.error_code, 'OAUTH_INVALID_GRANT');
  assert.equal((await userinfo(service, elsewhere.tokens.access_token)).status, 200, 'other applications go on');
  assert.equal((await person.visit(authorizePath(client, newVerifier()))).status, 200, 'consent is asked for again');
  assert.equal((await service.events('app_removed')).at(-1)?.clientId, client.id);
});

test('revoking a client ends everything at once; restoring revives nothing', async () => {
  const app = await service.newClient();
  const { tokens, person } = await obtainTokens(service, app, user);
  const pending = await obtainCode(service, app, user);
  await revokeClient(service.running.services, app.id, requester);
  assert.equal((await userinfo(service, tokens.access_token)).status, 401);
  const refused = await postForm(service, '/oauth/token', refreshParameters(app, tokens.refresh_token));
  assert.equal(refused.status, 401);
  assert.equal(refused.body.error_code, 'OAUTH_INVALID_CLIENT');
  await restoreClient(service.running.services, app.id, requester);
  assert.equal((await userinfo(service, tokens.access_token)).status, 401);
  assert.equal(await refreshStatus(app, tokens.refresh_token), 400);
  const late = await postForm(service, '/oauth/token', exchangeParameters(app, pending.code, pending.verifier));
  assert.equal(late.status, 400);
  assert.equal((await person.visit(authorizePath(app, newVerifier()))).status, 200, 'consent is asked for again');
  assert.equal((await obtainTokens(service, app, user)).tokens.token_type, 'Bearer');
});

test('disabling a person ends their sessions and tokens at once; enabling revives none', async () => {
  const somebody = await service.newUser();
  const { tokens, person } = await obtainTokens(service, client, somebody);
  await disableUser(service.running.services, somebody.email, requester);
  assert.equal((await userinfo(service, tokens.access_token)).status, 401);
  assert.equal(await refreshStatus(client, tokens.refresh_token), 400);
  assert.match((await person.request('/account/apps')).headers.get('location') ?? '', /sign-in/);
  const form = await formIn(await person.visit('/sign-in'));
  const failed = await person.submit(form, { email: somebody.email, password: somebody.password });
  assert.equal(failed.status, 400);
  await enableUser(service.running.services, somebody.email, requester);
  assert.equal((await userinfo(service, tokens.access_token)).status, 401);
  assert.match((await person.request('/account/apps')).headers.get('location') ?? '', /sign-in/);
  assert.equal((await obtainTokens(service, client, somebody)).tokens.token_type, 'Bearer');
});
