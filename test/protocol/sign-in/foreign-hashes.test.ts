// The stored form of hashes from other services, and which of them are too costly to be accepted.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type ForeignHash,
  foreignHashProblem,
  formatForeignHash,
  parseForeignHash,
} from '../../../src/protocol/sign-in/foreign-hashes.ts';

const salt = Buffer.from('salt and more salt');
const tag = Buffer.alloc(32, 7);
const characters = 'abcdefghijklmnopqrstuu/YmHK/0lT3ejCL3DXIyBpJhhQrKTopq';

const bcrypt = (cost: string): ForeignHash => ({
  algorithm: 'bcrypt',
  text: `$2b$${cost}$${characters}`,
  prehashed: false,
});
const pbkdf2: ForeignHash = { algorithm: 'pbkdf2', digest: 'sha256', iterations: 1_200_000, salt, tag };
const scrypt: ForeignHash = { algorithm: 'scrypt', variant: 'standard', logN: 14, r: 8, p: 5, salt, tag };
const argon2: ForeignHash = { algorithm: 'argon2id', memory: 7168, passes: 5, parallelism: 1, salt, tag };
const sha: ForeignHash = { algorithm: 'sha', digest: 'sha256', before: salt, after: Buffer.alloc(0), tag };

const accepted: Record<string, ForeignHash> = {
  bcrypt: bcrypt('13'),
  'bcrypt over a SHA-256': { algorithm: 'bcrypt', text: `$2a$12$${characters}`, prehashed: true },
  PBKDF2: pbkdf2,
  scrypt,
  "Firebase's scrypt": { ...scrypt, variant: 'firebase', p: 1 },
  Argon2id: argon2,
  "Argon2i with Django's cost": { ...argon2, algorithm: 'argon2i', memory: 102_400, passes: 2, parallelism: 8 },
  "Argon2i with Logto's cost": { ...argon2, algorithm: 'argon2i', memory: 4096, passes: 256 },
  'salted SHA': sha,
};

describe('a hash is read as it was stored', () => {
  for (const [name, hash] of Object.entries(accepted)) {
    test(name, () => {
      const stored = formatForeignHash(hash);
      assert.match(stored, /^foreign:\$/);
      assert.equal(foreignHashProblem(hash), undefined);
      assert.deepEqual(parseForeignHash(stored), hash);
    });
  }
});

const refused: Record<string, [ForeignHash, RegExp]> = {
  'bcrypt of cost 31': [bcrypt('31'), /cost is 31, and at most 13/],
  'bcrypt of cost 3': [bcrypt('03'), /not a bcrypt hash/],
  'bcrypt cut short': [{ algorithm: 'bcrypt', text: '$2b$10$short', prehashed: false }, /not a bcrypt hash/],
  'PBKDF2 with 10^12 iterations': [{ ...pbkdf2, iterations: 1e12 }, /iterations is 1000000000000/],
  'PBKDF2 without iterations': [{ ...pbkdf2, iterations: 0 }, /not a number/],
  'PBKDF2 with a fraction of one': [{ ...pbkdf2, iterations: 0.5 }, /not a number/],
  'SHA-512 with more iterations than it may have': [{ ...pbkdf2, digest: 'sha512' }, /at most 750000/],
  'scrypt with N of 2^30': [{ ...scrypt, logN: 30, p: 1 }, /memory/],
  'scrypt with an N beyond all numbers': [{ ...scrypt, logN: 1e15 }, /memory/],
  'scrypt with an N too large for its r': [{ ...scrypt, logN: 16, r: 1, p: 1 }, /its N is larger/],
  'scrypt in too many rounds': [{ ...scrypt, p: 1e6 }, /cost/],
  'Argon2 with 4 GB': [{ ...argon2, memory: 2 ** 22 }, /memory in KB is 4194304/],
  'Argon2 in too many passes': [{ ...argon2, passes: 1e6 }, /cost/],
  'Argon2 in as many passes over more memory': [{ ...argon2, memory: 2 ** 15, passes: 32 }, /cost/],
  'Argon2 in too many lanes': [{ ...argon2, parallelism: 256 }, /parallelism/],
  'Argon2 with less memory than lanes': [{ ...argon2, memory: 8, parallelism: 4 }, /memory/],
  'Argon2 with a salt too short': [{ ...argon2, salt: Buffer.alloc(7) }, /salt/],
  'no salt': [{ ...pbkdf2, salt: Buffer.alloc(0) }, /no salt/],
  'SHA without a salt': [{ ...sha, before: Buffer.alloc(0) }, /no salt/],
  'a giant salt': [{ ...scrypt, salt: Buffer.alloc(1025) }, /salt/],
  'a giant tag': [{ ...argon2, tag: Buffer.alloc(513) }, /length/],
  'a tag of one byte': [{ ...pbkdf2, tag: Buffer.alloc(1) }, /shorter/],
  'a SHA of another length': [{ ...sha, tag: Buffer.alloc(31) }, /SHA-256/],
};

describe('a hostile hash is refused with a reason', () => {
  for (const [name, [hash, reason]] of Object.entries(refused)) {
    test(name, () => {
      assert.match(foreignHashProblem(hash) ?? '', reason);
      assert.equal(parseForeignHash(formatForeignHash(hash)), undefined);
    });
  }
});

describe('anything not stored in this format is refused', () => {
  for (const stored of [
    '',
    'foreign:',
    'foreign:$',
    'foreign:password',
    'foreign:$md5$c2FsdA$c2FsdA',
    'foreign:$pbkdf2-sha256$i=1e3$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA',
    'foreign:$pbkdf2-md5$i=1000$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA',
    'foreign:$argon2d$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA',
    'foreign:$argon2id$v=16$m=64,t=1,p=1$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA',
    formatForeignHash(argon2).slice('foreign:'.length),
    `${formatForeignHash(argon2)}\n`,
    `foreign:$sha256$${'A'.repeat(1e6)}$$AAAA`,
  ]) {
    test(JSON.stringify(stored.slice(0, 60)), () => assert.equal(parseForeignHash(stored), undefined));
  }
});
