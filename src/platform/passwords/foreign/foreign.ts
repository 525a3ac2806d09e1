// Checks a password against the hash of another service, off the event loop.

import { timingSafeEqual } from 'node:crypto';
import type { ForeignHash } from '../../../protocol/sign-in/foreign-hashes.ts';
import { compareArgon2 } from './argon2.ts';
import { bcryptThreads, compareBcrypt } from './bcrypt.ts';
import type { Comparison } from './comparison.ts';
import { comparePbkdf2 } from './pbkdf2.ts';
import { compareScrypt } from './scrypt.ts';
import { compareSha } from './sha.ts';

export type MatchesForeign = (password: string, hash: ForeignHash) => Promise<boolean>;

export function foreignHashes(): MatchesForeign {
  const bcrypt = bcryptThreads();

  function compare(password: Uint8Array, hash: ForeignHash): Promise<Comparison> | Comparison {
    switch (hash.algorithm) {
      case 'bcrypt':
        return compareBcrypt(password, hash, bcrypt);
      case 'pbkdf2':
        return comparePbkdf2(password, hash);
      case 'scrypt':
        return compareScrypt(password, hash);
      case 'sha':
        return compareSha(password, hash);
      default:
        return compareArgon2(password, hash);
    }
  }

  return async (password, hash) => {
    // The bytes as they were typed: none of these services normalizes characters before hashing, so hashing the canonical
    // form would refuse people with an accent or a ligature in their password.
    const { computed, expected } = await compare(Buffer.from(password), hash);
    return timingSafeEqual(computed, expected);
  };
}
