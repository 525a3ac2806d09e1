// Auth0's hashes: bcrypt in the export that its support makes, and what its own import accepts as a custom hash.

import { includes } from '../../reading/includes.ts';
import { type JsonObject, objectIn, textIn } from '../../reading/strict-json.ts';
import { shaDigests } from '../foreign-hashes.ts';
import { accept, fromBase64, fromHex, fromText, type HashReading, logOfN, md5, refuse, unreadable } from './reading.ts';
import { readHashString } from './strings.ts';

const none = Buffer.alloc(0);

/** Undefined if it isn't as in Auth0's schema of `custom_password_hash`. */
export function auth0CustomHash(custom: JsonObject): HashReading | undefined {
  const [algorithm, hash, salted] = [textIn(custom, 'algorithm'), objectIn(custom, 'hash'), objectIn(custom, 'salt')];
  const value = hash && textIn(hash, 'value');
  if (algorithm === undefined || hash === undefined || value === undefined) return undefined;
  const encoding = textIn(objectIn(custom, 'password') ?? {}, 'encoding');
  if (!['utf8', 'ascii', undefined].includes(encoding)) {
    return refuse(`it was made of a password in ${encoding}, and only UTF-8 is supported`);
  }
  if (['argon2', 'bcrypt', 'pbkdf2', 'ldap'].includes(algorithm)) return readHashString(value);
  if (algorithm === 'md5') return md5;
  const tag = bytesOf(hash);
  const salt = salted === undefined ? none : bytesOf(salted);
  if (tag === undefined || salt === undefined) return unreadable;
  if (algorithm === 'scrypt') {
    const number = (key: string, usual: number) => (typeof custom[key] === 'number' ? custom[key] : usual);
    const [r, p] = [number('blockSize', 8), number('parallelization', 1)];
    return accept({ algorithm: 'scrypt', variant: 'standard', logN: logOfN(number('cost', 16_384)), r, p, salt, tag });
  }
  if (!includes(shaDigests, algorithm)) return refuse(`the algorithm ${JSON.stringify(algorithm)} isn't supported`);
  const isLast = salted !== undefined && textIn(salted, 'position') === 'suffix';
  const [before, after] = isLast ? [none, salt] : [salt, none];
  return accept({ algorithm: 'sha', digest: algorithm, before, after, tag });
}

function bytesOf(encoded: JsonObject): Uint8Array | undefined {
  const value = textIn(encoded, 'value') ?? '';
  const encoding = textIn(encoded, 'encoding');
  if (encoding === 'base64') return fromBase64(value);
  return encoding === 'hex' ? fromHex(value) : fromText(value);
}
