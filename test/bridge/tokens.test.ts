// Codes and tokens of the bridge: how applications present them, what Latchkey is asked, and what ends them.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, type TestContext, test } from 'node:test';
import type { BridgeApplication } from '../../src/bridge/config-file.ts';
import { logTo } from '../../src/cli/standalone/log.ts';
import { rotateClientSecret } from '../../src/operations/clients/clients.ts';
import { revokeClient } from '../../src/operations/clients/revoke-client.ts';
import { disableUser } from '../../src/operations/users/disable-user.ts';
import { issueLogoutToken } from '../../src/protocol/oauth/logout-token.ts';
import { hmacStatesOf } from '../../src/protocol/resumable-hmac.ts';
import { type InBetween, startInBetween } from '../gate/in-between.ts';
import {
  applicationFor,
  ask,
  authorizePath,
  BridgeVisitor,
  basic,
  bridgeClient,
  exchange,
  exchangeForm,
  onlySecret,
  refresh,
  revoke,
  startTestBridge,
  type TestBridge,
  userinfo,
} from '../harness/bridge.ts';
import { decodeJwt, newVerifier } from '../harness/relying-party.ts';
import { requester, type TestService, type TestUser } from '../harness/service.ts';
import { until } from '../harness/until.ts';

let between: InBetween;
let service: TestService;
let bridge: TestBridge;
/** Another process on the same files. */
let beside: TestBridge;
let ada: TestUser;
before(async () => {
  between = await startInBetween();
  service = between.service;
  bridge = await startTestBridge(service);
  beside = await startTestBridge(service, { beside: bridge });
  ada = await service.newUser();
});
beforeEach(() => between.reset());
after(async () => {
  await beside?.stop();
  await bridge?.stop();
  await between?.stop();
});

const verifier = newVerifier();

/** One more process on the same files, with other applications. */
async function startThird(t: TestContext, ...applications: BridgeApplication[]): Promise<TestBridge> {
  const third = await startTestBridge(service, { beside: bridge, config: { applications } });
  t.after(() => third.stop());
  return { ...third, application: applications[0] ?? bridge.application };
}

const signIn = async (user = ada) => new BridgeVisitor(bridge, service).signIn(user);
const newCode = async (user = ada) =>
  (await new BridgeVisitor(bridge, service).authorize(user, verifier)).searchParams.get('code') ?? '';
async function endedAtLatchkey(refreshToken: string): Promise<void> {
  const answer = await refresh(bridge, refreshToken);
  assert.equal(answer.status, 400, answer.text);
  assert.equal(answer.body.error, 'invalid_grant');
}

/** The grants that Latchkey has not ended. */
async function grantsAtLatchkey(user: TestUser): Promise<number> {
  const rows = await service.rows('grants');
  return rows.filter((row) => row.user_id === user.id && row.ended_at === null).length;
}

test('a callback gives one code, in two processes at the same moment, too', async () => {
  const visitor = new BridgeVisitor(bridge, service);
  const callback = await visitor.callbackFor(ada, authorizePath(bridge.application, verifier));
  const same = Object.assign(new BridgeVisitor(beside, service), { cookies: visitor.cookies });
  const answers = await Promise.all([visitor, same].map((each) => each.open(callback.href)));
  const codes = answers.flatMap(({ text }) => /[?&;]code=([\w-]+)/.exec(text)?.[1] ?? []);
  assert.equal(codes.length, 1, answers.map(({ text }) => text).join());
  assert.equal((await exchange(bridge, codes[0] ?? '', verifier)).status, 200);
});

/** Keeps the next answer of Latchkey's userinfo back until it's called. */
function heldUserinfo(): { readonly isAsked: () => boolean; readonly release: () => void } {
  let release: (() => void) | undefined;
  between.answer = ({ url, headers }, response) => {
    if (url !== '/oauth/userinfo') return false;
    between.reset();
    const { authorization = '' } = headers;
    fetch(`${service.url}/oauth/userinfo`, { headers: { authorization } }).then(async (answer) => {
      const text = await answer.text();
      release = () => response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
    });
    return true;
  };
  return { isAsked: () => release !== undefined, release: () => release?.() };
}

