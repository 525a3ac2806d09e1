// Attacks on sessions: cookies where they don't belong, files that were changed, logout tokens that Latchkey didn't send, and
// sign-outs at the wrong moment.

import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { GateApplication } from '../../src/gate/config-file.ts';
import { type GateAnswer, GateVisitor, gateClient, gateOn, startTestGate, type TestGate } from '../harness/gate.ts';
import { decodeJwt } from '../harness/relying-party.ts';
import type { TestClient, TestService, TestUser } from '../harness/service.ts';
import { until } from '../harness/until.ts';
import { type InBetween, type Json, startInBetween } from './in-between.ts';

let between: InBetween;
let service: TestService;
let user: TestUser;
/** At one client, and the shop at its own. */
let wiki: GateApplication;
let docs: GateApplication;
let shop: GateApplication;
let gate: TestGate;
let client: TestClient;
let lastIdToken = '';
/** Everything that the gate was ever given. */
const given = new Set<string>();

before(async () => {
  between = await startInBetween();
  service = between.service;
  user = await service.newUser({ email: 'grace.secret@example.test' });
  client = await service.newClient({
    redirectUris: ['https://wiki.example/gate/callback', 'https://docs.example/gate/callback'],
  });
  const other = await gateClient(service, 'shop.example');
  const first = await startTestGate(service, { client });
  await first.stop();
  wiki = first.application;
  docs = { ...wiki, host: 'docs.example' };
  shop = { ...wiki, host: 'shop.example', clientId: other.id, clientSecret: other.secret };
  gate = await startTestGate(service, { client, config: { applications: [wiki, docs, shop] } });
  between.change.set('/oauth/token', (body) => {
    lastIdToken = String(body.id_token);
    for (const each of [body.access_token, body.refresh_token, body.id_token]) given.add(String(each));
    return body;
  });
});
after(async () => {
  await gate?.stop();
  await between?.stop();
});

/** The gate as a browser at one of its hosts sees it. */
const at = ({ host }: GateApplication, { url } = gate) => gateOn(Number(new URL(url).port), host);

async function signedIn(application = wiki, where = gate): Promise<GateVisitor> {
  const visitor = new GateVisitor(at(application, where), service);
  await visitor.signIn(user);
  return visitor;
}

const statusAt = async (application: GateApplication, session: string | undefined, where = gate) =>
  (await at(application, where).check('/', { headers: { Cookie: `__Host-latchkey_gate=${session}` } })).status;

const digestOf = (cookie: string | undefined) =>
  createHash('sha256')
    .update(cookie ?? '')
    .digest('base64url');

function inFile<Result>(use: (database: DatabaseSync) => Result, { dataDir } = gate.config): Result {
  const database = new DatabaseSync(join(dataDir, 'sessions.db'), { timeout: 2000 });
  try {
    return use(database);
  } finally {
    database.close();
  }
}

describe('the cookie of one host', () => {
  test('is worth nothing at another, of the same client or not, in the same process or not', async () => {
    const { session } = await signedIn(wiki);
    const second = await startTestGate(service, { beside: gate, config: { applications: [shop, docs, wiki] } });
    try {
      for (const where of [gate, second]) {
        assert.equal(await statusAt(docs, session, where), 401);
        assert.equal(await statusAt(shop, session, where), 401);
        assert.equal(await statusAt(wiki, session, where), 200);
        // It's the same after it was opened.
        assert.equal(await statusAt(docs, session, where), 401);
      }
    } finally {
      await second.stop();
    }
  });

  test('ends nothing at another', async () => {
    const visitor = await signedIn(wiki);
    const elsewhere = new GateVisitor(at(docs), service);
    elsewhere.cookies.set('__Host-latchkey_gate', visitor.session ?? '');
    assert.equal((await elsewhere.signOut()).status, 200);
    assert.equal(await statusAt(wiki, visitor.session), 200);
  });

  test('is worth nothing once the host belongs to another client', async () => {
    const { session } = await signedIn(wiki);
    const changed = { ...wiki, clientId: shop.clientId, clientSecret: shop.clientSecret };
    const second = await startTestGate(service, { beside: gate, config: { applications: [changed] } });
    try {
      assert.equal(await statusAt(changed, session, second), 401);
    } finally {
      await second.stop();
    }
  });
});

