// `latchkey user import`: a file with a problem changes nothing, and an import that was killed can be repeated.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { importBatch } from '../../../src/operations/users/import-users.ts';
import { finished, runCommand, startCommand } from '../../harness/command.ts';
import { copyMigratedStore } from '../../harness/service.ts';
import { until } from '../../harness/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'latchkey-import-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const environment = { LATCHKEY_DATA_DIR: join(folder, 'data') };

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const importing = (...args: string[]) => runCommand(['user', 'import', ...args], environment);
const csv = (...rows: string[]) => ['id,email,username', ...rows].join('\n');

function count(dataDir: string, table: string): number {
  const database = new DatabaseSync(join(dataDir, 'latchkey.db'), { readOnly: true, timeout: 10_000 });
  try {
    return Number(database.prepare(`SELECT COUNT(*) AS n FROM ${table}`).get()?.n);
  } finally {
    database.close();
  }
}

function change(dataDir: string, sql: string): void {
  const database = new DatabaseSync(join(dataDir, 'latchkey.db'), { timeout: 10_000 });
  database.exec(sql);
  database.close();
}

describe('a hostile file', () => {
  test('is refused with its lines, and leaves nothing behind', async () => {
    const environment = { LATCHKEY_DATA_DIR: join(folder, 'hostile') };
    const made = await runCommand(['group', 'create', 'Staff', '--json'], environment);
    const { id } = JSON.parse(made.stdout);
    const many = Array.from({ length: 10_000 }, (_, index) => `g${index}`).join();
    const rows: [string, RegExp][] = [
      ['1,a1@example.com,,fine,', /^$/],
      [`2,a2@example.com,,"${many}",`, /line 3 \(record 2\): is in 10,000 groups, and can be in 200 at most/],
      [`3,a3@example.com,,${id},`, /line 4 \(record 3\): the group "\w+" has the ID of another group as its name/],
      ['4,a4@example.com,,be\u0007ll,', /line 5 \(record 4\): the group "be\\u0007ll" has control characters/],
      [
        `5,a5@example.com,${'A'.repeat(1_000_000)},fine,`,
        /line 6 \(record 5\): the authenticator app's secret must have/,
      ],
      ['6,a6@example.com,,fine,be\u0007ll', /line 7 \(record 6\): the name "be\\u0007ll" has control characters/],
      ['be\u0000ll,a7@example.com,,fine,', /line 8 \(record 7\): the id "be\\u0000ll" has control characters/],
    ];
    const text = ['id,email,totp_secret,groups,name', ...rows.map(([row]) => row)].join('\n');
    const path = file('hostile.csv', text);
    const args = ['user', 'import', path, '--from', 'csv', '--new-ids'];
    const refused = await runCommand(args, environment);
    assert.equal(refused.status, 1);
    for (const [, problem] of rows.slice(1)) assert.match(refused.stderr, problem);
    assert.doesNotMatch(refused.stderr, /record 1|\u0007/);
    assert.deepEqual(
      ['users', 'groups', 'group_members'].map((table) => count(environment.LATCHKEY_DATA_DIR, table)),
      [0, 1, 0],
    );
    const skipping = await runCommand([...args, '--skip-invalid'], environment);
    assert.match(skipping.stdout, /^Imported 1 person\.$/m);
    assert.deepEqual(
      ['users', 'groups', 'group_members'].map((table) => count(environment.LATCHKEY_DATA_DIR, table)),
      [1, 2, 1],
    );
  });
});

