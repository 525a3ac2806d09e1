// Whether the service's keys are those of a store: whether they open what is sealed in it.

import { type SealedKind, sealedKinds } from '../../storage/storage.ts';
import { sealPurpose } from '../seal-purposes.ts';
import type { Services } from '../services.ts';

const pageSize = 500;

export interface OpenedSecrets {
  readonly sealed: number;
  /** Those that can't be opened. */
  readonly lost: number;
  /** Whether none of the keys is one that the store has known in use. */
  readonly hasOtherKeys: boolean;
}

export async function tryToOpen({ storage, keys }: Pick<Services, 'storage' | 'keys'>): Promise<OpenedSecrets> {
  const records = await storage.listServiceKeys();
  const ids: readonly string[] = keys.ids;
  const hasOtherKeys = records.length > 0 && !records.some(({ id }) => ids.includes(id));
  let sealed = 0;
  let lost = 0;
  for (const kind of sealedKinds) {
    for await (const text of textsOf({ storage }, kind)) {
      sealed++;
      if (keys.unseal(sealPurpose(kind, text.id), text.sealed) === undefined) lost++;
    }
  }
  return { sealed, lost, hasOtherKeys };
}

async function* textsOf({ storage }: Pick<Services, 'storage'>, kind: SealedKind) {
  for (let after = ''; ; ) {
    const page = await storage.listSealed(kind, after, pageSize);
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}
