// Hashes that are one string: those of Django and Werkzeug, the strings of the Password Hashing Competition as Auth0,
// Clerk, Logto and passlib write them, bcrypt's own, and those of LDAP directories.

import type { ShaDigest } from '../foreign-hashes.ts';
import {
  accept,
  count,
  fromBase64,
  fromHex,
  fromText,
  type HashReading,
  logOfN,
  md5,
  refuse,
  unsalted,
} from './reading.ts';

const none = Buffer.alloc(0);
const unknownForm = refuse('it is in no form that is known here');

const forms: readonly [RegExp, (match: readonly string[]) => HashReading][] = [
  [/^(?:bcrypt\$)?(\$2[aby]?\$.*)$/, ([, text = '']) => bcrypt(text, false)],
  [/^bcrypt_sha256\$(\$2[aby]?\$.*)$/, ([, text = '']) => bcrypt(text, true)],
  [/^(?:argon2)?\$(argon2[a-z]*)\$(.*)$/, ([, name = '', rest = '']) => argon2(name, rest)],
  // Django, whose salts are text and whose hashes are Base64.
  [
    /^pbkdf2_(sha1|sha256|sha512)\$(\d+)\$([^$]+)\$([^$]+)$/,
    ([, digest, iterations, salt = '', tag = '']) =>
      pbkdf2(digest as ShaDigest, iterations, fromText(salt), fromBase64(tag)),
  ],
  [
    /^scrypt\$(\d+)\$([^$]+)\$(\d+)\$(\d+)\$([^$]+)$/,
    ([, n, salt = '', r, p, tag = '']) => scrypt(logOfN(count(n)), r, p, fromText(salt), fromBase64(tag)),
  ],
  [/^(sha1)\$([^$]+)\$([^$]+)$/, ([, digest, salt = '', tag = '']) => sha(digest as ShaDigest, salt, fromHex(tag))],
  // Werkzeug, whose salts are text and whose hashes are hexadecimal.
  [
    /^pbkdf2:(sha1|sha256|sha512):(\d+)\$([^$]+)\$([^$]+)$/,
    ([, digest, iterations, salt = '', tag = '']) =>
      pbkdf2(digest as ShaDigest, iterations, fromText(salt), fromHex(tag)),
  ],
  [
    /^scrypt:(\d+):(\d+):(\d+)\$([^$]+)\$([^$]+)$/,
    ([, n, r, p, salt = '', tag = '']) => scrypt(logOfN(count(n)), r, p, fromText(salt), fromHex(tag)),
  ],
  // Strings of the competition, and passlib's, which calls the digest of SHA-1 nothing and writes a full stop for a plus.
  [
    /^\$pbkdf2(?:-(sha1|sha256|sha512))?\$(?:i=)?(\d+)(?:,l=\d+)?\$([^$]+)\$([^$]+)$/,
    ([, digest = 'sha1', iterations, salt = '', tag = '']) =>
      pbkdf2(digest as ShaDigest, iterations, fromBase64(plus(salt)), fromBase64(plus(tag))),
  ],
  [
    /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/,
    ([, logN, r, p, salt = '', tag = '']) => scrypt(count(logN), r, p, fromBase64(plus(salt)), fromBase64(plus(tag))),
  ],
  // Directories append the salt to the password, and then to the hash.
  [/^\{SSHA\}(.+)$/i, ([, both = '']) => salted('sha1', 20, both)],
  [/^\{SSHA(256)\}(.+)$/i, ([, , both = '']) => salted('sha256', 32, both)],
  [/^\{SSHA(512)\}(.+)$/i, ([, , both = '']) => salted('sha512', 64, both)],
  [/^(?:\{SHA\d*\}.*|(?:[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128}))$/i, () => unsalted],
  [/^(?:[0-9a-f]{32}|\{S?MD5\}.*|\$(?:1|P|H|apr1)\$.*|(?:unsalted_)?md5\$.*)$/i, () => md5],
  [/^(?:\{CRYPT\}|\$[56]\$)/i, () => refuse("hashes of the system's crypt function are not supported")],
];

/** For Django, custom files, and any other source that writes a hash as one of these strings. */
export function readHashString(text: string): HashReading {
  for (const [form, read] of forms) {
    const match = form.exec(text);
    if (match !== null) return read(match);
  }
  return unknownForm;
}

function bcrypt(text: string, prehashed: boolean): HashReading {
  return accept({ algorithm: 'bcrypt', text, prehashed });
}

export function pbkdf2(
  digest: ShaDigest,
  iterations: string | undefined,
  salt: Uint8Array | undefined,
  tag: Uint8Array | undefined,
): HashReading {
  if (salt === undefined || tag === undefined) return unknownForm;
  return accept({ algorithm: 'pbkdf2', digest, iterations: count(iterations), salt, tag });
}

function scrypt(
  logN: number,
  r: string | undefined,
  p: string | undefined,
  salt: Uint8Array | undefined,
  tag: Uint8Array | undefined,
): HashReading {
  if (salt === undefined || tag === undefined) return unknownForm;
  return accept({ algorithm: 'scrypt', variant: 'standard', logN, r: count(r), p: count(p), salt, tag });
}

function argon2(name: string, rest: string): HashReading {
  if (name !== 'argon2i' && name !== 'argon2id')
    return refuse('of the Argon2 family, only Argon2i and Argon2id are supported');
  const match = /^v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(rest);
  if (match === null) return /^v=19\$/.test(rest) ? unknownForm : refuse('of Argon2, only version 1.3 is supported');
  const [, memory, passes, parallelism, salt = '', tag = ''] = match;
  const [saltBytes, tagBytes] = [fromBase64(salt), fromBase64(tag)];
  if (saltBytes === undefined || tagBytes === undefined) return unknownForm;
  const cost = { memory: count(memory), passes: count(passes), parallelism: count(parallelism) };
  return accept({ algorithm: name, ...cost, salt: saltBytes, tag: tagBytes });
}

function sha(digest: ShaDigest, salt: string, tag: Uint8Array | undefined): HashReading {
  if (tag === undefined) return unknownForm;
  return accept({ algorithm: 'sha', digest, before: fromText(salt), after: none, tag });
}

function salted(digest: ShaDigest, length: number, both: string): HashReading {
  const bytes = fromBase64(both);
  if (bytes === undefined) return unknownForm;
  return accept({
    algorithm: 'sha',
    digest,
    before: none,
    after: bytes.subarray(length),
    tag: bytes.subarray(0, length),
  });
}

function plus(text: string): string {
  return text.replaceAll('.', '+');
}
