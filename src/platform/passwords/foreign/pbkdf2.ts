// PBKDF2 of another service.

import { pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { type ForeignHash, shaBytes } from '../../../protocol/sign-in/foreign-hashes.ts';
import type { Comparison } from './comparison.ts';

const derive = promisify(pbkdf2);

/**
 * PBKDF2 makes longer hashes of blocks that don't depend on each other, so the first one decides. Keycloak's SHA-1 has
 * four, and would take four times as long.
 */
export async function comparePbkdf2(
  password: Uint8Array,
  { digest, iterations, salt, tag }: Extract<ForeignHash, { algorithm: 'pbkdf2' }>,
): Promise<Comparison> {
  const expected = tag.subarray(0, shaBytes[digest]);
  return { computed: await derive(password, salt, iterations, expected.length, digest), expected };
}
