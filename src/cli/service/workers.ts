// Several processes that share a port, for machines with several cores. The first process serves nothing itself: it
// starts the others, replaces those that die, and stops them.

import cluster, { type Worker } from 'node:cluster';
import { fileURLToPath } from 'node:url';
import { CommandFailed } from '../command.ts';
import { stopSignal } from './process.ts';

/** Milliseconds before a worker that died is replaced. */
const restartAfter = 1000;

export async function serveWithWorkers(count: number): Promise<void> {
  cluster.setupPrimary({ exec: fileURLToPath(new URL('../main.ts', import.meta.url)), args: ['serve'] });
  let stopping = false;
  let listening = 0;
  const workers = new Set<Worker>();

  const startWorker = () => {
    const worker = cluster.fork();
    workers.add(worker);
    worker.once('listening', () => {
      listening++;
    });
    worker.once('exit', (code) => {
      workers.delete(worker);
      if (stopping) return;
      // If no worker has ever listened, another attempt won't help. The reason is on stderr.
      if (listening === 0) failed(new CommandFailed(`a worker has ended with status ${code} before it could serve.`));
      else setTimeout(startWorker, restartAfter);
    });
  };

  let failed: (error: Error) => void = () => {};
  const failure = new Promise<never>((_resolve, reject) => {
    failed = reject;
  });
  for (let started = 0; started < count; started++) startWorker();
  try {
    await Promise.race([stopSignal(), failure]);
  } finally {
    stopping = true;
    await Promise.all(
      [...workers].map(
        (worker) =>
          new Promise<void>((resolve) => {
            worker.once('exit', () => resolve());
            worker.process.kill('SIGTERM');
          }),
      ),
    );
  }
}
