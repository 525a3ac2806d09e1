// Two instances on one store, on whichever engine the test runs: on PostgreSQL in one database, on the embedded store in
// one folder. They have one base URL, as behind a proxy.

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyMigratedStore, freePort, startTestService, type TestClock, type TestService } from './service.ts';

export interface TwoInstances {
  /** Where the embedded store is, and key files can be. */
  readonly folder: string;
  readonly one: TestService;
  readonly two: TestService;
  stop(): Promise<void>;
}

/**
 * With `keyFiles`, each has its own key file of this name, with the same key. With `clock`, they share it: where emails are asked for
 * and time passes, because either may answer what was asked of the other.
 */
export async function startTwoInstances(
  environment: Record<string, string> = {},
  { keyFiles, ...clock }: { keyFiles?: readonly [string, string]; clock?: TestClock } = {},
): Promise<TwoInstances> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-test-'));
  const borrowed =
    process.env.TEST_ENGINE === 'postgres'
      ? await (await import('./postgres.ts')).sharedPostgres().then((postgres) => postgres.borrowDatabase())
      : undefined;
  const key = randomBytes(32).toString('base64url');
  const keysOf = (file: string | undefined): Record<string, string> => {
    if (file === undefined) return { LATCHKEY_KEYS: key };
    writeFileSync(join(folder, file), `${key}\n`, { mode: 0o600 });
    return { LATCHKEY_KEYS_FILE: join(folder, file) };
  };
  const shared = {
    ...environment,
    LATCHKEY_BASE_URL: `http://localhost:${await freePort()}`,
    LATCHKEY_DATA_DIR: folder,
    ...(borrowed && { DATABASE_URL: borrowed.url }),
  };
  if (borrowed === undefined) await copyMigratedStore(folder);
  const one = await startTestService({ ...shared, ...keysOf(keyFiles?.[0]) }, clock);
  const two = await startTestService({ ...shared, ...keysOf(keyFiles?.[1]) }, clock);
  return {
    folder,
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
