// Several processes on one port, for machines with several cores: the first process only starts, watches and stops them.

import cluster, { type Worker } from 'node:cluster';
import { fileURLToPath } from 'node:url';
import { CommandFailed } from './command.ts';
import { signalled } from './serve.ts';

/** A worker that dies is replaced, but not faster than this. */
const restartAfter = 1000;

export async function serveWithWorkers(count: number): Promise<void> {
  cluster.setupPrimary({ exec: fileURLToPath(new URL('./main.ts', import.meta.url)), args: ['serve'] });
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
      // One that never came as far as listening will not get there by trying again: its reason is on stderr.
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
    await Promise.race([signalled(), failure]);
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
