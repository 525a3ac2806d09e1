// `latchkey restore` of the embedded store: what comes back, what doesn't, and that nothing is lost on the way.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { revocationKinds } from '../../src/storage/restoring/ended-rows.ts';
import { readMigrations } from '../../src/storage/sql/sql-storage.ts';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';
import { runCommand } from '../harness/command.ts';
import { releaseTest } from '../harness/lane.ts';
import { formIn, Person } from '../harness/person.ts';
import {
  exchangeParameters,
  obtainCode,
  obtainTokens,
  postForm,
  refreshParameters,
  userinfo,
} from '../harness/relying-party.ts';
import { alignToStep, codeOf, isSignedIn, newOwner, reachSecondStep, tryCode } from '../harness/second-factors.ts';
import { startTestService } from '../harness/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'latchkey-restore-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A store of its own, with commands that must succeed. */
function storeIn(name: string) {
  const dataDir = join(folder, name);
  const environment = { LATCHKEY_DATA_DIR: dataDir };
  const run = async (words: readonly string[], input = '') => {
    const result = await runCommand(words, environment, input);
    assert.equal(result.status, 0, `${words.join(' ')}: ${result.stderr}`);
    return result.stdout;
  };
  const json = async (...words: string[]) => JSON.parse(await run([...words, '--json']));
  const refusal = async (...words: string[]) => {
    const result = await runCommand(words, environment);
    assert.equal(result.status, 1, result.stdout);
    return result.stderr;
  };
  return { dataDir, environment, run, json, refusal, file: join(dataDir, 'latchkey.db') };
}

const untilKilled = new URL('../harness/restore-until-killed.ts', import.meta.url).pathname;

type Store = ReturnType<typeof storeIn>;

const addPerson = (store: Store, name: string, ...more: string[]) =>
  store.json('user', 'create', '--email', `${name}@a.example`, '--name', name, ...more);

const emails = async (store: Store) =>
  (await store.json('user', 'list')).map(({ email }: { email: string }) => email).sort();

const befores = (store: Store) =>
  readdirSync(store.dataDir).filter((name) => /^latchkey-before-restore-.*\.db$/.test(name));

