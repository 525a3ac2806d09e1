// PostgreSQL: every rule of the conformance suite, and what only a server that several instances share has to do.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import pg from 'pg';
import { DAY } from '../../src/protocol/durations.ts';
import { advisoryLocks } from '../../src/storage/driver.ts';
import { versionOf } from '../../src/storage/migrating.ts';
import { openPostgres } from '../../src/storage/postgres/postgres.ts';
import { readMigrations } from '../../src/storage/sql/sql-storage.ts';
import { type Group, type ListedChange, StorageUnavailable } from '../../src/storage/storage.ts';
import { queryPostgres, removeSharedPostgres, sharedPostgres } from '../harness/postgres.ts';
import { until } from '../harness/until.ts';
import { guardedChanges, offersEnded, takingOver } from './conformance/roles.ts';
import { searchableConformance } from './conformance/searchable.ts';
import { storageConformance } from './conformance.ts';
import { lendStores } from './lent-stores.ts';
import {
  anEvent,
  aPasskey,
  aUser,
  exchangeOf,
  hasEvent,
  issuedGrant,
  start,
  storageOn,
  storedAdministrator,
  storedClient,
  storedLink,
  storedUser,
} from './records.ts';

/** The change begins while `sql` isn't committed, and waits for it. */
async function overlapping<Result>(url: string, sql: string, change: () => Promise<Result>): Promise<Result> {
  const other = new pg.Client(url);
  await other.connect();
  await other.query(`BEGIN; ${sql}`);
  const changing = change();
  const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
  let isOver = false;
  void changing.finally(() => {
    isOver = true;
  });
  await until(async () => isOver || (await queryPostgres(url, waiting)).length > 0, 'it waits');
  await other.query('COMMIT');
  await other.end();
  return changing;
}

async function openMigrated() {
  const url = await (await sharedPostgres()).newDatabase();
  return { url, storage: storageOn(openPostgres(url)) };
}

const lend = lendStores(async () => openPostgres(await (await sharedPostgres()).newDatabase()));
after(removeSharedPostgres);

storageConformance('PostgreSQL', async () => {
  const { driver, close } = await lend();
  return { storage: storageOn(driver), driver, close };
});

searchableConformance('PostgreSQL', lend);

describe('PostgreSQL: its schema', () => {
  test('an empty database is at version 0, and a migrated one at the latest', async () => {
    const url = await (await sharedPostgres()).newDatabase({ migrated: false });
    const driver = openPostgres(url);
    const latest = readMigrations().at(-1)?.version;
    assert.equal(versionOf(await driver.appliedMigrations()), 0);
    assert.equal(await driver.migrate(readMigrations()), latest);
    assert.equal(versionOf(await driver.appliedMigrations()), latest);
    await driver.close();
  });

  test('concurrent migrations are applied once', async () => {
    const url = await (await sharedPostgres()).newDatabase({ migrated: false });
    const drivers = Array.from({ length: 5 }, () => openPostgres(url));
    const versions = await Promise.all(drivers.map((driver) => driver.migrate(readMigrations())));
    await Promise.all(drivers.map((driver) => driver.close()));
    assert.deepEqual(new Set(versions), new Set([readMigrations().at(-1)?.version]));
    const rows = await queryPostgres(url, 'SELECT version FROM schema_version');
    assert.equal(rows.length, readMigrations().length);
  });

  test("a migration can take longer than a request's timeout", async () => {
    const driver = openPostgres(await (await sharedPostgres()).newDatabase({ migrated: false }), { timeout: 1500 });
    const slow = { version: 1, file: '001-slow.sql', sql: 'CREATE TABLE slow (id TEXT); SELECT pg_sleep(2);' };
    await assert.rejects(async () => driver.read('SELECT pg_sleep(2)', []), StorageUnavailable);
    assert.equal(await driver.migrate([slow]), 1);
    await driver.close();
  });

  test('a failed migration leaves the schema unchanged', async () => {
    const { url, storage } = await openMigrated();
    const driver = openPostgres(url);
    const broken = {
      version: 999,
      file: '999-broken.sql',
      sql: 'CREATE TABLE half (id TEXT); CREATE TABLE half (id TEXT);',
    };
    await assert.rejects(driver.migrate([...readMigrations(), broken]));
    assert.equal(versionOf(await driver.appliedMigrations()), readMigrations().at(-1)?.version);
    assert.deepEqual(await queryPostgres(url, "SELECT 1 FROM pg_tables WHERE tablename = 'half'"), []);
    await driver.close();
    await storage.close();
  });
});

