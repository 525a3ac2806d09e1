// A Latchkey that is slow, dead, replaced by something else, or in another time: nobody gets in who shouldn't, nobody who is
// signed in is signed out without Latchkey's word, and the gate goes on.

import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { disableUser } from '../../src/operations/users/disable-user.ts';
import { GateVisitor, startTestGate, type TestGate } from '../harness/gate.ts';
import { firstUntilRelease, releaseTest } from '../harness/lane.ts';
import { decodeJwt } from '../harness/relying-party.ts';
import { requester, type TestService, type TestUser } from '../harness/service.ts';
import { until } from '../harness/until.ts';
import { type InBetween, type Json, startInBetween } from './in-between.ts';

const userinfo = '/oauth/userinfo';
const token = '/oauth/token';

let between: InBetween;
let service: TestService;
let gate: TestGate;
let user: TestUser;

before(async () => {
  between = await startInBetween();
  service = between.service;
  user = await service.newUser();
});
after(() => between?.stop());
beforeEach(async () => {
  gate = await startTestGate(service);
});
afterEach(async () => {
  between.reset();
  await gate.stop();
});

async function signedIn(): Promise<GateVisitor> {
  const visitor = new GateVisitor(gate, service);
  await visitor.signIn(user);
  return visitor;
}

const status = async (visitor: GateVisitor) => (await visitor.check('/')).status;
const logged = () => JSON.stringify(gate.lines);

type Answering = (request: IncomingMessage, response: ServerResponse) => void;
const html =
  (code: number): Answering =>
  (_, response) =>
    void response.writeHead(code, { 'Content-Type': 'text/html' }).end('<h1>It works!</h1>');
const json =
  (code: number, body: unknown): Answering =>
  (_, response) =>
    void response.writeHead(code, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));

/** How Latchkey may not answer. */
const unanswered: readonly [string, Answering][] = [
  ['a connection that is closed', (_, response) => response.destroy()],
  ['status 500', html(500)],
  ['status 400 of something in between', html(400)],
  ['status 403 of a firewall', html(403)],
  ['status 403 with an error', json(403, { error: 'access_denied' })],
  ['status 502', json(502, {})],
  ['status 503', html(503)],
  ['status 429', html(429)],
  ['status 404', html(404)],
  ['a redirect', (_, response) => response.writeHead(302, { Location: '/elsewhere' }).end()],
  ['status 204', (_, response) => response.writeHead(204).end()],
  ['status 304', (_, response) => response.writeHead(304).end()],
  ['HTML', html(200)],
  [
    'half of a body',
    (_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' }).write('{"sub":');
      setTimeout(() => response.destroy(), 20);
    },
  ],
  [
    'a huge body',
    (_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ sub: user.id, name: 'x'.repeat(1_000_000) }));
    },
  ],
  ['JSON that is no object', json(200, [])],
  ['null', json(200, null)],
  ['no sub', json(200, { name: 'x' })],
  ['the sub of someone else', json(200, { sub: 'someone-else' })],
  ['a sub that is a list', json(200, { sub: ['x'] })],
  ['no HTTP', (_, response) => response.socket?.end('SSH-2.0-OpenSSH_9.9\r\n')],
  [
    'an upgrade',
    (_, response) => response.socket?.end('HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
  ],
  ['status 000', (_, response) => response.socket?.end('HTTP/1.1 000 Odd\r\nContent-Length: 2\r\n\r\n{}')],
  ['status 999', (_, response) => response.socket?.end('HTTP/1.1 999 Odd\r\nContent-Length: 2\r\n\r\n{}')],
  [
    'two lengths',
    (_, response) => response.socket?.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'),
  ],
];