describe('what ends while Latchkey is being asked', () => {
  test('gets no token for a code that another process has exchanged', async () => {
    const code = await newCode();
    const held = heldUserinfo();
    const slow = exchange(bridge, code, verifier);
    await until(held.isAsked, 'Latchkey is asked');
    const { status, body } = await exchange(beside, code, verifier);
    assert.equal(status, 200);
    held.release();
    assert.equal((await slow).body.error, 'invalid_grant');
    assert.equal((await userinfo(bridge, body.access_token)).status, 200);
  });

  test('gets no token by a refresh that a revocation overtakes', async () => {
    const tokens = await signIn();
    const held = heldUserinfo();
    const slow = refresh(bridge, tokens.refresh_token);
    await until(held.isAsked, 'Latchkey is asked');
    assert.equal((await revoke(beside, tokens.access_token)).status, 200);
    held.release();
    const { status, body } = await slow;
    assert.deepEqual([status, body.error, body.access_token], [400, 'invalid_grant', undefined]);
  });
});

describe('a code', () => {
  test('works with the secret in the body, and in the header', async () => {
    assert.equal((await exchange(bridge, await newCode(), verifier)).status, 200);
    const { client_id: _, client_secret: __, ...form } = exchangeForm(bridge.application, await newCode(), verifier);
    const Authorization = basic(bridge.application.clientId, bridge.application.clientSecret.secrets[0]);
    assert.equal((await ask(bridge, '/token', { form, headers: { Authorization } })).status, 200);
  });

  test("isn't used up by an exchange that fails", async () => {
    const code = await newCode();
    for (const changes of [
      { client_secret: 'wrong' },
      { code_verifier: newVerifier() },
      { redirect_uri: 'http://localhost:9999/other' },
      { grant_type: 'password' },
    ]) {
      assert.ok((await exchange(bridge, code, verifier, changes)).status >= 400);
    }
    assert.equal((await exchange(bridge, code, verifier)).status, 200);
  });

  test('works once, in two processes at the same moment, too', async () => {
    const code = await newCode();
    const answers = await Promise.all([bridge, beside, bridge, beside].map((each) => exchange(each, code, verifier)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400]);
    const [granted] = answers.filter(({ status }) => status === 200);
    assert.equal((await userinfo(beside, granted?.body.access_token ?? '')).status, 200);
  });

  test('that comes again within 10 seconds ends nothing, and later ends the grant here and at Latchkey', async () => {
    const user = await service.newUser();
    const code = await newCode(user);
    const { body } = await exchange(bridge, code, verifier);
    service.clock.advance(9);
    assert.equal((await exchange(beside, code, verifier)).body.error, 'invalid_grant');
    assert.equal((await userinfo(bridge, body.access_token)).status, 200);
    service.clock.advance(2);
    // Not everything is right: whoever has only seen the code can't end anything.
    assert.equal((await exchange(bridge, code, newVerifier())).body.error, 'invalid_grant');
    assert.equal((await userinfo(bridge, body.access_token)).status, 200);
    assert.equal(await grantsAtLatchkey(user), 1);
    assert.equal((await exchange(beside, code, verifier)).body.error, 'invalid_grant');
    assert.equal((await userinfo(bridge, body.access_token)).status, 401);
    await endedAtLatchkey(body.refresh_token);
    assert.equal(await grantsAtLatchkey(user), 0);
  });

  test('works for a minute, and its replay ends the grant even later', async (t) => {
    const [used, unused] = [await newCode(), await newCode()];
    const { body } = await exchange(bridge, used, verifier);
    service.clock.advance(61);
    // The library has a clock of its own.
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 61_000 });
    assert.equal((await exchange(bridge, unused, verifier)).body.error, 'invalid_grant');
    assert.equal((await userinfo(bridge, body.access_token)).status, 200);
    assert.equal((await exchange(bridge, used, verifier)).body.error, 'invalid_grant');
    assert.equal((await userinfo(bridge, body.access_token)).status, 401);
  });

  test('ends its grant here and at Latchkey if Latchkey refuses access', async () => {
    const user = await service.newUser();
    const code = await newCode(user);
    between.answer = (request, response) => (request.url === '/oauth/userinfo' ? response.writeHead(401).end() : false);
    assert.equal((await exchange(bridge, code, verifier)).body.error, 'invalid_grant');
    between.reset();
    assert.equal((await exchange(bridge, code, verifier)).body.error, 'invalid_grant');
    assert.equal(await grantsAtLatchkey(user), 0);
  });

  test('is worth nothing once access has ended at Latchkey', async () => {
    const user = await service.newUser();
    const code = await newCode(user);
    await disableUser(service.running.services, user, requester);
    const answer = await exchange(bridge, code, verifier);
    assert.equal(answer.body.error, 'invalid_grant', answer.text);
  });
});

