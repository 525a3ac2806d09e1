// Signing in over the bridge, as an application sees it.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { updateClient } from '../../src/operations/clients/clients.ts';
import {
  authorizePath,
  BridgeVisitor,
  redirectUri,
  refresh,
  startTestBridge,
  type TestBridge,
  userinfo,
} from '../harness/bridge.ts';
import { allGroups, claimOf, newGroup, setClaims } from '../harness/claims.ts';
import { decodeJwt, newVerifier } from '../harness/relying-party.ts';
import { requester, startTestService, type TestService, type TestUser } from '../harness/service.ts';

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

  test('asks for consent as Latchkey does: consent_required without a page', async () => {
    const visitor = new BridgeVisitor(bridge, service);
    const { person } = visitor;
    await person.signIn(await service.newUser());
    const path = authorizePath(bridge.application, newVerifier(), { prompt: 'none' });
    const { pathname, search } = await visitor.led(path);
    const back = await visitor.led((await person.visit(pathname + search)).headers.get('location') ?? '');
    assert.equal(back.searchParams.get('error'), 'consent_required');
  });
});

test('claims, events and access of the application at Latchkey hold over the bridge', async (t) => {
  const own = await startTestBridge(service, { application: { claims: ['groups'] } });
  t.after(() => own.stop());
  const { id } = own.client;
  await newGroup(service, 'Staff', user);
  await setClaims(service, id, [claimOf('groups', allGroups)]);
  const visitor = new BridgeVisitor(own, service);
  const tokens = await visitor.signIn(user);
  const claims = decodeJwt(tokens.id_token);
  assert.deepEqual([claims.groups, 'email' in claims], [['Staff'], false]);
  const { body } = await userinfo(own, tokens.access_token);
  assert.deepEqual([body.groups, body.email], [['Staff'], user.email]);
  const events = (await service.events()).filter((event) => event.userId === user.id && event.clientId === id);
  assert.ok(events.length > 0);

  assert.equal((await updateClient(service.running.services, id, { access: 'listed' }, requester)).kind, 'done');
  assert.equal((await userinfo(own, tokens.access_token)).status, 401);
  assert.equal((await refresh(own, tokens.refresh_token)).body.error, 'invalid_grant');
  const refused = await visitor.led(authorizePath(own.application, newVerifier(), { prompt: 'none' }));
  const left = await visitor.person.visit(refused.pathname + refused.search);
  const back = await visitor.led(left.headers.get('location') ?? '');
  assert.equal(back.searchParams.get('error'), 'access_denied');
});