test('what was taken away since the backup is listed by name, and taken away again on request', async () => {
  const store = storeIn('revocations');
  const { run, json } = store;
  await addPerson(store, 'root', '--admin');
  for (const name of ['disabled', 'password', 'member', 'owner', 'linked', 'deleted', 'untouched']) {
    await addPerson(store, name);
  }
  await addPerson(store, 'helper', '--role', 'people');
  await addPerson(store, 'wasadmin', '--admin');
  const create = (name: string) =>
    json('client', 'create', '--name', name, '--redirect-uri', 'https://app.example/cb', '--access', 'listed');
  const [revoked, deleted, rotated, limited, closed] = [
    await create('Revoked'),
    await create('Gone'),
    await create('Rotated'),
    await create('Limited'),
    await create('Closed'),
  ];
  await run(['client', 'update', closed.client_id, '--access', 'everyone']);
  await run(['group', 'create', 'Staff']);
  await run(['group', 'create', 'Dissolved']);
  await run(['group', 'add', 'Staff', 'member@a.example', 'untouched@a.example']);
  await run(['group', 'add', 'Dissolved', 'untouched@a.example']);
  await run(['client', 'allow', limited.client_id, 'member@a.example', 'untouched@a.example', '--group', 'Staff']);
  await run(['client', 'allow', limited.client_id, 'linked@a.example']);
  await run(['client', 'update', limited.client_id, '--owner', 'owner@a.example']);
  await json('api-key', 'create', '--name', 'Key of old', '--permission', 'read');
  await json('scim-token', 'create', '--source', 'entra', '--name', 'Directory of old');
  await json('sign-up-link', 'create', '--note', 'Workshop');
  await json('user', 'invite', '--email', 'invited@a.example');
  const linked = await json('user', 'show', 'linked@a.example');
  const change = (sql: string) => {
    const database = new DatabaseSync(store.file, { timeout: 10_000 });
    database.exec(sql);
    database.close();
  };
  const [disabledHook, deletedHook, rotatedHook] = [
    await json('webhook', 'create', 'https://hooks.example/disabled'),
    await json('webhook', 'create', 'https://hooks.example/deleted'),
    await json('webhook', 'create', 'https://hooks.example/rotated'),
  ];
  const later = Date.now() + 3_600_000;
  // What only browsers and applications make.
  change(`INSERT INTO passkeys (id, user_id, public_key, counter, transports, name, created_at)
      VALUES ('pk', '${linked.id}', 'x', 0, '', 'Phone', 1);
    INSERT INTO upstreams (name, kind, issuer, client_id, sealed_secret, scopes, label, allowed_domains, trusted_domains,
        routes_domains, creates_accounts, trusted_amr, trusted_acr, metadata, created_at, updated_at, skip_approval)
      SELECT name, 'oidc', 'https://' || name || '.example', 'c', 'x', 'openid', 'Work', '', '', 0, 1, '', '', '{}', 1, 1, 0
      FROM (SELECT 'stopped' AS name UNION ALL SELECT 'removed' UNION ALL SELECT 'untouched');
    INSERT INTO sessions (digest, user_id, user_generation, created_at, last_seen_at, auth_time, amr, proven_at, kept, trusted)
      VALUES ('d', '${linked.id}', 0, 1, 1, 1, 'pwd', 1, 1, 0);
    INSERT INTO known_devices (user_id, digest, last_seen_at, trusted_until) VALUES ('${linked.id}', 'b', 1, ${later});
    INSERT INTO consents (user_id, client_id, client_generation, scopes, granted_at, last_used_at)
      SELECT '${linked.id}', id, generation, 'openid', 1, 1 FROM clients WHERE id = '${limited.client_id}';
    INSERT INTO grants (id, user_id, user_generation, client_id, client_generation, scopes, redirect_uri, code_challenge, auth_time, amr,
        code_digest, code_expires_at, exchanged_at, expires_at, delete_after, access_change)
      SELECT 'g', u.id, u.generation, c.id, c.generation, 'openid', 'x', 'x', 1, 'pwd', 'x', 1, 1, ${later}, ${later}, 9
      FROM users u, clients c WHERE u.id = '${linked.id}' AND c.id = '${limited.client_id}'`);
  const backup = join(folder, 'revocations.db');
  await run(['backup', backup]);

  await run(['user', 'disable', 'disabled@a.example']);
  await run(['user', 'delete', 'deleted@a.example', '--yes']);
  await run(['user', 'remove-admin', 'wasadmin@a.example']);
  await run(['user', 'update', 'helper@a.example', '--role', 'none']);
  await run(['user', 'set-password', 'password@a.example', '--password-stdin'], 'a few unrelated words\n');
  await run(['webhook', 'disable', disabledHook.id]);
  await run(['webhook', 'delete', deletedHook.id, '--yes']);
  await run(['webhook', 'rotate-secret', rotatedHook.id]);
  change(`DELETE FROM passkeys WHERE id = 'pk'; DELETE FROM sessions; DELETE FROM consents; UPDATE grants SET ended_at = 1;
    UPDATE known_devices SET trusted_until = NULL; UPDATE upstreams SET disabled_at = 2 WHERE name = 'stopped';
    DELETE FROM upstreams WHERE name = 'removed'; INSERT INTO service_keys (id, first_used_at, retired_at) VALUES ('old key', 1, 2);
    INSERT INTO revoked_tokens (token_id, delete_after) VALUES ('token', ${later})`);
  await run(['client', 'update', closed.client_id, '--access', 'listed']);
  await run(['client', 'revoke', revoked.client_id]);
  await run(['client', 'delete', deleted.client_id, '--yes']);
  for (let twice = 0; twice < 2; twice++) await run(['client', 'rotate-secret', rotated.client_id]);
  await run(['group', 'remove', 'Staff', 'member@a.example']);
  await run(['group', 'delete', 'Dissolved', '--yes']);
  await run(['client', 'disallow', limited.client_id, 'member@a.example']);
  await run(['client', 'update', limited.client_id, '--no-owners']);
  for (const kind of ['api-key', 'scim-token', 'sign-up-link']) {
    const [{ id }] = await json(kind, 'list');
    await run([kind, 'revoke', id]);
  }
  await run(['user', 'withdraw-invitation', 'invited@a.example']);
  // Whatever came since is gone with the store that it was in.
  await addPerson(store, 'newcomer');

  const expected = {
    people_disabled: ['disabled@a.example'],
    roles_lost: ['helper@a.example (people)', 'wasadmin@a.example (administrator)'],
    passwords_changed: ['password@a.example'],
    factors_changed: ['linked@a.example'],
    applications_revoked: ['Gone', 'Revoked'],
    secrets_rotated: ['Rotated'],
    api_keys_revoked: ['Key of old'],
    scim_tokens_revoked: ['Directory of old'],
    sign_up_links_revoked: ['Workshop'],
    links_ended: ['invite'],
    memberships_ended: ['member@a.example in Staff', 'untouched@a.example in Dissolved'],
    access_ended: ['everyone in Closed', 'member@a.example in Limited'],
    owners_removed: ['owner@a.example of Limited'],
    service_keys_retired: ['old key'],
    upstreams_disabled: ['removed', 'stopped'],
    webhooks_disabled: ['https://hooks.example/deleted', 'https://hooks.example/disabled'],
    webhook_secrets_rotated: ['https://hooks.example/rotated'],
    apps_disconnected: ['linked@a.example in Limited'],
    consents_withdrawn: ['linked@a.example in Limited'],
    sessions_ended: ['linked@a.example'],
    browsers_forgotten: ['linked@a.example'],
  };
  assert.deepEqual(Object.keys(expected).sort(), Object.keys(revocationKinds).sort(), 'all kinds are tried');
  const sinceOf = (since: Record<string, { name: string }[]>) =>
    Object.fromEntries(
      Object.entries(since)
        .filter(([kind, found]) => kind !== 'deleted' && Array.isArray(found) && found.length > 0)
        .map(([kind, found]) => [kind, found.map(({ name }) => name).sort()]),
    );

  const shown = await json('restore', backup, '--dry-run', '--keep-sessions');
  assert.deepEqual(sinceOf(shown.since_backup), expected);
  assert.ok((await emails(store)).includes('newcomer@a.example'), 'a dry run changes nothing');
  assert.deepEqual(
    readdirSync(store.dataDir).filter((name) => /unfinished|before/.test(name)),
    [],
  );

  const plain = await run(['restore', backup]);
  assert.match(plain, /^Restored \S+: 9 people, 5 applications, newest event 20\S+Z\.$/m);
  assert.match(plain, /^Deleted since the backup, and again now: deleted@a\.example$/m);
  assert.match(plain, /^Taken away since the backup, and back now/m);
  assert.match(plain, /^ {2}Client secrets rotated: Rotated$/m);
  assert.ok(!(await emails(store)).includes('newcomer@a.example'));
  assert.equal((await json('user', 'show', 'disabled@a.example')).disabled_at, null);
  const [before = ''] = befores(store);
  assert.equal(statSync(join(store.dataDir, before)).mode & 0o777, 0o600);

  // The store that was replaced still tells, and this time it counts.
  const old = join(store.dataDir, before);
  const kept = await json('restore', backup, '--keep-sessions', '--keep-revocations', '--replaces', old);
  assert.deepEqual(sinceOf(kept.since_backup), expected);
  assert.ok((await json('user', 'show', 'disabled@a.example')).disabled_at);
  assert.deepEqual((await json('user', 'show', 'helper@a.example')).roles, []);
  assert.deepEqual((await json('user', 'show', 'wasadmin@a.example')).roles, []);
  assert.equal((await json('client', 'show', revoked.client_id)).revoked_at === null, false);
  assert.equal((await json('client', 'show', deleted.client_id)).revoked_at === null, false);
  for (const kind of ['api-key', 'scim-token']) assert.deepEqual(await json(kind, 'list'), []);
  assert.ok(
    (await json('sign-up-link', 'list')).every(({ revoked_at }: { revoked_at: unknown }) => revoked_at !== null),
  );
  assert.equal((await json('client', 'show', closed.client_id)).access, 'listed');
  const people = await run(['client', 'people', limited.client_id]);
  assert.match(people, /untouched@a\.example/);
  assert.doesNotMatch(people, /member@a\.example/);
  assert.deepEqual((await json('client', 'show', limited.client_id)).owners, { people: [], groups: [] });
  const read = (file: string, sql: string) => {
    const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
    const rows = database.prepare(sql).all();
    database.close();
    return rows;
  };
  for (const sql of [
    "SELECT password_hash FROM users WHERE email LIKE 'password@%'",
    `SELECT secret_digest, old_secret_digest FROM clients WHERE id = '${rotated.client_id}'`,
    'SELECT id FROM passkeys',
    'SELECT digest FROM sessions',
    'SELECT id, retired_at FROM service_keys',
    'SELECT token_id FROM revoked_tokens',
    'SELECT user_id, client_id FROM consents',
    'SELECT user_id, trusted_until FROM known_devices WHERE trusted_until IS NOT NULL',
    `SELECT id, sealed, ends_at FROM webhook_secrets WHERE endpoint_id = '${rotatedHook.id}' ORDER BY id`,
    'SELECT name FROM upstreams WHERE disabled_at IS NULL',
    'SELECT url FROM webhook_endpoints WHERE disabled_at IS NULL',
  ]) {
    assert.deepEqual(read(store.file, sql), read(old, sql), sql);
  }
  const since = async (...words: string[]) => sinceOf((await json('restore', ...words, '--dry-run')).since_backup);
  assert.deepEqual(await since(backup, '--keep-sessions'), expected);
  // Nothing is left to take away from what was restored, but for the one key, without which the store would be one of other keys.
  change('DELETE FROM service_keys');
  await run(['backup', join(folder, 'revoked-again.db')]);
  assert.deepEqual(await since(join(folder, 'revoked-again.db'), '--keep-sessions', '--replaces', old), {
    service_keys_retired: ['old key'],
  });
});