describe('a recheck without an answer', () => {
  for (const [name, answering] of firstUntilRelease(unanswered, 3)) {
    test(`${name}: grace, then 503, and the session is still there afterwards`, async () => {
      const visitor = await signedIn();
      between.answer = answering;
      service.clock.advance(31);
      assert.equal(await status(visitor), 200);
      service.clock.advance(31);
      const refused = await visitor.check('/');
      assert.equal(refused.status, 503);
      assert.equal(refused.headers['retry-after'], '5');
      between.reset();
      await until(async () => (await status(visitor)) === 200, 'the session passes again');
      assert.ok(
        gate.lines.some(({ level }) => level === 'warn'),
        logged(),
      );
    });
  }

  for (const [name, answering] of firstUntilRelease(unanswered, 2)) {
    test(`${name}: nobody new gets in`, async () => {
      const visitor = new GateVisitor(gate, service);
      const callback = await visitor.callbackFor(user);
      between.answer = answering;
      const answer = await visitor.open(callback.href);
      assert.ok([400, 503].includes(answer.status), `${answer.status}`);
      assert.equal(visitor.session, undefined);
      assert.equal(answer.headers['set-cookie'], undefined);
    });
  }
});

describe('a recheck that is refused', () => {
  const challenge: Answering = (_, response) =>
    void response.writeHead(401, { 'WWW-Authenticate': 'Bearer error="invalid_token"' }).end();
  for (const [name, answering] of [
    ['HTML', html(401)],
    ['JSON', json(401, { error: 'invalid_token' })],
    ['a challenge', challenge],
  ] as const) {
    test(`401 with ${name} ends the session at once, and for good`, async () => {
      const visitor = await signedIn();
      between.answer = answering;
      service.clock.advance(31);
      assert.equal(await status(visitor), 302);
      between.reset();
      assert.equal(await status(visitor), 302);
      assert.equal((await new GateVisitor(gate, service).check('/')).status, 302);
    });
  }

  test("a secret that Latchkey refuses ends sessions, and the log says that it's the secret", async () => {
    const visitor = await signedIn();
    between.answer = (request, response) =>
      request.url === token ? json(401, { error: 'invalid_client' })(request, response) : false;
    service.clock.advance(3600);
    assert.equal(await status(visitor), 302);
    assert.match(logged(), /Latchkey refuses the client ID and secret of wiki\.example/);
  });

  test('when the access token has expired, a refused refresh ends the session', async () => {
    const visitor = await signedIn();
    const { services } = service.running;
    const other = await service.newUser();
    const leaving = new GateVisitor(gate, service);
    await leaving.signIn(other);
    assert.equal((await disableUser(services, other.id, requester)).kind, 'done');
    service.clock.advance(3 * 3600);
    assert.equal(await status(leaving), 302);
    assert.equal(await status(visitor), 200);
  });
});

describe('a Latchkey that is slow', () => {
  for (const [name, answering] of firstUntilRelease([
    ['accepts and says nothing', () => {}],
    [
      'sends a header at a time',
      (_: IncomingMessage, response: ServerResponse) => {
        response.socket?.write('HTTP/1.1 200 OK\r\n');
        const timer = setInterval(() => response.socket?.write('X-More: yes\r\n'), 200).unref();
        response.socket?.on('close', () => clearInterval(timer));
      },
    ],
    [
      'sends a byte at a time',
      (_: IncomingMessage, response: ServerResponse) => {
        response.writeHead(200, { 'Content-Type': 'application/json' });
        const timer = setInterval(() => response.write(' '), 200).unref();
        response.socket?.on('close', () => clearInterval(timer));
      },
    ],
  ] as const)) {
    test(`and ${name} holds nobody up for long, and others not at all`, { timeout: 120_000 }, async () => {
      await gate.stop();
      gate = await startTestGate(service, { deadline: 1500 });
      const visitor = await signedIn();
      const second = await signedIn();
      between.answer = answering;
      service.clock.advance(31);
      const began = performance.now();
      assert.equal(await status(visitor), 200);
      assert.ok(performance.now() - began < 20_000);
      // It's known by now, so nobody else waits for it.
      between.asked.length = 0;
      assert.equal(await status(second), 200);
      assert.deepEqual(between.asked, []);
      assert.equal((await gate.check('/')).status, 401);
    });
  }

  test('one session whose answers are invalid is not an outage for the others', async () => {
    const poisoned = await signedIn();
    const other = await service.newUser();
    const healthy = new GateVisitor(gate, service);
    await healthy.signIn(other);
    between.change.set(userinfo, (body) => (body.sub === user.id ? { ...body, sub: 'someone-else' } : body));
    // Longer than anything that a moment without an answer would excuse.
    service.clock.advance(61);
    for (let round = 0; round < 5; round++) {
      assert.equal(await status(poisoned), 503);
      assert.equal(await status(healthy), 200);
      service.clock.advance(31);
    }
  });

  test('nor is one whose answers are too large', async () => {
    const poisoned = await signedIn();
    const other = await service.newUser();
    const healthy = new GateVisitor(gate, service);
    await healthy.signIn(other);
    between.change.set(userinfo, (body) => (body.sub === user.id ? { ...body, groups: 'x'.repeat(300_000) } : body));
    service.clock.advance(61);
    assert.equal(await status(poisoned), 503);
    assert.equal(await status(healthy), 200);
  });
});