describe('a copied cookie', () => {
  test('is over with the sign-out, at every process, also while a recheck is under way', async () => {
    const visitor = await signedIn();
    const { session } = visitor;
    const second = await startTestGate(service, { beside: gate, config: { applications: [wiki] } });
    try {
      assert.equal(await statusAt(wiki, session, second), 200);
      service.clock.advance(31);
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      let waiting = 0;
      between.answer = (request, response) => {
        if (request.url !== '/oauth/userinfo') return false;
        waiting++;
        void released.then(() => {
          response.writeHead(200, { 'Content-Type': 'application/json' });
          response.end(JSON.stringify({ sub: user.id }));
        });
        return true;
      };
      const checks = [gate, second].map((where) => statusAt(wiki, session, where));
      await until(() => waiting === 2, 'both ask');
      assert.equal((await visitor.signOut()).status, 303);
      release();
      assert.deepEqual(await Promise.all(checks), [401, 401]);
      between.answer = undefined;
      assert.equal(await statusAt(wiki, session), 401);
      assert.equal(await statusAt(wiki, session, second), 401);
      assert.equal(
        inFile((file) => file.prepare('SELECT 1 FROM sessions WHERE digest = ?').get(digestOf(session))),
        undefined,
      );
    } finally {
      between.answer = undefined;
      await second.stop();
    }
  });

  test('is over with the sign-out at a process that has it in memory, without asking Latchkey', async () => {
    const visitor = await signedIn();
    const { session } = visitor;
    const second = await startTestGate(service, { beside: gate, config: { applications: [wiki] } });
    try {
      assert.equal(await statusAt(wiki, session, second), 200);
      assert.equal((await visitor.signOut()).status, 303);
      between.asked.length = 0;
      assert.equal(await statusAt(wiki, session, second), 401);
      assert.deepEqual(between.asked, []);
    } finally {
      await second.stop();
    }
  });

  test('is over with the next sign-in in the same browser', async () => {
    const visitor = await signedIn();
    const { session } = visitor;
    const begun = await visitor.open('/gate/sign-in?to=/&account=other');
    const url = new URL(begun.headers.location ?? '');
    url.searchParams.delete('prompt');
    const callback = await visitor.person.authorize(url.pathname + url.search, user);
    assert.equal((await visitor.open(callback.href)).status, 303);
    assert.notEqual(visitor.session, session);
    assert.equal(await statusAt(wiki, session), 401);
    assert.equal(await statusAt(wiki, visitor.session), 200);
  });
});

