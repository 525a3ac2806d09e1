// Independent libraries: openid-client signs in to the running service, and jose verifies the tokens.

import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { after, before, test } from 'node:test';
import { jwtVerify } from 'jose';
import * as oidc from 'openid-client';
import { formIn, Person } from '../harness/person.ts';
import { startTestService, type TestClient, type TestService, type TestUser } from '../harness/service.ts';

let service: TestService;
let client: TestClient;
let user: TestUser;

before(async () => {
  service = await startTestService();
  client = await service.newClient();
  user = await service.newUser();
});
after(() => service.stop());

function discover(who: TestClient, authentication: oidc.ClientAuth): Promise<oidc.Configuration> {
  const metadata = { id_token_signed_response_alg: 'HS256' };
  const options = { execute: [oidc.allowInsecureRequests] };
  return oidc.discovery(new URL(service.url), who.id, metadata, authentication, options);
}

async function begin(config: oidc.Configuration, who: TestClient, extra: Record<string, string> = {}) {
  const verifier = oidc.randomPKCECodeVerifier();
  const state = oidc.randomState();
  const nonce = oidc.randomNonce();
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: who.redirectUri,
    scope: 'openid profile email',
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...extra,
  });
  const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce };
  return { path: url.pathname + url.search, checks };
}

test('openid-client signs a person in, refreshes, reads the claims and revokes', async () => {
  const config = await discover(client, oidc.ClientSecretPost(client.secret));
  const { path, checks } = await begin(config, client);
  const answer = await new Person(service).authorize(path, user);
  const tokens = await oidc.authorizationCodeGrant(config, answer, { ...checks, idTokenExpected: true, maxAge: 600 });
  assert.equal(tokens.claims()?.sub, user.id);
  assert.equal(tokens.expires_in, 900);
  assert.equal(tokens.token_type, 'bearer');

  const claims = await oidc.fetchUserInfo(config, tokens.access_token, user.id);
  assert.equal(claims.email, user.email);
  const refreshed = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '');
  assert.equal(refreshed.claims()?.sub, user.id);
  assert.equal(refreshed.refresh_token, tokens.refresh_token);
  await oidc.tokenRevocation(config, refreshed.refresh_token ?? '');
  await assert.rejects(oidc.fetchUserInfo(config, refreshed.access_token, user.id), (error) => {
    return error instanceof oidc.WWWAuthenticateChallengeError && error.status === 401;
  });
  await assert.rejects(oidc.refreshTokenGrant(config, tokens.refresh_token ?? ''), { error: 'invalid_grant' });
});

test('jose verifies the ID token with the secret, and fails with another', async () => {
  const config = await discover(client, oidc.ClientSecretPost(client.secret));
  const { path, checks } = await begin(config, client);
  const answer = await new Person(service).authorize(path, user);
  const { id_token = '' } = await oidc.authorizationCodeGrant(config, answer, checks);
  const options = { algorithms: ['HS256'], issuer: service.url, audience: client.id };
  const { payload } = await jwtVerify(id_token, createSecretKey(Buffer.from(client.secret)), options);
  assert.equal(payload.sub, user.id);
  assert.equal(payload.nonce, checks.expectedNonce);
  const other = createSecretKey(Buffer.from(`${client.secret.slice(0, -1)}${client.secret.endsWith('A') ? 'B' : 'A'}`));
  await assert.rejects(jwtVerify(id_token, other, options), { code: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED' });
});

test('openid-client reports a canceled consent as access_denied', async () => {
  const app = await service.newClient();
  const config = await discover(app, oidc.ClientSecretPost(app.secret));
  const { path, checks } = await begin(config, app);
  const person = new Person(service);
  await person.signIn(user);
  const form = await formIn(await person.visit(path), '/oauth-authorize/decision');
  const answer = await person.submit(form, { decision: 'cancel' });
  const location = new URL(answer.headers.get('location') ?? '');
  await assert.rejects(oidc.authorizationCodeGrant(config, location, checks), { error: 'access_denied' });
});

test('openid-client signs in as a public client', async () => {
  const app = await service.newClient({ isPublic: true });
  const config = await discover(app, oidc.None());
  const { path, checks } = await begin(config, app);
  const answer = await new Person(service).authorize(path, user);
  const tokens = await oidc.authorizationCodeGrant(config, answer, checks);
  assert.equal(tokens.claims()?.sub, user.id);
  assert.equal((await oidc.fetchUserInfo(config, tokens.access_token, user.id)).name, 'Grace Hopper');
  assert.equal(tokens.refresh_token, undefined);
});