describe('a Latchkey that is away', () => {
  test('lets sessions pass for as long as they may, and nobody in; they are there when it is back', async () => {
    const visitor = await signedIn();
    const stranger = new GateVisitor(gate, service);
    await between.away();
    try {
      service.clock.advance(59);
      assert.equal(await status(visitor), 200);
      service.clock.advance(1);
      const page = await visitor.check('/page');
      assert.equal(page.status, 503);
      assert.match(page.body, /<a class="button primary" href="\/page">/);
      assert.equal((await visitor.check('/', { headers: { 'Sec-Fetch-Mode': 'cors' } })).body, '');
      assert.equal(await status(stranger), 302);
      assert.equal(stranger.session, undefined);
    } finally {
      await between.back();
    }
    await until(async () => (await status(visitor)) === 200, 'the session passes again');
  });

  test('strangers who try to sign in meanwhile do not fill the log', async () => {
    await gate.stop();
    gate = await startTestGate(service);
    await between.away();
    try {
      for (let count = 0; count < 50; count++) {
        const answer = await new GateVisitor(gate, service).open('/gate/sign-in?to=/');
        assert.equal(answer.status, 503);
      }
    } finally {
      await between.back();
    }
    assert.ok(gate.lines.length >= 1 && gate.lines.length <= 3, logged());
  });

  test('access that ended in the meantime is over with the first answer', async () => {
    const leaving = await service.newUser();
    const visitor = new GateVisitor(gate, service);
    await visitor.signIn(leaving);
    await between.away();
    try {
      assert.equal((await disableUser(service.running.services, leaving.id, requester)).kind, 'done');
      service.clock.advance(40);
      assert.equal(await status(visitor), 200);
    } finally {
      await between.back();
    }
    await until(async () => (await status(visitor)) === 302, 'the session is over');
  });

  test('signing out works without it, and stays', async () => {
    const visitor = await signedIn();
    const copied = `__Host-latchkey_gate=${visitor.session}`;
    await between.away();
    try {
      const answer = await visitor.signOut();
      assert.ok([200, 303].includes(answer.status));
      assert.equal(visitor.session, undefined);
    } finally {
      await between.back();
    }
    assert.equal((await gate.check('/', { headers: { Cookie: copied } })).status, 401);
  });
});

/** The parts of an ID token, changed and signed again. */
function resigned(
  given: unknown,
  claims: Json,
  { header = {}, key = gate.client.secret }: { header?: Json; key?: string } = {},
) {
  const [first = ''] = String(given).split('.');
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const head = { ...JSON.parse(Buffer.from(first, 'base64url').toString()), ...header };
  const input = `${part(head)}.${part({ ...decodeJwt(String(given)), ...claims })}`;
  return `${input}.${createHmac('sha256', key).update(input).digest('base64url')}`;
}