describe('an access token', () => {
  test("gets what Latchkey's userinfo says, each time", async () => {
    const tokens = await signIn();
    const before = between.asked.filter((path) => path === '/oauth/userinfo').length;
    between.change.set('/oauth/userinfo', (claims) => ({ ...claims, nickname: 'Ada', email: undefined }));
    const { body } = await userinfo(bridge, tokens.access_token);
    assert.equal(body.nickname, 'Ada');
    assert.equal('email' in body, false);
    assert.equal(between.asked.filter((path) => path === '/oauth/userinfo').length, before + 1);
    const posted = await ask(bridge, '/userinfo', { form: { access_token: tokens.access_token } });
    assert.equal(posted.body.nickname, 'Ada');
  });

  test('is out with the next request of a person who is disabled', async () => {
    const user = await service.newUser();
    const tokens = await signIn(user);
    await disableUser(service.running.services, user, requester);
    const { status, headers, body } = await userinfo(bridge, tokens.access_token);
    assert.equal(status, 401);
    assert.match(headers.get('www-authenticate') ?? '', /^Bearer .*error="invalid_token"/);
    assert.equal(body.error, 'invalid_token');
    await endedAtLatchkey(tokens.refresh_token);
  });

  test('lasts as long as the one at Latchkey', async () => {
    const code = await newCode();
    service.clock.advance(40);
    const { body } = await exchange(bridge, code, verifier);
    assert.equal(body.expires_in, 860);
    service.clock.advance(860);
    assert.equal((await userinfo(bridge, body.access_token)).status, 401);
    assert.equal((await refresh(bridge, body.refresh_token)).status, 200);
  });

  test("isn't accepted as anything else, nor anything else as one", async () => {
    const tokens = await signIn();
    const code = await newCode();
    for (const wrong of [tokens.refresh_token, tokens.id_token, code, 'x', '']) {
      assert.equal((await userinfo(bridge, wrong)).status >= 400, true);
    }
    for (const wrong of [tokens.access_token, tokens.id_token, code]) {
      assert.equal((await refresh(bridge, wrong)).body.error, 'invalid_grant');
    }
    for (const wrong of [tokens.access_token, tokens.refresh_token]) {
      assert.equal((await exchange(bridge, wrong, verifier)).body.error, 'invalid_grant');
    }
    assert.equal((await userinfo(bridge, tokens.access_token)).status, 200);
  });
});

