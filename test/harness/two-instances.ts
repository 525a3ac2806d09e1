// Two services on one store, whichever engine it is on, with the same keys.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestService, type TestService } from './service.ts';

export interface TwoInstances {
  readonly one: TestService;
  readonly two: TestService;
  stop(): Promise<void>;
}

export async function startTwoInstances(environment: Record<string, string> = {}): Promise<TwoInstances> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-two-'));
  const shared = { ...environment, LATCHKEY_DATA_DIR: folder, ...(await sharedDatabase()) };
  const one = await startTestService(shared);
  // Both answer for one issuer, as instances behind a load balancer do.
  const two = await startTestService({ ...shared, LATCHKEY_BASE_URL: one.url });
  return {
    one,
    two,
    async stop() {
      await one.stop();
      await two.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function sharedDatabase(): Promise<Record<string, string>> {
  if (process.env.TEST_ENGINE !== 'postgres') return {};
  const { sharedPostgres } = await import('./postgres.ts');
  return { DATABASE_URL: await (await sharedPostgres()).newDatabase() };
}