test('the command line maps identities and defines attributes, and finds who shares an identity', async () => {
  const environment = { LATCHKEY_DATA_DIR: join(folder, 'mapped') };
  mkdirSync(environment.LATCHKEY_DATA_DIR);
  await copyMigratedStore(environment.LATCHKEY_DATA_DIR);
  change(
    environment.LATCHKEY_DATA_DIR,
    `INSERT INTO upstreams
        (name, kind, issuer, client_id, sealed_secret, scopes, label, allowed_domains, trusted_domains,
         routes_domains, creates_accounts, trusted_amr, trusted_acr, metadata, created_at, updated_at)
      VALUES ('google', 'oidc', 'https://idp.example', 'c', '', '', 'Google', '', '', 0, 0, '', '', '{}', 0, 0)`,
  );
  const run = (path: string, ...args: string[]) =>
    runCommand(['user', 'import', path, '--from', 'csv', ...args], environment);
  const header = 'id,email,identity.there,attribute.team,attribute.unused';
  const path = file('mapped.csv', [header, '1,m1@example.com,s1,One,', '2,m2@example.com,s2,,'].join('\n'));
  const options = ['--upstream', 'there=google', '--define-attributes'];
  const twice = file('twice.csv', [header, '1,m1@example.com,s1,,', '2,m2@example.com,s1,Two,'].join('\n'));
  assert.match(
    (await run(twice, ...options)).stderr,
    /line 2 \(record 1\) and twice\.csv, line 3 \(record 2\) have the same identity/,
  );
  assert.match((await run(path, '--upstream', 'there=google')).stderr, /there is no column "attribute\.team"/);
  assert.match((await run(path, '--upstream', 'there=elsewhere')).stderr, /there is no identity provider "elsewhere"/i);
  assert.equal((await run(path, '--upstream', 'there')).status, 2);
  assert.match((await run(path, ...options, '--dry-run')).stdout, /^Would import 2 people\.$/m);
  assert.equal(count(environment.LATCHKEY_DATA_DIR, 'attributes'), 0);
  const done = await run(path, ...options, '--json');
  assert.equal(done.status, 0, done.stderr);
  assert.deepEqual([JSON.parse(done.stdout).imported, JSON.parse(done.stdout).not_taken_over], [2, {}]);
  assert.equal(count(environment.LATCHKEY_DATA_DIR, 'identities'), 2);
  assert.equal(count(environment.LATCHKEY_DATA_DIR, "attributes WHERE name = 'team' AND kind = 'text'"), 1);
  assert.equal(count(environment.LATCHKEY_DATA_DIR, 'users WHERE attributes = \'{"team":"One"}\''), 1);
});

test('the command line decides how groups are called, which roles become some, and whether those that decide are joined', async () => {
  const environment = { LATCHKEY_DATA_DIR: join(folder, 'joined') };
  assert.equal((await runCommand(['group', 'create', 'dev', '--protected', 'yes'], environment)).status, 0);
  const rows: [string[], groups: string[], left: string[]][] = [
    [[], ['staff/dev'], ['realmRoles', 'clientRoles']],
    [['--groups-from-last-part', '--roles-as-groups'], ['auditor', 'shop/buyer'], ['groups (dev)']],
    [['--groups-from-last-part', '--into-existing-groups'], ['dev'], ['realmRoles', 'clientRoles']],
  ];
  for (const [index, [options, groups, left]] of rows.entries()) {
    const roles = { realmRoles: ['auditor'], clientRoles: { shop: ['buyer'] } };
    const user = { id: `joined${index}`, email: `joined${index}@example.com`, groups: ['/staff/dev'], ...roles };
    const path = file('joined.json', JSON.stringify({ users: [user] }));
    const done = await runCommand(['user', 'import', path, '--from', 'keycloak', '--json', ...options], environment);
    assert.deepEqual(Object.keys(JSON.parse(done.stdout).not_taken_over), left, done.stderr);
    const member = `group_members m JOIN groups g ON g.id = m.group_id WHERE m.user_id = '${user.id}'`;
    assert.equal(count(environment.LATCHKEY_DATA_DIR, member), groups.length);
    for (const name of groups) {
      assert.equal(count(environment.LATCHKEY_DATA_DIR, `${member} AND g.name = '${name}'`), 1, name);
    }
  }
});

