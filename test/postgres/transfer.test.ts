// Moves a service from the embedded store to PostgreSQL and back, and checks that tokens work afterwards.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { png } from '../harness/account.ts';
import { cleanEnvironment, outputMatching, root, runCommand, startCommand } from '../harness/command.ts';
import { formIn } from '../harness/person.ts';
import { removeSharedPostgres, sharedPostgres } from '../harness/postgres.ts';
import {
  authorizePath,
  newVerifier,
  obtainTokens,
  postForm,
  refreshParameters,
  userinfo,
} from '../harness/relying-party.ts';
import { freePort, type TestClient, type TestService, type TestUser } from '../harness/service.ts';

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-transfer-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));
after(removeSharedPostgres);

async function serving(environment: Record<string, string>, work: () => Promise<void>): Promise<void> {
  const child = startCommand(['serve'], environment);
  try {
    await outputMatching(child, /Latchkey is running at/);
    await work();
  } finally {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }
}

test('export | import moves a service to PostgreSQL with its tokens, sessions and logos', async () => {
  const url = `http://localhost:${await freePort()}`;
  const service = { url } as TestService;
  const common = { LATCHKEY_BASE_URL: url, LATCHKEY_KEYS_FILE: join(folder, 'keys') };
  const embedded = { ...common, LATCHKEY_DATA_DIR: join(folder, 'data') };
  const postgres = { ...common, DATABASE_URL: await (await sharedPostgres()).newDatabase() };
  const redirectUri = 'http://localhost:9999/callback';
  writeFileSync(join(folder, 'logo.png'), png);
  const create = ['client', 'create', '--name', 'App', '--redirect-uri', redirectUri, '--json'];
  const made = JSON.parse((await runCommand([...create, '--logo', join(folder, 'logo.png')], embedded)).stdout);
  const client = { id: made.client_id, secret: made.client_secret, redirectUri } as TestClient;
  const userArgs = ['user', 'create', '--email', 'ada@example.test', '--name', 'Ada Ünï', '--password-stdin', '--json'];
  const person = JSON.parse((await runCommand(userArgs, embedded, 'correct horse battery\n')).stdout);
  const user = { id: person.id, email: 'ada@example.test', password: 'correct horse battery' } as TestUser;

  let issued: Awaited<ReturnType<typeof obtainTokens>> | undefined;
  let revoked: Awaited<ReturnType<typeof obtainTokens>> | undefined;
  await serving(embedded, async () => {
    issued = await obtainTokens(service, client, user);
    revoked = await obtainTokens(service, client, user);
    const token = revoked.tokens.access_token;
    await postForm(service, '/oauth/revoke', { token, client_id: client.id, client_secret: client.secret });
  });

  const pipe = './latchkey export | DATABASE_URL="$TARGET" ./latchkey import';
  const move = () => {
    const env = cleanEnvironment({ ...embedded, TARGET: postgres.DATABASE_URL });
    const child = spawn('bash', ['-c', `set -o pipefail; ${pipe}`], { cwd: root, env, stdio: 'inherit' });
    return new Promise((resolve) => child.once('exit', resolve));
  };
  assert.equal(await move(), 0);
  assert.equal(await move(), 0, 'moving again changes nothing');

  await serving(postgres, async () => {
    assert.ok(issued && revoked);
    assert.equal((await userinfo(service, issued.tokens.access_token)).body.name, 'Ada Ünï');
    assert.equal((await userinfo(service, revoked.tokens.access_token)).status, 401);
    const refreshed = await postForm(service, '/oauth/token', refreshParameters(client, issued.tokens.refresh_token));
    assert.equal(refreshed.status, 200);
    assert.equal(
      (await issued.person.request(authorizePath(client, newVerifier()))).status,
      302,
      'session and consent',
    );
    const apps = await issued.person.visit('/account/apps');
    const [, source = ''] = /<img class="app-icon" src="([^"]+)"/.exec(await apps.clone().text()) ?? [];
    assert.deepEqual(Buffer.from(await (await fetch(url + source)).arrayBuffer()), png);
    await issued.person.submit(await formIn(apps, '/account/apps'), { remove: client.id });
    assert.equal((await userinfo(service, refreshed.body.access_token)).status, 401);
  });

  // And back: the embedded store imports what PostgreSQL exports.
  const back = { ...common, LATCHKEY_DATA_DIR: join(folder, 'back') };
  const exported = await runCommand(['export'], postgres);
  assert.equal(exported.status, 0, exported.stderr);
  assert.equal((await runCommand(['import'], back, exported.stdout)).status, 0);
  assert.equal((await runCommand(['export'], back)).stdout, exported.stdout, 'the same, line by line');
});

test('an interrupted import says so and can be repeated', async () => {
  const source = { LATCHKEY_DATA_DIR: join(folder, 'source') };
  for (let number = 0; number < 3; number++) {
    const args = ['user', 'create', '--email', `p${number}@example.test`, '--name', `P${number}`];
    assert.equal((await runCommand(args, source)).status, 0);
  }
  const whole = (await runCommand(['export'], source)).stdout;
  const lines = whole.split('\n');
  const keys = join(source.LATCHKEY_DATA_DIR, 'keys');
  const target = { LATCHKEY_DATA_DIR: join(folder, 'target'), LATCHKEY_KEYS_FILE: keys };
  const cut = await runCommand(['import'], target, lines.slice(0, 3).join('\n'));
  assert.equal(cut.status, 1);
  assert.match(cut.stderr, /the export is incomplete/);
  assert.equal(JSON.parse((await runCommand(['user', 'list', '--json'], target)).stdout).length, 2);
  assert.equal((await runCommand(['import'], target, whole)).status, 0);
  assert.equal(JSON.parse((await runCommand(['user', 'list', '--json'], target)).stdout).length, 3);
});

