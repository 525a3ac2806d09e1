// An embedded store that can be read and not written: /readyz says so, and recovers by itself.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { codeOf } from '../../src/protocol/reading/caught-errors.ts';
import { releaseTest } from '../harness/lane.ts';
import { obtainTokens, userinfo } from '../harness/relying-party.ts';
import { populate, Served } from '../harness/served.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';

async function readiness(service: TestService): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${service.url}/readyz`);
  return { status: response.status, body: await response.json() };
}

const ready = { status: 200, body: { status: 'ready' } };
const notReady = { status: 503, body: { status: 'not ready', reason: 'store_not_writable' } };

test("a locked store isn't ready, and a successful write counts for five seconds", async () => {
  const service = await startTestService({}, { busyTimeout: 20 });
  const other = new DatabaseSync(join(service.dataDir, 'latchkey.db'), { timeout: 5000 });
  try {
    assert.deepEqual(await readiness(service), ready);
    other.exec('BEGIN IMMEDIATE');
    assert.deepEqual(await readiness(service), ready, 'asking again does not write again');
    service.clock.advance(5);
    assert.deepEqual(await Promise.all([1, 2, 3].map(() => readiness(service))), [notReady, notReady, notReady]);
    other.exec('ROLLBACK');
    assert.deepEqual(await readiness(service), ready);
  } finally {
    other.close();
    await service.stop();
  }
});

/** A small disk of its own; undefined where the tests may not make one. */
function smallDisk(t: TestContext): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', folder]).status === 0;
  t.after(() => {
    if (mounted) spawnSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  return mounted ? folder : undefined;
}

test("with a full disk the store isn't ready; reads continue, and freeing space is enough to recover", async (t) => {
  const disk = smallDisk(t);
  if (disk === undefined) return t.skip('mounting a small disk needs root');
  const service = await startTestService({ LATCHKEY_DATA_DIR: disk });
  try {
    const { tokens } = await obtainTokens(service, await service.newClient(), await service.newUser());
    assert.deepEqual(await readiness(service), ready);
    const filler = fill(disk);
    service.clock.advance(5);
    assert.deepEqual(await readiness(service), notReady);
    assert.equal((await userinfo(service, tokens.access_token)).status, 200);
    rmSync(filler);
    assert.deepEqual(await readiness(service), ready);
  } finally {
    await service.stop();
  }
});

releaseTest('a service starts again on a full disk, and reads continue', async (t) => {
  const disk = smallDisk(t);
  if (disk === undefined) return t.skip('mounting a small disk needs root');
  const served = await Served.at({ LATCHKEY_DATA_DIR: disk });
  const { client, users } = await populate(served.environment);
  const [user] = users;
  assert.ok(user);
  await served.start();
  try {
    const { tokens } = await obtainTokens(served.service, client, user);
    await served.end('SIGKILL');
    // Not even the log has room.
    const database = new DatabaseSync(join(disk, 'latchkey.db'));
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    const filler = fill(disk);
    database.close();
    await served.start();
    assert.equal((await userinfo(served.service, tokens.access_token)).status, 200);
    rmSync(filler);
    await until(async () => (await fetch(`${served.url}/readyz`)).status === 200, 'it is ready again');
  } finally {
    await served.end('SIGKILL');
  }
});

/** Uses up the last byte. */
function fill(disk: string): string {
  const filler = join(disk, 'filler');
  for (let size = 1_048_576; size >= 1; size = Math.floor(size / 2)) {
    try {
      for (;;) appendFileSync(filler, Buffer.alloc(size));
    } catch (error) {
      assert.equal(codeOf(error), 'ENOSPC');
    }
  }
  return filler;
}