test('a dry run counts second factors, and says who would arrive without theirs', async () => {
  const rows = ['1,f1@example.com,yes,GEZDGNBVGY3TQOJQ,', '2,f2@example.com,yes,,a passkey', '3,f3@example.com,yes,,'];
  const path = file('factors.csv', ['id,email,email_verified,totp_secret,second_factor', ...rows].join('\n'));
  const counts = async (...args: string[]) => {
    const run = await importing(path, '--from', 'csv', '--dry-run', '--json', ...args);
    return { status: run.status, ...JSON.parse(run.stdout) };
  };
  const refused = await counts();
  assert.equal(refused.status, 1);
  assert.match(
    refused.problems.join(),
    /line 3 \(record 2\): has a second factor that can't be taken over \(a passkey\)/,
  );
  const meant = await counts('--without-second-factors');
  assert.deepEqual([meant.status, meant.would_import, meant.not_taken_over], [0, 3, { 'a passkey': 1 }]);
  for (const { second_factors } of [refused, meant])
    assert.deepEqual(second_factors, { taken_over: 1, not_taken_over: 1 });
});

test('people of authentik come with their groups, and with the passwords of its database', async () => {
  const environment = { LATCHKEY_DATA_DIR: join(folder, 'authentik') };
  const fixture = (name: string) => fileURLToPath(new URL(`../../fixtures/import/${name}`, import.meta.url));
  const run = (...args: string[]) =>
    runCommand(['user', 'import', fixture('authentik-users.json'), '--from', 'authentik', ...args], environment);
  const dry = JSON.parse((await run('--dry-run', '--json')).stdout);
  assert.deepEqual([dry.would_import, dry.skipped], [2, { 'service accounts': 1 }]);
  const left = { is_superuser: 1, 'attributes.settings': 1, groups: 1 };
  const hashes = ['--password-hashes', fixture('authentik-hashes.csv')];
  const done = await run(...hashes, '--emails-verified', '--define-attributes', '--json');
  assert.equal(done.status, 0, done.stderr);
  assert.deepEqual(JSON.parse(done.stdout).not_taken_over, left);
  const rows = (table: string) => count(environment.LATCHKEY_DATA_DIR, table);
  assert.equal(rows("users WHERE email_verified_at IS NOT NULL AND name IN ('Ada Lovelace', 'grace')"), 2);
  assert.equal(rows("users WHERE id = '7c9e6679-7425-40de-944b-e07fc1f90ae1' AND preferred_username = 'ada'"), 1);
  assert.equal(rows("users WHERE password_hash LIKE 'foreign:$pbkdf2-sha256$%' AND admin_since IS NULL"), 1);
  assert.equal(rows("users WHERE password_hash = '' AND disabled_at IS NOT NULL"), 1);
  assert.equal(rows("group_members m JOIN groups g ON g.id = m.group_id WHERE g.name = 'Analysts'"), 1);
  assert.equal(rows('users WHERE attributes = \'{"department":"Analysis"}\''), 1);
  const other = await runCommand(['user', 'import', 'x', '--from', 'csv', '--emails-verified'], environment);
  assert.equal(other.status, 2);
});