test('someone who was deleted stays deleted, though they were the only administrator, and their ID stays refused', async () => {
  const store = storeIn('deleted');
  const first = await addPerson(store, 'first', '--admin');
  const backup = join(folder, 'deleted.db');
  await store.run(['backup', backup]);
  await addPerson(store, 'second', '--admin');
  await store.run(['user', 'delete', 'first@a.example', '--yes']);
  const { since_backup } = await store.json('restore', backup);
  assert.deepEqual(since_backup.deleted, [{ id: first.id, name: 'first@a.example' }]);
  assert.deepEqual(await emails(store), []);
  const person = join(folder, 'again.csv');
  writeFileSync(person, `id,email,name\n${first.id},first@a.example,First\n`);
  const again = await runCommand(['user', 'import', person, '--from', 'csv'], store.environment);
  assert.match(again.stdout, /Deleted here before: 1/);
  assert.deepEqual(await emails(store), []);
});

test('deletions are carried over from the store that is replaced, whichever store is asked what has happened since', async () => {
  const store = storeIn('deleted-later');
  for (const name of ['first', 'second', 'third']) await addPerson(store, name);
  const backup = join(folder, 'deleted-later.db');
  await store.run(['backup', backup]);
  await store.run(['user', 'delete', 'first@a.example', '--yes']);
  await store.run(['restore', backup]);
  const [before = ''] = befores(store);
  await store.run(['user', 'delete', 'second@a.example', '--yes']);
  const { since_backup } = await store.json('restore', backup, '--replaces', join(store.dataDir, before));
  assert.deepEqual(since_backup.deleted.map(({ name }: { name: string }) => name).sort(), [
    'first@a.example',
    'second@a.example',
  ]);
  assert.deepEqual(await emails(store), ['third@a.example']);
});

