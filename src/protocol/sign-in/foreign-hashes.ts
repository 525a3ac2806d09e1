// Password hashes of other services: how they're stored until their owner signs in, and how expensive they may be.
// hash-sources/ reads each service's format; platform/passwords computes them.

import { foreignPrefix, isForeignHash } from './password-policy.ts';

export const shaDigests = ['sha1', 'sha256', 'sha512'] as const;
export type ShaDigest = (typeof shaDigests)[number];

export type ForeignHash =
  /** `text` is the hash as every bcrypt writes it. `prehashed` is Django's way around bcrypt's limit of 72 bytes. */
  | { readonly algorithm: 'bcrypt'; readonly text: string; readonly prehashed: boolean }
  | {
      readonly algorithm: 'pbkdf2';
      readonly digest: ShaDigest;
      readonly iterations: number;
      readonly salt: Uint8Array;
      readonly tag: Uint8Array;
    }
  | {
      readonly algorithm: 'scrypt';
      /** Firebase encrypts something with the key that scrypt derives; `tag` is then what it's combined with. */
      readonly variant: 'standard' | 'firebase';
      readonly logN: number;
      readonly r: number;
      readonly p: number;
      readonly salt: Uint8Array;
      readonly tag: Uint8Array;
    }
  | {
      readonly algorithm: 'argon2i' | 'argon2id';
      /** In KB. */
      readonly memory: number;
      readonly passes: number;
      readonly parallelism: number;
      readonly salt: Uint8Array;
      readonly tag: Uint8Array;
    }
  /** One round over salt, password, salt; either salt may be empty. */
  | {
      readonly algorithm: 'sha';
      readonly digest: ShaDigest;
      readonly before: Uint8Array;
      readonly after: Uint8Array;
      readonly tag: Uint8Array;
    };

/**
 * The costliest hashes that are accepted: what the sources use by default, with room, and about a second of one slow
 * core. Refusals of sign-ins take as long as the costliest of them.
 */
export const hashLimits = {
  bcryptCost: 13,
  pbkdf2Iterations: { sha1: 2_000_000, sha256: 2_000_000, sha512: 750_000 },
  /** N times r times p. */
  scryptWork: 2 ** 20,
  /** Memory in KB times passes. Little memory is faster; Logto makes 256 passes over 4 MB. */
  argon2Work: (memory: number) => (memory <= 2 ** 14 ? 2 ** 20 : 2 ** 19),
  argon2Parallelism: 16,
  /** In KB, of scrypt and Argon2. */
  memory: 2 ** 17,
  saltBytes: 1024,
  tagBytes: { least: 16, most: 512 },
} as const;

export const shaBytes: Readonly<Record<ShaDigest, number>> = { sha1: 20, sha256: 32, sha512: 64 };

const bcryptText = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;

/** Why a hash isn't accepted, for the person importing it; undefined if it is. */
export function foreignHashProblem(hash: ForeignHash): string | undefined {
  if (hash.algorithm === 'bcrypt') return bcryptProblem(hash.text);
  return saltProblem(hash) ?? tagProblem(hash) ?? costProblem(hash);
}

function bcryptProblem(text: string): string | undefined {
  const cost = Number(bcryptText.exec(text)?.[1] ?? Number.NaN);
  if (Number.isNaN(cost) || cost < 4) return 'not a bcrypt hash ($2a$, $2b$ or $2y$, a cost and 53 characters)';
  return above('its bcrypt cost', cost, hashLimits.bcryptCost);
}

type Derived = Exclude<ForeignHash, { algorithm: 'bcrypt' }>;

function saltProblem(hash: Derived): string | undefined {
  const length = hash.algorithm === 'sha' ? hash.before.length + hash.after.length : hash.salt.length;
  if (length === 0) return 'it has no salt';
  // Argon2's own requirement.
  if ((hash.algorithm === 'argon2i' || hash.algorithm === 'argon2id') && length < 8) {
    return 'its salt is shorter than 8 bytes';
  }
  return above('the length of its salt', length, hashLimits.saltBytes);
}

function tagProblem({ tag, ...hash }: Derived): string | undefined {
  const { least, most } = hashLimits.tagBytes;
  if (hash.algorithm === 'sha') {
    return tag.length === shaBytes[hash.digest] ? undefined : `it isn't as long as ${nameOf(hash.digest)} is`;
  }
  if (tag.length < least) return `it's shorter than ${least} bytes`;
  return above('its length in bytes', tag.length, most);
}

function costProblem(hash: Derived): string | undefined {
  switch (hash.algorithm) {
    case 'sha':
      return undefined;
    case 'pbkdf2':
      return (
        notCounted(hash.iterations) ??
        above('its iterations', hash.iterations, hashLimits.pbkdf2Iterations[hash.digest])
      );
    case 'scrypt': {
      const { logN, r, p } = hash;
      const n = 2 ** logN;
      return (
        notCounted(logN, r, p) ??
        above('its memory in KB', (n * r) / 8, hashLimits.memory) ??
        (logN >= 16 * r ? 'its N is larger than scrypt allows for its r' : undefined) ??
        above('its cost (N times r times p)', n * r * p, hashLimits.scryptWork)
      );
    }
    default: {
      const { memory, passes, parallelism } = hash;
      return (
        notCounted(memory, passes, parallelism) ??
        (memory < 8 * parallelism ? 'its memory is less than Argon2 needs' : undefined) ??
        above('its parallelism', parallelism, hashLimits.argon2Parallelism) ??
        above('its memory in KB', memory, hashLimits.memory) ??
        above('its cost (memory times passes)', memory * passes, hashLimits.argon2Work(memory))
      );
    }
  }
}

