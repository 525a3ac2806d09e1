// Several processes that share a port, for machines with several cores. The first process serves nothing itself: it
// starts the others, replaces those that die, writes to the embedded store for them, and stops them.

import cluster, { type Worker } from 'node:cluster';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../platform/config.ts';
import { CommandFailed } from '../command.ts';
import { databaseFile } from '../store/open-store.ts';
import { instanceOfWorkers } from './instance.ts';
import { serveWorkerMetrics } from './metrics.ts';
import { type StopSignal, type StopSignals, workerReady } from './process.ts';
import { sharedWriter } from './shared-writer.ts';

/** Milliseconds before a worker that died is replaced. */
const restartAfter = 1000;

export async function serveWithWorkers(config: Config, signals: StopSignals): Promise<void> {
  cluster.setupPrimary({
    exec: fileURLToPath(new URL('../start.ts', import.meta.url)),
    args: ['serve'],
    // What is written may hold bytes.
    serialization: 'advanced',
  });
  const metrics = await serveWorkerMetrics(config);
  const writer = sharedWriter(databaseFile(config));
  const instance = instanceOfWorkers(config, writer.forPrimary);
  let stopping = false;
  let everReady = false;
  const workers = new Set<Worker>();
  const failure = Promise.withResolvers<never>();

  const startWorker = () => {
    const worker = cluster.fork(instance.environment);
    workers.add(worker);
    writer.serve(worker);
    instance.include(worker);
    metrics.include(worker);
    worker.on('message', (message) => {
      everReady ||= message === workerReady;
    });
    worker.once('exit', (code) => {
      workers.delete(worker);
      if (stopping) return;
      // If no worker has ever been ready, another attempt won't help. The reason is on stderr.
      if (!everReady) failure.reject(new CommandFailed(`a worker exited with status ${code} before it was ready.`));
      else setTimeout(() => stopping || startWorker(), restartAfter);
    });
  };

  for (let started = 0; started < config.workers; started++) startWorker();
  const pass = (signal: StopSignal) => {
    for (const worker of workers) worker.process.kill(signal);
  };
  // Workers drain on SIGTERM, and those of a service that doesn't start have nothing to drain.
  let signal: StopSignal = 'SIGINT';
  try {
    signal = await Promise.race([signals.first, failure.promise]);
  } finally {
    stopping = true;
    const ended = [...workers].map((worker) => new Promise<void>((resolve) => worker.once('exit', () => resolve())));
    pass(signal);
    signals.second.then(pass);
    await Promise.all(ended);
    await metrics.close();
    await instance.close();
    await writer.close();
  }
}
