// Migrates every version of the schema since 0.3.0, with data in it, on both engines, and checks that the data is still
// there.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import type { Driver, Migration } from '../../src/storage/driver.ts';
import { checksumOf, earlierTexts, sqlFor, versionOf } from '../../src/storage/migrating.ts';
import { openPostgres } from '../../src/storage/postgres/postgres.ts';
import { readMigrations, sqlStorage } from '../../src/storage/sql/sql-storage.ts';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { isReleaseLane, releaseTest } from '../harness/lane.ts';
import { queryPostgres, removeSharedPostgres, sharedPostgres } from '../harness/postgres.ts';
import { tables } from '../harness/service.ts';
import { earlierTextOf } from './earlier-texts.ts';
import { aDigest } from './records.ts';

after(removeSharedPostgres);

const migrations = readMigrations();
/** The schema of 0.3.0. Nobody has an older one. */
const oldest = 9;

/**
 * Data of that version, in the SQL of that version. A seed is written when its version is the newest, and never
 * changed.
 */
const seeds: Record<number, string[]> = {
  1: [
    `INSERT INTO users (id, email, email_key, email_verified_at, name, given_name, password_hash, generation, created_at,
      updated_at) VALUES ('user1', 'Ada@Example.test', 'ada@example.test', 5, 'Ada', 'Ada', 'hash', 2, 1, 3)`,
    `INSERT INTO clients (id, name, is_public, redirect_uris, scopes, secret_digest, secret_created_at, logo_version,
      generation, created_at, updated_at)
      VALUES ('client1', 'App', 0, '["https://a.example/cb"]', 'openid email', 'digest', 1, 'v1', 1, 1, 2)`,
    `INSERT INTO sessions (digest, user_id, user_generation, created_at, last_seen_at, auth_time, amr)
      VALUES ('session1', 'user1', 2, 10, 11, 10, 'pwd')`,
    `INSERT INTO consents (user_id, client_id, client_generation, scopes, granted_at, last_used_at)
      VALUES ('user1', 'client1', 1, 'openid email', 20, 21)`,
    `INSERT INTO grants (id, user_id, user_generation, client_id, client_generation, scopes, redirect_uri, code_challenge,
      nonce, auth_time, amr, code_digest, code_expires_at, exchanged_at, refresh_digest, expires_at, delete_after)
      VALUES ('grant1', 'user1', 2, 'client1', 1, 'openid email', 'https://a.example/cb', 'challenge', 'n', 10, 'pwd',
      'code', 30, 25, 'refresh', 1000, 2000)`,
    `INSERT INTO events (id, at, kind, user_id, client_id, address, request_id, detail)
      VALUES ('event1', 25, 'code_exchanged', 'user1', 'client1', '127.0.0.1', 'r1', '{"grant":"grant1"}')`,
  ],
  2: [`INSERT INTO leases (name, holder, expires_at) VALUES ('sweep', 'somebody', 50)`],
  3: [
    `INSERT INTO known_devices (user_id, digest, last_seen_at) VALUES ('user1', 'device1', 12)`,
    `INSERT INTO authenticators (user_id, sealed_secret, last_step, created_at) VALUES ('user1', 'sealed', 7, 13)`,
    `INSERT INTO recovery_codes (user_id, digest) VALUES ('user1', 'recovery1')`,
    `INSERT INTO passkeys (id, user_id, public_key, counter, transports, name, created_at)
      VALUES ('passkey1', 'user1', 'key', 3, 'usb nfc', 'Key', 14)`,
    `INSERT INTO links (digest, purpose, user_id, detail, expires_at)
      VALUES ('link1', 'reset_password', 'user1', '{}', 100)`,
    `INSERT INTO mails (id, sealed, created_at, attempts, next_attempt_at) VALUES ('mail1', 'sealed', 15, 1, 16)`,
  ],
  4: [
    `INSERT INTO api_keys (digest, id, name, permission, created_at) VALUES ('key1', 'k1', 'Key', 'read', 17)`,
    `INSERT INTO service_facts (name, value) VALUES ('base_url', 'https://id.example')`,
    `INSERT INTO hourly_totals (hour, kind, client_id, total) VALUES (3600000, 'refresh', '', 5)`,
    `INSERT INTO hourly_totals (hour, kind, client_id, total) VALUES (0, 'refresh', 'client1', 4)`,
  ],
  5: [
    `UPDATE users SET preferred_username = 'Ada', username_key = 'ada' WHERE id = 'user1'`,
    `INSERT INTO events (id, at, kind, user_id, address, request_id, detail, actor_kind, actor_id)
      VALUES ('event9', 27, 'user_disabled', 'user1', '127.0.0.1', 'r3', '{}', 'administrator', 'admin1')`,
  ],
  6: [
    `UPDATE users SET review_since = 28 WHERE id = 'user1'`,
    `INSERT INTO recovery_codes (user_id, digest, created_at, suspended_at) VALUES ('user1', 'recovery2', 27, 28)`,
  ],
  8: [`INSERT INTO service_facts (name, value) VALUES ('swept_at', '28')`],
  9: [`INSERT INTO service_keys (id, first_used_at, retired_at) VALUES ('servicekey1', 28, NULL)`],
  10: [
    `INSERT INTO settings (name, value, updated_at) VALUES ('second_factor', '"optional"', 29)`,
    `INSERT INTO groups (id, name, name_key, created_at, updated_at, ended_by)
      VALUES ('group1', 'Staff', 'staff', 29, 29, 9007199254740991)`,
    `INSERT INTO group_members (group_id, user_id, began_with, ended_by)
      VALUES ('group1', 'user1', 1, 9007199254740991)`,
    `INSERT INTO client_access (client_id, kind, subject_id, began_with, ended_by)
      VALUES ('client1', 'group', 'group1', 2, 9007199254740991)`,
  ],
  11: [
    `UPDATE clients SET launch_url = 'https://a.example/start' WHERE id = 'client1'`,
    `INSERT INTO brand_images (name, version, content_type, bytes) VALUES ('logo', 'v1', 'image/png', '')`,
  ],
  12: [
    `UPDATE users SET last_sign_in_at = 30 WHERE id = 'user1'`,
    `INSERT INTO links (digest, purpose, detail, expires_at, email_key)
      VALUES ('link2', 'invite', '{"email":"guest@example.test","name":"","mailed":"no"}', 100, 'guest@example.test')`,
  ],
  13: [
    `INSERT INTO webhook_endpoints (id, url, description, types, created_at, updated_at, failures, dropped,
      resting_until, claimed_until) VALUES ('hook1', 'https://a.example/hook', '', '*', 31, 31, 0, 0, 0, 0)`,
    `INSERT INTO webhook_secrets (id, endpoint_id, sealed, created_at) VALUES ('secret1', 'hook1', 'sealed', 31)`,
    `INSERT INTO webhook_deliveries (endpoint_id, id, type, at, data, attempts, next_attempt_at, delivered, delete_after)
      VALUES ('hook1', 'msg_event9', 'user.disabled', 32, '{}', 0, 32, 0, 1000)`,
  ],
  14: [
    `INSERT INTO events (id, at, kind, user_id, address, request_id, detail, trace_id)
      VALUES ('event14', 33, 'signed_in', 'user1', '127.0.0.1', 'r14', '{}', '4bf92f3577b34da6a3ce929d0e0e4736')`,
  ],
  15: [
    `INSERT INTO upstreams (name, kind, issuer, client_id, sealed_secret, scopes, label, allowed_domains, trusted_domains,
      routes_domains, creates_accounts, trusted_amr, trusted_acr, metadata, created_at, updated_at)
      VALUES ('work', 'oidc', 'https://id.example', 'client', 'sealed', 'openid email', 'Work', 'a.example', 'a.example',
      1, 1, 'mfa', '', '{}', 34, 34)`,
    `INSERT INTO identities (issuer, subject, user_id, email, linked_at)
      VALUES ('https://id.example', 'ada', 'user1', 'ada@a.example', 35)`,
    `INSERT INTO imported_people (source, old_id, user_id, imported_at) VALUES ('auth0', 'auth0|1', 'user1', 36)`,
  ],
  16: [
    `INSERT INTO webhook_endpoints (id, url, description, types, client_deleted_at, created_at, updated_at, failures,
      dropped, resting_until, claimed_until) VALUES ('hook2', 'https://b.example/hook', '', '*', 38, 37, 37, 0, 0, 0, 0)`,
  ],
  17: [`UPDATE clients SET contact_email = 'dev@a.example' WHERE id = 'client1'`],
  18: [
    `INSERT INTO instances (id, version, base_url, key_ids, events_days, started_at, last_seen_at)
      VALUES ('instance1', '0.9.0', 'https://id.example', 'servicekey1', 365, 39, 40)`,
  ],
  19: [`UPDATE service_facts SET value = '10' WHERE name = 'oldest_schema'`],
  20: [`UPDATE clients SET access = 'listed', was_listed = 1 WHERE id = 'client1'`],
  21: [
    `INSERT INTO attributes (name, label, kind, editable_by, allowed_values, created_at, updated_at, cleared_to)
      VALUES ('team', 'Team', 'text', 'administrator', 'null', 41, 41, '')`,
    `UPDATE users SET attributes = '{"team":"Blue"}' WHERE id = 'user1'`,
  ],
  22: [
    `UPDATE clients SET claims = '[{"claim":"tier","label":null,"idToken":false,"source":"value","value":"gold"}]'
      WHERE id = 'client1'`,
    `UPDATE consents SET claims = 'tier=abcdefghijklmnop'`,
    `UPDATE grants SET claims = 'tier=abcdefghijklmnop'`,
  ],
  23: [
    `UPDATE clients SET backchannel_logout_uri = 'https://a.example/logout', secret_states = 'sealed' WHERE id = 'client1'`,
    `UPDATE sessions SET id = 'session1'`,
    `UPDATE grants SET session_id = 'session1', sid_key = 'servicekey1'`,
    `INSERT INTO webhook_endpoints (id, url, description, client_id, types, created_at, updated_at, failures, dropped,
      resting_until, claimed_until, purpose)
      VALUES ('logout:client1', 'https://a.example/logout', '', 'client1', '', 42, 42, 0, 0, 0, 0, 'logout')`,
  ],
  24: [
    `INSERT INTO sign_up_links (id, digest, uses, used, group_ids, note, created_at, expires_at)
      VALUES ('signup1', 'digest', 5, 1, '[]', 'For the workshop', 43, 1000)`,
    `UPDATE upstreams SET skip_approval = 1`,
  ],
  25: [
    `UPDATE users SET roles = 'auditor people', managed_by = 'entra', external_id = '42', adopted_at = 44 WHERE id = 'user1'`,
    `UPDATE groups SET protected_since = 44, managed_by = 'entra', external_id = '43'`,
    `UPDATE api_keys SET roles = 'people'`,
    `INSERT INTO scim_tokens (digest, id, source, name, adopts, subject_claim, created_at)
      VALUES ('scimdigest', 'scim1', 'entra', 'Entra ID', 1, 'oid', 44)`,
  ],
  26: [`UPDATE users SET has_factor = 1 WHERE id = 'user1'`],
  27: [
    `UPDATE clients SET secret_last_four = secret_digest || ' ab12'`,
    `UPDATE api_keys SET last_four = 'cd34'`,
    `UPDATE scim_tokens SET last_four = 'ef56'`,
  ],
  28: [`UPDATE instances SET clock_offset = -12`],
  29: [
    `INSERT INTO deleted_id_keys (number, sealed) VALUES ('1', 'sealed')`,
    `INSERT INTO deleted_ids (digest) VALUES ('digest')`,
  ],
  30: [`UPDATE users SET session_generation = 3 WHERE id = 'user1'`],
  31: [
    `INSERT INTO events (id, at, kind, user_id, address, request_id, detail)
      VALUES ('event31', 45, 'user_enabled', 'user1', '127.0.0.1', 'r31', '{}')`,
  ],
  32: [`UPDATE users SET inactive_from = 46, inactive_end = 47 WHERE id = 'user1'`],
  33: [`UPDATE group_members SET began_at = 45`, `UPDATE client_access SET began_at = 46`],
  36: [
    `UPDATE clients SET access_requests = 'on' WHERE id = 'client1'`,
    `INSERT INTO client_owners (client_id, kind, subject_id, began_at) VALUES ('client1', 'person', 'user1', 48)`,
  ],
  37: [
    `UPDATE users SET requests_told_at = 49 WHERE id = 'user1'`,
    `INSERT INTO access_requests (id, client_id, user_id, status, note, asked_at, told)
      VALUES ('request1', 'client1', 'user1', 'open', 'For the report', 49, 0)`,
  ],
  38: [
    `INSERT INTO reviews (id, name, status, due_at, created_at, place, deleted_people)
      VALUES ('review1', 'Access', 'open', 90, 50, '{}', 1)`,
    `INSERT INTO review_applications (review_id, place, client_id, name, items, reviewed)
      VALUES ('review1', 0, 'client1', 'Shop', 1, 0)`,
  ],
  39: [`UPDATE users SET lost_factor_at = 51 WHERE id = 'user1'`],
  40: [`UPDATE sign_up_links SET created_by_key = 'key1'`],
};