test('nothing that was signed in goes on, unless sessions are kept', async () => {
  const store = storeIn('sessions');
  const service = await startTestService(store.environment);
  const environment = { ...store.environment, LATCHKEY_BASE_URL: service.url };
  const user = await service.newUser();
  const client = await service.newClient();
  const { person, tokens } = await obtainTokens(service, client, user);
  const unused = await obtainCode(service, client, user);
  const owner = await newOwner(service);
  const waiting = await reachSecondStep(service, owner.user);
  await service.execute(`INSERT INTO links (digest, purpose, user_id, detail, expires_at)
    VALUES ('d', 'reset_password', '${user.id}', '{}', ${Date.now() + 3_600_000})`);
  const backup = join(folder, 'sessions.db');
  await store.run(['backup', backup]);
  await service.stop();

  const works = async () => {
    const running = await startTestService(environment);
    const moved = new Person(running);
    for (const [name, value] of person.cookies) moved.cookies.set(name, value);
    try {
      const exchange = exchangeParameters(client, unused.code, unused.verifier);
      const halfway = new Person(running);
      for (const [name, value] of waiting.person.cookies) halfway.cookies.set(name, value);
      alignToStep(running);
      await tryCode({ person: halfway, form: waiting.form }, codeOf(running, owner));
      return {
        waiting: await isSignedIn(halfway),
        session: (await moved.request('/account')).status === 200,
        token: (await userinfo(running, tokens.access_token)).status === 200,
        refresh:
          (await postForm(running, '/oauth/token', refreshParameters(client, tokens.refresh_token))).status === 200,
        code: (await postForm(running, '/oauth/token', exchange)).status === 200,
        links: (await running.rows('links')).length,
        browsers: (await running.rows('known_devices')).length > 0,
      };
    } finally {
      await running.stop();
    }
  };
  await store.run(['restore', backup, '--keep-sessions']);
  const kept = await works();
  assert.deepEqual(
    { ...kept, links: kept.links > 0 },
    { waiting: true, session: true, token: true, refresh: true, code: true, links: true, browsers: true },
  );
  await store.run(['restore', backup]);
  assert.deepEqual(await works(), {
    waiting: false,
    session: false,
    token: false,
    refresh: false,
    code: false,
    links: 0,
    browsers: false,
  });
});