describe('PostgreSQL: several instances', () => {
  test('of 200 concurrent consumptions of one code by two instances exactly one succeeds', async () => {
    const { url, storage } = await openMigrated();
    const other = storageOn(openPostgres(url));
    const grant = await issuedGrant(storage, await storedUser(storage), await storedClient(storage));
    const calls = Array.from({ length: 200 }, (_, index) =>
      (index % 2 ? storage : other).consumeCode(exchangeOf(grant)),
    );
    assert.equal((await Promise.all(calls)).filter(Boolean).length, 1);
    await Promise.all([storage.close(), other.close()]);
  });

  test('what someone with less than admin access does to a person waits for a role that is being given', async () => {
    const { url, storage } = await openMigrated();
    await storedAdministrator(storage);
    // Ending sessions needn't wait, so it comes first.
    const { endSessions: _, ...others } = guardedChanges;
    for (const [name, change] of Object.entries(others)) {
      const user = await storedUser(storage, { emailVerifiedAt: null });
      await storage.addPasskey(aPasskey(user), undefined, anEvent());
      const event = anEvent({ userId: user.id, limited: true });
      const given = `UPDATE users SET roles = 'auditor' WHERE id = '${user.id}'`;
      assert.equal(await overlapping(url, given, () => change(storage, user, event)), false, name);
      assert.deepEqual(await storage.findUser(user.id), { ...user, roles: 'auditor' }, name);
      assert.equal(await hasEvent(storage, event), false, name);
    }
    await storage.close();
  });

  test('of two failures in turn that are taken back at once, each takes back its own', async () => {
    const { url, storage } = await openMigrated();
    const next = [{ counter: 'changes', bucket: 'next' }] as const;
    for (let time = 0; time < 3; time++) await storage.addFailures(next, 100);
    const takingBack = `INSERT INTO sign_in_failures (counter, bucket, failures) VALUES ('changes', 0, 0)
        ON CONFLICT (counter, bucket) DO UPDATE SET failures = sign_in_failures.failures;
      UPDATE sign_in_failures SET failures = 0 WHERE counter = 'changes' AND bucket = 102`;
    await overlapping(url, takingBack, () => storage.takeBackFailures(next));
    assert.deepEqual(await storage.countFailures(['changes'], 100), [
      { key: 'changes', failures: 1, firstBucket: 100 },
    ]);
    await storage.close();
  });

  test('what takes a person over waits for a protected group that they are joining', async () => {
    const { url, storage } = await openMigrated();
    const times = { createdAt: start, updatedAt: start };
    await storage.createGroup({ id: 'guarded', name: 'Guarded', protectedSince: start, ...times }, anEvent());
    for (const name of takingOver) {
      const user = await storedUser(storage, { emailVerifiedAt: null });
      await storage.addPasskey(aPasskey(user), undefined, anEvent());
      const event = anEvent({ userId: user.id, limited: true, takesOver: true });
      const joining = `UPDATE users SET updated_at = updated_at WHERE id = '${user.id}';
        INSERT INTO group_members (group_id, user_id, began_with, ended_by)
          VALUES ('guarded', '${user.id}', 1, 9007199254740991)`;
      const change = guardedChanges[name] ?? assert.fail();
      assert.equal(await overlapping(url, joining, () => change(storage, user, event)), false, name);
      assert.deepEqual(await storage.findUser(user.id), user, name);
      assert.equal(await hasEvent(storage, event), false, name);
    }
    await storage.close();
  });

  test('another email address for a person waits for an invitation of that address to a role', async () => {
    const { url, storage } = await openMigrated();
    for (const name of ['editUser', 'changeScimUser'] as const) {
      const user = await storedUser(storage, { emailVerifiedAt: start });
      const email = `${name.toLowerCase()}@people.example`;
      const event = anEvent({ userId: user.id, at: start, limited: true });
      const invited = `UPDATE users SET updated_at = updated_at WHERE id = '${user.id}';
        INSERT INTO links (digest, purpose, user_id, detail, expires_at, email_key)
          VALUES ('${name}', 'invite', NULL, '{"email":"${email}","roles":"auditor"}', ${start + DAY}, '${email}')`;
      assert.equal(
        await overlapping(url, invited, () => offersEnded[name].give(storage, user, email, event)),
        false,
        name,
      );
      assert.deepEqual(await storage.findUser(user.id), user, name);
      assert.ok(await storage.findInvitation(email, start), name);
    }
    await storage.close();
  });

  test('whoever becomes a member of a protected group waits for a recovery link that is being stored', async () => {
    const { url, storage } = await openMigrated();
    const ways: Record<string, (group: Group, add: ListedChange) => Promise<boolean | undefined>> = {
      added: (group, add) => storage.changeMembers(group.id, { add: [add], remove: [] }, start),
      directory: (group, add) => storage.changeScimGroup(group, group, { add: [add], remove: [] }, [], start),
      protected: (group) => storage.protectGroup(group, true, start, anEvent()),
    };
    for (const [id, change] of Object.entries(ways)) {
      const user = await storedUser(storage, { managedBy: 'entra' });
      const isMember = id === 'protected';
      const protectedSince = isMember ? null : start;
      const times = { createdAt: start, updatedAt: start };
      const group = { id, name: id, managedBy: 'entra', externalId: null, protectedSince, ...times };
      const add = { id: user.id, event: anEvent() };
      assert.ok(await storage.createScimGroup(group, isMember ? [add] : [], [], start));
      const storing = `UPDATE users SET updated_at = updated_at WHERE id = '${user.id}';
        INSERT INTO links (digest, purpose, user_id, detail, expires_at)
          VALUES ('${id}', 'recover', '${user.id}', '{}', ${start + DAY})`;
      const changing = () => change(group, { id: user.id, event: anEvent() });
      assert.equal(await overlapping(url, storing, changing), true, id);
      assert.equal(await storage.findLink(id, 'recover', start), undefined, id);
    }
    await storage.close();
  });

  test('another name for a group waits for a claim that begins to use it', async () => {
    const { url, storage } = await openMigrated();
    const client = await storedClient(storage);
    const group = { id: 'readers', name: 'Readers', createdAt: start, updatedAt: start };
    await storage.createGroup(group, anEvent());
    const claims = `[{"claim":"groups","source":"groups","groups":[{"id":"readers","name":"Readers"}]}]`;
    const claiming = `UPDATE groups SET updated_at = updated_at WHERE id = 'readers';
      UPDATE clients SET claims = '${claims}' WHERE id = '${client.id}'`;
    const rename = () => storage.renameGroup(group, 'Admin', start, anEvent({ limited: true }));
    assert.equal(await overlapping(url, claiming, rename), false);
    assert.equal((await storage.findGroupById('readers'))?.name, 'Readers');
    await storage.close();
  });

  test('nobody who gets a name waits for a step of a migration, or it for them', async () => {
    const { url, storage } = await openMigrated();
    const step = new pg.Client(url);
    await step.connect();
    await step.query(`BEGIN; SELECT pg_advisory_xact_lock(${advisoryLocks.migrationStep})`);
    assert.equal(await storage.createUser(aUser(), anEvent()), true);
    const id = 'from@elsewhere.example';
    await storage.importUsers('csv', [{ oldId: '1', user: aUser({ id }) }], start, anEvent());
    assert.equal((await storage.findUser(id))?.id, id);
    await step.query('COMMIT');
    await step.end();
    await storage.close();
  });

  test('an ID from elsewhere waits for an email address that is being given', async () => {
    const { url, storage } = await openMigrated();
    const email = 'both@people.example';
    await storedLink(storage, { purpose: 'invite', userId: null, data: { email, name: '' } });
    const other = new pg.Client(url);
    await other.connect();
    await other.query(`BEGIN; UPDATE links SET detail = detail WHERE email_key = '${email}'`);
    const sql = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    const waiting = async () => (await queryPostgres(url, sql)).length;
    // Stored, and waits to end the invitation.
    const creating = storage.createUser(aUser({ email }), anEvent());
    await until(async () => (await waiting()) === 1, 'the account waits');
    const user = aUser({ id: email });
    let isOver = false;
    const importing = storage.importUsers('csv', [{ oldId: '1', user }], start, anEvent()).finally(() => {
      isOver = true;
    });
    const both = Promise.allSettled([creating, importing]);
    await until(async () => isOver || (await waiting()) === 2, 'the import waits');
    await other.query('COMMIT');
    await other.end();
    assert.deepEqual(
      (await both).map(({ status }) => status),
      ['fulfilled', 'rejected'],
    );
    await storage.close();
  });

  test('an unreachable server is StorageUnavailable', async () => {
    const storage = storageOn(openPostgres('postgres://nobody@localhost:1/nothing'));
    await assert.rejects(storage.ping(), StorageUnavailable);
    await assert.rejects(storage.endSession('x', anEvent()), StorageUnavailable);
    await storage.close();
  });
});