/** Endpoints of deleted applications, as they were stored until version 15: with an event about it, and without one. */
const webhooksOfVersion15 = [
  ['hook3', 'shop (deleted)'],
  ['hook4', 'other (deleted)'],
  ['hook5', 'client1'],
].map(
  ([id, client]) => `INSERT INTO webhook_endpoints (id, url, description, client_id, types, created_at, updated_at,
    failures, dropped, resting_until, claimed_until)
    VALUES ('${id}', 'https://a.example/hook', '', '${client}', '*', 40, 41, 0, 0, 0, 0)`,
);
const deletionsOfVersion15 = [43, 44].map(
  (at) => `INSERT INTO events (id, at, kind, client_id, address, request_id, detail)
    VALUES ('event${at}', ${at}, 'client_deleted', 'shop', '127.0.0.1', 'r', '{}')`,
);

async function assertMigrates(driver: Driver, from: number): Promise<void> {
  await driver.migrate(knownTo(from));
  await sow(driver, 1, from);
  if (from === 15) {
    await driver.write([...webhooksOfVersion15, ...deletionsOfVersion15].map((sql) => ({ sql, params: [] })));
  }
  assert.equal(versionOf(await driver.appliedMigrations()), from);
  assert.equal(await driver.migrate(migrations), migrations.at(-1)?.version);
  await assertKept(driver, from);
}

