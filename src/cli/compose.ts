// The only place that constructs things: from a configuration to a running service, or to services for one command.

import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { AppOptions } from '../http/app.ts';
import { GuessLimit } from '../operations/guess-limit.ts';
import { Journal } from '../operations/journal.ts';
import type { Services } from '../operations/services.ts';
import { sweepOnce } from '../operations/sweep.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import { loadKeys } from '../platform/keys.ts';
import { argon2Passwords } from '../platform/passwords.ts';
import { readMigrations, sqlStorage } from '../storage/sql.ts';
import { openSqlite } from '../storage/sqlite.ts';
import { StorageUnavailable } from '../storage/storage.ts';
import { CommandFailed } from './command.ts';

const journalEvery = 500;
const sweepEvery = 60_000;

export interface Composed {
  readonly services: Services;
  close(): Promise<void>;
}

export interface ComposeOptions {
  readonly clock?: Clock;
  /** How long a write waits for another process's lock on the embedded store, in milliseconds. */
  readonly busyTimeout?: number;
}

/** Opens the store (making it on first use) and everything that operations need. */
export async function composeServices(config: Config, options: ComposeOptions = {}): Promise<Composed> {
  const keys = explained(`The keys in ${config.keysFile} cannot be used`, () => {
    if (config.keys === undefined) makeFolder(dirname(config.keysFile));
    return loadKeys(config);
  });
  const file = join(config.dataDir, 'latchkey.db');
  const driver = explained(`The data directory ${config.dataDir} cannot be used`, () => {
    makeFolder(config.dataDir);
    const opened = openSqlite(file, options.busyTimeout === undefined ? {} : { busyTimeout: options.busyTimeout });
    chmodSync(file, 0o600);
    return opened;
  });
  await driver.migrate(readMigrations()).catch((error: Error) => {
    throw error instanceof StorageUnavailable ? error : new CommandFailed(`${file} cannot be used: ${error.message}.`);
  });

  const storage = sqlStorage(driver);
  const clock = options.clock ?? systemClock;
  const random = (size: number) => randomBytes(size);
  const journal = new Journal(storage, clock, random);
  const guesses = new GuessLimit(clock);
  const passwords = argon2Passwords({ concurrency: 2, queue: 100 });
  const services: Services = {
    issuer: config.baseUrl,
    ...{ storage, clock, random, keys, passwords, journal, guesses },
  };
  return {
    services,
    async close() {
      try {
        await journal.flush();
      } finally {
        await storage.close();
      }
    },
  };
}

function explained<Result>(complaint: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new CommandFailed(`${complaint}: ${(error as Error).message}.`);
  }
}

/** Step by step: where a folder cannot be made at all (/proc), Node's own recursive way may never come back. */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}

export interface RunningService {
  readonly services: Services;
  readonly app: FastifyInstance;
  /** Finishes what is in flight, writes what is noted, closes the store. */
  stop(): Promise<void>;
}

export interface StartOptions extends ComposeOptions {
  readonly logger?: AppOptions['logger'];
}

export async function startService(config: Config, options: StartOptions = {}): Promise<RunningService> {
  // Loaded here and not above: the other commands start faster without the web framework.
  const { buildApp } = await import('../http/app.ts');
  const { loadAssets } = await import('../http/assets.ts');
  const { services, close } = await composeServices(config, options);
  const context = {
    services,
    baseUrl: config.baseUrl,
    secure: config.baseUrl.startsWith('https:'),
    assets: loadAssets(),
  };
  await services.passwords.prepare();
  const logger = options.logger ?? { level: config.logLevel };
  const app = buildApp(context, { logger, trustProxy: config.trustProxy });

  const background = (work: () => Promise<void>) => () => {
    work().catch((error: Error) => app.log.warn({ err: error }, 'background work failed; it is tried again'));
  };
  const timers = [
    setInterval(
      background(() => services.journal.flush()),
      journalEvery,
    ),
    setInterval(
      background(() => sweep(services, config.eventsDays)),
      sweepEvery,
    ),
  ];
  const stop = async () => {
    for (const timer of timers) clearInterval(timer);
    // A connection whose last answer leaves after closing has begun would otherwise be kept alive for its next request.
    const hurry = setInterval(() => app.server.closeIdleConnections(), 50);
    await app.close();
    clearInterval(hurry);
    await close();
  };
  try {
    await app.listen({ host: config.host, port: config.port });
  } catch (error) {
    await stop();
    throw error;
  }
  return { services, app, stop };
}

async function sweep(services: Services, eventsDays: number): Promise<void> {
  // Bounded, so that a great backlog leaves room for requests; the next round goes on.
  for (let batch = 0; batch < 100; batch++) if (!(await sweepOnce(services, eventsDays))) return;
}
