// Serves the metrics of a service: of this process, or with LATCHKEY_WORKERS of all of them. Then the primary process
// listens and asks the workers, over the channel that it has to each of them anyway.

import type { Worker } from 'node:cluster';
import type { Config } from '../../platform/config.ts';
import { CombinedSnapshots } from '../../platform/metrics/combined.ts';
import { serveMetrics } from '../../platform/metrics/listener.ts';
import { measureProcess } from '../../platform/metrics/process-metrics.ts';
import { type FamilyDescription, MetricRegistry, type Snapshot } from '../../platform/metrics/registry.ts';
import { messageOf } from '../../protocol/reading/caught-errors.ts';
import { CommandFailed } from '../command.ts';

/** How long a worker may take, in milliseconds. A busy or frozen one doesn't hold up the answer. */
const patience = 1000;

/** From the primary: the number of the question. */
interface Question {
  readonly metricsAsked: number;
}

/** From a worker. What the families are is said once, because it's a thousand times as long as their values. */
interface Answer {
  readonly metricsAsked: number;
  readonly families?: readonly FamilyDescription[];
  readonly values: readonly Float64Array[];
}

/** Returns a function that stops it. */
export type ServeMetrics = (config: Pick<Config, 'metrics'>, registry: MetricRegistry) => Promise<() => Promise<void>>;

/** In a process that serves alone. */
export const serveOwnMetrics: ServeMetrics = async ({ metrics }, registry) => {
  if (metrics === undefined) return async () => {};
  const stopMeasuring = measureProcess(registry);
  const listener = await listening(metrics, async () => registry.snapshot());
  return async () => {
    stopMeasuring();
    await listener.close();
  };
};

/** In a worker. */
export const answerPrimary: ServeMetrics = async ({ metrics }, registry) => {
  if (metrics === undefined) return async () => {};
  const stopMeasuring = measureProcess(registry);
  let isDescribed = false;
  const answer = (message: Partial<Question>) => {
    if (message.metricsAsked === undefined) return;
    const { families, values } = registry.snapshot();
    const said: Answer = { metricsAsked: message.metricsAsked, values, ...(!isDescribed && { families }) };
    isDescribed = true;
    process.send?.(said, undefined, undefined, () => {});
  };
  process.on('message', answer);
  return async () => {
    stopMeasuring();
    process.off('message', answer);
  };
};

/** In the primary process, which is one of the processes that are measured. */
export async function serveWorkerMetrics({ metrics }: Pick<Config, 'metrics'>) {
  if (metrics === undefined) return { include: (_worker: Worker) => {}, close: async () => {} };
  const registry = new MetricRegistry();
  const stopMeasuring = measureProcess(registry);
  const snapshots = new CombinedSnapshots();
  const workers = new Map<number, { worker: Worker; families: readonly FamilyDescription[] }>();
  let asked = 0;
  let answered: (id: number, answer: Answer) => void = () => {};

  async function ask(): Promise<Snapshot> {
    const number = ++asked;
    const waiting = new Set<number>();
    const { promise, resolve } = Promise.withResolvers<void>();
    answered = (id, { metricsAsked }) => {
      if (metricsAsked === number) waiting.delete(id);
      if (waiting.size === 0) resolve();
    };
    for (const [id, { worker }] of workers) {
      if (!worker.isConnected()) continue;
      waiting.add(id);
      worker.send({ metricsAsked: number } satisfies Question, undefined, undefined, () => {});
    }
    if (waiting.size === 0) resolve();
    const timer = setTimeout(resolve, patience);
    await promise;
    clearTimeout(timer);
    return snapshots.total(registry.snapshot());
  }

  const listener = await listening(metrics, ask);
  return {
    /** Includes a worker from now on, until it ends. */
    include(worker: Worker) {
      const { id } = worker;
      workers.set(id, { worker, families: [] });
      worker.on('message', (message: Partial<Answer>) => {
        const { metricsAsked, values } = message;
        const families = message.families ?? workers.get(id)?.families;
        if (metricsAsked === undefined || values === undefined || families === undefined) return;
        workers.set(id, { worker, families });
        snapshots.update(id, { families, values });
        answered(id, { metricsAsked, values });
      });
      // Not on exit, after which a last message may still arrive.
      worker.once('disconnect', () => {
        workers.delete(id);
        snapshots.forget(id);
        answered(id, { metricsAsked: asked, values: [] });
      });
    },
    async close() {
      stopMeasuring();
      await listener.close();
    },
  };
}

async function listening(address: { host: string; port: number }, collect: () => Promise<Snapshot>) {
  try {
    return await serveMetrics(address, collect);
  } catch (error) {
    const { host, port } = address;
    const advice = 'Check LATCHKEY_METRICS_PORT and LATCHKEY_METRICS_HOST.';
    throw new CommandFailed(`can't serve metrics on port ${port} of ${host}: ${messageOf(error)}. ${advice}`);
  }
}
