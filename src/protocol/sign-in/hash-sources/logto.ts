// The hashes of a Logto export: a method and what it has made. The legacy method is a list: the algorithm, what is
// hashed with "@" for the password, and the result.

import { includes } from '../../reading/includes.ts';
import { shaDigests } from '../foreign-hashes.ts';
import { accept, fromHex, fromText, type HashReading, jsonOf, md5, refuse, unreadable, unsalted } from './reading.ts';
import { pbkdf2, readHashString } from './strings.ts';

export function logtoHash(method: string, encrypted: string): HashReading {
  switch (method) {
    case 'Argon2i':
    case 'Argon2id':
    case 'Argon2d':
    case 'Bcrypt':
      return readHashString(encrypted);
    case 'Legacy':
      return legacy(jsonOf(encrypted));
    case 'MD5':
      return md5;
    case 'SHA1':
    case 'SHA256':
      return unsalted;
    default:
      return refuse(`Logto's method ${JSON.stringify(method)} isn't known here`);
  }
}

function legacy(list: unknown): HashReading {
  if (!Array.isArray(list)) return unreadable;
  const [algorithm, parts, expected]: unknown[] = list;
  if (typeof expected !== 'string' || !Array.isArray(parts)) return unreadable;
  const texts = parts.map(String);
  const tag = fromHex(expected);
  if (algorithm === 'pbkdf2') {
    const [salt = '', iterations, , digest] = texts;
    return includes(shaDigests, digest) ? pbkdf2(digest, iterations, fromText(salt), tag) : unsupported(digest);
  }
  if (!includes(shaDigests, algorithm)) return unsupported(algorithm);
  const place = texts.indexOf('@');
  if (place === -1 || place !== texts.lastIndexOf('@') || tag === undefined) return unreadable;
  const [before, after] = [texts.slice(0, place), texts.slice(place + 1)].map((some) => fromText(some.join('')));
  if (before === undefined || after === undefined) return unreadable;
  return accept({ algorithm: 'sha', digest: algorithm, before, after, tag });
}

function unsupported(algorithm: unknown): HashReading {
  return algorithm === 'md5' ? md5 : refuse(`the algorithm ${JSON.stringify(algorithm)} isn't supported`);
}
