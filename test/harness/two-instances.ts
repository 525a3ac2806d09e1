// Two instances of Latchkey on one store and behind one base URL, on whichever engine the tests run on.

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startTestService, type TestService } from './service.ts';

export interface TwoInstances {
  readonly one: TestService;
  readonly two: TestService;
  stop(): Promise<void>;
}

export async function startTwoInstances(): Promise<TwoInstances> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-two-'));
  const shared = {
    LATCHKEY_BASE_URL: `http://localhost:${await freePort()}`,
    LATCHKEY_KEYS: randomBytes(32).toString('base64url'),
    LATCHKEY_DATA_DIR: folder,
    ...(process.env.TEST_ENGINE === 'postgres' && { DATABASE_URL: await newDatabase() }),
  };
  const one = await startTestService(shared);
  const two = await startTestService(shared);
  return {
    one,
    two,
    async stop() {
      await one.stop();
      await two.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Loaded on demand: tests on the embedded store need no PostgreSQL. */
async function newDatabase(): Promise<string> {
  const { sharedPostgres } = await import('./postgres.ts');
  return (await sharedPostgres()).newDatabase();
}
