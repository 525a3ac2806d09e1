// Workers on the embedded store write through one thread of the primary process, whoever dies.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';
import { finished, startCommand } from '../harness/command.ts';
import { Ledger } from '../harness/ledger.ts';
import { populate, Served } from '../harness/served.ts';
import { until } from '../harness/until.ts';

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-shared-writer-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

interface Workers {
  readonly primary: ChildProcess;
  /** Those that serve or have served, in the order of their start. */
  readonly pids: readonly number[];
  readonly ledger: Ledger;
  readonly file: string;
  output(): string;
  stop(): Promise<number | null>;
}

async function startWorkers(name: string): Promise<Workers> {
  const dataDir = join(folder, name);
  const { environment, service } = await Served.at({ LATCHKEY_DATA_DIR: dataDir, LATCHKEY_WORKERS: '2' });
  const { client, users } = await populate(environment, 6);
  const primary = startCommand(['serve'], environment);
  const ended = new Promise<number | null>((resolve) => primary.once('exit', resolve));
  const pids: number[] = [];
  let output = '';
  const take = (chunk: unknown) => {
    output += chunk;
    // A line may come in two parts.
    const serving = output.matchAll(/"pid":(\d+)[^\n]*Latchkey is running at/g);
    pids.splice(0, pids.length, ...Array.from(serving, ([, pid]) => Number(pid)));
  };
  primary.stdout?.on('data', take);
  primary.stderr?.on('data', take);
  const stop = () => {
    primary.kill('SIGTERM');
    return ended;
  };
  await until(
    () => pids.length === 2,
    () => `two processes serve: ${output}`,
  );
  const file = join(dataDir, 'latchkey.db');
  return { primary, pids, ledger: new Ledger(service, client, users), file, output: () => output, stop };
}

/** How many open files of a process are the file, opened for writing. */
function writersIn(pid: number | undefined, file: string): number {
  const isWriter = (fd: string) => {
    try {
      if (realpathSync(`/proc/${pid}/fd/${fd}`) !== realpathSync(file)) return false;
      return /^flags:\s+\d*2$/m.test(readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8'));
    } catch {
      // Closed since it was listed, or no file.
      return false;
    }
  };
  return readdirSync(`/proc/${pid}/fd`).filter(isWriter).length;
}

test('only the primary writes, a killed worker loses nothing acknowledged, and new workers can write', async () => {
  const { primary, pids, ledger, file, stop } = await startWorkers('killed');
  try {
    await ledger.signIn();
    let enough = false;
    // All connections may be to the worker that is killed: then everybody begins anew.
    const load = (async () => {
      while (!enough) await ledger.load(() => enough);
    })();
    await until(() => ledger.grants >= 20, 'codes are exchanged');
    assert.equal(writersIn(primary.pid, file), 1);
    for (const pid of pids) assert.equal(writersIn(pid, file), 0);

    const [first = 0, second = 0] = pids;
    process.kill(first, 'SIGKILL');
    const atKill = ledger.grants;
    await until(() => ledger.grants >= atKill + 20, 'the other worker goes on');
    enough = true;
    await load;
    await until(() => pids.length === 3, 'another worker serves');
    // Without replaying the codes: on a slow machine that would end the grants before they're checked again.
    assert.deepEqual(await ledger.checkTokens(), []);

    // Now only the new one is left.
    process.kill(second, 'SIGKILL');
    await until(() => !existsSync(`/proc/${second}`), 'the primary has noticed');
    const before = ledger.grants;
    await ledger.load(() => ledger.grants >= before + 6);
    assert.ok(ledger.grants > before, 'the new worker writes');
    await until(() => pids.length === 4, 'another worker serves');
    assert.deepEqual([...(await ledger.check(true)), ...(await ledger.checkPeople()), ...ledger.wrong], []);
    assert.equal(writersIn(primary.pid, file), 1);
  } finally {
    assert.equal(await stop(), 0);
  }
  assert.equal(existsSync(`${file}-wal`), false, 'the primary closed the store last');
  const database = new DatabaseSync(file);
  assert.deepEqual({ ...database.prepare('PRAGMA integrity_check').get() }, { integrity_check: 'ok' });
  database.close();
});

test("a worker doesn't serve if the primary writes to a different file", async () => {
  const { pids, file, output, stop } = await startWorkers('replaced');
  try {
    renameSync(file, `${file}.old`);
    copyFileSync(`${file}.old`, file);
    process.kill(pids[0] ?? 0, 'SIGKILL');
    await until(() => /^latchkey: .*latchkey\.db was deleted or replaced/m.test(output()), output);
    assert.equal(pids.length, 2);
  } finally {
    await stop();
  }
});

test('when the writer dies, every worker gets OutcomeUnknown, and the next write succeeds', async () => {
  const file = join(folder, 'notes.db');
  const driver = openSqlite(file);
  await driver.migrate([{ version: 1, file: '001-notes.sql', sql: 'CREATE TABLE notes (text TEXT)' }]);
  const script = fileURLToPath(new URL('writing-workers.ts', import.meta.url));
  const { stdout, stderr, status } = await finished(spawn(process.execPath, [script, file]));
  assert.equal(status, 0, stderr);
  const outcomes = new Map(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.split(': ') as [string, string]),
  );
  const stored = (await driver.read('SELECT text FROM notes', [])).map(({ text }) => text);
  await driver.close();
  for (const worker of [1, 2]) {
    for (const time of ['before', 'after']) assert.equal(outcomes.get(`${worker} ${time}`), 'written');
  }
  // Whichever came second may have been told in time to use the next writer.
  const meanwhile = [1, 2].map((worker) => outcomes.get(`${worker} meanwhile`));
  assert.ok(meanwhile.includes('OutcomeUnknown'), stdout);
  for (const outcome of meanwhile) assert.ok(outcome === 'OutcomeUnknown' || outcome === 'written', stdout);
  for (const [note, outcome] of outcomes) if (outcome === 'written') assert.ok(stored.includes(note), note);
});
