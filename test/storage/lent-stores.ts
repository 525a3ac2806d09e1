// Empty stores for the conformance suite. Opening one takes longer than most rules, so each is emptied and lent again.

import { after } from 'node:test';
import type { Driver, Statement } from '../../src/storage/driver.ts';
import { tables } from '../harness/service.ts';

/** Leaves what a migrated store holds before anything happens. */
const emptying = tables.map((table): Statement => {
  const kept = table === 'leases' ? " WHERE name <> 'administrators'" : '';
  return { sql: `DELETE FROM ${table}${kept}`, params: [] };
});

/** `open` opens a migrated, empty store that nothing else uses. Call this at the top of a test file. */
export function lendStores(open: () => Promise<Driver>) {
  const idle: Driver[] = [];
  after(() => Promise.all(idle.map((driver) => driver.close())));
  return async (): Promise<{ driver: Driver; close(): Promise<void> }> => {
    const driver = idle.pop() ?? (await open());
    const close = async () => {
      try {
        await driver.write(emptying);
        idle.push(driver);
      } catch {
        // A rule about closing has closed it. The next rule gets another one.
        await driver.close();
      }
    };
    return { driver, close };
  };
}