function knownTo(last: number): Migration[] {
  return migrations.filter(({ version }) => version <= last);
}

/** Stores the data of these versions. */
async function sow(driver: Driver, first: number, last: number): Promise<void> {
  for (let version = first; version <= last; version++) {
    await driver.write((seeds[version] ?? []).map((sql) => ({ sql, params: [] })));
  }
  const word = "INSERT INTO search_words (kind, word, ref, source) VALUES ('person', $1, 'user1', 'name')";
  if (last >= 12) await driver.write([{ sql: word, params: [Buffer.from('kept')] }]);
}

/** The data of version `from` is there in today's. */
async function assertKept(driver: Driver, from: number): Promise<void> {
  const storage = sqlStorage(driver);
  const signedIn = await storage.findSession('session1', 0);
  assert.equal(signedIn?.user.email, 'Ada@Example.test');
  assert.equal(signedIn?.user.emailVerifiedAt, 5);
  const found = await storage.findClientAndGrant('client1', 'grant1', 0);
  assert.equal(found?.grant?.partiesAreActive, true);
  assert.equal(found?.grant?.refreshDigest, 'refresh');
  assert.deepEqual((await storage.findClient('client1'))?.redirectUris, ['https://a.example/cb']);
  assert.equal((await storage.findTokenHolder('grant1', aDigest(), 0))?.user.name, 'Ada');
  assert.equal((await storage.listConnectedApps('user1'))[0]?.grantedAt, 20);
  assert.equal((await storage.findEvents({}, 10, 'oldest'))[0]?.detail?.grant, 'grant1');
  assert.equal(await storage.takeLease('sweep', 'another', 51, 60), true);
  assert.equal(signedIn?.session.device, null);
  const facts = await storage.findSignInFacts('user1', ['device1']);
  assert.equal(facts.knownDevice, 'device1');
  assert.deepEqual(facts.authenticator, { sealedSecret: 'sealed', lastStep: 7 });
  assert.deepEqual(facts.passkeys[0]?.transports, ['usb', 'nfc']);
  assert.deepEqual(facts.suspended, [{ kind: 'recovery_codes', createdAt: 27 }]);
  assert.equal((await storage.findLink('link1', 'reset_password', 99))?.userId, 'user1');
  assert.equal((await storage.listEmails(5)).length, 1);
  if (from < 12) {
    // Search finds more since version 12. A running service indexes what was there before.
    assert.equal(await storage.makeSearchable(100), 2);
    assert.equal(await storage.makeSearchable(100), 0);
    assert.deepEqual(await searchBoth(storage, 'ad', 'pp'), ['user1', 'client1']);
    assert.deepEqual(await searchBoth(storage, 'example', 'a.exa'), ['user1', 'client1']);
  }
  if (from >= 12) assert.deepEqual(await searchBoth(storage, 'kep', 'nothing'), ['user1']);
  assert.equal((await storage.findListedUser('user1'))?.lastSignInAt, from < 12 ? 10 : 30);
  assert.equal((await storage.findListedUser('user1'))?.hasSecondFactor, true);
  // From when the account was last enabled, or imported; otherwise from the last activity, or from when it was created.
  const [row] = await driver.read("SELECT inactive_from FROM users WHERE id = 'user1'", []);
  assert.equal(row?.inactive_from, from >= 32 ? 46 : from === 31 ? 45 : from >= 15 ? 36 : null);
  assert.equal((await storage.findApiKey('key1', 0))?.name, 'Key');
  assert.equal(await storage.findFact('base_url'), 'https://id.example');
  assert.deepEqual(await storage.sumTotalsByHour(0), [{ hour: 3_600_000, kind: 'refresh', total: 5 }]);
  assert.deepEqual(await storage.sumTotalsByClient(0), [{ clientId: 'client1', kind: 'refresh', total: 4 }]);
  const actor = { kind: 'administrator', id: 'admin1' };
  assert.deepEqual((await storage.findEvents({ fromId: 'event9' }, 10, 'oldest'))[0]?.actor, actor);
  assert.equal(signedIn?.user.preferredUsername, 'Ada');
  assert.equal(signedIn?.user.reviewSince, 28);
  assert.deepEqual(signedIn?.user.attributes, from >= 21 ? { team: 'Blue' } : {});
  assert.equal((await storage.listAttributes()).length, from >= 21 ? 1 : 0);
  if (from >= 15) {
    const webhooks = (await storage.listWebhooks()).map(({ id, clientId, clientDeletedAt }) => [
      id,
      clientId,
      clientDeletedAt,
    ]);
    const expected =
      from === 15
        ? [
            ['hook3', null, 44],
            ['hook4', null, 41],
            ['hook5', 'client1', null],
          ]
        : [['hook2', null, 38]];
    assert.deepEqual(webhooks, [['hook1', null, null], ...expected]);
  }
  const launch = await storage.pageClientsToLaunch('user1', { part: '', after: undefined, limit: 1 }, 0);
  assert.deepEqual(
    launch.items.map(({ launchUrl }) => launchUrl),
    from >= 11 ? ['https://a.example/start'] : [],
  );
  assert.equal((await storage.findBrandImage('logo', 'v1'))?.contentType, from >= 11 ? 'image/png' : undefined);
  assert.deepEqual(await storage.listServiceKeys(), [{ id: 'servicekey1', firstUsedAt: 28, retiredAt: null }]);
}

