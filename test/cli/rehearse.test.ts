// `latchkey migrate --rehearse` on the embedded store: an upgrade from the last release, in silence, and what is said when one fails.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { startService } from '../../src/cli/compose.ts';
import { rehearse } from '../../src/cli/store/rehearsal/rehearse.ts';
import { readConfig } from '../../src/platform/config.ts';
import { readMigrations } from '../../src/storage/sql/sql-storage.ts';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';
import { logIn, newLogoutClient } from '../harness/backchannel-logout.ts';
import { runCommand, startCommand } from '../harness/command.ts';
import { releaseTest } from '../harness/lane.ts';
import { mistakes, spoil } from '../harness/mistaken-migrations.ts';
import { formIn } from '../harness/person.ts';
import { Served } from '../harness/served.ts';
import { freePort, startTestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';
import type { Receiver } from '../harness/webhooks.ts';

const folder = mkdtempSync(join(tmpdir(), 'latchkey-rehearse-test-'));
const keys = { LATCHKEY_KEYS: randomBytes(32).toString('base64url') };
/** What a service sends to: each counts connections, and ends them. */
const outside = ['email', 'webhook', 'logout', 'provider'] as const;
const connections: Record<string, number> = {};
const listenerOf = (name: (typeof outside)[number]) =>
  createServer((socket) => {
    connections[name] = (connections[name] ?? 0) + 1;
    socket.destroy();
  });
const listeners = {
  email: listenerOf('email'),
  webhook: listenerOf('webhook'),
  logout: listenerOf('logout'),
  provider: listenerOf('provider'),
};
const placeOf = (name: (typeof outside)[number]) => `127.0.0.1:${(listeners[name].address() as AddressInfo).port}`;
const silence = () => {
  for (const name of outside) connections[name] = 0;
};

before(() => Promise.all(Object.values(listeners).map((each) => once(each.listen(0, '127.0.0.1'), 'listening'))));
after(() => {
  for (const listener of Object.values(listeners)) listener.close();
  rmSync(folder, { recursive: true });
});

const copies = () => readdirSync(tmpdir()).filter((name) => name.startsWith('latchkey-rehearsal-'));

/** A store as the last release, 0.3.0, leaves it. */
async function storeOfRelease(name: string): Promise<string> {
  const dataDir = join(folder, name);
  mkdirSync(dataDir, { mode: 0o700 });
  const file = join(dataDir, 'latchkey.db');
  const driver = openSqlite(file);
  await driver.migrate(readMigrations().filter(({ version }) => version <= 9));
  await driver.close();
  const database = new DatabaseSync(file);
  for (const letter of ['a', 'b', 'c']) {
    database.exec(`INSERT INTO users (id, email, email_key, email_verified_at, name, given_name, password_hash, generation, created_at,
      updated_at) VALUES ('user-${letter}', '${letter}@a.example', '${letter}@a.example', 5, 'Ada', 'Ada', 'hash', 2, 1, 3)`);
  }
  database.close();
  return dataDir;
}

test("the last release's store: every step, and nothing of it stays", async () => {
  const dataDir = await storeOfRelease('release');
  const left = copies();
  const environment = { ...keys, LATCHKEY_DATA_DIR: dataDir };
  const original = readFileSync(join(dataDir, 'latchkey.db'));
  const { status, stdout, stderr } = await runCommand(['migrate', '--rehearse', '--json'], environment);
  assert.equal(status, 0, stdout + stderr);
  const { steps, going_back, ...said } = JSON.parse(stdout);
  assert.deepEqual(
    steps.map(({ name }: { name: string }) => name).join(', '),
    'copy the store, compare the copy, migrate, compare counts, start, make a way in, sign in, authorize, exchange, refresh, userinfo, ' +
      'revoke, read every list, sign out',
  );
  assert.ok(steps.every(({ milliseconds }: { milliseconds: number }) => Number.isInteger(milliseconds)));
  assert.equal(said.held, true);
  assert.deepEqual([said.schema_before, said.schema_after], [9, readMigrations().at(-1)?.version]);
  assert.ok(said.disk_bytes > 100_000);
  // The whole migration is one transaction here.
  const migrating = steps.find(({ name }: { name: string }) => name === 'migrate').milliseconds;
  assert.ok(said.longest_lock_wait_ms >= 0 && said.longest_lock_wait_ms <= migrating + 100);
  assert.equal(going_back.possible, true);
  assert.ok(going_back.unknown.includes('webhook_endpoints'));
  assert.ok(going_back.unknown.includes('users.attributes'));
  const database = new DatabaseSync(join(dataDir, 'latchkey.db'), { readOnly: true });
  assert.deepEqual(
    Object.values(database.prepare('SELECT MAX(version), COUNT(*) FROM schema_version').get() ?? {})[0],
    9,
  );
  assert.equal(database.prepare('SELECT COUNT(*) AS n FROM users').get()?.n, 3);
  database.close();
  assert.ok(readFileSync(join(dataDir, 'latchkey.db')).equals(original), 'not a byte has changed');
  assert.deepEqual(copies(), left);
});

test('while the service runs, with the strictest settings, and without anything going out', async () => {
  const environment = {
    ...keys,
    LATCHKEY_DATA_DIR: join(folder, 'running'),
    LATCHKEY_WEBHOOK_NETWORKS: '127.0.0.0/8',
    LATCHKEY_UPSTREAM_NETWORKS: '127.0.0.0/8',
    LATCHKEY_SMTP_URL: `smtp://${placeOf('email')}`,
    LATCHKEY_MAIL_FROM: 'id@a.example',
  };
  const run = async (...words: string[]) => {
    const { status, stdout, stderr } = await runCommand(words, environment);
    assert.equal(status, 0, `${words.join(' ')}: ${stdout}${stderr}`);
    return stdout;
  };
  const before = await startTestService(environment);
  const client = await newLogoutClient(before, { url: `http://${placeOf('logout')}/` } as Receiver);
  const { person } = await logIn(before, client, await before.newUser());
  await person.submit(await formIn(await person.visit('/account'), '/sign-out'), {});
  await before.stop();
  await run('user', 'create', '--email', 'root@a.example', '--name', 'Root', '--admin');
  await run('webhook', 'create', `http://${placeOf('webhook')}/hook`);
  await run('user', 'create', '--email', 'ada@a.example', '--name', 'Ada');
  await run('user', 'invite', '--email', 'guest@a.example');
  const change = (sql: string) => {
    const database = new DatabaseSync(join(folder, 'running', 'latchkey.db'), { timeout: 10_000 });
    database.exec(sql);
    database.close();
  };
  const metadata = JSON.stringify({
    kind: 'oidc',
    authorizationEndpoint: `http://${placeOf('provider')}/authorize`,
    tokenEndpoint: `http://${placeOf('provider')}/token`,
    jwksUri: `http://${placeOf('provider')}/keys`,
    userinfoEndpoint: null,
    algorithms: ['RS256'],
    chosen: true,
    authentication: 'client_secret_post',
    namesIssuer: false,
  });
  // An identity provider to which everyone is sent, and passwords that nobody can have.
  change(`INSERT INTO upstreams (name, kind, issuer, client_id, sealed_secret, scopes, label, allowed_domains, trusted_domains,
    routes_domains, creates_accounts, trusted_amr, trusted_acr, metadata, created_at, updated_at, skip_approval)
    VALUES ('work', 'oidc', 'http://${placeOf('provider')}', 'client', 'sealed', 'openid email', 'Work', '', '', 0, 1, '', '', '${metadata}', 34, 34, 0);
    INSERT INTO settings (name, value, updated_at) VALUES ('default_upstream', '"work"', 1), ('passwords', '"off"', 1),
    ('second_factor', '"everyone"', 1);
    UPDATE mails SET next_attempt_at = 0; UPDATE webhook_deliveries SET next_attempt_at = 0;
    UPDATE webhook_endpoints SET resting_until = 0, claimed_until = 0`);
  const database = new DatabaseSync(join(folder, 'running', 'latchkey.db'), { readOnly: true });
  const waiting = database
    .prepare(
      `SELECT (SELECT COUNT(*) FROM mails) AS email, COUNT(*) FILTER (WHERE type = 'backchannel_logout') AS logout,
        COUNT(*) FILTER (WHERE type <> 'backchannel_logout') AS webhook FROM webhook_deliveries WHERE finished_at IS NULL`,
    )
    .get();
  database.close();
  assert.ok(
    Object.values(waiting ?? {}).every((count) => Number(count) > 0),
    JSON.stringify(waiting),
  );
  silence();
  const said = await run('migrate', '--rehearse');
  assert.match(said, /^sign in +\d+\.\d\d s$/m);
  assert.match(said, /Everything held\. The store is unchanged, and the copy is removed\.$/m);
  assert.deepEqual(connections, { email: 0, webhook: 0, logout: 0, provider: 0 });
  // The same store, started as ever, is not silent.
  const served = await Served.at(environment);
  await served.start();
  try {
    for (const name of outside.slice(0, 3)) await until(() => Number(connections[name]) > 0, `${name} goes out`);
    assert.match(await run('migrate', '--rehearse'), /Everything held/);
    // What the new version can't read fails the rehearsal.
    change("UPDATE upstreams SET metadata = '{}'");
    const { status, stdout } = await runCommand(['migrate', '--rehearse'], environment);
    assert.equal(status, 1);
    assert.match(stdout, /^read every list +failed after \d\.\d\d s$/m);
    assert.match(stdout, /The rehearsal failed: read every list: \/api\/upstreams answered 500 instead of 200/);
  } finally {
    await served.end('SIGTERM');
  }
});

test('a silent service asks no identity provider, whatever it is asked to do', async () => {
  for (const silent of [true, false]) {
    silence();
    const environment = {
      ...keys,
      LATCHKEY_DATA_DIR: join(folder, 'provider'),
      LATCHKEY_UPSTREAM_NETWORKS: '127.0.0.0/8',
      LATCHKEY_PORT: String(await freePort()),
    };
    const { services, stop } = await startService(readConfig(environment), { silent, logger: false });
    const issuer = `http://${placeOf('provider')}`;
    const found = await services.upstreams.discover({ kind: 'oidc', issuer }, undefined);
    await stop();
    assert.equal(found.kind, 'failed');
    assert.equal(Number(connections.provider) > 0, !silent);
  }
});

releaseTest('every list is read to its end, and so is what belongs to some of what is listed', async () => {
  const environment = { ...keys, LATCHKEY_DATA_DIR: join(folder, 'lists') };
  const database = async (sql: string) => {
    const opened = new DatabaseSync(join(folder, 'lists', 'latchkey.db'), { timeout: 10_000 });
    opened.exec(sql);
    opened.close();
  };
  const created = await runCommand(
    ['client', 'create', '--name', 'App', '--redirect-uri', 'https://app.example/cb', '--json'],
    environment,
  );
  assert.equal(created.status, 0, created.stderr);
  const { client_id } = JSON.parse(created.stdout);
  // More than fit on a page, even on the largest. They're listed newest first.
  await database(`WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 250)
    INSERT INTO sign_up_links (id, digest, uses, used, group_ids, note, created_at, expires_at)
      SELECT 'link-' || n, 'digest-' || n, 5, 0, '[]', '', n, 4102444800000 FROM numbers`);
  const problem = async (spoil: string, repair: string) => {
    await database(spoil);
    const { status, stdout } = await runCommand(['migrate', '--rehearse', '--json'], environment);
    await database(repair);
    assert.equal(status, 1, spoil);
    const { steps } = JSON.parse(stdout);
    return steps.find((step: { problem: string | null }) => step.problem !== null);
  };
  const last = await problem(
    "UPDATE sign_up_links SET group_ids = 'not JSON' WHERE created_at = 1",
    "UPDATE sign_up_links SET group_ids = '[]'",
  );
  assert.equal(last.name, 'read every list');
  assert.match(last.problem, /^\/api\/sign-up-links answered 500 instead of 200/);
  const review = `INSERT INTO reviews (id, name, status, due_at, created_at, place, deleted_people)
      VALUES ('review', 'Access', 'open', 4102444800000, 1, '{"application":1,"after":null}', 0);
    INSERT INTO review_applications (review_id, place, client_id, name, items, reviewed) VALUES ('review', 0, '${client_id}', 'App', 1, 0);
    INSERT INTO review_items (id, review_id, client_id, reasons, as_of, unused_since, sort_key)
      VALUES ('item', 'review', '${client_id}', 'not JSON', 1, 1, x'00')`;
  const within = await problem(review, 'DELETE FROM reviews');
  assert.match(within.problem, /^\/api\/reviews\/review\/items answered 500 instead of 200/);
  // Downloads of more than is read of them, one after the other.
  await database(`WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 12000)
    INSERT INTO users (id, email, email_key, name, password_hash, generation, created_at, updated_at, last_sign_in_at, attributes, end_notices)
      SELECT 'user-' || n, n || '@a.example', n || '@a.example', 'Ada', '', 0, 1, 1, 1, '{}', 0 FROM numbers`);
  const { status, stdout } = await runCommand(['migrate', '--rehearse'], environment);
  assert.equal(status, 0, stdout);
});

test('what it refuses', async () => {
  for (const [words, environment, complaint] of [
    [['--rehearse'], { LATCHKEY_DATA_DIR: join(folder, 'missing') }, /there's no store in/],
    [['--rehearse', '--reindex'], {}, /--rehearse changes nothing: use it without --reindex/],
  ] as const) {
    const { status, stderr } = await runCommand(['migrate', ...words], { ...keys, ...environment });
    assert.notEqual(status, 0);
    assert.match(stderr, complaint);
  }
});

test('a store that is damaged does not pass, though all of its tables can be read', async () => {
  const dataDir = await storeOfRelease('damaged');
  const database = new DatabaseSync(join(dataDir, 'latchkey.db'));
  // An index that lacks a row.
  database.enableDefensive?.(false);
  database.exec(`CREATE INDEX mended ON users (name); PRAGMA writable_schema = ON;
    CREATE TABLE kept AS SELECT * FROM sqlite_master WHERE name = 'mended'; DELETE FROM sqlite_master WHERE name = 'mended'`);
  database.close();
  const again = new DatabaseSync(join(dataDir, 'latchkey.db'));
  again.enableDefensive?.(false);
  again.exec(`UPDATE users SET name = 'Eve' WHERE id = 'user-b'; PRAGMA writable_schema = ON;
    INSERT INTO sqlite_master SELECT * FROM kept; DROP TABLE kept`);
  again.close();
  const { steps } = await rehearse(readConfig({ ...keys, LATCHKEY_DATA_DIR: dataDir }), undefined);
  assert.deepEqual(
    steps.map(({ name, problem }) => [name, problem]),
    [['copy the store', 'the copy is damaged']],
  );
});

test('an interrupted one leaves no copy', async () => {
  const TMPDIR = mkdtempSync(join(folder, 'interrupted-'));
  const environment = { ...keys, LATCHKEY_DATA_DIR: await storeOfRelease('interrupted'), TMPDIR };
  const child = startCommand(['migrate', '--rehearse'], environment);
  const ended = new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)));
  await until(() => readdirSync(TMPDIR).some((name) => name.startsWith('latchkey-rehearsal-')), 'it has a copy');
  child.kill('SIGINT');
  assert.equal(await ended, 'SIGINT');
  assert.deepEqual(
    readdirSync(TMPDIR).filter((name) => name.startsWith('latchkey-')),
    [],
  );
});

