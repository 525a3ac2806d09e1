// Argon2 of another service.

import { argon2 } from 'node:crypto';
import { promisify } from 'node:util';
import type { ForeignHash } from '../../../protocol/sign-in/foreign-hashes.ts';
import type { Comparison } from './comparison.ts';

const derive = promisify(argon2);

export async function compareArgon2(
  message: Uint8Array,
  hash: Extract<ForeignHash, { algorithm: 'argon2i' | 'argon2id' }>,
): Promise<Comparison> {
  const { algorithm, memory, passes, parallelism, salt: nonce, tag: expected } = hash;
  const settings = { message, nonce, memory, passes, parallelism, tagLength: expected.length };
  return { computed: await derive(algorithm, settings), expected };
}
