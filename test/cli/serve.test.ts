// latchkey serve: start, stop, configuration, a full disk, and other commands while it runs.

import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { cleanEnvironment, finished, outputMatching, root, runCommand, startCommand } from '../harness/command.ts';
import { releaseTest } from '../harness/lane.ts';
import { Person } from '../harness/person.ts';
import {
  authorizePath,
  exchangeParameters,
  newVerifier,
  obtainTokens,
  postForm,
  refreshParameters,
  userinfo,
} from '../harness/relying-party.ts';
import { freePort, startTestService, type TestClient, type TestService, type TestUser } from '../harness/service.ts';
import { until } from '../harness/until.ts';

const redirectUri = 'http://localhost:9999/callback';
const email = 'ada@example.test';
const password = 'correct horse battery';

let folder: string;
let client: TestClient;
let user: TestUser;

/** A store with a client and a user, made with the command line alone. */
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-serve-'));
  const environment = { LATCHKEY_DATA_DIR: join(folder, 'prepared') };
  const args = ['client', 'create', '--name', 'My app', '--redirect-uri', redirectUri, '--json'];
  const made = JSON.parse((await runCommand(args, environment)).stdout);
  client = { id: made.client_id, secret: made.client_secret, redirectUri } as TestClient;
  const userArgs = ['user', 'create', '--email', email, '--name', 'Ada', '--password-stdin', '--json'];
  const person = JSON.parse((await runCommand(userArgs, environment, `${password}\n`)).stdout);
  user = { id: person.id, email, password } as TestUser;
});
after(() => rmSync(folder, { recursive: true, force: true }));

interface Served {
  readonly environment: Record<string, string>;
  readonly service: TestService;
}

/** A copy of the prepared store, and where its service will be. */
async function prepare(name: string): Promise<Served> {
  const url = `http://localhost:${await freePort()}`;
  const data = join(folder, name);
  cpSync(join(folder, 'prepared'), data, { recursive: true });
  const environment = { LATCHKEY_BASE_URL: url, LATCHKEY_DATA_DIR: data, LATCHKEY_LOG_LEVEL: 'debug' };
  return { environment, service: { url } as TestService };
}

async function serve(environment: Record<string, string>): Promise<ChildProcess> {
  const child = startCommand(['serve'], environment);
  await outputMatching(child, /Latchkey is running at/);
  return child;
}

async function stop(child: ChildProcess): Promise<number | null> {
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  return ended;
}

test('the command line works while the service runs, and client revoke stops its tokens at once', async () => {
  const beside = await startTestService();
  const environment = { LATCHKEY_BASE_URL: beside.url, LATCHKEY_DATA_DIR: beside.dataDir };
  try {
    const [app, person] = [await beside.newClient(), await beside.newUser()];
    const { tokens } = await obtainTokens(beside, app, person);
    assert.equal((await userinfo(beside, tokens.access_token)).status, 200);
    assert.equal((await runCommand(['client', 'revoke', app.id], environment)).status, 0);
    assert.equal((await userinfo(beside, tokens.access_token)).status, 401);
    const refused = await postForm(beside, '/oauth/token', refreshParameters(app, tokens.refresh_token));
    assert.equal(refused.body.error_code, 'OAUTH_INVALID_CLIENT');
    await runCommand(['client', 'restore', app.id], environment);
    const again = await obtainTokens(beside, app, person);
    await runCommand(['user', 'disable', person.email], environment);
    assert.equal((await userinfo(beside, again.tokens.access_token)).status, 401);
  } finally {
    await beside.stop();
  }
});

