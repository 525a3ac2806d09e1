// POST /oauth/token: the exchange and the refresh, and the life of codes and refresh tokens.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import {
  challengeOf,
  decodeJwt,
  exchangeParameters,
  newVerifier,
  obtainCode,
  obtainTokens,
  postForm,
  refreshParameters,
  userinfo,
} from '../../harness/relying-party.ts';
import type { TestClient, TestUser } from '../../harness/service.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const service = serviceOfSuite();
let client: TestClient;
let other: TestClient;
let user: TestUser;

before(async () => {
  client = await service.newClient({ redirectUris: ['http://localhost:9999/callback', 'http://localhost:9999/two'] });
  other = await service.newClient({ name: 'Other app' });
  user = await service.newUser();
});

const DAY = 24 * 60 * 60;

async function assertRefused(parameters: Record<string, string>, status: number, errorCode: string): Promise<void> {
  const answer = await postForm(service, '/oauth/token', parameters);
  assert.equal(answer.status, status);
  assert.equal(answer.body.error_code, errorCode);
  assert.equal(typeof answer.body.error, 'string');
  assert.equal(typeof answer.body.error_description, 'string');
  assert.equal(answer.headers.get('cache-control'), 'no-store');
}

test('an exchange returns exactly the six fields, uncached', async () => {
  const { code, verifier } = await obtainCode(service, client, user);
  const answer = await postForm(service, '/oauth/token', exchangeParameters(client, code, verifier));
  assert.equal(answer.status, 200);
  assert.deepEqual(Object.keys(answer.body).sort(), [
    'access_token',
    'expires_in',
    'id_token',
    'refresh_token',
    'scope',
    'token_type',
  ]);
  assert.equal(answer.body.token_type, 'Bearer');
  assert.equal(answer.body.expires_in, 900);
  assert.equal(answer.body.scope, 'openid profile email');
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
});