describe('a file', () => {
  test('with problems changes nothing, and each problem is reported with its line', async () => {
    const first = await importing(file('one.csv', csv('1,ada@example.com,ada')), '--from', 'csv');
    assert.equal(first.status, 0, first.stderr);
    const rows = [
      '2,ADA@example.com,',
      '3,no address,',
      '4,grace@example.com,grace',
      '5,Grace@example.com,GRACE',
      '6,x@example.com',
    ];
    const path = file('wrong.csv', csv(...rows));
    const { status, stdout, stderr } = await importing(path, '--from', 'csv');
    assert.equal(status, 1);
    assert.equal(stdout, '');
    for (const problem of [
      /wrong\.csv has problems, so nothing was imported:/,
      /line 2 \(record 1\): there is already a person with the email address ADA@example\.com/,
      /line 3 \(record 2\): "no address" is not an email address/,
      /line 4 \(record 3\) and wrong\.csv, line 5 \(record 4\) have the same email address/,
      /line 4 \(record 3\) and wrong\.csv, line 5 \(record 4\) have the same username/,
      /line 6 \(record 5\): has another number of columns/,
    ]) {
      assert.match(stderr, problem);
    }
    assert.equal(count(environment.LATCHKEY_DATA_DIR, 'users'), 1);

    const dry = await importing(path, '--from', 'csv', '--dry-run');
    assert.equal(dry.status, 1);
    assert.match(dry.stdout, /^Could import 1 person\.$/m);
    assert.match(dry.stderr, /wrong\.csv has problems, so nothing would be imported:\n {2}wrong\.csv, line/);

    const skipping = await importing(path, '--from', 'csv', '--skip-invalid', '--json');
    assert.equal(skipping.status, 0, skipping.stderr);
    assert.equal(JSON.parse(skipping.stdout).imported, 1);
    assert.equal(count(environment.LATCHKEY_DATA_DIR, 'users'), 2);
  });

  test('of the wrong format is refused with its line', async () => {
    const cases: [string, string | Uint8Array, string[], RegExp][] = [
      [
        'broken.json',
        '[{"user_id":"a"}\n{"user_id":"b"}]',
        ['--from', 'auth0'],
        /broken\.json, line 2: expected a comma or \]/,
      ],
      ['columns.csv', 'id,mail\n', ['--from', 'csv'], /there is no column "mail"\. The columns are id, email,/],
      ['empty.csv', '', ['--from', 'csv'], /empty\.csv is empty/],
      [
        'latin1.csv',
        Buffer.from('id,email\n\n1,andré@example.com\n', 'latin1'),
        ['--from', 'csv'],
        /latin1\.csv, line 3 \(record 1\): isn't UTF-8 text/,
      ],
      [
        'twice.json',
        '[{"user_id":"auth0|a","email":"a@example.com"},\n{"user_id":"auth0|b","email":"b@example.com","email":"c@example.com"}]',
        ['--from', 'auth0'],
        /twice\.json, line 2 \(record 2\): has the same key twice/,
      ],
      ['none.json', '{"realm":"x"}', ['--from', 'keycloak'], /has no list of "users"/],
      ['short.json.gz', gzipSync('[]').subarray(0, 15), ['--from', 'auth0'], /can't read .*short/],
    ];
    const outcomes = await Promise.all(cases.map(([name, content, args]) => importing(file(name, content), ...args)));
    for (const [index, [name, , , problem]] of cases.entries()) {
      assert.equal(outcomes[index]?.status, 1, name);
      assert.match(outcomes[index]?.stderr ?? '', problem, name);
    }
    const unknown = await importing('nowhere.json', '--from', 'django');
    assert.match(unknown.stderr, /can't read nowhere\.json/);
    assert.equal((await importing('x', '--from', 'okta')).status, 2);
  });
});

test('a killed import can be repeated without importing anyone twice', async () => {
  const dataDir = join(folder, 'killed');
  mkdirSync(dataDir);
  await copyMigratedStore(dataDir);
  const people = importBatch + 200;
  // So that it's killed while it writes the second batch, however fast it is: that never ends.
  const forever = `SELECT COUNT(*) FROM ${[...'abcdefgh'].map((name) => `sqlite_master ${name}`).join(', ')}`;
  change(
    dataDir,
    `CREATE TRIGGER hang BEFORE INSERT ON users WHEN NEW.email = 'person${people - 1}@example.com' BEGIN ${forever}; END`,
  );
  const lines = Array.from({ length: people }, (_, index) =>
    JSON.stringify({ user_id: `auth0|${index}`, email: `person${index}@example.com`, name: `Person ${index}` }),
  );
  const path = file('many.json.gz', gzipSync(lines.join('\n')));
  const args = ['user', 'import', path, '--from', 'auth0', '--json'];
  const killed = startCommand(args, { LATCHKEY_DATA_DIR: dataDir });
  const ended = finished(killed);
  await until(() => count(dataDir, 'users') > 0, 'the first batch is written');
  killed.kill('SIGKILL');
  assert.equal((await ended).status, null);
  const before = count(dataDir, 'users');
  assert.equal(before, importBatch);
  assert.equal(before, count(dataDir, 'imported_people'));
  change(dataDir, 'DROP TRIGGER hang');

  const again = await runCommand(args, { LATCHKEY_DATA_DIR: dataDir });
  assert.equal(again.status, 0, again.stderr);
  const { imported, already_imported } = JSON.parse(again.stdout);
  assert.deepEqual([imported, already_imported], [people - before, before]);
  assert.equal(count(dataDir, 'users'), people);
  assert.equal(count(dataDir, "(SELECT DISTINCT ref FROM search_words WHERE kind = 'person_name')"), people);
});

test('whoever was deleted is skipped, unless their IDs are to come back, also after the keys are rotated and the store is moved or restored', async () => {
  const from = { LATCHKEY_DATA_DIR: join(folder, 'deleting'), LATCHKEY_KEYS_FILE: join(folder, 'keys') };
  const to = { ...from, LATCHKEY_DATA_DIR: join(folder, 'moved') };
  const restored = { ...from, LATCHKEY_DATA_DIR: join(folder, 'restored') };
  const run = async (environment: Record<string, string>, args: string[], input = '') => {
    const done = await runCommand(args, environment, input);
    assert.equal(done.status, 0, done.stderr);
    return done.stdout;
  };
  const people = file(
    'people.csv',
    csv('keeps-1,one@example.com,', 'gone-1,two@example.com,', 'gone-2,three@example.com,'),
  );
  const args = ['user', 'import', people, '--from', 'csv'];
  await run(from, args);
  for (const id of ['gone-1', 'gone-2']) await run(from, ['user', 'delete', id, '--yes']);
  await run(from, ['keys', 'rotate', '--compromised']);
  await run(to, ['import'], await run(from, ['export']));
  mkdirSync(restored.LATCHKEY_DATA_DIR);
  await run(from, ['backup', join(restored.LATCHKEY_DATA_DIR, 'latchkey.db')]);
  for (const environment of [from, to, restored]) {
    assert.match(
      await run(environment, [...args, '--dry-run']),
      /^Would import 0 people\.\n1 person .*\nDeleted here before: 2\.$/m,
    );
    const again = JSON.parse(await run(environment, [...args, '--json']));
    assert.deepEqual([again.imported, again.already_imported, again.deleted_before, again.problems], [0, 1, 2, []]);
    assert.match(await run(environment, [...args, '--restore-deleted-ids']), /^Imported 2 people\.$/m);
    assert.match(await run(environment, ['user', 'show', 'gone-1', '--json']), /two@example\.com/);
  }
  // Without the keys, nobody can tell, so nothing is imported under an ID from elsewhere, and doctor says so.
  await run(to, ['user', 'delete', 'gone-2', '--yes']);
  rmSync(from.LATCHKEY_KEYS_FILE);
  const other = file('other.csv', csv('other-1,other@example.com,'));
  const refused = await runCommand(['user', 'import', other, '--from', 'csv'], to);
  assert.match(refused.stderr, /restore the service's keys/);
  assert.match(
    (await runCommand(['doctor'], { ...to, LATCHKEY_BASE_URL: 'http://localhost:1' })).stdout,
    /deleted IDs/,
  );
  await run(to, ['user', 'import', other, '--from', 'csv', '--new-ids']);
  // A deletion goes on, with a key of its own.
  await run(to, ['user', 'delete', 'gone-1', '--yes']);
});