releaseTest('events --follow prints events as they happen', async () => {
  const { environment, service } = await prepare('follow');
  const child = await serve(environment);
  const follower = startCommand(['events', '--follow', '--json'], environment);
  try {
    await outputMatching(follower, /user_created/);
    const exchanged = outputMatching(follower, /code_exchanged/);
    await obtainTokens(service, client, user);
    const lines = (await exchanged)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const exchange = lines.find((line) => line.kind === 'code_exchanged');
    assert.equal(exchange.client_id, client.id);
    assert.equal(exchange.user_id, user.id);
    const ended = finished(follower);
    follower.kill('SIGINT');
    assert.equal((await ended).status, 0);
    const printed = await runCommand(['events', '--limit', '2'], environment);
    assert.match(printed.stdout, /^\d{4}-.* approved .*consent=asked.*\n\d{4}-.* code_exchanged .*from=127\.0\.0\.1/);
  } finally {
    follower.kill('SIGKILL');
    await stop(child);
  }
});

/** The service answers "100 Continue" when it has read this much: from then on the request is in flight. */
const requestHead =
  'POST /oauth/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nExpect: 100-continue\r\n';

test('SIGTERM lets a request in flight finish within ten seconds, and starting again keeps everything', async () => {
  const { environment, service } = await prepare('flight');
  const child = await serve(environment);
  const { tokens, person } = await obtainTokens(service, client, user);
  const verifier = newVerifier();
  const answer = await new Person(service).authorize(authorizePath(client, verifier), user);
  const parameters = exchangeParameters(client, answer.searchParams.get('code') ?? '', verifier);
  const body = new URLSearchParams(parameters).toString();

  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  let response = '';
  socket.on('data', (chunk) => {
    response += chunk;
  });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(`${requestHead}Content-Length: ${body.length}\r\n\r\n${body.slice(0, 20)}`);
  await until(() => response.includes('100 Continue'), 'the request is in flight');
  const started = Date.now();
  const stopping = outputMatching(child, /finishing requests in flight/);
  const ended = stop(child);
  await stopping;
  socket.write(body.slice(20));
  await closed;
  assert.match(response, /\r\nHTTP\/1\.1 200 /);
  assert.match(response, /access_token/);
  assert.equal(await ended, 0);
  assert.ok(Date.now() - started < 60_000);

  const next = await serve(environment);
  try {
    assert.equal((await userinfo(service, tokens.access_token)).status, 200);
    const refreshed = await postForm(service, '/oauth/token', refreshParameters(client, tokens.refresh_token));
    assert.equal(refreshed.status, 200);
    assert.equal(
      (await person.visit(authorizePath(client, newVerifier()))).status,
      302,
      'session and consent are kept',
    );
  } finally {
    await stop(next);
  }
});

releaseTest('SIGTERM leaves load balancers the time that is set, and a second signal cuts it short', async () => {
  const { environment, service } = await prepare('drain');
  const child = await serve({ ...environment, LATCHKEY_DRAIN_SECONDS: '60' });
  const status = async (path: string) => (await fetch(service.url + path)).status;
  assert.equal(await status('/readyz'), 200);
  const ended = stop(child);
  await until(async () => (await status('/readyz')) === 503, 'it is not ready any more');
  assert.equal(await status('/sign-in'), 200);
  child.kill('SIGTERM');
  assert.equal(await ended, 0);
});

releaseTest('a request that never ends does not keep the process from ending', async () => {
  const { environment, service } = await prepare('stuck');
  const child = await serve(environment);
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.on('error', () => {});
  const begun = new Promise((resolve) => socket.once('data', resolve));
  socket.write(`${requestHead}Content-Length: 100\r\n\r\nx`);
  await begun;
  const started = Date.now();
  await stop(child);
  assert.ok(Date.now() - started < 60_000);
  socket.destroy();
});

test('an invalid configuration prevents startup and lists every problem', async () => {
  const result = await runCommand(['serve'], {
    LATCHKEY_BASE_URL: 'http://login.example/',
    LATCHKEY_PORT: 'many',
    LATCHKEY_LOG_LEVEL: 'loud',
    LATCHKEY_TRUST_PROXY: 'everyone',
    LATCHKEY_KEYS: 'short',
    LATCHKEY_DATA_DIR: join(folder, 'wrong'),
  });
  assert.equal(result.status, 1);
  for (const name of [
    'LATCHKEY_BASE_URL must use https',
    'LATCHKEY_PORT',
    'LATCHKEY_LOG_LEVEL',
    'LATCHKEY_TRUST_PROXY',
    'LATCHKEY_KEYS',
  ]) {
    assert.ok(result.stderr.includes(name), name);
  }
});