describe('a refresh token', () => {
  test('stays the same, in all processes, and the sign-in keeps its facts', async () => {
    const tokens = await signIn();
    for (const each of [bridge, beside, bridge]) {
      const { body } = await refresh(each, tokens.refresh_token);
      assert.equal(body.refresh_token, tokens.refresh_token);
      assert.notEqual(body.access_token, tokens.access_token);
      const [first, second] = [tokens, body].map(({ id_token }) => decodeJwt(id_token));
      for (const claim of ['iss', 'aud', 'sub', 'auth_time', 'acr', 'amr', 'sid', 'email', 'name']) {
        assert.deepEqual(second?.[claim], first?.[claim], claim);
      }
      assert.equal((await userinfo(bridge, body.access_token)).status, 200);
    }
    assert.equal((await userinfo(bridge, tokens.access_token)).status, 200);
  });

  test('can ask for less', async () => {
    const tokens = await signIn();
    const { body } = await refresh(bridge, tokens.refresh_token, { scope: 'openid email' });
    assert.equal(body.scope, 'openid email');
    const info = (await userinfo(bridge, body.access_token)).body;
    assert.equal(info.email, ada.email);
    assert.equal('name' in info, false);
    assert.equal(
      (await refresh(bridge, tokens.refresh_token, { scope: 'openid address' })).body.error,
      'invalid_scope',
    );
  });

  test('that Latchkey refuses ends the grant here', async () => {
    const tokens = await signIn();
    const refusal = JSON.stringify({ error: 'invalid_grant' });
    between.answer = (request, response) =>
      request.url === '/oauth/token' && response.writeHead(400, { 'content-type': 'application/json' }).end(refusal);
    assert.equal((await refresh(bridge, tokens.refresh_token)).body.error, 'invalid_grant');
    between.reset();
    assert.equal((await userinfo(bridge, tokens.access_token)).status, 401);
  });

  test('asks Latchkey before anything changes', async () => {
    const tokens = await signIn();
    between.answer = (request, response) => (request.url === '/oauth/token' ? response.writeHead(500).end() : false);
    const answer = await refresh(bridge, tokens.refresh_token);
    assert.equal(answer.status, 503);
    assert.equal(answer.body.error, 'temporarily_unavailable');
    assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/);
    between.reset();
    await waited(() => refresh(bridge, tokens.refresh_token));
  });
});

/** Latchkey is asked again a second after it didn't answer. */
const waited = (question: () => Promise<{ status: number }>) =>
  until(async () => (await question()).status === 200, 'Latchkey is asked again');

describe('revoking', () => {
  for (const kind of ['access_token', 'refresh_token'] as const) {
    test(`the ${kind} ends the grant here and at Latchkey`, async () => {
      const user = await service.newUser();
      const tokens = await signIn(user);
      const { status } = await revoke(beside, tokens[kind]);
      assert.equal(status, 200);
      assert.equal((await userinfo(bridge, tokens.access_token)).status, 401);
      await endedAtLatchkey(tokens.refresh_token);
      assert.equal(await grantsAtLatchkey(user), 0);
    });
  }

  test("what is unknown, foreign or another application's is 200 and changes nothing", async (t) => {
    const tokens = await signIn();
    const other = applicationFor(await bridgeClient(service, bridge.config.baseUrl));
    const third = await startThird(t, bridge.application, other);
    const asOther = { client_id: other.clientId, client_secret: other.clientSecret.secrets[0] };
    for (const [token, changes] of [
      ['unknown', {}],
      ['eyJhbGciOiJIUzI1NiIsInR5cCI6ImF0K2p3dCJ9.e30.AAAA', {}],
      [tokens.id_token, {}],
      [tokens.access_token, asOther],
      [tokens.refresh_token, asOther],
    ] as const) {
      const { status, text } = await revoke(third, token, changes);
      assert.deepEqual([status, text], [200, '']);
    }
    assert.equal((await userinfo(bridge, tokens.access_token)).status, 200);
    assert.equal((await revoke(bridge, tokens.access_token, { client_secret: 'wrong' })).status, 401);
  });

  test('says 503 while Latchkey is away, and the tokens stay', async () => {
    const tokens = await signIn();
    between.answer = (_request, response) => response.writeHead(503).end();
    assert.equal((await revoke(bridge, tokens.refresh_token)).status, 503);
    between.reset();
    await waited(() => userinfo(bridge, tokens.access_token));
  });
});