test('a session and a token that were ended since the backup stay ended with --keep-sessions --keep-revocations', async () => {
  const store = storeIn('ended');
  const service = await startTestService(store.environment);
  const user = await service.newUser();
  const client = await service.newClient();
  const { person, tokens } = await obtainTokens(service, client, user);
  const other = await obtainTokens(service, client, user);
  const backup = join(folder, 'ended.db');
  await store.run(['backup', backup]);
  await person.submit(await formIn(await person.visit('/account'), '/sign-out'), {});
  await postForm(service, '/oauth/revoke', {
    token: tokens.refresh_token,
    client_id: client.id,
    client_secret: client.secret,
  });
  await service.stop();
  const { since_backup } = await store.json('restore', backup, '--keep-sessions', '--keep-revocations');
  assert.equal(since_backup.sessions_ended.length, 1);
  assert.equal(since_backup.apps_disconnected.length, 1);
  const database = new DatabaseSync(store.file, { readOnly: true });
  assert.equal(database.prepare('SELECT COUNT(*) AS n FROM sessions').get()?.n, 1);
  assert.equal(database.prepare('SELECT COUNT(*) AS n FROM grants').get()?.n, 1);
  database.close();
  assert.ok(other.tokens.refresh_token);
});

test('root restores for the user whose store it is', {
  skip: process.getuid?.() !== 0 && 'only root can',
}, async () => {
  const store = storeIn('owned');
  await addPerson(store, 'ada');
  const backup = join(folder, 'owned.db');
  await store.run(['backup', backup]);
  chownSync(store.file, 4711, 4712);
  await store.run(['restore', backup]);
  const [before = ''] = befores(store);
  for (const file of [store.file, join(store.dataDir, before)]) {
    const { uid, gid, mode } = statSync(file);
    assert.deepEqual([uid, gid, mode & 0o777], [4711, 4712, 0o600], file);
  }
  // Where there's no store yet, the folder says whose it will be.
  rmSync(store.file);
  chownSync(store.dataDir, 4713, 4714);
  await store.run(['restore', backup]);
  assert.deepEqual([statSync(store.file).uid, statSync(store.file).gid], [4713, 4714]);
});

test('a running service keeps its store', async () => {
  const store = storeIn('running');
  await addPerson(store, 'ada');
  const backup = join(folder, 'running.db');
  await store.run(['backup', backup]);
  const service = await startTestService(store.environment);
  assert.match(await store.refusal('restore', backup), /Latchkey is running on this store: \S+\. Stop it first\./);
  await service.stop();
  // Another command has it open.
  const reader = new DatabaseSync(store.file);
  reader.exec('PRAGMA journal_mode = WAL; BEGIN; SELECT * FROM users');
  assert.match(await store.refusal('restore', backup), /another process uses .*latchkey\.db .*\. Stop it first\./);
  reader.close();
  assert.deepEqual(befores(store), []);
  await store.run(['restore', backup]);
});