const unusable: [string, (place: string) => Record<string, string>][] = [
  ['a data directory that is a file', (place) => ({ LATCHKEY_DATA_DIR: join(place, 'file') })],
  ['a data directory inside a file', (place) => ({ LATCHKEY_DATA_DIR: join(place, 'file', 'data') })],
  ['a data directory that cannot be made', () => ({ LATCHKEY_DATA_DIR: '/proc/nothing/data' })],
  ['a database that is invalid', (place) => ({ LATCHKEY_DATA_DIR: place })],
  ['a key file that is invalid', (place) => ({ LATCHKEY_KEYS_FILE: join(place, 'file') })],
  ['a host that is invalid', () => ({ LATCHKEY_HOST: 'no.such.host.invalid' })],
];

for (const [name, settings] of unusable) {
  test(`${name} is reported in one sentence`, async () => {
    const place = mkdtempSync(join(folder, 'unusable-'));
    writeFileSync(join(place, 'file'), 'x');
    writeFileSync(join(place, 'latchkey.db'), 'this is not a database'.repeat(100));
    const result = await runCommand(['serve'], { LATCHKEY_DATA_DIR: join(place, 'data'), ...settings(place) });
    assert.equal(result.status, 1);
    assert.match(result.stderr, /^latchkey: /);
    assert.equal(/unexpected fault|\n {4}at /.test(result.stderr), false, result.stderr);
  });
}

releaseTest('behind a proxy that is not named, the service warns', async () => {
  const environment = {
    LATCHKEY_BASE_URL: 'https://login.example',
    LATCHKEY_PORT: String(await freePort()),
    LATCHKEY_DATA_DIR: join(folder, 'proxy'),
  };
  const child = startCommand(['serve'], environment);
  await outputMatching(child, /LATCHKEY_TRUST_PROXY is not set/);
  await stop(child);
});

releaseTest('if sign-up is set in two places that differ, the service says which counts', async () => {
  const { environment } = await prepare('two-modes');
  await runCommand(['settings', 'set', 'sign_up', 'links'], environment);
  const child = startCommand(['serve'], { ...environment, LATCHKEY_SIGN_UP: 'open' });
  await outputMatching(child, /The setting sign_up is \\"links\\" and counts\. LATCHKEY_SIGN_UP is \\"open\\"/);
  await stop(child);
});

releaseTest('with a trusted network that is no proxy, the service starts and warns', async () => {
  const { environment } = await prepare('wide-proxy');
  const child = startCommand(['serve'], { ...environment, LATCHKEY_TRUST_PROXY: '0.0.0.0/1' });
  await outputMatching(child, /LATCHKEY_TRUST_PROXY: 0\.0\.0\.0\/1 lets people choose their own IP address/);
  await stop(child);
});

test('with LATCHKEY_WORKERS several processes share the port; one that dies is replaced, and all end together', async () => {
  const { environment, service } = await prepare('workers');
  const child = startCommand(['serve'], { ...environment, LATCHKEY_WORKERS: '2' });
  const pids = new Set<number>();
  let output = '';
  child.stdout?.on('data', (chunk) => {
    output += chunk;
    for (const [, pid] of output.matchAll(/"pid":(\d+)[^\n]*Latchkey is running at/g)) pids.add(Number(pid));
  });
  try {
    await until(() => pids.size === 2, 'two processes serve');
    const { tokens } = await obtainTokens(service, client, user);
    process.kill([...pids][0] as number, 'SIGKILL');
    await until(() => pids.size === 3, 'the one that died is replaced');
    for (let request = 0; request < 10; request++) {
      assert.equal((await userinfo(service, tokens.access_token)).status, 200);
    }
  } finally {
    assert.equal(await stop(child), 0);
  }
  await assert.rejects(fetch(`${service.url}/healthz`));
});