releaseTest('how long requests would wait is measured', async () => {
  const config = readConfig({ ...keys, LATCHKEY_DATA_DIR: await storeOfRelease('slow') });
  const sql = `CREATE TABLE slow AS WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 2000000)
    SELECT MAX(n) AS n FROM numbers; DROP TABLE slow;`;
  const rehearsal = await rehearse(config, undefined, [
    ...readMigrations(),
    { version: 999, file: '999-slow.sql', sql },
  ]);
  const took = rehearsal.steps.find(({ name }) => name === 'migrate')?.took ?? 0;
  assert.ok(took > 300, String(took));
  assert.ok(Number(rehearsal.longestLockWait) > took / 3, `${rehearsal.longestLockWait} of ${took}`);
});

for (const [name, sql, problem] of mistakes("json_extract(name, '$.x')")) {
  test(`a migration with a mistake: ${name}`, async () => {
    const dataDir = await storeOfRelease(`mistake-${name}`);
    const database = new DatabaseSync(join(dataDir, 'latchkey.db'));
    database.exec(spoil);
    database.close();
    const left = copies();
    const config = readConfig({ ...keys, LATCHKEY_DATA_DIR: dataDir });
    const migrations = [...readMigrations(), { version: 999, file: '999-mistake.sql', sql }];
    const { steps } = await rehearse(config, undefined, migrations);
    assert.deepEqual(
      steps.map(({ name }) => name),
      ['copy the store', 'compare the copy', 'migrate'],
    );
    assert.match(steps.at(-1)?.problem ?? '', /^Migration 999-mistake\.sql failed/);
    assert.match(steps.at(-1)?.problem ?? '', problem);
    assert.deepEqual(copies(), left);
  });
}
