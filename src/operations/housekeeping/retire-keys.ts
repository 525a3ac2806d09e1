// Retires keys that others may have, without waiting for any instance: they verify nothing then, and what they have
// sealed is sealed with the newest key. How a new key comes into use otherwise is in operations/instances/heartbeat.ts.

import type { Requester } from '../../protocol/event.ts';
import { sealedKinds } from '../../storage/storage.ts';
import { sealPurpose } from '../seal-purposes.ts';
import type { Recording, Services, Storing, Timing } from '../services.ts';

const pageSize = 200;

/** All but the newest. Returns their ids. */
export async function retireOlderKeys(
  { storage, clock, journal, keys }: Recording & Pick<Services, 'keys'>,
  requester: Requester,
): Promise<readonly string[]> {
  const [, ...older] = keys.ids;
  if (older.length === 0) return older;
  const event = journal.event({ kind: 'service_keys_retired', detail: { keys: older.length } }, requester);
  await storage.retireServiceKeys(older, clock.now(), event);
  return older;
}

export interface Resealed {
  readonly resealed: number;
  /** Sealed with a key that isn't known any more. */
  readonly unreadable: number;
}

/** Every instance must seal with the newest key before this begins. */
export async function resealEverything({ storage, keys }: Storing & Pick<Services, 'keys'>): Promise<Resealed> {
  let resealed = 0;
  let unreadable = 0;
  for (const kind of sealedKinds) {
    let after = '';
    for (;;) {
      const page = await storage.listSealed(kind, after, pageSize);
      const changes = page.flatMap(({ id, sealed }) => {
        const again = keys.reseal(sealPurpose(kind, id), sealed);
        if (again === undefined) unreadable++;
        return again === undefined || again === sealed ? [] : [{ id, sealed, resealed: again }];
      });
      if (changes.length > 0) resealed += await storage.reseal(kind, changes);
      const last = page.at(-1);
      if (last === undefined || page.length < pageSize) break;
      after = last.id;
    }
  }
  return { resealed, unreadable };
}

/** Puts the newest key to use, whether or not every instance has it. */
export async function noteKeyUse({ storage, clock, keys }: Timing & Pick<Services, 'keys'>): Promise<void> {
  await storage.noteServiceKeyUse(keys.ids[0], clock.now());
}
