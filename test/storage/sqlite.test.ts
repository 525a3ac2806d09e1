// The embedded engine: every rule of the conformance suite, and what only a file that several processes share, and a
// writer that commits queued writes together, have to do.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, stat, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { readMigrations } from '../../src/storage/sql/sql-storage.ts';
import { openSqlite, type SqliteOptions } from '../../src/storage/sqlite/sqlite.ts';
import { type Storage, StorageConflict, StorageUnavailable } from '../../src/storage/storage.ts';
import { searchableConformance } from './conformance/searchable.ts';
import { storageConformance } from './conformance.ts';
import { lendStores } from './lent-stores.ts';
import {
  aGrant,
  anEvent,
  aUser,
  exchangeOf,
  issuedGrant,
  start,
  storageOn,
  storedClient,
  storedUser,
} from './records.ts';

const files = mkdtempSync(join(tmpdir(), 'latchkey-stores-'));
let stores = 0;
const lend = lendStores(async () => {
  const driver = openSqlite(join(files, `${++stores}.db`));
  await driver.migrate(readMigrations());
  return driver;
});
after(() => rmSync(files, { recursive: true }));

storageConformance('the embedded engine', async () => {
  const { driver, close } = await lend();
  return { storage: storageOn(driver), driver, close };
});

searchableConformance('the embedded engine', lend);

describe('the embedded engine: its file', () => {
  test('the database and its companions are readable by their owner only, whatever the umask', async (t) => {
    const umask = process.umask(0);
    t.after(() => process.umask(umask));
    const { storage, file } = await openStore(t);
    await storedUser(storage);
    for (const name of [file, `${file}-wal`, `${file}-shm`]) assert.equal(statSync(name).mode & 0o777, 0o600, name);
  });

  test('migrating again changes nothing', async (t) => {
    const { storage, file } = await openStore(t);
    const user = await storedUser(storage);
    const before = schemaOf(file);
    const driver = openSqlite(file);
    t.after(() => driver.close());
    const latest = readMigrations().at(-1)?.version;
    assert.equal(await driver.migrate(readMigrations()), latest);
    assert.deepEqual(schemaOf(file), before);
    assert.deepEqual(await storage.listUsers(), [user]);
  });

  test('a failed migration leaves the schema unchanged', async (t) => {
    const { file } = await openStore(t);
    const before = schemaOf(file);
    const driver = openSqlite(file);
    t.after(() => driver.close());
    const broken = {
      version: 999,
      file: '999-broken.sql',
      sql: 'CREATE TABLE half (id TEXT); CREATE TABLE half (id TEXT);',
    };
    await assert.rejects(driver.migrate([...readMigrations(), broken]));
    assert.deepEqual(schemaOf(file), before);
  });

  test("a store that can't be opened is StorageUnavailable", async (t) => {
    const { file } = temporaryFile(t);
    const storage = storageOn(openSqlite(file));
    rmSync(file);
    await assert.rejects(storage.ping(), StorageUnavailable);
    assert.equal(existsSync(file), false);
  });

  test('a store whose writer has died can still be closed', { timeout: 60_000 }, async (t) => {
    const { file } = temporaryFile(t);
    writeFileSync(file, 'this is no database '.repeat(100));
    const storage = storageOn(openSqlite(file));
    await assert.rejects(storage.createUser(aUser(), anEvent()));
    await pause(100);
    const waiting = setInterval(() => {}, 1000);
    t.after(() => clearInterval(waiting));
    await storage.close();
  });
});

