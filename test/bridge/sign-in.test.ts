// Signing in over the bridge, as an application sees it.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { BridgeVisitor, redirectUri, startTestBridge, type TestBridge, userinfo } from '../harness/bridge.ts';
import { newVerifier } from '../harness/relying-party.ts';
import { startTestService, type TestService, type TestUser } from '../harness/service.ts';

let service: TestService;
let bridge: TestBridge;
let user: TestUser;
before(async () => {
  service = await startTestService();
  bridge = await startTestBridge(service);
  user = await service.newUser();
});
after(async () => {
  await bridge?.stop();
  await service?.stop();
});

describe('signing in over the bridge', () => {
  test('ends at the application with a code, its state and the bridge as iss', async () => {
    const back = await new BridgeVisitor(bridge, service).authorize(user, newVerifier());
    assert.equal(back.origin + back.pathname, redirectUri);
    assert.deepEqual([...back.searchParams.keys()].sort(), ['code', 'iss', 'state']);
    assert.equal(back.searchParams.get('state'), 'state-1');
    assert.equal(back.searchParams.get('iss'), bridge.config.baseUrl);
  });

  test('gives an ID token that the published keys verify', async () => {
    const tokens = await new BridgeVisitor(bridge, service).signIn(user);
    const keySet = createRemoteJWKSet(new URL(`${bridge.url}/jwks`));
    const { payload } = await jwtVerify(tokens.id_token, keySet, {
      issuer: bridge.config.baseUrl,
      audience: bridge.application.clientId,
      algorithms: ['ES256'],
    });
    assert.equal(payload.sub, user.id);
    assert.equal(payload.nonce, 'nonce-1');
    assert.equal(payload.email, user.email);
    assert.equal(payload.name, 'Grace Hopper');
    assert.equal(payload.acr, '1');
    assert.deepEqual(payload.amr, ['pwd']);
    assert.equal(typeof payload.sid, 'string');
    assert.equal(typeof payload.auth_time, 'number');
    assert.equal(tokens.expires_in, 900);
    const { status, body } = await userinfo(bridge, tokens.access_token);
    assert.equal(status, 200);
    assert.equal(body.given_name, 'Grace');
  });
});
