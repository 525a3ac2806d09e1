// `latchkey backup --verify`: restores a backup into a temporary store, and says what is in it.

import { join } from 'node:path';
import { systemClock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import { sqlStorage } from '../../storage/sql/sql-storage.ts';
import { shownTime } from '../terminal/times.ts';
import { openKeys } from './open-store.ts';
import { type Contents, contentsOf, requireKeysOf, storeOfBackup } from './store-of-backup.ts';
import { inTemporaryFolder } from './temporary-folder.ts';

export interface Verified extends Contents {
  /** About single secrets that can't be opened. */
  readonly warning: string | undefined;
}

/** Fails with a sentence if the backup couldn't be restored. */
export async function verifyBackup(config: Config, file: string): Promise<Verified> {
  return inTemporaryFolder('latchkey-verify-', async (folder) => {
    const driver = await storeOfBackup(file, join(folder, 'latchkey.db'));
    try {
      const keys = await openKeys(config, { storage: sqlStorage(driver), clock: systemClock, ifMissing: 'refuse' });
      const warning = await requireKeysOf(file, driver, keys);
      return { ...(await contentsOf(driver)), warning };
    } finally {
      await driver.close();
    }
  });
}

export function contentsSentence({ people, applications, newestEventAt }: Contents): string {
  const counted = (count: number, one: string, many: string) =>
    `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
  const newest = newestEventAt === null ? 'no events' : `newest event ${shownTime(newestEventAt)}`;
  return `${counted(people, 'person', 'people')}, ${counted(applications, 'application', 'applications')}, ${newest}`;
}