describe('the embedded engine: several processes', () => {
  test('writes by one are visible to the other at once', async (t) => {
    const { storage, file } = await openStore(t);
    const other = await openMigrated(file);
    t.after(() => other.close());
    for (let round = 0; round < 20; round++) {
      const [writer, reader] = round % 2 === 0 ? [storage, other] : [other, storage];
      const user = await storedUser(writer);
      assert.deepEqual(await reader.findUser(user.id), user);
      await writer.disableUser(user.id, start, anEvent());
      assert.equal((await reader.findUser(user.id))?.disabledAt, start);
    }
  });

  for (const [phase, schedule] of Object.entries({
    setImmediate,
    setTimeout: (run: () => void) => setTimeout(run, 0),
  })) {
    test(`another process's acknowledged write is visible, also after a read in ${phase}`, async (t) => {
      const { file, storage } = await openStore(t);
      const other = new DatabaseSync(file);
      t.after(() => other.close());
      const user = await storedUser(storage);
      const name = await new Promise<string | undefined>((resolve, reject) => {
        schedule(() => {
          const heard = () => {
            other.prepare('UPDATE users SET name = ? WHERE id = ?').run('Changed', user.id);
            storage.findUser(user.id).then((found) => resolve(found?.name), reject);
          };
          stat(file, heard);
          storage.findUser(user.id).catch(reject);
          // By the time the event loop looks, there is news.
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
        });
      });
      assert.equal(name, 'Changed');
    });
  }

  test('each of 50 codes that four processes race for is consumed exactly once', { timeout: 120_000 }, async (t) => {
    const { storage, file } = await openStore(t);
    const user = await storedUser(storage);
    const client = await storedClient(storage);
    await issuedGrant(storage, user, client);
    const grants = Array.from({ length: 50 }, () => aGrant(user, client));
    await Promise.all(grants.map((grant) => storage.issueCode(grant, start)));

    const racers = Array.from({ length: 4 }, () => startProcess(t, 'consume-in-parallel.ts', file));
    for (const { nextLine } of racers) assert.equal(await nextLine(), 'ready');
    const exchanges = JSON.stringify(grants.map((grant) => exchangeOf(grant)));
    for (const { child } of racers) child.stdin?.write(`${exchanges}\n`);
    const consumed = await Promise.all(racers.map(async ({ nextLine }) => JSON.parse((await nextLine()) ?? '[]')));

    assert.deepEqual(consumed.flat().sort(), grants.map(({ id }) => id).sort());
  });

  test('acknowledged writes survive a killed process', { timeout: 120_000 }, async (t) => {
    const { storage, file } = await openStore(t);
    const { child, nextLine } = startProcess(t, 'append-until-killed.ts', file);
    const answered: string[] = [];
    while (answered.length < 50) answered.push((await nextLine()) ?? '');
    child.kill('SIGKILL');
    await once(child, 'exit');

    const stored = new Set((await storage.findEvents({}, 10_000, 'oldest')).map(({ id }) => id));
    for (const id of answered) assert.ok(stored.has(id));
    await storedUser(storage);
  });
});

