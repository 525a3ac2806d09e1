// The power is cut: the file system under the data directory is aborted, what was not synced is lost, and the journal is
// replayed. Seconds after the first start, under load, and right after a rotation of the keys.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../src/protocol/reading/caught-errors.ts';
import { runCommand } from '../test/harness/command.ts';
import { Ledger } from '../test/harness/ledger.ts';
import { populate, Served } from '../test/harness/served.ts';
import { until } from '../test/harness/until.ts';
import { diskUnavailable, onDisk, type SmallDisk } from './disk.ts';
import { damageIn, keysIn } from './embedded-store.ts';
import { type Experiment, times } from './experiment.ts';

export const powerCut: Experiment = {
  name: 'power-cut',
  title: 'Power cut, embedded store',
  unavailable: diskUnavailable,
  run: async ({ scale, say }) => {
    const [firstStarts, underLoad, rotations] = [times(6, scale), times(25, scale), times(5, scale)];
    const broken: string[] = [];
    for (let cut = 1; cut <= firstStarts; cut++) broken.push(...(await onDisk(cutAfterFirstStart)));
    say('first starts are done');
    const load = await onDisk((disk) => cutUnderLoad(disk, underLoad, say));
    for (let cut = 1; cut <= rotations; cut++) broken.push(...(await onDisk(cutAfterRotation)));
    const { grants, revocations } = load.ledger;
    return {
      done: `ext4 aborted without a flush: ${firstStarts} times seconds after the first start, ${underLoad} under load, ${rotations} after keys rotate`,
      checks: { grants, revocations },
      remarks: ['no code usable twice', 'sessions and approvals', 'keys', 'e2fsck', 'integrity_check'],
      broken: [...broken, ...load.broken],
    };
  },
};

/**
 * What e2fsck says once the power is back. The process is gone with the power, like every other. It is stopped first: a
 * process that runs on may be told that its fsync, which was under way, succeeded after the file system was aborted. A cut
 * of the power leaves nobody to tell.
 */
async function loseAndRestorePower(disk: SmallDisk, served: Served): Promise<string[]> {
  const { child } = served;
  child?.kill('SIGSTOP');
  const isStopped = () => /^State:\s*[Tt]/m.test(readFileSync(`/proc/${child?.pid}/status`, 'utf8'));
  await until(isStopped, 'the process is stopped');
  disk.cutPower();
  await served.end('SIGKILL');
  return disk.restorePower();
}

/** Whatever is left of the first seconds must be something that a start can go on with. */
async function cutAfterFirstStart(disk: SmallDisk): Promise<string[]> {
  const broken: string[] = [];
  const served = await Served.at({ LATCHKEY_DATA_DIR: disk.data });
  try {
    await served.start();
    await pause(Math.random() * 3000);
    const before = keysIn(disk.data);
    broken.push(...(await loseAndRestorePower(disk, served)));
    const file = join(disk.data, 'keys');
    const after = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
    // A service that says it serves has its key and its store on disk.
    if (after !== before.join('\n'))
      broken.push(`first start: the key file is ${after === '' ? 'empty' : 'another one'}`);
    await served.start();
    await until(async () => (await fetch(`${served.url}/readyz`)).status === 200, 'the service is ready');
  } catch (error) {
    broken.push(`first start: ${messageOf(error)}`);
  } finally {
    await served.end('SIGTERM');
  }
  return [...broken, ...damageIn(disk.data)];
}

async function cutUnderLoad(
  disk: SmallDisk,
  cuts: number,
  say: (progress: string) => void,
): Promise<{ ledger: Ledger; broken: string[] }> {
  const served = await Served.at({ LATCHKEY_DATA_DIR: disk.data });
  const { client, users } = await populate(served.environment, 4);
  const ledger = new Ledger(served.service, client, users);
  const broken: string[] = [];
  try {
    await served.start();
    await ledger.signIn();
    for (let cut = 1; cut <= cuts; cut++) {
      const load = ledger.load();
      // The cut comes at a random moment of the load, hence a wait of random length.
      await pause(50 + Math.random() * 400);
      broken.push(...(await loseAndRestorePower(disk, served)));
      await load;
      broken.push(...damageIn(disk.data));
      await served.start();
      broken.push(...(await ledger.checkTokens()));
      say(`cut ${cut} of ${cuts}, ${ledger.grants} grants`);
    }
    broken.push(...(await ledger.checkPeople()), ...(await ledger.checkRefresh()));
    // Last, because to use a code again ends what came of it.
    broken.push(...(await ledger.check(true)), ...ledger.wrong);
  } finally {
    await served.end('SIGTERM');
  }
  return { ledger, broken };
}

/** The command says that it is done: from then on there are the old key and the new one, and nobody is signed out. */
async function cutAfterRotation(disk: SmallDisk): Promise<string[]> {
  const served = await Served.at({ LATCHKEY_DATA_DIR: disk.data });
  const { client, users } = await populate(served.environment);
  const ledger = new Ledger(served.service, client, users);
  const broken: string[] = [];
  try {
    await served.start();
    await ledger.signIn();
    const before = keysIn(disk.data);
    const { status, stderr } = await runCommand(['keys', 'rotate'], served.environment);
    if (status !== 0) broken.push(`rotation: ${stderr}`);
    const rotated = keysIn(disk.data);
    broken.push(...(await loseAndRestorePower(disk, served)));
    const after = keysIn(disk.data);
    if (after.join() !== rotated.join() || rotated.slice(1).join() !== before.join()) {
      broken.push(`rotation: ${rotated.length} keys before the cut, ${after.length} after it`);
    }
    await served.start();
    broken.push(...(await ledger.checkPeople()));
  } finally {
    await served.end('SIGTERM');
  }
  return [...broken, ...damageIn(disk.data)];
}
