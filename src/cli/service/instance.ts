// The instance that a process belongs to: itself, or with LATCHKEY_WORKERS the primary process and all of its workers. Workers
// tell the primary which keys they have, and it counts those that all of them have.

import type { Worker } from 'node:cluster';
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { Heartbeat, type Held, isSame } from '../../operations/instances/heartbeat.ts';
import type { Services, Timing } from '../../operations/services.ts';
import { systemClock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import { ownVersion } from '../../platform/version.ts';
import { crockford, inFives } from '../../protocol/identifiers.ts';
import { sqlStorage } from '../../storage/sql/sql-storage.ts';
import type { StartWriter } from '../../storage/sqlite/writer-thread.ts';
import { StorageUnavailable } from '../../storage/storage.ts';
import { openStore } from '../store/open-store.ts';
import { keysEvery } from './background.ts';

export interface Instance {
  /** The name of the machine and a random part. */
  readonly id: string;
  /** Says what this process has. To be called every few seconds; true if a key was put to use. */
  report(held: Held): Promise<boolean>;
  /** To be called when this process no longer serves. */
  leave(): Promise<void>;
}

type Joining = Timing & Pick<Services, 'storeClock'>;

export type JoinInstance = (config: Config, services: Joining) => Instance;

/** A process that serves alone. */
export const ownInstance: JoinInstance = (config, services) => {
  const id = newInstanceId();
  const heartbeat = newHeartbeat(id, config, services);
  return { id, report: (held) => heartbeat.beat(held), leave: () => heartbeat.stop() };
};

/** From a worker. */
interface Report {
  readonly held: Held;
}

/** Where a worker finds the ID of the instance that it belongs to. */
const idVariable = 'INSTANCE_ID';

/** A worker: the primary process speaks for the instance. */
export const instanceOfPrimary: JoinInstance = () => ({
  id: process.env[idVariable] ?? '',
  async report(held) {
    process.send?.({ held } satisfies Report, undefined, undefined, () => {});
    return false;
  },
  leave: async () => {},
});

/** In the primary process, which opens the store when the first worker has. */
export function instanceOfWorkers(config: Config, startWriter: StartWriter) {
  const id = newInstanceId();
  const reports = new Map<number, Held>();
  let opened: Promise<{ heartbeat: Heartbeat; close(): Promise<void> }> | undefined;

  const open = async () => {
    const driver = await openStore(config, { startWriter });
    const storage = sqlStorage(driver);
    const heartbeat = newHeartbeat(id, config, { storage, clock: systemClock, storeClock: storage });
    return { heartbeat, close: () => driver.close() };
  };

  const beat = async () => {
    const held = heldByAll([...reports.values()]);
    if (held === undefined) return;
    opened ??= open();
    await (await opened).heartbeat.beat(held);
  };

  let fault: string | undefined;
  const beatOrExplain = () => {
    beat().catch((error: Error) => {
      // The workers notice outages of the store themselves, and log them.
      if (error instanceof StorageUnavailable || error.message === fault) return;
      fault = error.message;
      process.stderr.write(`latchkey: the instance can't report that it's running: ${fault}\n`);
    });
  };
  const timer = setInterval(beatOrExplain, keysEvery);

  return {
    /** For the workers. */
    environment: { [idVariable]: id },

    include(worker: Worker) {
      worker.on('message', (message: Partial<Report>) => {
        if (message.held === undefined) return;
        const known = reports.get(worker.id);
        reports.set(worker.id, message.held);
        if (!isSame(message.held, known)) beatOrExplain();
      });
      worker.once('disconnect', () => reports.delete(worker.id));
    },

    /** To be called when all workers have ended. */
    async close() {
      clearInterval(timer);
      const ended = await opened?.catch(() => undefined);
      await ended?.heartbeat.stop().catch(() => {});
      await ended?.close();
    },
  };
}

function heldByAll(all: readonly Held[]): Held | undefined {
  const [first] = all;
  return (
    first && {
      ...first,
      keyIds: first.keyIds.filter((id) => all.every(({ keyIds }) => keyIds.includes(id))),
      serves: all.some(({ serves }) => serves),
    }
  );
}

/** The name of the machine says where to look for it. */
function newInstanceId(): string {
  return `${hostname()}-${inFives(randomBytes(5), crockford)}`;
}

function newHeartbeat(id: string, { baseUrl, eventsDays }: Config, services: Joining): Heartbeat {
  return new Heartbeat(services, { id, version: ownVersion(), baseUrl, eventsDays });
}