describe("an application's secret", () => {
  test('is either line of its file, and Latchkey gets the newest that it takes, without a restart', async (t) => {
    const client = await bridgeClient(service, bridge.config.baseUrl);
    const file = join(bridge.config.dataDir, 'rotated.secret');
    writeFileSync(file, `${client.secret}\n`);
    const application = applicationFor(client, { clientSecret: { file, secrets: [client.secret] } });
    const third = await startThird(t, application);
    const visitor = new BridgeVisitor(third, service);
    const tokens = async (given: string, on = third) => {
      const path = authorizePath(application, verifier);
      const code = (await visitor.led((await visitor.callbackFor(ada, path)).href)).searchParams.get('code') ?? '';
      const answer = await ask(on, '/token', {
        form: { ...exchangeForm(application, code, verifier), client_secret: given },
      });
      return answer.status;
    };
    assert.equal(await tokens(client.secret), 200);
    const rotated = await rotateClientSecret(service.running.services, client.id, requester);
    assert.ok(rotated.kind === 'done');
    // What Latchkey doesn't know yet, or any more, is passed over.
    for (const lines of [
      [rotated.secret, client.secret],
      ['not-yet-known', rotated.secret],
    ]) {
      writeFileSync(file, lines.join('\n'));
      await accepted(third, application.clientId, lines[0] ?? '');
      for (const line of lines) assert.equal(await tokens(line), 200, line);
    }
    assert.equal(await tokens(client.secret), 401);
  });

  test("can be another than Latchkey's, which the application then doesn't need to know", async (t) => {
    const client = await bridgeClient(service, bridge.config.baseUrl);
    const application = applicationFor(client, { applicationSecret: onlySecret('its own', 'its older one') });
    const third = await startThird(t, application);
    const status = async (secret: string) => (await refresh(third, 'unknown', { client_secret: secret })).body.error;
    assert.equal(await status('its own'), 'invalid_grant');
    assert.equal(await status('its older one'), 'invalid_grant');
    assert.equal(await status(client.secret), 'invalid_client');
    assert.equal(typeof (await new BridgeVisitor(third, service).signIn(ada).catch(String)), 'string');
  });

  test('is looked at 20 times in a minute for each application and address, if it is wrong', async (t) => {
    const other = applicationFor(await bridgeClient(service, bridge.config.baseUrl));
    const third = await startThird(t, bridge.application, other);
    const from = (address: string, client_secret: string, application = bridge.application) =>
      ask(third, '/token', {
        headers: { 'X-Forwarded-For': address },
        form: { client_id: application.clientId, client_secret, grant_type: 'refresh_token', refresh_token: 'x' },
      });
    const right = bridge.application.clientSecret.secrets[0];
    for (let tries = 0; tries < 20; tries++) assert.equal((await from('198.51.100.1', 'wrong')).status, 401);
    const refused = await from('198.51.100.1', right);
    assert.equal(refused.status, 429);
    assert.ok(refused.headers.has('retry-after'));
    assert.equal((await from('203.0.113.9, 198.51.100.1', right)).status, 429);
    assert.equal((await from('198.51.100.2', right)).status, 400);
    assert.equal((await from('198.51.100.1', other.clientSecret.secrets[0], other)).status, 400);
  });
});

/** Waits until the bridge has read the file again. */
async function accepted(on: TestBridge, client_id: string, client_secret: string): Promise<void> {
  const form = { client_id, client_secret, grant_type: 'refresh_token', refresh_token: 'x' };
  let tries = 0;
  // From another address each time: wrong secrets are counted.
  const answer = () => ask(on, '/token', { form, headers: { 'X-Forwarded-For': `192.0.2.${tries++ % 250}` } });
  await until(async () => (await answer()).status === 400, 'the file is read again');
}