describe('the embedded engine: locks and queues', () => {
  for (const writer of ['running', 'not yet started']) {
    test(`with its writer ${writer}, a write under another process's lock fails after the timeout, and later works`, async (t) => {
      const { storage, file } = await openStore(t, { busyTimeout: 300 });
      if (writer === 'running') await storage.endSession('none', anEvent());
      const release = holdLock(t, file);

      const user = aUser();
      const began = performance.now();
      // The lock is held until this has failed.
      await assert.rejects(storage.createUser(user, anEvent()), StorageUnavailable);
      const waited = performance.now() - began;
      assert.ok(waited >= 250, `it waited ${waited} ms`);

      release();
      assert.equal(await storage.findUser(user.id), undefined);
      await storage.createUser(user, anEvent());
      assert.deepEqual(await storage.findUser(user.id), user);
    });
  }

  test('a start waits for another process that recovers the log after a crash', async () => {
    const file = join(files, `${++stores}.db`);
    const first = openSqlite(file);
    await first.migrate(readMigrations());
    await first.close();
    // As while it's recovered, nobody else can even read.
    const recovering = new Worker(
      `const { parentPort, workerData } = require('node:worker_threads');
      const { DatabaseSync } = require('node:sqlite');
      const database = new DatabaseSync(workerData);
      database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; COMMIT;');
      parentPort.postMessage('locked');
      parentPort.once('message', () => setTimeout(() => database.close(), 300));`,
      { eval: true, workerData: file },
    );
    await once(recovering, 'message');
    const driver = openSqlite(file);
    await assert.rejects(async () => driver.read('SELECT 1 FROM users', []), StorageUnavailable);
    recovering.postMessage('recovered in a moment');
    assert.equal((await driver.appliedMigrations()).length, readMigrations().length);
    await driver.close();
    await once(recovering, 'exit');
  });

  test("a write waits for another process's lock if it's released in time", async (t) => {
    const { storage, file } = await openStore(t, { busyTimeout: 60_000 });
    const release = holdLock(t, file);
    const written = storedUser(storage);
    await pause(200);
    release();
    const user = await written;
    assert.deepEqual(await storage.findUser(user.id), user);
  });

  test("reads continue while a write waits for another process's lock", async (t) => {
    const { storage, file } = await openStore(t, { busyTimeout: 60_000 });
    const user = await storedUser(storage);
    const release = holdLock(t, file);
    let waiting = true;
    const write = storage.setPasswordHash(user.id, 'new hash', start, anEvent()).finally(() => {
      waiting = false;
    });
    for (let count = 0; count < 5; count++) {
      assert.deepEqual(await storage.findUser(user.id), user);
      await storage.ping();
      await pause(20);
    }
    assert.equal(waiting, true);
    release();
    await write;
  });

  test("a file that was missing when the writer started is written once it's back", async (t) => {
    const { storage, file } = await openStore(t, { busyTimeout: 100 });
    const foreign = new DatabaseSync(file);
    foreign.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; CREATE TABLE foreign_work (id TEXT)');
    await assert.rejects(storage.createUser(aUser(), anEvent()), StorageUnavailable);
    foreign.exec('ROLLBACK');
    foreign.close();

    const user = await storedUser(storage);
    assert.deepEqual(await storage.findUser(user.id), user);
  });

  test('a write beyond the queue limit is refused, and those within it succeed', async (t) => {
    const { storage, file } = await openStore(t, { busyTimeout: 60_000, queueLimit: 3 });
    const release = holdLock(t, file);
    const queued = [storedUser(storage), storedUser(storage), storedUser(storage)];
    const excess = aUser();
    await assert.rejects(storage.createUser(excess, anEvent()), StorageUnavailable);

    release();
    const users = await Promise.all(queued);
    assert.deepEqual(new Set((await storage.listUsers()).map(({ id }) => id)), new Set(users.map(({ id }) => id)));
    await storage.createUser(excess, anEvent());
  });

  test('closing finishes queued writes and refuses later ones', async (t) => {
    const { file } = temporaryFile(t);
    const storage = await openMigrated(file);
    const queued = Array.from({ length: 600 }, () => storedClient(storage));
    await storage.close();
    const clients = await Promise.all(queued);
    await assert.rejects(storage.createUser(aUser(), anEvent()), StorageUnavailable);

    const reopened = await openMigrated(file);
    t.after(() => reopened.close());
    const stored = new Set((await reopened.listClients()).map(({ id }) => id));
    for (const { id } of clients) assert.ok(stored.has(id));
  });

  test("a write that's rolled back halfway leaves nothing behind", async (t) => {
    const { file } = temporaryFile(t);
    const driver = openSqlite(file);
    t.after(() => driver.close());
    await driver.migrate([{ version: 1, file: '001-notes.sql', sql: 'CREATE TABLE notes (text TEXT)' }]);
    const note = { sql: 'INSERT INTO notes (text) VALUES ($1)', params: ['half'] };
    const missing = { sql: 'UPDATE notes SET text = $1 WHERE text = $2 RETURNING text', params: ['b', 'a'] };
    assert.equal(await driver.write([note, { ...missing, mustReturn: true }]), undefined);
    assert.deepEqual(await driver.read('SELECT text FROM notes', []), []);
    assert.deepEqual(await driver.write([note, missing]), [[], []]);
    assert.equal((await driver.read('SELECT text FROM notes', [])).length, 1);
  });

  test('of writes in one turn, those that fail halfway leave nothing behind, and the others are stored once', async (t) => {
    const { file } = temporaryFile(t);
    const driver = openSqlite(file);
    t.after(() => driver.close());
    await driver.migrate([{ version: 1, file: '001-notes.sql', sql: 'CREATE TABLE notes (text TEXT UNIQUE)' }]);
    const note = (text: string) => ({ sql: 'INSERT INTO notes (text) VALUES ($1)', params: [text] });
    const missing = { sql: 'UPDATE notes SET text = $1 WHERE text = $2 RETURNING text', params: ['b', 'a'] };
    const writes = [
      [note('first'), note('second')],
      [note('half'), { ...missing, mustReturn: true }],
      [note('third')],
      [note('other half'), note('first')],
      [note('third'), note('never')],
      [{ ...missing, mustReturn: true }, note('nor this')],
      [note('last'), note('very last')],
    ];
    const outcomes = await Promise.allSettled(writes.map((statements) => driver.write(statements)));
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value?.length : outcome.reason.name)),
      [2, undefined, 1, 'StorageConflict', 'StorageConflict', undefined, 2],
    );
    const texts = (await driver.read('SELECT text FROM notes', [])).map(({ text }) => text);
    assert.deepEqual(texts, ['first', 'second', 'third', 'last', 'very last']);
  });

  test("a failed write doesn't affect those committed with it", async (t) => {
    const { storage, file } = await openStore(t, { busyTimeout: 60_000 });
    const existing = await storedUser(storage);
    const users = Array.from({ length: 100 }, (_, index) => aUser(index === 50 ? { email: existing.email } : {}));
    // While another process holds the lock the writes pile up, and are then committed together.
    const release = holdLock(t, file);
    const events = users.map(() => anEvent());
    const writes = users.map((user, index) => storage.createUser(user, events[index] ?? anEvent()));
    const refused = storage.disableUser('nobody', start, anEvent());
    const last = storedUser(storage);
    release();

    const outcomes = await Promise.allSettled(writes);
    assert.equal(await refused, false);
    const stored = new Set((await storage.listUsers()).map(({ id }) => id));
    const recorded = new Set((await storage.findEvents({}, 1000, 'oldest')).map(({ id }) => id));
    for (const [index, outcome] of outcomes.entries()) {
      const fails = index === 50;
      assert.equal(outcome.status, fails ? 'rejected' : 'fulfilled');
      if (outcome.status === 'rejected') assert.ok(outcome.reason instanceof StorageConflict);
      assert.equal(stored.has(users[index]?.id ?? ''), !fails);
      assert.equal(recorded.has(events[index]?.id ?? ''), !fails);
    }
    assert.ok(stored.has((await last).id));
  });
});

