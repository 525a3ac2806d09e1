// Two instances on one store, on whichever engine the test runs: on PostgreSQL in one database, on the embedded store in
// one folder. They have one base URL, as behind a proxy.

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyMigratedStore, freePort, startTestService, type TestService } from './service.ts';

export interface TwoInstances {
  readonly one: TestService;
  readonly two: TestService;
  stop(): Promise<void>;
}

export async function startTwoInstances(environment: Record<string, string> = {}): Promise<TwoInstances> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-test-'));
  const borrowed =
    process.env.TEST_ENGINE === 'postgres'
      ? await (await import('./postgres.ts')).sharedPostgres().then((postgres) => postgres.borrowDatabase())
      : undefined;
  const shared = {
    ...environment,
    LATCHKEY_KEYS: randomBytes(32).toString('base64url'),
    LATCHKEY_BASE_URL: `http://localhost:${await freePort()}`,
    LATCHKEY_DATA_DIR: folder,
    ...(borrowed && { DATABASE_URL: borrowed.url }),
  };
  if (borrowed === undefined) await copyMigratedStore(folder);
  const one = await startTestService(shared);
  const two = await startTestService(shared);
  return {
    one,
    two,
    async stop() {
      await one.stop();
      await two.stop();
      await borrowed?.giveBack();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