async function searchBoth(storage: Storage, person: string, client: string): Promise<string[]> {
  const query = { after: undefined, limit: 5 };
  const people = await storage.pageUsers({ ...query, words: [person] });
  const clients = await storage.pageClients({ ...query, words: [client] });
  return [...people.items, ...clients.items].map(({ id }) => id);
}

test('there is a seed for every version', () => {
  assert.deepEqual(
    migrations.map((migration) => migration.version),
    Object.keys(seeds).map(Number),
  );
});

/** The last migration that 948da801 knew. */
const lastOfEarlierTexts = 27;

/** More people than a batch has, with and without sessions, activity and second factors, in the SQL of 0.3.0. */
const crowd = [
  `INSERT INTO users (id, email, email_key, name, password_hash, generation, created_at, updated_at, last_active_at)
    SELECT 'p' || i, 'p' || i || '@example.test', 'p' || i || '@example.test', 'Person', 'hash', 1, i, i,
      CASE WHEN i % 4 = 0 THEN NULL ELSE 2000 + i END FROM n`,
  ...[2, 3].map(
    (every) => `INSERT INTO sessions (digest, user_id, user_generation, created_at, last_seen_at, auth_time, amr)
      SELECT 's' || i || '-${every}', 'p' || i, 1, i, i, 1000 + i + ${every}, 'pwd' FROM n WHERE i % ${every} = 0`,
  ),
  `INSERT INTO authenticators (user_id, sealed_secret, last_step, created_at, suspended_at)
    SELECT 'p' || i, 'sealed', 1, i, CASE WHEN i % 2 = 0 THEN 5 END FROM n WHERE i % 5 = 0`,
  `INSERT INTO passkeys (id, user_id, public_key, counter, transports, name, created_at, suspended_at)
    SELECT 'k' || i, 'p' || i, 'key', 1, '', 'Key', i, CASE WHEN i % 3 = 0 THEN 5 END FROM n WHERE i % 7 = 0`,
].map((sql) =>
  sql.replace(/SELECT/, 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 450) SELECT'),
);