test('an exchange can be sent as JSON', async () => {
  const { code, verifier } = await obtainCode(service, client, user);
  const response = await fetch(`${service.url}/oauth/token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(exchangeParameters(client, code, verifier)),
  });
  assert.equal(response.status, 200);
});

test('a form with a charset in its content type is accepted', async () => {
  const { code, verifier } = await obtainCode(service, client, user);
  const answer = await postForm(service, '/oauth/token', exchangeParameters(client, code, verifier), {
    'Content-Type': 'application/x-www-form-urlencoded;charset=UTF-8',
  });
  assert.equal(answer.status, 200);
});

test('the ID token is signed with the client secret and has sub, auth_time and amr', async () => {
  const { tokens } = await obtainTokens(service, client, user);
  const key = new TextEncoder().encode(client.secret);
  const { payload } = await jwtVerify(tokens.id_token, key, {
    algorithms: ['HS256'],
    issuer: service.url,
    audience: client.id,
    currentDate: new Date(service.clock.now()),
  });
  assert.deepEqual(decodeProtectedHeader(tokens.id_token), { alg: 'HS256', typ: 'JWT' });
  assert.deepEqual(Object.keys(payload).sort(), [
    'acr',
    'amr',
    'at_hash',
    'aud',
    'auth_time',
    'exp',
    'iat',
    'iss',
    'nonce',
    'sid',
    'sub',
  ]);
  assert.equal(payload.sub, user.id);
  assert.equal(payload.nonce, 'nonce-1');
  assert.deepEqual(payload.amr, ['pwd']);
  assert.equal((payload.exp ?? 0) - (payload.iat ?? 0), 900);
  await assert.rejects(jwtVerify(tokens.id_token, new TextEncoder().encode(other.secret), { algorithms: ['HS256'] }));
});

test('without a nonce in the request there is none in the ID token', async () => {
  const { tokens } = await obtainTokens(service, client, user, { nonce: undefined });
  assert.equal('nonce' in decodeJwt(tokens.id_token), false);
});

test('an ID token is issued even without the scope openid', async () => {
  const { tokens } = await obtainTokens(service, client, user, { scope: 'email' });
  assert.equal(tokens.scope, 'email');
  assert.equal(decodeJwt(tokens.id_token).sub, user.id);
});

test('the access token is narrow: its audience is the client and it carries no roles', async () => {
  const { tokens } = await obtainTokens(service, client, user);
  const claims = decodeJwt(tokens.access_token);
  assert.equal(claims.aud, client.id);
  assert.deepEqual(Object.keys(claims).sort(), [
    'aud',
    'client_id',
    'exp',
    'grant',
    'iat',
    'iss',
    'jti',
    'scope',
    'sub',
  ]);
});

test('a code works until just before 60 seconds, and not after', async () => {
  const early = await obtainCode(service, client, user);
  service.clock.advance(59);
  const answer = await postForm(service, '/oauth/token', exchangeParameters(client, early.code, early.verifier));
  assert.equal(answer.status, 200);
  const late = await obtainCode(service, client, user);
  service.clock.advance(60);
  await assertRefused(exchangeParameters(client, late.code, late.verifier), 400, 'OAUTH_INVALID_GRANT');
  assert.deepEqual((await service.events('exchange_refused')).at(-1)?.detail?.reasons, ['expired']);
});

const wrongExchanges: {
  name: string;
  change: Record<string, string>;
  code: string;
  status: number;
  reason?: string;
}[] = [
  {
    name: 'another registered redirect URI',
    change: { redirect_uri: 'http://localhost:9999/two' },
    code: 'OAUTH_INVALID_GRANT',
    status: 400,
    reason: 'redirect_uri_mismatch',
  },
  {
    name: 'a redirect URI with another spelling',
    change: { redirect_uri: 'http://localhost:9999/callback/' },
    code: 'OAUTH_INVALID_GRANT',
    status: 400,
    reason: 'redirect_uri_mismatch',
  },
  {
    name: 'another verifier',
    change: { code_verifier: newVerifier() },
    code: 'OAUTH_INVALID_GRANT',
    status: 400,
    reason: 'verifier_mismatch',
  },
  {
    name: 'a verifier of 42 characters',
    change: { code_verifier: 'a'.repeat(42) },
    code: 'OAUTH_INVALID_GRANT',
    status: 400,
    reason: 'verifier_mismatch',
  },
  {
    name: 'a verifier of 129 characters',
    change: { code_verifier: 'a'.repeat(129) },
    code: 'OAUTH_INVALID_GRANT',
    status: 400,
    reason: 'verifier_mismatch',
  },
  {
    name: 'a verifier outside its alphabet',
    change: { code_verifier: `${'a'.repeat(43)}+` },
    code: 'OAUTH_INVALID_GRANT',
    status: 400,
    reason: 'verifier_mismatch',
  },
  { name: 'a wrong secret', change: { client_secret: 'wrong' }, code: 'OAUTH_INVALID_CLIENT', status: 401 },
  { name: 'an empty secret', change: { client_secret: '' }, code: 'OAUTH_INVALID_CLIENT', status: 401 },
  { name: 'an unknown client', change: { client_id: 'nobody' }, code: 'OAUTH_INVALID_CLIENT', status: 401 },
  { name: 'an empty code', change: { code: '' }, code: 'OAUTH_INVALID_REQUEST', status: 400 },
  { name: 'a missing redirect URI', change: { redirect_uri: '' }, code: 'OAUTH_INVALID_REQUEST', status: 400 },
  { name: 'a missing verifier', change: { code_verifier: '' }, code: 'OAUTH_INVALID_REQUEST', status: 400 },
  { name: 'no grant type', change: { grant_type: '' }, code: 'OAUTH_INVALID_REQUEST', status: 400 },
  {
    name: 'grant type password',
    change: { grant_type: 'password' },
    code: 'OAUTH_UNSUPPORTED_GRANT_TYPE',
    status: 400,
  },
  {
    name: 'grant type client_credentials',
    change: { grant_type: 'client_credentials' },
    code: 'OAUTH_UNSUPPORTED_GRANT_TYPE',
    status: 400,
  },
];

for (const wrong of wrongExchanges) {
  test(`${wrong.name} is refused and leaves the code unused`, async () => {
    const { code, verifier } = await obtainCode(service, client, user);
    const right = exchangeParameters(client, code, verifier);
    await assertRefused({ ...right, ...wrong.change }, wrong.status, wrong.code);
    if (wrong.reason !== undefined) {
      const event = (await service.events('exchange_refused')).at(-1);
      assert.deepEqual(event?.detail?.reasons, [wrong.reason]);
      assert.equal(event?.userId, user.id);
      assert.equal(event?.clientId, client.id);
      assert.equal(event?.address, '127.0.0.1');
      assert.ok(event?.requestId);
    }
    assert.equal((await postForm(service, '/oauth/token', right)).status, 200);
  });
}

test("a verifier that's too short is refused even if the challenge matches it", async () => {
  const verifier = 'a'.repeat(42);
  const { code } = await obtainCode(service, client, user, { code_challenge: challengeOf(verifier) });
  const answer = await postForm(service, '/oauth/token', exchangeParameters(client, code, verifier));
  assert.equal(answer.body.error_code, 'OAUTH_INVALID_GRANT');
  assert.match(answer.body.error_description, /43 to 128/);
});

test("another client's code is refused and stays unused", async () => {
  const { code, verifier } = await obtainCode(service, client, user);
  const right = exchangeParameters(client, code, verifier);
  const foreign = { ...right, client_id: other.id, client_secret: other.secret };
  await assertRefused(foreign, 400, 'OAUTH_INVALID_GRANT');
  assert.deepEqual((await service.events('exchange_refused')).at(-1)?.detail?.reasons, ['client_mismatch']);
  assert.equal((await postForm(service, '/oauth/token', right)).status, 200);
});

test('codes that were never issued are refused', async () => {
  const { code, verifier } = await obtainCode(service, client, user);
  const tampered = `${code.slice(0, -2)}${code.endsWith('AA') ? 'BB' : 'AA'}`;
  for (const wrong of ['x', 'lkc_', tampered, code.toUpperCase(), 'ü'.repeat(50)]) {
    await assertRefused(exchangeParameters(client, wrong, verifier), 400, 'OAUTH_INVALID_GRANT');
  }
  assert.equal((await postForm(service, '/oauth/token', exchangeParameters(client, code, verifier))).status, 200);
});

test('Basic is refused with a message that says so, and the code can still be used', async () => {
  const { code, verifier } = await obtainCode(service, client, user);
  const right = exchangeParameters(client, code, verifier);
  const { client_id, client_secret, ...rest } = right;
  const basic = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`;
  const bodies = [rest, { ...rest, client_id: client.id }, right];
  for (const [body, header] of [...bodies.map((body) => [body, basic] as const), [rest, 'basic'] as const]) {
    const first = await postForm(service, '/oauth/token', body, { Authorization: header });
    assert.equal(first.status, 401);
    assert.equal(first.body.error, 'invalid_client');
    assert.match(first.body.error_description, /^This client authenticates with client_secret_post: /);
    assert.match(first.headers.get('www-authenticate') ?? '', /^Basic /);
  }
  const events = (await service.events('client_authentication_failed')).slice(-4);
  assert.deepEqual(
    events.map(({ clientId, detail }) => [clientId, detail?.reason]),
    [...bodies.map(() => [client.id, 'basic_authentication']), [undefined, 'basic_authentication']],
  );
  assert.equal(JSON.stringify(events).includes(client.secret), false);
  assert.equal((await postForm(service, '/oauth/token', right)).status, 200);
});

test("a Basic header's content isn't stored or logged, unless it looks like a client ID", async () => {
  const headers = ['a\0b:c', 'lk_secret_of_somebody', `${'x'.repeat(5000)}:y`, ':', ''].map(
    (text) => `Basic ${Buffer.from(text).toString('base64')}`,
  );
  for (const header of [...headers, 'Basic %%%']) {
    const { status } = await postForm(service, '/oauth/token', {}, { Authorization: header });
    assert.equal(status, 401, header);
  }
  for (const { detail } of (await service.events('client_authentication_failed')).slice(-6)) {
    assert.deepEqual(detail, { reason: 'basic_authentication' });
  }
});

test('a refused client that sent no Authorization header gets no challenge', async () => {
  const answer = await postForm(service, '/oauth/token', {
    ...refreshParameters(client, 'x'),
    client_secret: 'wrong',
  });
  assert.equal(answer.status, 401);
  assert.equal(answer.headers.get('www-authenticate'), null);
});

test('credentials in the query are ignored', async () => {
  const { code, verifier } = await obtainCode(service, client, user);
  const { client_id, client_secret, ...rest } = exchangeParameters(client, code, verifier);
  const query = new URLSearchParams({ client_id: client.id, client_secret: client.secret });
  const answer = await postForm(service, `/oauth/token?${query}`, rest);
  assert.equal(answer.status, 401);
});

test("a second exchange within ten seconds is refused, and the first one's tokens keep working", async () => {
  const { code, verifier, tokens } = await obtainTokens(service, client, user);
  service.clock.advance(9);
  await assertRefused(exchangeParameters(client, code, verifier), 400, 'OAUTH_INVALID_GRANT');
  assert.deepEqual((await service.events('exchange_refused')).at(-1)?.detail?.reasons, ['replayed']);
  assert.equal((await userinfo(service, tokens.access_token)).status, 200);
});

for (const seconds of [11, 61]) {
  test(`a fully valid replay ${seconds} seconds later ends the grant`, async () => {
    const { code, verifier, tokens } = await obtainTokens(service, client, user);
    service.clock.advance(seconds);
    await assertRefused(exchangeParameters(client, code, verifier), 400, 'OAUTH_INVALID_GRANT');
    assert.equal((await userinfo(service, tokens.access_token)).status, 401);
    await assertRefused(refreshParameters(client, tokens.refresh_token), 400, 'OAUTH_INVALID_GRANT');
    assert.equal((await service.events('grant_ended_by_replay')).at(-1)?.clientId, client.id);
  });
}

test('a late replay with a wrong verifier ends nothing', async () => {
  const { code, tokens } = await obtainTokens(service, client, user);
  service.clock.advance(30);
  await assertRefused(exchangeParameters(client, code, newVerifier()), 400, 'OAUTH_INVALID_GRANT');
  assert.equal((await userinfo(service, tokens.access_token)).status, 200);
});

test('of a hundred concurrent exchanges of one code exactly one succeeds, and its tokens work', async () => {
  const { code, verifier } = await obtainCode(service, client, user);
  const parameters = exchangeParameters(client, code, verifier);
  const answers = await Promise.all(Array.from({ length: 100 }, () => postForm(service, '/oauth/token', parameters)));
  const winners = answers.filter((answer) => answer.status === 200);
  assert.equal(winners.length, 1);
  for (const answer of answers.filter((candidate) => candidate.status !== 200)) {
    assert.equal(answer.body.error_code, 'OAUTH_INVALID_GRANT');
  }
  const tokens = winners[0]?.body;
  assert.equal((await userinfo(service, tokens?.access_token ?? '')).status, 200);
  const refreshed = await postForm(service, '/oauth/token', refreshParameters(client, tokens?.refresh_token ?? ''));
  assert.equal(refreshed.status, 200);
});

test('a refresh returns a new access token, a new ID token and the same refresh token', async () => {
  const { tokens } = await obtainTokens(service, client, user);
  service.clock.advance(100);
  const answer = await postForm(service, '/oauth/token', refreshParameters(client, tokens.refresh_token));
  assert.equal(answer.status, 200);
  assert.equal(answer.body.refresh_token, tokens.refresh_token);
  assert.notEqual(answer.body.access_token, tokens.access_token);
  assert.equal(answer.body.scope, 'openid profile email');
  const before = decodeJwt(tokens.id_token);
  const after = decodeJwt(answer.body.id_token);
  assert.equal(after.nonce, before.nonce);
  assert.equal(after.auth_time, before.auth_time);
  assert.equal((after.iat as number) - (before.iat as number), 100);
  assert.equal((await userinfo(service, answer.body.access_token)).status, 200);
});

test('a refresh can narrow the scope, never widen it', async () => {
  const { tokens } = await obtainTokens(service, client, user, { scope: 'openid email' });
  const right = refreshParameters(client, tokens.refresh_token);
  const narrow = await postForm(service, '/oauth/token', { ...right, scope: 'openid' });
  assert.equal(narrow.body.scope, 'openid');
  assert.deepEqual((await userinfo(service, narrow.body.access_token)).body, { sub: user.id });
  for (const scope of ['openid profile', 'openid offline_access', 'groups']) {
    await assertRefused({ ...right, scope }, 400, 'OAUTH_INVALID_SCOPE');
  }
  const again = await postForm(service, '/oauth/token', right);
  assert.equal(again.body.scope, 'openid email');
});

test("a refresh token is valid for 30 days, and using it doesn't extend that", async () => {
  const { tokens } = await obtainTokens(service, client, user);
  const right = refreshParameters(client, tokens.refresh_token);
  service.clock.advance(29 * DAY);
  assert.equal((await postForm(service, '/oauth/token', right)).status, 200);
  service.clock.advance(DAY - 10);
  const last = await postForm(service, '/oauth/token', right);
  assert.equal(last.status, 200);
  service.clock.advance(11);
  await assertRefused(right, 400, 'OAUTH_INVALID_GRANT');
  assert.equal((await service.events('refresh_refused')).at(-1)?.detail?.reason, 'expired');
  assert.equal((await userinfo(service, last.body.access_token)).status, 200, 'it lives its own 15 minutes');
});

test('a refused refresh ends nothing', async () => {
  const { tokens } = await obtainTokens(service, client, user);
  const right = refreshParameters(client, tokens.refresh_token);
  await assertRefused({ ...right, client_secret: 'wrong' }, 401, 'OAUTH_INVALID_CLIENT');
  await assertRefused({ ...right, client_id: other.id, client_secret: other.secret }, 400, 'OAUTH_INVALID_GRANT');
  await assertRefused({ ...right, refresh_token: `${tokens.refresh_token}x` }, 400, 'OAUTH_INVALID_GRANT');
  assert.equal((await postForm(service, '/oauth/token', right)).status, 200);
});

test('an access token, an ID token and a code are not refresh tokens', async () => {
  const { tokens, code } = await obtainTokens(service, client, user);
  for (const wrong of [tokens.access_token, tokens.id_token, code]) {
    await assertRefused(refreshParameters(client, wrong), 400, 'OAUTH_INVALID_GRANT');
  }
});

test('two secrets work after a rotation, and each response is signed with the one presented', async () => {
  const rotating = await service.newClient();
  const { rotateClientSecret } = await import('../../../src/operations/clients/clients.ts');
  const { tokens } = await obtainTokens(service, rotating, user);
  const rotated = await rotateClientSecret(service.running.services, rotating.id, { address: '', requestId: '' });
  assert.equal(rotated.kind, 'done');
  const secrets = [rotating.secret, rotated.kind === 'done' ? rotated.secret : ''];
  for (const secret of secrets) {
    const answer = await postForm(
      service,
      '/oauth/token',
      refreshParameters({ ...rotating, secret }, tokens.refresh_token),
    );
    assert.equal(answer.status, 200);
    await jwtVerify(answer.body.id_token, new TextEncoder().encode(secret), {
      currentDate: new Date(service.clock.now()),
    });
  }
  await rotateClientSecret(service.running.services, rotating.id, { address: '', requestId: '' });
  await assertRefused(refreshParameters(rotating, tokens.refresh_token), 401, 'OAUTH_INVALID_CLIENT');
});

test("a public client exchanges with PKCE alone, gets no refresh token, and can't refresh", async () => {
  const app = await service.newClient({ isPublic: true });
  const { tokens } = await obtainTokens(service, app, user);
  assert.equal('refresh_token' in tokens, false);
  assert.equal(decodeJwt(tokens.id_token).aud, app.id);
  assert.equal((await userinfo(service, tokens.access_token)).status, 200);
  const parameters = { grant_type: 'refresh_token', refresh_token: 'x', client_id: app.id };
  await assertRefused(parameters, 400, 'OAUTH_UNAUTHORIZED_CLIENT');
});

test("a public client's ID token is signed with a key it doesn't know", async () => {
  const app = await service.newClient({ isPublic: true });
  const { tokens } = await obtainTokens(service, app, user);
  for (const guess of ['', app.id, 'secret']) {
    const key = new TextEncoder().encode(guess.padEnd(32, '\0'));
    await assert.rejects(jwtVerify(tokens.id_token, key, { algorithms: ['HS256'] }));
  }
});

test('a public client that sends a secret is refused', async () => {
  const app = await service.newClient({ isPublic: true });
  const { code, verifier } = await obtainCode(service, app, user);
  const right = exchangeParameters(app, code, verifier);
  await assertRefused({ ...right, client_secret: 'anything' }, 401, 'OAUTH_INVALID_CLIENT');
  assert.equal((await postForm(service, '/oauth/token', right)).status, 200);
});

test('wrong secrets are rate limited, and the right one still works', async () => {
  const { tokens } = await obtainTokens(service, client, user);
  const right = refreshParameters(client, tokens.refresh_token);
  let limited = 0;
  for (let round = 0; round < 8; round++) {
    const wrong = { ...right, client_secret: 'guess' };
    const answers = await Promise.all(Array.from({ length: 50 }, () => postForm(service, '/oauth/token', wrong)));
    for (const answer of answers) {
      if (answer.status === 429) {
        limited++;
        assert.equal(answer.body.error_code, 'RATE_LIMITED');
        assert.equal(answer.body.error, 'temporarily_unavailable');
        assert.equal(answer.headers.get('retry-after'), '60');
      } else assert.equal(answer.status, 401);
    }
  }
  assert.ok(limited > 0);
  assert.equal((await postForm(service, '/oauth/token', right)).status, 200);
  service.clock.advance(61);
});
