// The hashes of a Clerk export: a digest, and the name of what made it.

import { firebaseHash } from './firebase.ts';
import {
  count,
  fromBase64,
  fromHex,
  fromText,
  type HashReading,
  md5,
  refuse,
  unreadable,
  unsalted,
} from './reading.ts';
import { pbkdf2, readHashString } from './strings.ts';

const hashers: Readonly<Record<string, (digest: string) => HashReading>> = {
  argon2i: readHashString,
  argon2id: readHashString,
  bcrypt: readHashString,
  bcrypt_sha256_django: readHashString,
  pbkdf2_sha256_django: readHashString,
  ldap_ssha: readHashString,
  pbkdf2_sha256: derived('sha256', fromBase64, fromBase64),
  pbkdf2_sha1: derived('sha1', fromText, fromHex),
  pbkdf2_sha512: derived('sha512', fromText, fromHex),
  pbkdf2_sha512_hex: derived('sha512', fromHex, fromHex),
  scrypt_werkzeug: (digest) => readHashString(digest.replace(/^\$/, '')),
  scrypt_firebase(digest) {
    const [hash = '', salt = '', signerKey = '', saltSeparator = '', rounds, memCost, ...more] = digest.split('$');
    if (more.length > 0) return unreadable;
    return firebaseHash(hash, salt, { signerKey, saltSeparator, rounds: count(rounds), memCost: count(memCost) });
  },
  md5: () => md5,
  md5_salted: () => md5,
  phpass: () => md5,
  md5_phpass: () => md5,
  sha256: () => unsalted,
  sha256_salted: () => refuse("Clerk doesn't say how salt and password are combined"),
  bcrypt_peppered: () => refuse('its pepper would have to be stored with it'),
  awscognito: () => refuse('it is still with Amazon Cognito'),
};

function derived(
  digest: 'sha1' | 'sha256' | 'sha512',
  saltOf: (text: string) => Uint8Array | undefined,
  tagOf: (text: string) => Uint8Array | undefined,
): (text: string) => HashReading {
  return (text) => {
    const [, iterations, salt = '', tag = ''] = text.split('$');
    return pbkdf2(digest, iterations, saltOf(salt), tagOf(tag));
  };
}

export function clerkHash(hasher: string, digest: string): HashReading {
  const read = Object.hasOwn(hashers, hasher) ? hashers[hasher] : undefined;
  return read === undefined ? refuse(`Clerk's hasher ${JSON.stringify(hasher)} isn't known here`) : read(digest);
}