/** All rows after a store of 0.3.0 with data was migrated to version 27 by `toEarlier`, got the data of that, and was migrated again. */
async function rowsAfter(driver: Driver, toEarlier: () => Promise<unknown>): Promise<Record<string, string[]>> {
  await driver.migrate(knownTo(oldest));
  await sow(driver, 1, oldest);
  await driver.write(crowd.map((sql) => ({ sql, params: [] })));
  await toEarlier();
  await sow(driver, oldest + 1, lastOfEarlierTexts);
  await driver.migrate(migrations);
  const rows: Record<string, string[]> = {};
  for (const table of tables) {
    rows[table] = (await driver.read(`SELECT * FROM ${table}`, [])).map((row) => JSON.stringify(row)).sort();
  }
  return rows;
}

/** The same, migrated by the texts of today and of 948da801. */
async function assertTextsAgree(drivers: readonly Driver[], run: (script: string) => Promise<unknown>): Promise<void> {
  const [today, earlier] = drivers as [Driver, Driver];
  const expected = await rowsAfter(today, () => today.migrate(knownTo(lastOfEarlierTexts)));
  const replaced = new Set<number>();
  const rows = await rowsAfter(earlier, async () => {
    for (const one of knownTo(lastOfEarlierTexts).slice(knownTo(oldest).length)) {
      const then = earlierTextOf(one);
      if (checksumOf(then) !== checksumOf(one)) replaced.add(one.version);
      const record = `INSERT INTO schema_version (version, checksum) VALUES (${one.version}, '${checksumOf(then)}')`;
      await run(`${sqlFor(earlier.engine, then)};\n${record};`);
    }
  });
  assert.deepEqual([...replaced], Object.keys(earlierTexts).map(Number));
  assert.deepEqual(rows, expected);
  const people = rows.users?.map((row) => JSON.parse(row)) ?? [];
  assert.equal(people.length, 451);
  for (const { id, has_factor, last_sign_in_at } of people) {
    if (id === 'user1') continue;
    const i = Number(id.slice(1));
    assert.equal(Number(has_factor), (i % 5 === 0 && i % 2 !== 0) || (i % 7 === 0 && i % 3 !== 0) ? 1 : 0, id);
    const signedIn = i % 3 === 0 ? 1003 + i : i % 2 === 0 ? 1002 + i : undefined;
    assert.equal(Number(last_sign_in_at), signedIn ?? (i % 4 === 0 ? 0 : 2000 + i), id);
  }
  for (const session of rows.sessions ?? []) {
    const { auth_time, kept, proven_at } = JSON.parse(session);
    assert.deepEqual([Number(kept), proven_at], [1, auth_time]);
  }
  await assertKept(earlier, lastOfEarlierTexts);
}