function notCounted(...numbers: readonly number[]): string | undefined {
  return numbers.every((number) => Number.isSafeInteger(number) && number >= 1)
    ? undefined
    : 'its cost is not a number';
}

function above(what: string, value: number, most: number): string | undefined {
  return value > most ? `${what} is ${value}, and at most ${most} is accepted` : undefined;
}

function nameOf(digest: ShaDigest): string {
  return digest.replace('sha', 'SHA-');
}

/** Only for a hash without a problem. */
export function formatForeignHash(hash: ForeignHash): string {
  return foreignPrefix + formatted(hash);
}

function formatted(hash: ForeignHash): string {
  switch (hash.algorithm) {
    case 'bcrypt':
      return hash.prehashed ? `$sha256${hash.text}` : hash.text;
    case 'pbkdf2':
      return `$pbkdf2-${hash.digest}$i=${hash.iterations}$${base64(hash.salt)}$${base64(hash.tag)}`;
    case 'scrypt': {
      const name = hash.variant === 'firebase' ? 'scrypt-firebase' : 'scrypt';
      return `$${name}$ln=${hash.logN},r=${hash.r},p=${hash.p}$${base64(hash.salt)}$${base64(hash.tag)}`;
    }
    case 'sha':
      return `$${hash.digest}$${base64(hash.before)}$${base64(hash.after)}$${base64(hash.tag)}`;
    default: {
      const cost = `m=${hash.memory},t=${hash.passes},p=${hash.parallelism}`;
      return `$${hash.algorithm}$v=19$${cost}$${base64(hash.salt)}$${base64(hash.tag)}`;
    }
  }
}

const forms: readonly [RegExp, (match: readonly string[]) => ForeignHash][] = [
  [/^(\$sha256)?(\$2[aby]\$.+)$/, ([, sha, text]) => ({ algorithm: 'bcrypt', text: text ?? '', prehashed: !!sha })],
  [
    /^\$pbkdf2-(sha1|sha256|sha512)\$i=(\d{1,15})\$([A-Za-z0-9+/]*)\$([A-Za-z0-9+/]*)$/,
    ([, digest, i, salt, tag]) => ({
      algorithm: 'pbkdf2',
      digest: digest as ShaDigest,
      iterations: Number(i),
      salt: bytes(salt),
      tag: bytes(tag),
    }),
  ],
  [
    /^\$scrypt(-firebase)?\$ln=(\d{1,15}),r=(\d{1,15}),p=(\d{1,15})\$([A-Za-z0-9+/]*)\$([A-Za-z0-9+/]*)$/,
    ([, firebase, logN, r, p, salt, tag]) => ({
      algorithm: 'scrypt',
      variant: firebase ? 'firebase' : 'standard',
      logN: Number(logN),
      r: Number(r),
      p: Number(p),
      salt: bytes(salt),
      tag: bytes(tag),
    }),
  ],
  [
    /^\$(argon2id?)\$v=19\$m=(\d{1,15}),t=(\d{1,15}),p=(\d{1,15})\$([A-Za-z0-9+/]*)\$([A-Za-z0-9+/]*)$/,
    ([, algorithm, memory, passes, parallelism, salt, tag]) => ({
      algorithm: algorithm as 'argon2i' | 'argon2id',
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
      salt: bytes(salt),
      tag: bytes(tag),
    }),
  ],
  [
    /^\$(sha1|sha256|sha512)\$([A-Za-z0-9+/]*)\$([A-Za-z0-9+/]*)\$([A-Za-z0-9+/]*)$/,
    ([, digest, before, after, tag]) => ({
      algorithm: 'sha',
      digest: digest as ShaDigest,
      before: bytes(before),
      after: bytes(after),
      tag: bytes(tag),
    }),
  ],
];

/** Longer than the longest accepted hash, and short enough to be read at once. */
const longest = 4096;

/** Undefined for other formats and hashes that are too expensive. */
export function parseForeignHash(stored: string): ForeignHash | undefined {
  if (!isForeignHash(stored) || stored.length > longest) return undefined;
  const text = stored.slice(foreignPrefix.length);
  for (const [form, read] of forms) {
    const match = form.exec(text);
    if (match === null) continue;
    const hash = read(match);
    return foreignHashProblem(hash) === undefined ? hash : undefined;
  }
  return undefined;
}

function base64(value: Uint8Array): string {
  return Buffer.from(value).toString('base64').replaceAll('=', '');
}

function bytes(text = ''): Uint8Array {
  return Buffer.from(text, 'base64');
}
