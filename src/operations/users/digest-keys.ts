// The keys by which the store remembers the IDs of people who were deleted, sealed like other secrets.

import type { DigestKeys } from '../../storage/storage.ts';
import { sealPurpose } from '../seal-purposes.ts';
import type { Services } from '../services.ts';

/** The services are there when something is asked. */
export function digestKeys(services: () => Pick<Services, 'keys' | 'random'>): DigestKeys {
  return {
    newSealed(number) {
      const { keys, random } = services();
      return keys.seal(sealPurpose('deleted_id_key', number), Buffer.from(random(32)).toString('base64url'));
    },
    open(number, sealed) {
      const key = services().keys.unseal(sealPurpose('deleted_id_key', number), sealed);
      return key === undefined ? undefined : Buffer.from(key, 'base64url');
    },
  };
}