function temporaryFile(t: TestContext): { file: string } {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-store-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return { file: join(folder, 'latchkey.db') };
}

async function openMigrated(file: string, options?: SqliteOptions): Promise<Storage> {
  const driver = openSqlite(file, options);
  await driver.migrate(readMigrations());
  return storageOn(driver);
}

async function openStore(t: TestContext, options?: SqliteOptions): Promise<{ storage: Storage; file: string }> {
  const { file } = temporaryFile(t);
  const storage = await openMigrated(file, options);
  t.after(() => storage.close());
  return { storage, file };
}

/** Takes the write lock as another process would, and returns a function that releases it. */
function holdLock(t: TestContext, file: string): () => void {
  const database = new DatabaseSync(file);
  database.exec('BEGIN IMMEDIATE');
  const release = () => {
    if (database.isOpen) database.close();
  };
  t.after(release);
  return release;
}

function schemaOf(file: string): unknown[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return [
      database.prepare('SELECT * FROM sqlite_master ORDER BY name').all(),
      database.prepare('SELECT * FROM schema_version').all(),
    ];
  } finally {
    database.close();
  }
}

function startProcess(
  t: TestContext,
  script: string,
  ...args: string[]
): { child: ChildProcess; nextLine(): Promise<string | undefined> } {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { child, nextLine: async () => (await lines.next()).value };
}
