// When a new key is put to use: an instance that doesn't say anything any more is waited for as long as it may be running.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { Heartbeat } from '../../../src/operations/instances/heartbeat.ts';
import type { Driver } from '../../../src/storage/driver.ts';
import { readMigrations, sqlStorage } from '../../../src/storage/sql/sql-storage.ts';
import { openSqlite } from '../../../src/storage/sqlite/sqlite.ts';
import type { Storage } from '../../../src/storage/storage.ts';

const folder = mkdtempSync(join(tmpdir(), 'latchkey-heartbeat-'));
let driver: Driver;
let storage: Storage;
before(async () => {
  driver = openSqlite(join(folder, 'latchkey.db'));
  await driver.migrate(readMigrations());
  storage = sqlStorage(driver);
});
after(async () => {
  await driver.close();
  rmSync(folder, { recursive: true, force: true });
});

let elapsed = 0;
beforeEach(async () => {
  elapsed = 0;
  now = async () => 1000;
  await driver.write([
    { sql: 'DELETE FROM instances', params: [] },
    { sql: 'DELETE FROM service_keys', params: [] },
  ]);
  await storage.noteServiceKeyUse('old', 100);
});

/** Both the process and the store get older. */
async function pass(milliseconds: number): Promise<void> {
  elapsed += milliseconds;
  await driver.write([{ sql: 'UPDATE instances SET last_seen_at = last_seen_at - $1', params: [milliseconds] }]);
}

/** By the store's clock. It takes a moment to ask. */
let now = async () => 1000;

const start = (id: string) => {
  const facts = { id, version: '1.0.0', baseUrl: 'https://id.example', eventsDays: 365 };
  const heartbeat = new Heartbeat(
    { storage, clock: { now: () => 1000 }, storeClock: { now: () => now() } },
    facts,
    () => elapsed,
  );
  const beat = (...keyIds: string[]) => heartbeat.beat({ keyIds, breachesDigest: null, serves: true });
  const beatAside = () => heartbeat.beat({ keyIds: ['old'], breachesDigest: null, serves: false });
  return { beat, beatAside, stop: () => heartbeat.stop() };
};
const used = async () => (await storage.listServiceKeys()).map(({ id }) => id);

test('a single instance uses a new key at once', async () => {
  assert.equal(await start('a').beat('new', 'old'), true);
  assert.deepEqual(await used(), ['old', 'new']);
});

test('a new key is used once every instance has it, or has stopped', async () => {
  const [a, b, c] = [start('a'), start('b'), start('c')];
  for (const each of [a, b, c]) await each.beat('old');
  assert.equal(await a.beat('new', 'old'), false);
  assert.equal(await b.beat('new', 'old'), false);
  await c.stop();
  assert.deepEqual(await used(), ['old']);
  assert.equal(await a.beat('new', 'old'), true);
  assert.equal(await b.beat('new', 'old'), false, 'it is in use already');
  assert.deepEqual(await used(), ['old', 'new']);
});

test('an instance that was killed is waited for until 30 seconds after its last heartbeat', async () => {
  const [a, killed] = [start('a'), start('killed')];
  await a.beat('old');
  await killed.beat('old');
  for (let seconds = 0; seconds < 28; seconds += 2) {
    assert.equal(await a.beat('new', 'old'), false, `after ${seconds} s`);
    await pass(2000);
  }
  await pass(2000);
  assert.equal(await a.beat('new', 'old'), true);
});

test('after an outage of the store, the others have 30 seconds to say that they run', async () => {
  const [a, b] = [start('a'), start('b')];
  await a.beat('old');
  await b.beat('old');
  await pass(60_000);
  assert.equal(await a.beat('new', 'old'), false, 'nobody could be seen meanwhile');
  await pass(10_000);
  await b.beat('old');
  for (let seconds = 10; seconds < 60; seconds += 10) {
    await pass(10_000);
    await b.beat('old');
    assert.equal(await a.beat('new', 'old'), false, `after ${seconds} s`);
  }
  assert.equal(await b.beat('new', 'old'), true);
});

test('so have those that an instance finds when it starts', async () => {
  await start('before').beat('old');
  await pass(60_000);
  const a = start('a');
  assert.equal(await a.beat('new', 'old'), false);
  await pass(10_000);
  await a.beat('new', 'old');
  await pass(20_000);
  assert.equal(await a.beat('new', 'old'), true);
});

test('an instance with only a new key waits for nobody, but leaves the others with theirs', async () => {
  const [a, b] = [start('a'), start('b')];
  await b.beat('old');
  assert.equal(await a.beat('new'), false);
  assert.equal(await b.beat('new', 'old'), true);
});

test('it is written every ten seconds, and when something changes', async () => {
  const a = start('a');
  const silence = async () => Math.round(((await storage.listInstances())[0]?.silence ?? 0) / 1000);
  await a.beat('old');
  await pass(8000);
  await a.beat('old');
  assert.equal(await silence(), 8);
  await pass(2000);
  await a.beat('old');
  assert.equal(await silence(), 0);
  await pass(2000);
  await a.beat('older', 'old');
  assert.equal(await silence(), 0);
});

test('a stopped one says nothing more', async () => {
  const a = start('a');
  const beating = a.beat('old');
  await a.stop();
  await beating;
  await a.beat('new', 'old');
  assert.deepEqual(await storage.listInstances(), []);
});

test('its clock is compared with the middle of the time that asking the store took, unless that was long', async () => {
  const a = start('a');
  const offsetAfter = async (time: number, taken: number) => {
    now = async () => {
      elapsed += taken;
      return time;
    };
    await pass(10_000);
    await a.beat('old');
    return (await storage.listInstances())[0]?.clockOffset;
  };
  assert.equal(await offsetAfter(700, 2001), null, 'nothing is known yet');
  assert.equal(await offsetAfter(700, 0), 300);
  assert.equal(await offsetAfter(700, 100), 250);
  assert.equal(await offsetAfter(999_000, 2001), 250, 'what is known stays');
  assert.equal(await offsetAfter(2000, 2000), -2000);
});

test("its clock counts from when it serves until it doesn't, which is written at once", async () => {
  const a = start('a');
  now = async () => 700;
  const offset = async () => (await storage.listInstances())[0]?.clockOffset;
  await a.beatAside();
  assert.equal(await offset(), null, 'while it starts');
  await a.beat('old');
  assert.equal(await offset(), 300);
  await a.beatAside();
  assert.equal(await offset(), null, 'while it drains');
  const beating = a.beat('old');
  await a.beatAside();
  await beating;
  assert.equal(await offset(), null, 'while it was being written');
});
