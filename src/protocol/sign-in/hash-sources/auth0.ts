// Auth0's hashes: bcrypt in the export that its support makes, and what its own import accepts as a custom hash.

import { includes } from '../../reading/includes.ts';
import { type ForeignHash, type ShaDigest, shaDigests } from '../foreign-hashes.ts';
import { accept, fromBase64, fromHex, fromText, type HashReading, logOfN, md5, refuse, unreadable } from './reading.ts';
import { readHashString } from './strings.ts';

interface EncodedText {
  readonly value: string;
  /** Defaults to UTF-8. */
  readonly encoding?: string | undefined;
}

/** As in Auth0's schema of `custom_password_hash`. */
export interface Auth0CustomHash {
  readonly algorithm: string;
  readonly hash: EncodedText;
  readonly salt?: (EncodedText & { readonly position?: string | undefined }) | undefined;
  readonly password?: { readonly encoding?: string | undefined } | undefined;
  /** Of scrypt. */
  readonly cost?: number | undefined;
  readonly blockSize?: number | undefined;
  readonly parallelization?: number | undefined;
}

export function auth0CustomHash(custom: Auth0CustomHash): HashReading {
  const { algorithm, hash, password } = custom;
  if (!['utf8', 'ascii', undefined].includes(password?.encoding)) {
    return refuse(`it was made of a password in ${password?.encoding}, and only UTF-8 is supported`);
  }
  if (['argon2', 'bcrypt', 'pbkdf2', 'ldap'].includes(algorithm)) return readHashString(hash.value);
  if (algorithm === 'md5') return md5;
  const tag = bytesOf(hash);
  const salt = custom.salt === undefined ? Buffer.alloc(0) : bytesOf(custom.salt);
  if (tag === undefined || salt === undefined) return unreadable;
  if (algorithm === 'scrypt') {
    const { cost = 16_384, blockSize: r = 8, parallelization: p = 1 } = custom;
    return accept({ algorithm: 'scrypt', variant: 'standard', logN: logOfN(cost), r, p, salt, tag });
  }
  if (!includes(shaDigests, algorithm)) return refuse(`the algorithm ${JSON.stringify(algorithm)} isn't supported`);
  return accept(withSalt(algorithm, salt, custom.salt?.position === 'suffix', tag));
}

function withSalt(digest: ShaDigest, salt: Uint8Array, last: boolean, tag: Uint8Array): ForeignHash {
  const none = Buffer.alloc(0);
  return { algorithm: 'sha', digest, before: last ? none : salt, after: last ? salt : none, tag };
}

function bytesOf({ value, encoding = 'utf8' }: EncodedText): Uint8Array | undefined {
  if (encoding === 'base64') return fromBase64(value);
  return encoding === 'hex' ? fromHex(value) : fromText(value);
}