describe('a port that is in use', () => {
  /** The settings that a message advises to set. */
  const advised = (message: string) =>
    Object.fromEntries(
      [...message.matchAll(/\b(LATCHKEY_\w+)=(\S+?)\.?(?=\s|$)/g)].map(([, name, value]) => [name, value]),
    );

  async function assertWorks(environment: Record<string, string>): Promise<void> {
    const child = await serve(environment);
    try {
      const response = await fetch(`${environment.LATCHKEY_BASE_URL}/.well-known/openid-configuration`);
      const { issuer } = (await response.json()) as { issuer: string };
      assert.equal(issuer, environment.LATCHKEY_BASE_URL, 'the advice leads to a service with the right issuer');
    } finally {
      await stop(child);
    }
  }

  releaseTest('by Latchkey itself: says where it runs, and how to run another one', async () => {
    const { environment } = await prepare('port');
    const child = await serve(environment);
    try {
      const result = await runCommand(['serve'], environment);
      assert.equal(result.status, 1);
      const { LATCHKEY_BASE_URL: url } = environment;
      assert.ok(result.stderr.startsWith(`latchkey: Latchkey is already running at ${url}, and`), result.stderr);
      const settings = advised(result.stderr);
      assert.deepEqual(Object.keys(settings).sort(), ['LATCHKEY_BASE_URL', 'LATCHKEY_DATA_DIR']);
      await assertWorks({ ...environment, ...settings, LATCHKEY_DATA_DIR: join(folder, 'second') });
      const behindProxy = { ...environment, LATCHKEY_BASE_URL: 'https://login.example.com' };
      const port = new URL(url ?? '').port;
      const { stderr } = await runCommand(['serve'], { ...behindProxy, LATCHKEY_PORT: port });
      assert.match(stderr, /Stop it first, or set LATCHKEY_PORT to a free port\.\n$/);
    } finally {
      await stop(child);
    }
  });

  releaseTest('by another program: says which setting to change, and that is enough', async () => {
    const { environment } = await prepare('other-port');
    const other = createServer((_, response) => response.end('something else'));
    const port = Number(new URL(environment.LATCHKEY_BASE_URL ?? '').port);
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
    try {
      const { status, stderr } = await runCommand(['serve'], environment);
      assert.equal(status, 1);
      assert.match(stderr, /^latchkey: port \d+ on 127\.0\.0\.1 is in use by another program\./);
      await assertWorks({ ...environment, ...advised(stderr) });
    } finally {
      other.close();
    }
  });
});

releaseTest("a full disk gives 503 and no false success; once there's space, everything works", async () => {
  const { environment, service } = await prepare('full');
  // A limit on the size of files stands in for a full disk: writes beyond it fail while the service runs.
  const script = 'trap "" XFSZ; exec ./latchkey serve';
  const child = spawn('bash', ['-c', script], { cwd: root, env: cleanEnvironment(environment) });
  try {
    await outputMatching(child, /Latchkey is running at/);
    const { tokens, person } = await obtainTokens(service, client, user);
    const limit = (bytes: string) => spawnSync('prlimit', [`--pid=${child.pid}`, `--fsize=${bytes}:unlimited`]);
    assert.equal(limit('4096').status, 0);
    const verifier = newVerifier();
    const codeAnswer = await person.visit(authorizePath(client, verifier));
    assert.equal(codeAnswer.status, 503);
    assert.ok(Number(codeAnswer.headers.get('retry-after')) > 0);
    const revocation = await postForm(service, '/oauth/revoke', {
      token: tokens.refresh_token,
      client_id: client.id,
      client_secret: client.secret,
    });
    assert.equal(revocation.status, 503);
    assert.equal((await userinfo(service, tokens.access_token)).status, 200, 'reading goes on');

    assert.equal(limit('unlimited').status, 0);
    const answer = await person.authorize(authorizePath(client, verifier), user);
    const code = answer.searchParams.get('code') ?? '';
    assert.equal((await postForm(service, '/oauth/token', exchangeParameters(client, code, verifier))).status, 200);
  } finally {
    await stop(child);
  }
});
