// What goes missing under the embedded store is reported: a deleted data directory, a damaged write-ahead log. What a killed
// backup leaves behind is no obstacle.

import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { findWalDamage } from '../../src/storage/sqlite/wal-damage.ts';
import { runCommand } from '../harness/command.ts';
import { obtainTokens, userinfo } from '../harness/relying-party.ts';
import { startTestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';

/** Creates a store, too. */
const createClient = ['client', 'create', '--name', 'App', '--redirect-uri', 'http://localhost:9999/callback'];

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-lost-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

test("moving the data directory away is an error and 503; when it's back, everything works", async () => {
  const service = await startTestService();
  const elsewhere = `${service.dataDir}-elsewhere`;
  try {
    const { tokens } = await obtainTokens(service, await service.newClient(), await service.newUser());
    const ready = async () => (await fetch(`${service.url}/readyz`)).status;
    assert.equal(await ready(), 200);
    renameSync(service.dataDir, elsewhere);
    // Nobody asks for anything: the service finds out by itself.
    const reported = /"level":50,.*latchkey\.db was deleted or replaced/;
    await until(() => reported.test(service.log()), 'it is noticed');
    assert.equal(await ready(), 503);
    assert.equal((await userinfo(service, tokens.access_token)).status, 503);
    const settings = { LATCHKEY_DATA_DIR: service.dataDir };
    const doctor = await runCommand(['doctor'], { ...settings, LATCHKEY_BASE_URL: service.url });
    assert.equal(doctor.status, 1);
    assert.match(doctor.stdout, /^problem +service +the running service can't reach its store\./m);

    // Another store in its place is not what was there.
    assert.equal((await runCommand(createClient, settings)).status, 0);
    assert.equal(await ready(), 503);

    rmSync(service.dataDir, { recursive: true });
    renameSync(elsewhere, service.dataDir);
    await until(async () => (await ready()) === 200, 'it is noticed again');
    assert.equal((await userinfo(service, tokens.access_token)).status, 200);
  } finally {
    await service.stop();
    rmSync(elsewhere, { recursive: true, force: true });
  }
});

test('an unreadable database is 503 for everyone and one error in the log', async () => {
  const service = await startTestService();
  try {
    const { tokens } = await obtainTokens(service, await service.newClient(), await service.newUser());
    const file = join(service.dataDir, 'latchkey.db');
    const other = new DatabaseSync(file, { timeout: 5000 });
    // A commit of somebody else, so that the service reads its pages again, and from this file.
    other.exec('DELETE FROM leases; PRAGMA wal_checkpoint(TRUNCATE)');
    other.close();
    // SQLite reports a read that the disk fails (EIO) in the same way: as a malformed database.
    writeFileSync(file, readFileSync(file).fill(0xff, 4096), { flag: 'r+' });
    for (let count = 0; count < 3; count++) {
      assert.equal((await userinfo(service, tokens.access_token)).status, 503);
      assert.equal((await fetch(`${service.url}/readyz`)).status, 503);
    }
    assert.equal(service.log().match(/"level":50,.*malformed.*requests that need it get 503/g)?.length, 1);
    assert.doesNotMatch(service.log(), /a request failed/);
  } finally {
    // It ends, although it can't write its last events.
    await assert.rejects(service.stop(), /malformed/);
    rmSync(service.dataDir, { recursive: true });
  }
});

describe('a backup', () => {
  test("to the same file works after a killed one, and doesn't disturb a running one", async () => {
    const settings = { LATCHKEY_DATA_DIR: join(folder, 'backed-up') };
    await runCommand(createClient, settings);
    const target = join(folder, 'backup.db');
    const { pid } = process;
    for (const name of ['', '-999999999', '-999999999-journal', `-${pid}`, '-notes']) {
      writeFileSync(`${target}.unfinished${name}`, 'partial');
    }
    const made = await runCommand(['backup', target], settings);
    assert.equal(made.status, 0, made.stderr);
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith('backup.db')),
      ['backup.db', `backup.db.unfinished-${pid}`, 'backup.db.unfinished-notes'].sort(),
    );
  });
});