describe('the session file', () => {
  test('of another key opens for nobody, and people can sign in again', async () => {
    const own = await startTestGate(service, { client });
    let visitor: GateVisitor;
    try {
      visitor = await signedIn(wiki, own);
      const other = await startTestGate(service, {
        client,
        config: { dataDir: own.config.dataDir, keyFile: join(own.config.dataDir, 'other-key') },
      });
      try {
        assert.equal(await statusAt(wiki, visitor.session, other), 401);
        const again = new GateVisitor(at(wiki, other), service);
        for (const [name, value] of visitor.cookies) again.cookies.set(name, value);
        await again.signIn(user);
        assert.equal(await statusAt(wiki, again.session, other), 200);
        assert.equal(await statusAt(wiki, again.session, own), 401);
        assert.deepEqual(
          other.lines.filter(({ level }) => level === 'error'),
          [],
        );
      } finally {
        await other.stop();
      }
    } finally {
      await own.stop();
    }
  });

  /** What someone who can write the file, but doesn't have the key, can do to a row. */
  for (const [name, tamper] of [
    ['a changed byte', (sealed) => sealed.map((byte, index) => (index === 40 ? byte ^ 1 : byte))],
    ['a changed nonce', (sealed) => sealed.map((byte, index) => (index === 0 ? byte ^ 1 : byte))],
    ['a changed tag', (sealed) => sealed.map((byte, index) => (index === sealed.length - 1 ? byte ^ 1 : byte))],
    ['a shorter tag', (sealed) => sealed.subarray(0, -4)],
    ['half of it', (sealed) => sealed.subarray(0, sealed.length / 2)],
    ['28 bytes', (sealed) => sealed.subarray(0, 28)],
    ['27 bytes', (sealed) => sealed.subarray(0, 27)],
    ['nothing', () => new Uint8Array()],
    ['zeros', (sealed) => new Uint8Array(sealed.length)],
    ['plain text', () => Buffer.from(JSON.stringify({ sub: 'root', claims: {}, expiresAt: 9e15, checkedAt: 9e15 }))],
    ['a text', () => 'text'],
  ] as readonly [string, (sealed: Uint8Array) => Uint8Array | string][]) {
    test(`with ${name} in a row: signed out, and no fault`, async () => {
      const { session } = await signedIn();
      const digest = digestOf(session);
      inFile((file) => {
        const { sealed } = file.prepare('SELECT sealed FROM sessions WHERE digest = ?').get(digest) as {
          sealed: Uint8Array;
        };
        const changed = tamper(Uint8Array.from(sealed));
        file.prepare('UPDATE sessions SET sealed = ?, version = version + 1 WHERE digest = ?').run(changed, digest);
      });
      const before = gate.lines.length;
      assert.equal(await statusAt(wiki, session), 401);
      assert.deepEqual(gate.lines.slice(before), []);
    });
  }

  test('with a row moved to another digest: neither cookie opens it', async () => {
    const mine = await signedIn();
    const theirs = await signedIn();
    inFile((file) => {
      const from = digestOf(theirs.session);
      file.prepare('DELETE FROM sessions WHERE digest = ?').run(digestOf(mine.session));
      file.prepare('UPDATE sessions SET digest = ? WHERE digest = ?').run(digestOf(mine.session), from);
    });
    assert.equal(await statusAt(wiki, mine.session), 401);
    assert.equal(await statusAt(wiki, theirs.session), 401);
  });

  test("with the content of another row: it doesn't open", async () => {
    const mine = await signedIn();
    const theirs = await signedIn();
    inFile((file) =>
      file
        .prepare(
          'UPDATE sessions SET version = 9, sealed = (SELECT sealed FROM sessions WHERE digest = ?) WHERE digest = ?',
        )
        .run(digestOf(theirs.session), digestOf(mine.session)),
    );
    assert.equal(await statusAt(wiki, mine.session), 401);
    assert.equal(await statusAt(wiki, theirs.session), 200);
  });

  test('that is deleted while the gate runs lets nobody in for longer', async () => {
    const own = await startTestGate(service, { client });
    try {
      const { session } = await signedIn(wiki, own);
      inFile((file) => file.exec('DELETE FROM sessions'), own.config);
      assert.equal(await statusAt(wiki, session, own), 401);
    } finally {
      await own.stop();
    }
  });

  test('that cannot be read is 503, never 200, and the process stays', async () => {
    const own = await startTestGate(service, { client });
    try {
      const { session } = await signedIn(wiki, own);
      inFile((file) => file.exec('ALTER TABLE sessions RENAME TO gone'), own.config);
      assert.equal(await statusAt(wiki, session, own), 503);
      assert.equal(await statusAt(wiki, 'A'.repeat(43), own), 503);
      assert.equal((await own.check('/')).status, 401);
      for (let count = 0; count < 40; count++) await statusAt(wiki, 'B'.repeat(43), own);
      assert.equal(own.lines.filter(({ level }) => level === 'error').length, 20);
      inFile((file) => file.exec('ALTER TABLE gone RENAME TO sessions'), own.config);
      assert.equal(await statusAt(wiki, session, own), 200);
    } finally {
      await own.stop();
    }
  });

  test('that somebody holds locked lets sessions pass, and they pass afterwards', async () => {
    const { session } = await signedIn();
    service.clock.advance(31);
    const database = new DatabaseSync(join(gate.config.dataDir, 'sessions.db'), { timeout: 10_000 });
    database.exec('BEGIN IMMEDIATE');
    try {
      assert.equal(await statusAt(wiki, session), 200);
    } finally {
      database.exec('ROLLBACK');
      database.close();
    }
    assert.equal(await statusAt(wiki, session), 200);
  });
});

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

