// One round of SHA over salt and password, of services that have nothing better. It takes microseconds.

import { createHash } from 'node:crypto';
import type { ForeignHash } from '../../../protocol/sign-in/foreign-hashes.ts';
import type { Comparison } from './comparison.ts';

export function compareSha(
  password: Uint8Array,
  { digest, before, after, tag: expected }: Extract<ForeignHash, { algorithm: 'sha' }>,
): Comparison {
  return { computed: createHash(digest).update(before).update(password).update(after).digest(), expected };
}