test('whatever goes wrong, the log has neither a code nor a token nor a secret in it', async (t) => {
  const client = await bridgeClient(service, bridge.config.baseUrl);
  const application = applicationFor(client, { backchannelLogoutUri: 'http://127.0.0.1:1/logout' });
  const stale = applicationFor(await bridgeClient(service, bridge.config.baseUrl), {
    clientSecret: onlySecret('stale'),
  });
  const third = await startThird(t, application, stale);
  const visitor = new BridgeVisitor(third, service);
  const asked = authorizePath(application, verifier);
  const callback = await visitor.callbackFor(ada, asked);
  const wrong = new URL(callback);
  wrong.searchParams.set('code', `${callback.searchParams.get('code')}x`);
  await visitor.led(wrong.href);
  const code = (await visitor.led(callback.href)).searchParams.get('code') ?? '';
  await exchange(third, code, newVerifier());
  const { body: tokens } = await exchange(third, code, verifier);
  await exchange(third, code, verifier, { client_secret: 'guessed' });
  await exchange(third, code, verifier);
  const ofStale = await visitor.callbackFor(ada, authorizePath(stale, verifier));
  await visitor.led(ofStale.href);
  between.change.set('/oauth/userinfo', (claims) => ({ ...claims, sub: 'someone else' }));
  await userinfo(third, tokens.access_token);
  between.reset();
  const about = { issuer: third.config.issuer, clientId: client.id, userId: ada.id, sid: 'any', tokenId: 'token' };
  const logout = issueLogoutToken(about, hmacStatesOf(client.secret), service.clock.now());
  for (const logout_token of [logout, `${logout}x`, tokens.id_token]) {
    await ask(third, '/backchannel-logout', { form: { logout_token } });
  }
  service.clock.advance(11);
  between.answer = (_request, response) => response.writeHead(500).end();
  await exchange(third, code, verifier);

  let log = '';
  const stream = { isTTY: false, write: (line: string) => (log += line) } as unknown as NodeJS.WriteStream;
  for (const { facts, text } of third.lines) logTo(stream).info(facts, text);
  for (const said of [
    'a sign-in failed',
    'refuses the client ID',
    'is invalid: ',
    "couldn't be revoked",
    "doesn't take",
  ]) {
    assert.ok(log.includes(said), `${said}: ${log}`);
  }
  const { access_token, refresh_token, id_token } = tokens;
  const codes = [callback, wrong, ofStale].flatMap(({ searchParams }) => [...searchParams.values()]);
  const secrets = [client.secret, stale.clientSecret.secrets[0], verifier, String(decodeJwt(id_token).sid), ada.email];
  for (const secret of [
    code,
    ...codes,
    access_token,
    refresh_token,
    id_token,
    logout,
    ...secrets,
    ...visitor.cookies.values(),
  ]) {
    // Whom a callback comes from is no secret.
    assert.ok(secret === third.config.issuer || !log.includes(secret), secret);
  }
  assert.doesNotMatch(log, /eyJ|lkc_|lkr_/);
});

test('a revoked application is out with its next request, and no outage for others, however often it asks', async (t) => {
  const client = await bridgeClient(service, bridge.config.baseUrl);
  const application = applicationFor(client);
  const third = await startThird(t, application, bridge.application);
  const tokens = await new BridgeVisitor(third, service).signIn(ada);
  const ofAnother = await signIn();
  await revokeClient(service.running.services, client.id, requester);
  assert.equal((await userinfo(third, tokens.access_token)).status, 401);
  assert.ok((await refresh(third, tokens.refresh_token)).status >= 400);

  // Latchkey counts these by network, which is the bridge's for all of its applications.
  const { secretGuesses } = service.running.services;
  while (!secretGuesses.countWrong('127.0.0.1'));
  assert.equal((await refresh(third, tokens.refresh_token)).status, 503);
  assert.equal((await userinfo(third, ofAnother.access_token)).status, 200);
  service.clock.advance(60);
});