const firstLine = '{"latchkey_export": 1, "counts": {"service_keys": 0}}\n';

for (const [name, text, complaint] of [
  ['nothing', '', /incomplete/],
  ['something else', '{"hello": 1}\n', /isn't an export/],
  ['an export of 0.2', '{"latchkey_export": 1, "counts": {"users": 0}}\n', /isn't an export .* 0\.3\.0 and later/],
  ['a line that is no JSON', `${firstLine}nonsense\n`, /line 2 isn't valid JSON/],
  ['an unknown table', `${firstLine}{"table": "sqlite_master", "row": {}}\n`, /line 2 is for a table/],
  ['a wrong value', `${firstLine}{"table": "users", "row": {"id": ["x"]}}\n`, /wrong type in id/],
] as const) {
  test(`importing ${name} is refused with one sentence`, async () => {
    const target = { LATCHKEY_DATA_DIR: mkdtempSync(join(folder, 'wrong-')) };
    const result = await runCommand(['import'], target, text);
    assert.equal(result.status, 1);
    assert.match(result.stderr, complaint);
  });
}

test('an import never decreases the access change counter', async () => {
  const target = { LATCHKEY_DATA_DIR: mkdtempSync(join(folder, 'counter-')) };
  const file = join(target.LATCHKEY_DATA_DIR, 'latchkey.db');
  for (const [value, expected] of [
    [7, 7],
    [2, 7],
    [9, 9],
  ]) {
    const row = { name: 'access_changes', value };
    const lines = [{ latchkey_export: 1, counts: { service_keys: 0 } }, { table: 'counters', row }, { end: true }];
    const imported = await runCommand(['import'], target, lines.map((line) => JSON.stringify(line)).join('\n'));
    assert.equal(imported.status, 0, imported.stderr);
    const database = new DatabaseSync(file, { readOnly: true });
    assert.equal(database.prepare('SELECT value FROM counters').get()?.value, expected);
    database.close();
  }
});

test('an export of 0.3.0 gets what it lacks', async () => {
  const user = { id: 'u1', email: 'a@b.example', email_key: 'a@b.example', name: 'A', password_hash: 'x' };
  const times = { generation: 0, created_at: 1, updated_at: 1 };
  const parties = { user_id: 'u1', user_generation: 0, client_id: 'c', client_generation: 0, scopes: 'openid' };
  const approval = {
    redirect_uri: 'x',
    code_challenge: 'x',
    auth_time: 2,
    amr: 'pwd',
    code_digest: 'x',
    code_expires_at: 3,
    delete_after: Number.MAX_SAFE_INTEGER,
  };
  const signedIn = { last_seen_at: 2, auth_time: 2, amr: 'pwd' };
  const lines = [
    { latchkey_export: 1, counts: { service_keys: 0 } },
    { table: 'users', row: { ...user, ...times, last_active_at: 4 } },
    { table: 'search_words', row: { kind: 'person', word: { base64: 'YQ==' }, ref: 'u1', source: 'name' } },
    { table: 'clients', row: { id: 'c', name: 'C', is_public: 1, redirect_uris: '[]', scopes: 'openid', ...times } },
    { table: 'grants', row: { id: 'g', ...parties, ...approval, exchanged_at: 3 } },
    { table: 'sessions', row: { digest: 's', user_id: 'u1', user_generation: 0, created_at: 2, ...signedIn } },
    { end: true },
  ];
  const LATCHKEY_KEYS = randomBytes(32).toString('base64url');
  const target = { LATCHKEY_DATA_DIR: mkdtempSync(join(folder, 'earlier-')), LATCHKEY_KEYS };
  const imported = await runCommand(['import'], target, lines.map((line) => JSON.stringify(line)).join('\n'));
  assert.equal(imported.status, 0, imported.stderr);
  const database = new DatabaseSync(join(target.LATCHKEY_DATA_DIR, 'latchkey.db'), { readOnly: true, timeout: 10_000 });
  const session = database.prepare("SELECT proven_at, kept, trusted FROM sessions WHERE digest = 's'").get();
  assert.deepEqual({ ...session }, { proven_at: 2, kept: 1, trusted: 0 });
  assert.equal(database.prepare("SELECT last_sign_in_at FROM users WHERE id = 'u1'").get()?.last_sign_in_at, 4);
  // 0.3.0 had fewer words, so they're made again.
  assert.ok(database.prepare("SELECT 1 FROM unsearchable WHERE ref = 'u1'").get());
  database.close();
  const [client] = JSON.parse((await runCommand(['client', 'list', '--json'], target)).stdout);
  assert.deepEqual(
    [client?.access, client?.second_factor, client?.post_logout_redirect_uris],
    ['everyone', 'optional', []],
  );
  assert.equal(JSON.parse((await runCommand(['user', 'list', '--json'], target)).stdout)[0]?.id, 'u1');
});
