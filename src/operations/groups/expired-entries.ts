// Memberships and entries on lists of applications that have ended by themselves. Nobody has access by them from that moment on; this
// writes it, with what follows from it.

import type { Recording } from '../services.ts';

const noRequester = { address: '', requestId: '' };
const batchSize = 100;
const attempts = 5;

export async function endExpiredEntries({ storage, clock, journal }: Recording): Promise<void> {
  const now = clock.now();
  for (;;) {
    const entries = await storage.listExpiredEntries(now, batchSize);
    if (entries.length === 0) return;
    const noted = entries.map((entry) => {
      const { clientId, userId, group } = entry;
      const about = { ...(clientId !== undefined && { clientId }), ...(userId !== undefined && { userId }) };
      const detail = group && { group: group.name };
      return [
        entry,
        journal.event({ kind: 'access_expired', ...about, ...(detail && { detail }) }, noRequester),
      ] as const;
    });
    await storage.endExpiredEntries(noted, now);
    if (entries.length < batchSize) return;
  }
}

/**
 * A change that begins access, which storage refuses while an end isn't written. False if that's not the reason. Another request can
 * write the end right after the refusal, so the reason is known only when nothing was left to write before the change.
 */
export async function afterExpiredEntries(services: Recording, change: () => Promise<boolean>): Promise<boolean> {
  const { storage, clock } = services;
  let allWritten = false;
  for (let attempt = 0; attempt < attempts; attempt++) {
    if (await change()) return true;
    if (allWritten) return false;
    allWritten = (await storage.listExpiredEntries(clock.now(), 1)).length === 0;
    if (!allWritten) await endExpiredEntries(services);
  }
  return false;
}