function signed(
  claims: Json,
  { header = { alg: 'HS256', typ: 'logout+jwt' }, key = client.secret }: { header?: Json; key?: string } = {},
): string {
  const input = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${input}.${createHmac('sha256', key).update(input).digest('base64url')}`;
}

function logoutClaims(changes: Json = {}): Json {
  const iat = Math.floor(service.clock.now() / 1000);
  const { sid, sub, iss } = decodeJwt(lastIdToken);
  return { iss, sub, sid, aud: client.id, iat, exp: iat + 120, jti: 'x', events: { [logoutEvent]: {} }, ...changes };
}

/** From anywhere: the token is all that counts. */
function logOut(
  token: string,
  { type = 'application/x-www-form-urlencoded', body = `logout_token=${token}` } = {},
): Promise<GateAnswer> {
  return gate.ask('/gate/backchannel-logout', {
    method: 'POST',
    headers: { 'Content-Type': type, 'Content-Length': String(Buffer.byteLength(body)) },
    body,
    localAddress: '127.0.0.2',
  });
}

describe('a logout token', () => {
  for (const [name, make] of [
    ['signed by someone else', () => signed(logoutClaims(), { key: 'a key of their own' })],
    ['signed with the secret of another application', () => signed(logoutClaims(), { key: shop.clientSecret })],
    ['of another client', () => signed(logoutClaims({ aud: shop.clientId }))],
    [
      'of another client, with its secret',
      () => signed(logoutClaims({ aud: shop.clientId }), { key: shop.clientSecret }),
    ],
    ['for several clients', () => signed(logoutClaims({ aud: [client.id, shop.clientId] }))],
    ['of another issuer', () => signed(logoutClaims({ iss: 'https://login.evil.example' }))],
    ['without a signature', () => signed(logoutClaims()).replace(/[^.]*$/, '')],
    [
      'with alg none',
      () => signed(logoutClaims(), { header: { alg: 'none', typ: 'logout+jwt' } }).replace(/[^.]*$/, ''),
    ],
    ['with the type of an ID token', () => signed(logoutClaims(), { header: { alg: 'HS256', typ: 'JWT' } })],
    ['that is the ID token', () => lastIdToken],
    ['with a nonce', () => signed(logoutClaims({ nonce: 'x' }))],
    ['that has expired', () => signed(logoutClaims({ exp: service.clock.now() / 1000 - 61 }))],
    [
      'of tomorrow',
      () =>
        signed(logoutClaims({ iat: service.clock.now() / 1000 + 86_400, exp: service.clock.now() / 1000 + 86_500 })),
    ],
    ['without an event', () => signed(logoutClaims({ events: {} }))],
    ['with the event of the prototype', () => signed(logoutClaims({ events: { ['__proto__']: {} } }))],
    ['without a session', () => signed(logoutClaims({ sid: undefined }))],
    ['whose session is a list', () => signed(logoutClaims({ sid: [decodeJwt(lastIdToken).sid] }))],
    ['that is no token', () => 'x'],
    ['that is empty', () => ''],
  ] as const) {
    test(`${name} ends nothing`, async () => {
      const { session } = await signedIn();
      const answer = await logOut(make());
      // One that only the gate's own client can sign may be about a session that isn't there.
      const isOtherClient = name === 'of another client, with its secret';
      assert.equal(answer.status, isOtherClient ? 200 : 400, answer.body);
      assert.equal(await statusAt(wiki, session), 200);
      assert.equal(answer.body.includes('sid'), false);
    });
  }

  test('that is invalid is worth a line in the log, once in a minute', async () => {
    const about = () => gate.lines.filter(({ text }) => text.startsWith('a logout token is invalid'));
    for (let sent = 0; sent < 3; sent++) await logOut('x');
    assert.equal(about().length, 1);
  });

  test('as a query, as JSON in a form, repeated, or in another type ends nothing', async () => {
    const { session } = await signedIn();
    const token = signed(logoutClaims());
    const query = await gate.ask(`/gate/backchannel-logout?logout_token=${token}`, { method: 'POST' });
    assert.equal(query.status, 400);
    assert.equal((await gate.ask(`/gate/backchannel-logout?logout_token=${token}`)).status, 404);
    for (const given of [
      { type: 'text/plain' },
      { type: 'application/jwt', body: token },
      { type: 'multipart/form-data; boundary=x' },
      { type: 'application/x-www-form-urlencoded; charset=utf-7' },
      { body: `logout_token=${token}&logout_token=${token}` },
      { body: JSON.stringify({ logout_token: token }) },
      { body: `logout_token[]=${token}` },
      { body: `Logout_Token=${token}` },
      { body: '' },
    ]) {
      assert.equal((await logOut(token, given)).status, 400, JSON.stringify(given).slice(0, 80));
    }
    assert.equal(await statusAt(wiki, session), 200);
  });

  test('ends its session at all hosts of the client and only that, and can be sent again', async () => {
    const other = await signedIn();
    const { session } = await signedIn();
    const token = signed(logoutClaims());
    assert.equal((await logOut(token)).status, 200);
    assert.equal(await statusAt(wiki, session), 401);
    assert.equal((await logOut(token)).status, 200);
    assert.equal(await statusAt(wiki, other.session), 200);
    const next = await signedIn();
    assert.equal((await logOut(token)).status, 200);
    assert.equal(await statusAt(wiki, next.session), 200);
  });

  test('that arrives before the session is there keeps it from beginning', async () => {
    const second = await startTestGate(service, { beside: gate, config: { applications: [wiki] } });
    try {
      for (const where of [gate, second]) {
        const visitor = new GateVisitor(at(wiki, where), service);
        const callback = await visitor.callbackFor(user);
        between.answer = (request, response) => {
          if (request.url !== '/oauth/userinfo') return false;
          between.answer = undefined;
          void logOut(signed(logoutClaims())).then(({ status }) => {
            assert.equal(status, 200);
            response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ sub: user.id }));
          });
          return true;
        };
        const answer = await visitor.open(callback.href);
        assert.equal(answer.status, 400, answer.body);
        assert.equal(visitor.session, undefined);
      }
    } finally {
      await second.stop();
    }
  });

  test('in a body that is too large is 413, and one that never ends is no fault', async () => {
    const before = gate.lines.length;
    const body = `logout_token=${'x'.repeat(20_000)}`;
    assert.equal((await logOut('', { body })).status, 413);
    const port = Number(new URL(gate.url).port);
    const head = [
      'POST /gate/backchannel-logout HTTP/1.1',
      'Host: x',
      'Content-Type: application/x-www-form-urlencoded',
    ];
    for (const lines of [
      [...head, 'Content-Length: 1000', '', 'logout'],
      [...head, 'Transfer-Encoding: chunked', '', '5', 'logou'],
    ]) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      await new Promise<void>((resolve) => socket.write(lines.join('\r\n'), () => resolve()));
      await pause(50);
      socket.resetAndDestroy();
    }
    await pause(100);
    assert.equal((await gate.ask('/gate/healthz')).status, 200);
    assert.deepEqual(gate.lines.slice(before), []);
  });
});

describe('a sign-out', () => {
  for (const [name, headers] of [
    ['with an origin of null', { Origin: 'null' }],
    ['with the origin of a port', { Origin: 'https://wiki.example:8443' }],
    ['with an origin over http', { Origin: 'http://wiki.example' }],
    ['with an origin that only begins the same', { Origin: 'https://wiki.example.evil.example' }],
    ['with a list of origins', { Origin: 'https://wiki.example https://evil.example' }],
    ['with a referrer only', { Referer: 'https://wiki.example/' }],
    ['from the address bar', { 'Sec-Fetch-Site': 'none' }],
    ['with two sites', { 'Sec-Fetch-Site': ['same-origin', 'cross-site'] }],
    ['from another site that knows the origin', { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://wiki.example' }],
    ['of an origin that the proxy was told', { Origin: 'https://evil.example', Host: 'evil.example' }],
  ] as const) {
    test(`${name} is asked about`, async () => {
      const visitor = await signedIn();
      const answer = await visitor.open('/gate/sign-out', { method: 'POST', headers });
      assert.equal(answer.status, 200);
      assert.equal(answer.headers['set-cookie'], undefined);
      assert.equal(await statusAt(wiki, visitor.session), 200);
    });
  }

  test('cannot be framed, and says nothing to others', async () => {
    const visitor = await signedIn();
    const page = await visitor.open('/gate/sign-out');
    assert.match(String(page.headers['content-security-policy']), /frame-ancestors 'none'/);
    assert.equal(page.headers['access-control-allow-origin'], undefined);
    assert.equal(page.headers['cache-control'], 'no-store');
  });

  test('with GET or HEAD ends nothing', async () => {
    const visitor = await signedIn();
    const own = { Origin: 'https://wiki.example', 'Sec-Fetch-Site': 'same-origin' };
    for (const method of ['GET', 'HEAD']) await visitor.open('/gate/sign-out', { method, headers: own });
    assert.equal(await statusAt(wiki, visitor.session), 200);
  });

  test('twice at once is one, and neither fails', async () => {
    const visitor = await signedIn();
    const { session, cookie } = visitor;
    const own = { Origin: 'https://wiki.example', 'Sec-Fetch-Site': 'same-origin', Cookie: cookie };
    const answers = await Promise.all(
      [1, 2].map(() => visitor.open('/gate/sign-out', { method: 'POST', headers: own })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 303]);
    assert.equal(await statusAt(wiki, session), 401);
  });
});

test('neither the log nor the file says who signed in with what', async () => {
  const visitor = await signedIn();
  const { session = '', cookies } = visitor;
  await visitor.check('/page?token=query-secret');
  service.clock.advance(31);
  await visitor.check('/page?token=query-secret');
  between.answer = (_, response) => void response.writeHead(401).end();
  service.clock.advance(31);
  assert.equal((await visitor.check('/page?token=query-secret')).status, 302);
  between.answer = undefined;
  const again = new GateVisitor(at(wiki), service);
  const callback = await again.callbackFor(user, '/page?token=query-secret');
  const code = callback.searchParams.get('code') ?? '';
  const state = callback.searchParams.get('state') ?? '';
  await again.open(callback.href);
  await again.open(callback.href);
  await logOut(signed(logoutClaims()));
  const { dataDir, keyFile } = gate.config;
  const key = readFileSync(keyFile, 'utf8').trim();
  const log = JSON.stringify(gate.lines);
  const files = readdirSync(dataDir)
    .filter((name) => name.startsWith('sessions.db'))
    .map((name) => readFileSync(join(dataDir, name), 'latin1'))
    .join('');
  const secrets = [session, again.session, ...cookies.values(), key, client.secret, shop.clientSecret, code, state];
  for (const secret of [...secrets, ...given, 'query-secret', 'grace.secret', 'Grace', 'eyJhbGciOi', 'token=']) {
    assert.ok(secret !== undefined && secret !== '');
    assert.equal(log.includes(secret), false, `the log has ${secret}`);
    assert.equal(files.includes(secret), false, `the file has ${secret}`);
  }
  assert.equal(files.includes(user.id), false);
  assert.ok(log.includes(user.id), 'the log says whose access has ended');
});

test('a key file that is empty or no key is refused when the gate starts', async () => {
  const own = await startTestGate(service, { client });
  const { keyFile } = own.config;
  for (const text of ['', '\n', 'short\n', 'x'.repeat(43)]) {
    writeFileSync(keyFile, text);
    if (text.length === 43) continue;
    await assert.rejects(startTestGate(service, { beside: own }), /key/i);
  }
  rmSync(keyFile);
  await own.stop();
});
