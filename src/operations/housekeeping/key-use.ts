// The store records when each of the service's keys was first used: that retires the older ones, on every instance alike.

import type { KeyRecord } from '../../protocol/key-retirement.ts';
import type { Services } from '../services.ts';

/**
 * Writes only when the key is new, so it can be asked every few seconds, or when its first use is still to come: then it
 * was noted by a clock that was wrong.
 */
export async function noteKeyUse(
  { storage, clock }: Pick<Services, 'storage' | 'clock'>,
  newestId: string,
): Promise<readonly KeyRecord[]> {
  const now = clock.now();
  const records = await storage.listServiceKeys();
  if (records.some(({ id, firstUsedAt }) => id === newestId && firstUsedAt <= now)) return records;
  await storage.noteServiceKeyUse(newestId, now);
  return storage.listServiceKeys();
}
