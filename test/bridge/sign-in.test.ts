// Signing in over the bridge, as an application sees it.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { updateClient } from '../../src/operations/clients/clients.ts';
import {
  authorizePath,
  BridgeVisitor,
  exchange,
  redirectUri,
  refresh,
  startTestBridge,
  type TestBridge,
  userinfo,
} from '../harness/bridge.ts';
import { allGroups, claimOf, newGroup, setClaims } from '../harness/claims.ts';
import { readForm } from '../harness/person.ts';
import { finishSetUp, sessionSetUpPath, setUpOn } from '../harness/policy.ts';
import { decodeJwt, newVerifier } from '../harness/relying-party.ts';
import { alignToStep, codeOf, newOwner } from '../harness/second-factors.ts';
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

test('works however far the clock of a test is behind the one that the library has', async (t) => {
  const behind = await startTestService();
  t.after(() => behind.stop());
  const own = await startTestBridge(behind);
  t.after(() => own.stop());
  behind.clock.advance(-300);
  assert.ok((await new BridgeVisitor(own, behind).signIn(await behind.newUser())).access_token);
});

describe('a second factor that the application requires', () => {
  let strict: TestBridge;
  before(async () => {
    strict = await startTestBridge(service);
    const change = { secondFactor: 'required' } as const;
    assert.equal((await updateClient(service.running.services, strict.client.id, change, requester)).kind, 'done');
    alignToStep(service);
  });
  after(() => strict?.stop());

  async function claimsAfter(visitor: BridgeVisitor, left: Response, verifier: string) {
    const form = readForm(await left.clone().text(), '/oauth-authorize/decision');
    const answer = form === undefined ? left : await visitor.person.submit(form, { decision: 'approve' });
    const back = await visitor.led(answer.headers.get('location') ?? '');
    const { status, body, text } = await exchange(strict, back.searchParams.get('code') ?? '', verifier);
    assert.equal(status, 200, text);
    return decodeJwt(body.id_token);
  }

  test('is asked for in a session that has none, and silently is login_required', async () => {
    const owner = await newOwner(service);
    const visitor = new BridgeVisitor(strict, service, owner.person);
    const verifier = newVerifier();
    const silent = await visitor.led(authorizePath(strict.application, verifier, { prompt: 'none' }));
    const refused = await owner.person.visit(silent.pathname + silent.search);
    const back = await visitor.led(refused.headers.get('location') ?? '');
    assert.equal(back.searchParams.get('error'), 'login_required');

    const { pathname, search } = await visitor.led(authorizePath(strict.application, verifier));
    const asked = readForm(await (await owner.person.visit(pathname + search)).text(), '/sign-in/verify');
    assert.ok(asked);
    const left = await owner.person.submit(asked, { code: codeOf(service, owner) });
    const { acr, amr } = await claimsAfter(visitor, left, verifier);
    assert.deepEqual([acr, amr], ['2', ['pwd', 'otp', 'mfa']]);
  });

  test('is set up first by someone who has none', async () => {
    const visitor = new BridgeVisitor(strict, service);
    await visitor.person.signIn(await service.newUser());
    const verifier = newVerifier();
    const { pathname, search } = await visitor.led(authorizePath(strict.application, verifier));
    const setUp = await setUpOn(await visitor.person.visit(pathname + search), sessionSetUpPath);
    const { continueTo } = await finishSetUp(service, visitor.person, setUp);
    assert.equal((await claimsAfter(visitor, await visitor.person.visit(continueTo), verifier)).acr, '2');
  });
});

describe('access that ends by itself', () => {
  const minute = 60_000;

  for (const [name, silently] of [
    ['of a person to the application', 'access_denied'],
    ['of the person', 'login_required'],
  ] as const) {
    test(`${name} is over at that moment, for tokens and codes alike`, async (t) => {
      const own = await startTestBridge(service);
      t.after(() => own.stop());
      const { storage, journal, clock } = service.running.services;
      const ada = await service.newUser();
      const end = clock.now() + minute;
      if (silently === 'login_required') {
        const event = journal.event({ kind: 'user_edited', userId: ada.id }, requester);
        assert.ok(await storage.changeUserEnd(ada.id, end, clock.now(), event));
      } else {
        const event = journal.event({ kind: 'access_allowed', clientId: own.client.id, userId: ada.id }, requester);
        const allow = { people: [{ id: ada.id, event, expiresAt: end }], groups: [] };
        assert.ok(
          await storage.changeAccess(own.client.id, { allow, disallow: { people: [], groups: [] } }, clock.now()),
        );
        const change = { access: 'listed' } as const;
        assert.equal((await updateClient(service.running.services, own.client.id, change, requester)).kind, 'done');
      }
      const visitor = new BridgeVisitor(own, service);
      const tokens = await visitor.signIn(ada);
      const verifier = newVerifier();
      const code = (await visitor.authorize(ada, verifier)).searchParams.get('code') ?? '';
      service.clock.advance((end - 1 - clock.now()) / 1000);
      assert.equal((await userinfo(own, tokens.access_token)).status, 200);
      assert.equal((await refresh(own, tokens.refresh_token)).status, 200);

      service.clock.advance(0.001);
      assert.equal((await userinfo(own, tokens.access_token)).status, 401);
      assert.equal((await exchange(own, code, verifier)).body.error, 'invalid_grant');
      assert.equal((await refresh(own, tokens.refresh_token)).body.error, 'invalid_grant');
      const asked = await visitor.led(authorizePath(own.application, newVerifier(), { prompt: 'none' }));
      const left = await visitor.person.visit(asked.pathname + asked.search);
      const back = await visitor.led(left.headers.get('location') ?? '');
      assert.equal(back.searchParams.get('error'), silently);
    });
  }
});