/** What may be wrong with an ID token. */
const forgeries: readonly [string, (idToken: unknown) => unknown][] = [
  ['no ID token', () => undefined],
  ['a foreign signature', (given) => resigned(given, {}, { key: 'a key of their own' })],
  ['another nonce', (given) => resigned(given, { nonce: 'another' })],
  ['another client', (given) => resigned(given, { aud: 'another-client' })],
  ['another sub than userinfo has', (given) => resigned(given, { sub: 'someone-else' })],
  ['an ID token that is no token', () => 'x'],
  ['an ID token that is an object', () => ({})],
  ['no signature', (given) => String(given).replace(/[^.]*$/, '')],
  ['half of a signature', (given) => String(given).slice(0, -20)],
  ['another spelling of the signature', (given) => `${given}=`],
  ['alg none', (given) => resigned(given, {}, { header: { alg: 'none' } }).replace(/[^.]*$/, '')],
  ['alg none, but signed', (given) => resigned(given, {}, { header: { alg: 'none' } })],
  [
    'RS256',
    (given) => {
      const input = resigned(given, {}, { header: { alg: 'RS256' } }).replace(/\.[^.]*$/, '');
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      return `${input}.${sign('sha256', Buffer.from(input), privateKey).toString('base64url')}`;
    },
  ],
  ['HS512 in the header', (given) => resigned(given, {}, { header: { alg: 'HS512' } })],
  ['the type of a logout token', (given) => resigned(given, {}, { header: { typ: 'logout+jwt' } })],
  ['another issuer', (given) => resigned(given, { iss: 'https://login.evil.example' })],
  ['another spelling of the issuer', (given) => resigned(given, { iss: `${decodeJwt(String(given)).iss}/` })],
  ['another client besides', (given) => resigned(given, { aud: [gate.client.id, 'another'], azp: 'another' })],
  ['no audience', (given) => resigned(given, { aud: undefined })],
  ['no nonce', (given) => resigned(given, { nonce: undefined })],
  ['no sid', (given) => resigned(given, { sid: undefined })],
  ['a sid that is a number', (given) => resigned(given, { sid: 1 })],
  ['no sub', (given) => resigned(given, { sub: undefined })],
  ['a time that is over', (given) => resigned(given, { iat: 1, exp: 2 })],
  ['no expiry', (given) => resigned(given, { exp: undefined })],
  ['an expiry that is text', (given) => resigned(given, { exp: '9999999999' })],
];

describe('tokens that Latchkey would not have issued', () => {
  for (const [name, forge] of firstUntilRelease(forgeries, 5)) {
    test(`${name}: nobody gets in`, async () => {
      const visitor = new GateVisitor(gate, service);
      const callback = await visitor.callbackFor(user);
      between.change.set(token, (body) => ({ ...body, id_token: forge(body.id_token) }));
      const answer = await visitor.open(callback.href);
      assert.equal(answer.status, 400, answer.body);
      assert.equal(visitor.session, undefined);
      assert.equal(await status(visitor), 302);
      assert.ok(
        gate.lines.some(({ text }) => text === 'a sign-in failed'),
        logged(),
      );
    });
  }

  for (const [name, forge] of firstUntilRelease(
    forgeries.filter(([each]) => !/nonce/.test(each)),
    2,
  )) {
    test(`${name} with a refresh: no new access token is used`, async () => {
      const visitor = await signedIn();
      between.change.set(token, (body) => ({ ...body, id_token: forge(body.id_token) }));
      service.clock.advance(3 * 3600);
      assert.notEqual(await status(visitor), 200);
    });
  }

  const changes: readonly [string, Json][] = [
    ['no access token', { access_token: undefined }],
    ['no refresh token', { refresh_token: undefined }],
    ['another type', { token_type: 'mac' }],
    ['a lifetime that is text', { expires_in: 'long' }],
    ['an access token with a line break', { access_token: 'x\r\ny' }],
    ['an access token that is a number', { access_token: 1 }],
    ['a negative lifetime', { expires_in: -1 }],
  ];
  for (const [name, change] of firstUntilRelease(changes, 4)) {
    test(`${name}: nobody gets in`, async () => {
      const visitor = new GateVisitor(gate, service);
      const callback = await visitor.callbackFor(user);
      between.change.set(token, (body) => ({ ...body, ...change }));
      const answer = await visitor.open(callback.href);
      assert.equal(answer.status, 400, answer.body);
      assert.equal(visitor.session, undefined);
    });
  }
});

