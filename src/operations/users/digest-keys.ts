// The keys by which the store remembers the IDs of people who were deleted, sealed like other secrets.

import { randomBytes } from 'node:crypto';
import type { ServiceKeys } from '../../platform/keys.ts';
import type { DigestKeys } from '../../storage/storage.ts';
import { sealPurpose } from '../seal-purposes.ts';

export function digestKeys(keys: () => Pick<ServiceKeys, 'seal' | 'unseal'>): DigestKeys {
  return {
    newSealed: (number) => keys().seal(sealPurpose('deleted_id_key', number), randomBytes(32).toString('base64url')),
    open(number, sealed) {
      const key = keys().unseal(sealPurpose('deleted_id_key', number), sealed);
      return key === undefined ? undefined : Buffer.from(key, 'base64url');
    },
  };
}
