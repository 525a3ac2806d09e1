// The embedded store under faults: killed at random moments under load, and copied while it serves.

import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { outputMatching, runCommand, startCommand } from '../harness/command.ts';
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
import { freePort, type TestClient, type TestService, type TestUser } from '../harness/service.ts';

const kills = 50;

let folder: string;
let environment: Record<string, string>;
let service: TestService;
let client: TestClient;
let user: TestUser;
const started: ChildProcess[] = [];

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-durability-'));
  const url = `http://localhost:${await freePort()}`;
  environment = { LATCHKEY_BASE_URL: url, LATCHKEY_DATA_DIR: join(folder, 'data') };
  service = { url } as TestService;
  const redirectUri = 'http://localhost:9999/callback';
  const args = ['client', 'create', '--name', 'App', '--redirect-uri', redirectUri, '--json'];
  const made = JSON.parse((await runCommand(args, environment)).stdout);
  client = { id: made.client_id, secret: made.client_secret, redirectUri } as TestClient;
  const email = 'ada@example.test';
  const userArgs = ['user', 'create', '--email', email, '--name', 'Ada', '--password-stdin', '--json'];
  const person = JSON.parse((await runCommand(userArgs, environment, 'correct horse battery\n')).stdout);
  user = { id: person.id, email, password: 'correct horse battery' } as TestUser;
  // A process that is killed leaves nothing in Node's cache of compiled modules, so one ends in order first. The others
  // start in half the time.
  await end(await serve(), 'SIGTERM');
});
after(() => {
  for (const child of started) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

async function serve(settings = environment): Promise<ChildProcess> {
  const child = startCommand(['serve'], settings);
  started.push(child);
  await outputMatching(child, /Latchkey serves/);
  return child;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await ended;
}

/** What the service has acknowledged, and must therefore remember. */
interface Acknowledged {
  readonly code: string;
  readonly verifier: string;
  readonly refreshToken: string;
  readonly accessToken: string;
  /** A revocation that was asked for and not acknowledged may have taken place or not. */
  revocation: 'none' | 'asked' | 'acknowledged';
}

test(`killed ${kills} times under load, the store spends no code twice and forgets nothing that it has acknowledged`, async () => {
  const acknowledged: Acknowledged[] = [];
  const person = new Person(service);
  let child = await serve();
  await person.authorize(authorizePath(client, newVerifier()), user);

  /** Exchanges and revokes until the service is gone; whatever was in flight then is not acknowledged. */
  async function load(): Promise<void> {
    try {
      for (;;) {
        const verifier = newVerifier();
        const authorized = await person.request(authorizePath(client, verifier));
        const code = new URL(authorized.headers.get('location') ?? '').searchParams.get('code') ?? '';
        const answer = await postForm(service, '/oauth/token', exchangeParameters(client, code, verifier));
        assert.equal(answer.status, 200);
        const grant: Acknowledged = {
          code,
          verifier,
          refreshToken: answer.body.refresh_token,
          accessToken: answer.body.access_token,
          revocation: 'none',
        };
        acknowledged.push(grant);
        if (acknowledged.length % 3 !== 0) continue;
        const parameters = { token: grant.refreshToken, client_id: client.id, client_secret: client.secret };
        grant.revocation = 'asked';
        const revocation = await postForm(service, '/oauth/revoke', parameters);
        assert.equal(revocation.status, 200);
        grant.revocation = 'acknowledged';
      }
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
    }
  }

  let checked = 0;
  for (let kill = 0; kill < kills; kill++) {
    const loads = [load(), load(), load(), load()];
    // Killed at a random moment of the load: the length of the wait is the point of it.
    await pause(30 + Math.random() * 120);
    await end(child, 'SIGKILL');
    await Promise.all(loads);
    child = await serve();
    // The newest are the ones that a lost write would have taken; the last round looks at all of them.
    const last = kill === kills - 1;
    for (const grant of last ? acknowledged : acknowledged.slice(checked)) {
      // The token first: a replay that comes late ends the grant, as it should.
      const known = (await userinfo(service, grant.accessToken)).status;
      if (grant.revocation !== 'asked') assert.equal(known, grant.revocation === 'none' ? 200 : 401);
      const replay = await postForm(service, '/oauth/token', exchangeParameters(client, grant.code, grant.verifier));
      assert.equal(replay.body.error_code, 'OAUTH_INVALID_GRANT', 'a code is not spent twice');
    }
    checked = acknowledged.length;
  }
  assert.ok(acknowledged.length > kills, `${acknowledged.length} grants`);
  assert.equal(
    (await person.request(authorizePath(client, newVerifier()))).status,
    302,
    'session and consent are there',
  );
  await end(child, 'SIGTERM');

  const database = new DatabaseSync(join(folder, 'data', 'latchkey.db'));
  assert.deepEqual(
    database
      .prepare('PRAGMA integrity_check')
      .all()
      .map((row) => row.integrity_check),
    ['ok'],
  );
  database.close();
});

test('a backup that is taken while serving works when it is restored', async () => {
  const child = await serve();
  const { tokens } = await obtainTokens(service, client, user);
  let loading = true;
  const load = (async () => {
    while (loading) await obtainTokens(service, client, user);
  })();
  const file = join(folder, 'backup.db');
  const made = await runCommand(['backup', file], environment);
  assert.equal(made.status, 0, made.stderr);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  loading = false;
  await load;
  const again = await runCommand(['backup', file], environment);
  assert.equal(again.status, 1);
  assert.match(again.stderr, /is there already/);
  await end(child, 'SIGTERM');

  const restored = join(folder, 'restored');
  mkdirSync(restored);
  copyFileSync(file, join(restored, 'latchkey.db'));
  copyFileSync(join(folder, 'data', 'keys'), join(restored, 'keys'));
  const second = await serve({ ...environment, LATCHKEY_DATA_DIR: restored });
  try {
    assert.equal((await userinfo(service, tokens.access_token)).status, 200);
    const refreshed = await postForm(service, '/oauth/token', refreshParameters(client, tokens.refresh_token));
    assert.equal(refreshed.status, 200);
    assert.equal((await obtainTokens(service, client, user)).tokens.token_type, 'Bearer');
  } finally {
    await end(second, 'SIGTERM');
  }
});

test('a backup of nothing is refused', async () => {
  const settings = { LATCHKEY_DATA_DIR: join(folder, 'nowhere') };
  const result = await runCommand(['backup', join(folder, 'x.db')], settings);
  assert.equal(result.status, 1);
  assert.match(result.stderr, /there is no store at/);
});