describe('a discovery document', () => {
  for (const [name, answering] of [
    ['of another issuer', json(200, { issuer: 'https://login.evil.example', authorization_endpoint: 'https://x' })],
    ['that is HTML', html(200)],
    ['that is refused', html(401)],
    [
      'that redirects',
      (_: IncomingMessage, response: ServerResponse) =>
        void response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end(),
    ],
    [
      'without endpoints',
      (_: IncomingMessage, response: ServerResponse) => json(200, { issuer: gate.config.issuer })(_, response),
    ],
  ] as const) {
    test(`${name}: a page, and the next attempt asks again`, async () => {
      between.answer = answering;
      const visitor = new GateVisitor(gate, service);
      const answer = await visitor.open('/gate/sign-in?to=/');
      assert.equal(answer.status, 503);
      assert.equal(answer.headers.location, undefined);
      between.reset();
      if (name !== 'without endpoints') assert.equal((await visitor.open('/gate/sign-in?to=/')).status, 303);
    });
  }
});

test('a discovery document whose issuer is only spelled differently is of another one', async () => {
  between.change.set('/.well-known/openid-configuration', (body) => ({ ...body, issuer: `${body.issuer}/` }));
  const answer = await new GateVisitor(gate, service).open('/gate/sign-in?to=/');
  assert.equal(answer.status, 503);
  assert.match(logged(), /another issuer/);
});

describe('clocks', () => {
  for (const [seconds, works] of [
    [-3600, false],
    [-55, true],
    [55, true],
    [3600, false],
  ] as const) {
    test(`a gate that is ${seconds} seconds ahead of Latchkey ${works ? 'works' : 'signs nobody in and says why'}`, async () => {
      const clock = { now: () => service.clock.now() + seconds * 1000 };
      const ahead = await startTestGate(service, { client: gate.client, clock });
      try {
        const visitor = new GateVisitor(ahead, service);
        const answer = await visitor.open((await visitor.callbackFor(user)).href);
        assert.equal(answer.status, works ? 303 : 400, answer.body);
        assert.equal((await visitor.check('/')).status, works ? 200 : 302);
        if (!works) assert.match(JSON.stringify(ahead.lines), /clock/i);
      } finally {
        await ahead.stop();
      }
    });
  }

  test('a clock that is set back asks Latchkey again, and forward ends the session', async () => {
    let offset = 0;
    const clock = { now: () => service.clock.now() + offset };
    const moved = await startTestGate(service, { client: gate.client, clock });
    try {
      const visitor = new GateVisitor(moved, service);
      await visitor.signIn(user);
      between.asked.length = 0;
      assert.equal((await visitor.check('/')).status, 200);
      assert.deepEqual(between.asked, []);
      offset = -1800_000;
      assert.equal((await visitor.check('/')).status, 200);
      assert.deepEqual(between.asked, [userinfo]);
      assert.equal((await visitor.check('/')).status, 200);
      assert.deepEqual(between.asked, [userinfo]);
      offset = 13 * 3600_000;
      assert.equal((await visitor.check('/')).status, 302);
      offset = 0;
      assert.equal((await visitor.check('/')).status, 200);
    } finally {
      await moved.stop();
    }
  });
});

releaseTest('5,000 concurrent checks of one stale session are one question', { timeout: 120_000 }, async () => {
  await gate.stop();
  gate = await startTestGate(service, { deadline: 60_000 });
  const visitor = await signedIn();
  service.clock.advance(31);
  between.asked.length = 0;
  // All of them wait for it.
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  between.answer = (request, response) => {
    void released.then(() => json(200, { sub: user.id })(request, response));
    return true;
  };
  const checks: Promise<number>[] = [];
  while (checks.length < 5000) {
    for (let count = 0; count < 250; count++) checks.push(status(visitor));
    // A stranger is answered after those before them have been read: nobody's request may take longer to arrive than the gate allows.
    assert.equal((await gate.check('/')).status, 401);
  }
  await until(() => between.asked.length > 0, 'Latchkey was asked');
  release();
  assert.deepEqual([...new Set(await Promise.all(checks))], [200]);
  assert.deepEqual(between.asked, [userinfo]);
});

test('endpoints on another host are not used: the client secret would go there', async () => {
  between.change.set('/.well-known/openid-configuration', (body: Json) => ({
    ...body,
    token_endpoint: 'http://127.0.0.2:9/oauth/token',
  }));
  const answer = await new GateVisitor(gate, service).open('/gate/sign-in');
  assert.equal(answer.status, 503);
  assert.match(logged(), /names endpoints on another host/);
});
