// Two workers on the embedded store. The process that started them writes for both.

import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pidOf, processesFrom } from '../faults/processes.ts';
import type { Random } from '../faults/random.ts';
import { Served } from '../test/harness/served.ts';
import { commonEnvironment, freeze, killAndStart, populateFor, type System } from './system.ts';

export async function startEmbedded(people: number): Promise<System> {
  await using cleanup = new AsyncDisposableStack();
  const folder = cleanup.use(mkdtempDisposableSync(join(tmpdir(), 'latchkey-histories-')));
  const served = cleanup.adopt(
    await Served.at({ ...commonEnvironment, LATCHKEY_DATA_DIR: folder.path, LATCHKEY_WORKERS: '2' }),
    (service) => service.end('SIGTERM'),
  );
  const population = await populateFor(served.environment, people);
  await served.start();

  /** Those without children are the workers; whoever started them comes right before. */
  const workers = () => processesFrom(pidOf(served)).slice(-2);
  const writer = () => processesFrom(pidOf(served)).at(-3) ?? pidOf(served);

  const stack = cleanup.move();
  return {
    title: 'Two workers on the embedded store',
    instances: [served],
    population,
    faults: {
      'service killed': (random) => killAndStart(served, random, 'SIGKILL'),
      'service restarted': (random) => killAndStart(served, random, 'SIGTERM'),
      'worker killed': async (random: Random) => void process.kill(random.pick(workers()), 'SIGKILL'),
      'worker frozen': (random) => freeze([random.pick(workers())], random, 4),
      'writer frozen': (random) => freeze([writer()], random, 6),
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
