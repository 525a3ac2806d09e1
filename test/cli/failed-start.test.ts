// A start that fails after the store was opened ends the process with status 1 and leaves nothing that listens.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { startService } from '../../src/cli/compose.ts';
import { readConfig } from '../../src/platform/config.ts';
import { finished, runCommand, startCommand } from '../harness/command.ts';
import { isReleaseLane, releaseTest } from '../harness/lane.ts';
import { queryPostgres, removeSharedPostgres, sharedPostgres } from '../harness/postgres.ts';
import { freePort } from '../harness/service.ts';
import { until } from '../harness/until.ts';

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-start-'));
});
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await removeSharedPostgres();
});

/** PostgreSQL as a standby or a database that was set to read-only: everything can be read and nothing written. */
async function readOnlyDatabase(): Promise<Record<string, string>> {
  const url = await (await sharedPostgres()).newDatabase();
  await queryPostgres(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = on`);
  return { DATABASE_URL: url, LATCHKEY_DATA_DIR: join(folder, 'beside-postgres') };
}

/** An embedded store that opens but takes no write. */
async function refusingStore(): Promise<Record<string, string>> {
  const environment = { LATCHKEY_DATA_DIR: mkdtempSync(join(folder, 'refusing-')) };
  await runCommand(['setup-link'], environment);
  const database = new DatabaseSync(join(environment.LATCHKEY_DATA_DIR, 'latchkey.db'), { timeout: 10_000 });
  database.exec(
    `CREATE TRIGGER refusing BEFORE INSERT ON service_facts BEGIN SELECT RAISE(ABORT, 'nothing is taken'); END`,
  );
  database.close();
  return environment;
}

async function answers(port: number): Promise<boolean> {
  return fetch(`http://localhost:${port}/healthz`).then(
    () => true,
    () => false,
  );
}

const starts = [
  ['PostgreSQL that is read-only', '1', readOnlyDatabase, /read-only transaction/],
  ['PostgreSQL that is read-only', '2', readOnlyDatabase, /read-only transaction/],
  ['an embedded store that takes no write', '1', refusingStore, /nothing is taken/],
] as const;

for (const [name, workers, prepare, sentence] of starts.filter((each) => isReleaseLane || each[1] === '1')) {
  test(`${name}: the start fails with status 1 and frees the port, with LATCHKEY_WORKERS=${workers}`, async () => {
    const port = await freePort();
    const environment = { LATCHKEY_BASE_URL: `http://localhost:${port}`, LATCHKEY_WORKERS: workers };
    const { status, stdout, stderr } = await runCommand(['serve'], { ...(await prepare()), ...environment });
    assert.equal(status, 1, stderr);
    assert.match(stderr, /^latchkey: /m);
    assert.match(stderr, sentence);
    assert.doesNotMatch(stdout, /Latchkey is running at/);
    assert.equal(await answers(port), false);
  });
}

test('a start that fails after listening closes everything before it reports the error', async () => {
  const port = await freePort();
  const environment = { ...(await refusingStore()), LATCHKEY_BASE_URL: `http://localhost:${port}` };
  const start = startService(readConfig(environment), { logger: false });
  await assert.rejects(start, /nothing is taken/);
  assert.equal(await answers(port), false);
});

releaseTest('SIGTERM while the service starts ends it cleanly', async () => {
  const port = await freePort();
  const environment = {
    LATCHKEY_BASE_URL: `http://localhost:${port}`,
    LATCHKEY_DATA_DIR: join(folder, 'early'),
    LATCHKEY_DRAIN_SECONDS: '60',
  };
  const child = startCommand(['serve'], environment);
  const ended = finished(child);
  await until(() => answers(port), 'it listens');
  child.kill('SIGTERM');
  // It may be ready by now, and then it would drain; whoever asks twice doesn't want to wait.
  child.kill('SIGINT');
  assert.equal((await ended).status, 0);
  assert.equal(await answers(port), false);
});

test('processes that start at once create the data directory together', async (t) => {
  const created = mkdtempSync(join(folder, 'created-'));
  const module = JSON.stringify(new URL('../../src/cli/store/open-store.ts', import.meta.url).href);
  // They wait for each other before each of the folders.
  const create = `
    const { parentPort, workerData: { created, arrived, creators } } = require('node:worker_threads');
    import(${module}).then(({ makeFolder }) => {
      for (let round = 1; round <= 200; round++) {
        Atomics.add(arrived, 0, 1);
        while (Atomics.load(arrived, 0) < round * creators);
        makeFolder(created + '/' + round + '/data');
      }
      parentPort.postMessage('created');
    });`;
  const creators = 2;
  const workerData = { created, arrived: new Int32Array(new SharedArrayBuffer(4)), creators };
  const workers = Array.from({ length: creators }, () => new Worker(create, { eval: true, workerData }));
  t.after(() => Promise.all(workers.map((worker) => worker.terminate())));
  await Promise.all(workers.map((worker) => once(worker, 'message')));
  assert.equal(readdirSync(created).length, 200);
});