/** A database as a crash leaves it, with commits in its log that are nowhere else, and its log for the test to damage. */
function crashed(commits: number, prepare = (_database: DatabaseSync) => {}): { file: string; log: Buffer } {
  const place = mkdtempSync(join(folder, 'crashed-'));
  const open = join(place, 'open.db');
  const file = join(place, 'latchkey.db');
  const database = new DatabaseSync(open);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE kept (value TEXT)');
  prepare(database);
  for (let commit = 0; commit < commits; commit++) database.exec(`INSERT INTO kept VALUES ('${'x'.repeat(3000)}')`);
  for (const end of ['', '-wal']) cpSync(open + end, file + end);
  database.close();
  return { file, log: readFileSync(`${file}-wal`) };
}

const frameSize = 24 + 4096;
const frameAt = (number: number) => 32 + (number - 1) * frameSize;
const startOver = (database: DatabaseSync) => {
  for (let commit = 0; commit < 20; commit++) database.exec("INSERT INTO kept VALUES ('earlier')");
  database.exec('PRAGMA wal_checkpoint(RESTART)');
};

const logs: [string, (log: Buffer) => Buffer, number | undefined][] = [
  ['an intact log', (log) => log, undefined],
  ['an empty log', () => Buffer.alloc(0), undefined],
  ['a log whose last frame is torn', (log) => flipped(log, log.length - 100), undefined],
  ['a log that ends in the middle of a frame', (log) => log.subarray(0, log.length - 100), undefined],
  ['a damaged page in an early frame', (log) => flipped(log, frameAt(3) + 1000), 3],
  ['a damaged salt in an early frame', (log) => flipped(log, frameAt(2) + 9), 2],
  ['a damaged checksum in an early frame', (log) => flipped(log, frameAt(2) + 17), 2],
  ['a damaged header', (log) => flipped(log, 13), 0],
];

function flipped(log: Buffer, at: number): Buffer {
  const copy = Buffer.from(log);
  copy.writeUInt8(copy.readUInt8(at) ^ 0xff, at);
  return copy;
}

for (const [name, damage, frame] of logs) {
  test(`${name} ${frame === undefined ? 'is not reported' : 'is reported as a loss'}`, () => {
    const { file, log } = crashed(10);
    writeFileSync(`${file}-wal`, damage(log));
    assert.equal(findWalDamage(file)?.frame, frame);
  });
}

test("leftover frames of an earlier log aren't reported", () => {
  const { file, log } = crashed(2, startOver);
  assert.ok(log.length > frameAt(12), 'the earlier log was longer');
  assert.equal(findWalDamage(file), undefined);
});

test("a service that starts with a damaged log reports what's lost and serves the rest", async () => {
  const data = join(folder, 'damaged');
  mkdirSync(data);
  const running = await startTestService();
  try {
    for (const name of ['ada', 'bob', 'cy']) {
      const args = ['user', 'invite', '--email', `${name}@example.test`, '--name', name];
      const settings = { LATCHKEY_DATA_DIR: running.dataDir, LATCHKEY_BASE_URL: running.url };
      assert.equal((await runCommand(args, settings)).status, 0);
    }
    // Copied while it's open, as a power cut would leave it.
    for (const file of ['latchkey.db', 'latchkey.db-wal', 'keys'])
      cpSync(join(running.dataDir, file), join(data, file));
  } finally {
    await running.stop();
  }
  const log = join(data, 'latchkey.db-wal');
  const pages = readFileSync(log);
  const frames = Math.floor((pages.length - 32) / frameSize);
  writeFileSync(log, flipped(pages, frameAt(frames - 12) + 1000));

  const service = await startTestService({ LATCHKEY_DATA_DIR: data });
  try {
    const loss = /"level":50,.*latchkey\.db-wal is damaged: .*after frame \d+ can't be read and (is|are) lost\./;
    assert.match(service.log(), loss);
    assert.equal((await fetch(`${service.url}/readyz`)).status, 200);
  } finally {
    await service.stop();
  }
});