test('an embedded store with data from earlier texts of migrations comes to the same', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-migrations-'));
  const files = ['today.db', 'earlier.db'].map((name) => join(folder, name)) as [string, string];
  const drivers = files.map((file) => openSqlite(file));
  const database = new DatabaseSync(files[1]);
  try {
    await assertTextsAgree(drivers, async (script) => database.exec(script));
  } finally {
    database.close();
    for (const driver of drivers) await driver.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

releaseTest('a PostgreSQL store with data from earlier texts of migrations comes to the same', async () => {
  const postgres = await sharedPostgres();
  const newDatabase = () => postgres.newDatabase({ migrated: false });
  const urls = [await newDatabase(), await newDatabase()] as const;
  const drivers = urls.map((url) => openPostgres(url));
  try {
    await assertTextsAgree(drivers, (script) => queryPostgres(urls[1], script));
  } finally {
    for (const driver of drivers) await driver.close();
  }
});

const upgraded = migrations.filter(({ version }) => version >= oldest);
// All of them go through the newest migrations, which are what a change adds.
for (const { version } of isReleaseLane ? upgraded : [...upgraded.slice(0, 1), ...upgraded.slice(-2)]) {
  test(`the embedded store migrates from version ${version}`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-migrations-'));
    const driver = openSqlite(join(folder, 'latchkey.db'));
    try {
      await assertMigrates(driver, version);
    } finally {
      await driver.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test(`PostgreSQL migrates from version ${version}`, async () => {
    const driver = openPostgres(await (await sharedPostgres()).newDatabase({ migrated: false }));
    try {
      await assertMigrates(driver, version);
    } finally {
      await driver.close();
    }
  });
}