test('what can’t be restored leaves the store as it is', async () => {
  const store = storeIn('refused');
  await addPerson(store, 'ada');
  await store.run(['webhook', 'create', 'https://hooks.example/x']);
  const backup = join(folder, 'refused.db');
  await store.run(['backup', backup]);
  const cut = join(folder, 'cut.jsonl');
  writeFileSync(cut, (await store.run(['export'])).slice(0, -200));
  await addPerson(store, 'bob');
  assert.match(await store.refusal('restore', cut), /cut\.jsonl: line \d+ isn't valid JSON/);
  assert.match(await store.refusal('restore', store.file), /is the store itself/);
  const others = { ...store.environment, LATCHKEY_KEYS: randomBytes(32).toString('base64url') };
  assert.match((await runCommand(['restore', backup], others)).stderr, /the configured keys don't open/);
  assert.deepEqual(await emails(store), ['ada@a.example', 'bob@a.example']);
  assert.deepEqual(
    readdirSync(store.dataDir).filter((name) => /unfinished|before/.test(name)),
    [],
  );
});

test('a restore that is refused or interrupted leaves no copy behind', async () => {
  const store = storeIn('interrupted');
  await addPerson(store, 'ada');
  const backup = join(folder, 'interrupted.db');
  await store.run(['backup', backup]);
  await addPerson(store, 'bob');
  const left = ({ dataDir }: Store) => readdirSync(dataDir).filter((name) => /unfinished|before/.test(name));
  const child = spawnSync(process.execPath, [untilKilled, backup, '2', 'SIGTERM'], {
    env: { ...process.env, ...store.environment },
    encoding: 'utf8',
  });
  assert.equal(child.signal, 'SIGTERM', child.stderr);
  assert.match(child.stdout, /^brought it up to what has happened since$/m);
  assert.deepEqual(left(store), []);
  assert.deepEqual(await emails(store), ['ada@a.example', 'bob@a.example']);

  // A store of an earlier version is asked in a copy.
  const earlier = storeIn('earlier');
  mkdirSync(earlier.dataDir, { mode: 0o700 });
  const driver = openSqlite(earlier.file);
  await driver.migrate(readMigrations().slice(0, -1));
  await driver.close();
  assert.match(
    await earlier.refusal('restore', backup, '--replaces', join(folder, 'nowhere.db')),
    /there's no store at/,
  );
  assert.deepEqual(left(earlier), []);
});

test('what the log of the replaced store has lost is said', async () => {
  const store = storeIn('damaged');
  await addPerson(store, 'ada');
  const backup = join(folder, 'damaged.db');
  await store.run(['backup', backup]);
  const writer = new DatabaseSync(store.file);
  writer.exec('PRAGMA journal_mode = WAL; UPDATE users SET disabled_at = 1');
  const [file, log] = [readFileSync(store.file), readFileSync(`${store.file}-wal`)];
  writer.close();
  writeFileSync(store.file, file);
  writeFileSync(`${store.file}-wal`, log.fill(0xff, 13, 14));
  const { status, stderr } = await runCommand(['restore', backup], store.environment);
  assert.equal(status, 0, stderr);
  assert.match(stderr, /latchkey\.db-wal is damaged: any changes in it are lost\./);
});

test('without a store that can tell, nothing is known of what has happened since, and it says so', async () => {
  const store = storeIn('unknown');
  await addPerson(store, 'ada');
  const backup = join(folder, 'unknown.jsonl');
  await store.run(['export', '--output', backup]);
  const unknown =
    /Nothing is known about what has happened since the backup.*: (.*)\. Who was deleted or disabled since then is back/;

  writeFileSync(store.file, 'no database, but long enough to be taken for one at first sight'.repeat(20));
  assert.match(unknown.exec(await store.run(['restore', backup]))?.[1] ?? '', /can't be read/);
  assert.deepEqual(await emails(store), ['ada@a.example']);
  assert.equal(befores(store).length, 1);

  rmSync(store.file);
  assert.match(unknown.exec(await store.run(['restore', backup]))?.[1] ?? '', /there isn't one/);

  const elsewhere = storeIn('elsewhere');
  await addPerson(elsewhere, 'someone');
  copyFileSync(join(store.dataDir, 'keys'), join(elsewhere.dataDir, 'keys'));
  assert.match(
    unknown.exec(await elsewhere.run(['restore', backup]))?.[1] ?? '',
    /isn't the one that this backup was made of/,
  );
  assert.deepEqual(await emails(elsewhere), ['ada@a.example']);
});

test('what ended by a number, and not by a row, stays ended with --keep-sessions --keep-revocations', async () => {
  const store = storeIn('numbers');
  const service = await startTestService(store.environment);
  const [open, stopped] = [await service.newClient(), await service.newClient({ name: 'Stopped' })];
  const listed = await service.newClient({ name: 'Listed', access: 'listed' });
  const users = {
    disabled: await service.newUser(),
    stopped: await service.newUser(),
    member: await service.newUser(),
  };
  const idOf = async ({ email }: { email: string }) => (await store.json('user', 'show', email)).id;
  await store.run(['client', 'allow', listed.id, users.member.email]);
  await obtainTokens(service, open, users.disabled);
  await obtainTokens(service, stopped, users.stopped);
  await obtainTokens(service, listed, users.member);
  await obtainTokens(service, open, users.member);
  const owner = await newOwner(service);
  const waiting = await reachSecondStep(service, owner.user);
  const backup = join(folder, 'numbers.db');
  await store.run(['backup', backup]);
  // Each is taken back again, which revives nothing.
  await store.run(['user', 'disable', users.disabled.email]);
  await store.run(['user', 'enable', users.disabled.email]);
  await store.run(['client', 'revoke', stopped.id]);
  await store.run(['client', 'restore', stopped.id]);
  await store.run(['client', 'disallow', listed.id, users.member.email]);
  await store.run(['client', 'allow', listed.id, users.member.email]);
  await store.run(['user', 'end-sessions', owner.user.email]);
  await service.stop();

  const { since_backup } = await store.json('restore', backup, '--keep-sessions', '--keep-revocations');
  const names = (kind: string) => since_backup[kind].map(({ name }: { name: string }) => name).sort();
  assert.deepEqual(
    names('apps_disconnected'),
    [
      `${users.disabled.email} in Test app`,
      `${users.stopped.email} in Stopped`,
      `${users.member.email} in Listed`,
    ].sort(),
  );
  assert.deepEqual(names('consents_withdrawn'), [`${users.stopped.email} in Stopped`]);
  const restored = await startTestService({ ...store.environment, LATCHKEY_BASE_URL: service.url });
  try {
    assert.deepEqual(
      (await restored.rows('grants')).map(({ user_id, client_id }) => [user_id, client_id]),
      [[await idOf(users.member), open.id]],
    );
    const halfway = new Person(restored);
    for (const [name, value] of waiting.person.cookies) halfway.cookies.set(name, value);
    alignToStep(restored);
    await tryCode({ person: halfway, form: waiting.form }, codeOf(restored, owner));
    assert.equal(await isSignedIn(halfway), false);
  } finally {
    await restored.stop();
  }
});

releaseTest('a kill at any step leaves the old store or the new one', async () => {
  const original = storeIn('killed');
  await addPerson(original, 'then');
  const backup = join(folder, 'killed.db');
  await original.run(['backup', backup]);
  await addPerson(original, 'since');
  const seen: string[] = [];
  for (let step = 1; ; step++) {
    const store = storeIn(`killed-${step}`);
    cpSync(original.dataDir, store.dataDir, { recursive: true });
    // Changes in the log that aren't in the file yet.
    const writer = new DatabaseSync(store.file);
    writer.exec("PRAGMA journal_mode = WAL; UPDATE users SET name = 'In the log'");
    cpSync(store.file, `${store.file}.x`);
    for (const ending of ['-wal', '-shm']) cpSync(store.file + ending, `${store.file}.x${ending}`);
    writer.close();
    for (const ending of ['', '-wal', '-shm']) cpSync(`${store.file}.x${ending}`, store.file + ending);
    const child = spawnSync(process.execPath, [untilKilled, backup, String(step)], {
      env: { ...process.env, ...store.environment },
      encoding: 'utf8',
    });
    const isOver = child.status === 0;
    assert.ok(isOver || child.signal === 'SIGKILL', child.stderr);
    const found = await emails(store);
    const isNew = found.join() === 'then@a.example';
    assert.ok(isNew || found.join() === 'since@a.example,then@a.example', `${step}: ${found}`);
    const [person] = await store.json('user', 'list');
    assert.equal(person.name === 'In the log', !isNew, 'nothing of the log is lost, or taken for the new store’s');
    seen.push(`${child.stdout.trim().split('\n').at(-1)}: ${isNew ? 'new' : 'old'}`);
    // The next one removes what this one has left.
    await store.run(['restore', backup]);
    assert.deepEqual(
      readdirSync(store.dataDir).filter((name) => name.includes('unfinished')),
      [],
    );
    if (isOver) break;
  }
  assert.deepEqual(seen, [
    'made a store of the backup: old',
    'brought it up to what has happened since: old',
    'merged its log: old',
    'merged the log of the old store: old',
    'kept the old store: old',
    'put the new store in its place: new',
    'synced the folder: new',
    'synced the folder: new',
  ]);
  assert.ok(existsSync(join(original.dataDir, 'keys')) && readFileSync(backup).length > 0);
});
