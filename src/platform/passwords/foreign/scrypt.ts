// scrypt of another service, with Firebase's way of using it.

import { createCipheriv, type ScryptOptions, scrypt } from 'node:crypto';
import type { ForeignHash } from '../../../protocol/sign-in/foreign-hashes.ts';
import type { Comparison } from './comparison.ts';

const noIv = Buffer.alloc(16);

export async function compareScrypt(
  password: Uint8Array,
  { variant, logN, r, p, salt, tag: expected }: Extract<ForeignHash, { algorithm: 'scrypt' }>,
): Promise<Comparison> {
  const N = 2 ** logN;
  // What OpenSSL needs, with some room; the protocol's limits bound it.
  const options = { N, r, p, maxmem: 256 * (N + p + 2) * r };
  if (variant === 'standard') return { computed: await derive(password, salt, expected.length, options), expected };
  const key = await derive(password, salt, 32, options);
  // The signer key was already removed from the stored hash, so the key stream itself is compared.
  return { computed: createCipheriv('aes-256-ctr', key, noIv).update(Buffer.alloc(expected.length)), expected };
}

function derive(password: Uint8Array, salt: Uint8Array, length: number, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, length, options, (error, key) => (error === null ? resolve(key) : reject(error)));
  });
}
