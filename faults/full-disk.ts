// A disk that fills up under load, is full when the service starts, and gets room again.

import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../src/protocol/reading/caught-errors.ts';
import { outputMatching, runCommand, startCommand } from '../test/harness/command.ts';
import { Ledger } from '../test/harness/ledger.ts';
import { populate, Served } from '../test/harness/served.ts';
import { until } from '../test/harness/until.ts';
import { diskUnavailable, onDisk, type SmallDisk } from './disk.ts';
import { damageIn, keysIn } from './embedded-store.ts';
import { type Experiment, type Findings, times } from './experiment.ts';
import { OtherWork } from './other-work.ts';
import { Outside } from './outside.ts';
import { stackTracesIn } from './stack-traces.ts';

export const fullDisk: Experiment = {
  name: 'full-disk',
  title: 'Full disk, embedded store',
  unavailable: diskUnavailable,
  run: async ({ scale, say }) => {
    const rounds = times(10, scale);
    const firstStarts = times(3, scale);
    const findings = await onDisk((disk) => fillUnderLoad(disk, rounds, say));
    const broken = [...findings.broken];
    for (let start = 1; start <= firstStarts; start++) broken.push(...(await onDisk(firstStartWhenFull)));
    return { ...findings, done: `${findings.done}; ${firstStarts} first starts on a full disk`, broken };
  },
};

async function fillUnderLoad(disk: SmallDisk, rounds: number, say: (progress: string) => void): Promise<Findings> {
  await using outside = await Outside.start();
  const served = await Served.at({ LATCHKEY_DATA_DIR: disk.data, ...outside.settings });
  const { client, users } = await populate(served.environment, 4);
  const ledger = new Ledger(served.service, client, users);
  // On a full disk, a rotation has to fail: here they're rotated when there is room.
  const work = await OtherWork.prepare(served, outside, { rotates: false });
  const broken: string[] = [];
  const output: string[] = [];
  const start = async () => {
    const child = await served.start();
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => output.push(String(chunk)));
  };
  const isReady = async () => (await fetch(`${served.url}/readyz`)).status === 200;
  let restarts = 0;
  let refusedStarts = 0;
  try {
    await start();
    await ledger.signIn();
    for (let round = 1; round <= rounds; round++) {
      let ended = false;
      const load = Promise.all([loadUntil(ledger, () => ended), work.load(() => ended)]);
      const before = ledger.grants;
      try {
        const isUnderWay = () => ledger.grants >= before + 40 && work.isUnderWay();
        await until(isUnderWay, 'the service takes the load', 60);
        const filled = async () => {
          disk.fill();
          return !(await isReady());
        };
        await until(filled, 'readyz notices that the disk is full', 60);
        if (!(await readsGoOn(served))) broken.push(`round ${round}: reads ended with the room on the disk`);
      } finally {
        ended = true;
        await load;
      }
      // One round in three ends without a restart; the others with an orderly one, or with a crash.
      if (round % 3 !== 0) {
        restarts++;
        broken.push(...(await rotateWhenFull(disk, served)));
        await served.end(round % 3 === 1 ? 'SIGTERM' : 'SIGKILL');
        disk.fill();
        const refusal = await start().then(
          () => undefined,
          (error: Error) => error.message,
        );
        if (refusal !== undefined) {
          refusedStarts++;
          broken.push(...unclear(refusal).map((line) => `round ${round}: ${line}`));
        } else if (await isReady()) {
          // The write-ahead log may have room left inside of it. As long as it has, the service is right to be ready.
          const before = ledger.grants;
          await ledger.load(() => ledger.grants > before);
          if (ledger.grants === before) await until(async () => !(await isReady()), 'readyz notices the full disk');
        }
      }
      disk.free();
      if (served.child?.exitCode !== null) await start();
      await until(isReady, 'readyz notices that there is room again', 30);
      broken.push(...(await ledger.checkTokens()), ...(await work.check()));
      await work.rotateKeys();
      broken.push(...damageIn(disk.data));
      say(`round ${round} of ${rounds}, ${ledger.grants} grants, ${ledger.failed} answered 503`);
    }
    broken.push(...(await work.finish(ledger)), ...(await ledger.checkPeople()), ...(await ledger.checkRefresh()));
    // Last, because to use a code again ends what came of it.
    broken.push(...(await ledger.check(true)), ...ledger.wrong);
  } finally {
    await served.end('SIGTERM');
  }
  const traces = stackTracesIn(output.join(''));
  if (traces > 0) broken.push(`${traces} lines of stack traces in the log`);
  return {
    done: `filled up ${rounds} times under load, ${restarts} restarts while full (${refusedStarts} refused to start)`,
    checks: {
      grants: ledger.grants,
      revocations: ledger.revocations,
      ...work.checks,
      'responses with 503': ledger.failed,
    },
    remarks: ['readyz', 'key file', 'integrity_check'],
    broken,
  };
}

/** The load of a ledger ends at the first failure; this one comes back later, as a 503 asks for. */
async function loadUntil(ledger: Ledger, ended: () => boolean): Promise<void> {
  while (!ended()) {
    await ledger.load(ended);
    await pause(20);
  }
}

async function readsGoOn(served: Served): Promise<boolean> {
  const paths = ['/healthz', '/sign-in', '/.well-known/openid-configuration'];
  const responses = await Promise.all(paths.map((path) => fetch(served.url + path)));
  return responses.every(({ status }) => status === 200);
}

/** A rotation that fails says why and leaves the keys as they were, which the caller checks. */
async function rotateWhenFull(disk: SmallDisk, served: Served): Promise<string[]> {
  disk.fill();
  const { status, stderr } = await runCommand(['keys', 'rotate'], served.environment);
  if (status !== 1) return [`keys rotate ended with ${status} on a full disk`];
  return unclear(stderr);
}

/** A sentence says what is wrong; a stack trace does not. */
function unclear(text: string): string[] {
  const isClear = /\blatchkey: .*(no space|full|ENOSPC).*\.$/im.test(text) && stackTracesIn(text) === 0;
  return isClear ? [] : [`no clear sentence: ${text.trim()}`];
}

async function firstStartWhenFull(disk: SmallDisk): Promise<string[]> {
  const { environment, url } = await Served.at({ LATCHKEY_DATA_DIR: disk.data });
  disk.fill();
  const { status, stderr } = await runCommand(['serve'], environment);
  const broken = status === 1 ? unclear(stderr) : [`a first start on a full disk ended with ${status}`];
  disk.free();
  const child = startCommand(['serve'], environment);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    await outputMatching(child, /Latchkey is running at/);
    assert.equal((await fetch(`${url}/readyz`)).status, 200);
    assert.equal(keysIn(disk.data).length, 1);
  } catch (error) {
    broken.push(`a first start with room again: ${messageOf(error)}`);
  }
  child.kill();
  await ended;
  return [...broken, ...damageIn(disk.data)];
}
