// Checks a password against the hash of another service, off the event loop.

import { argon2, createCipheriv, createHash, pbkdf2, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { type ForeignHash, shaBytes } from '../../../protocol/sign-in/foreign-hashes.ts';
import type { BcryptJob } from './bcrypt-thread.ts';

const deriveArgon2 = promisify(argon2);
const derivePbkdf2 = promisify(pbkdf2);
const deriveScrypt = promisify<Uint8Array, Uint8Array, number, ScryptOptions, Buffer>(scrypt);
const noIv = Buffer.alloc(16);

export type MatchesForeign = (password: string, hash: ForeignHash) => Promise<boolean>;

export function foreignHashes(): MatchesForeign {
  const bcrypt = bcryptThreads();

  function compare(password: Uint8Array, hash: ForeignHash): Promise<Comparison> | Comparison {
    switch (hash.algorithm) {
      case 'bcrypt':
        return compareBcrypt(password, hash, bcrypt);
      case 'pbkdf2':
        return comparePbkdf2(password, hash);
      case 'scrypt':
        return compareScrypt(password, hash);
      case 'sha':
        return compareSha(password, hash);
      default:
        return compareArgon2(password, hash);
    }
  }

  return async (password, hash) => {
    // The bytes as they were typed: none of these services normalizes characters before hashing, so hashing the canonical
    // form would refuse people with an accent or a ligature in their password.
    const { computed, expected } = await compare(Buffer.from(password), hash);
    return timingSafeEqual(computed, expected);
  };
}

/**
 * PBKDF2 makes longer hashes of blocks that don't depend on each other, so the first one decides. Keycloak's SHA-1 has
 * four, and would take four times as long.
 */
async function comparePbkdf2(
  password: Uint8Array,
  { digest, iterations, salt, tag }: Extract<ForeignHash, { algorithm: 'pbkdf2' }>,
): Promise<Comparison> {
  const expected = tag.subarray(0, shaBytes[digest]);
  return { computed: await derivePbkdf2(password, salt, iterations, expected.length, digest), expected };
}

/** As specified, or the way that Firebase uses it. */
async function compareScrypt(
  password: Uint8Array,
  { variant, logN, r, p, salt, tag: expected }: Extract<ForeignHash, { algorithm: 'scrypt' }>,
): Promise<Comparison> {
  const N = 2 ** logN;
  // What OpenSSL needs, with some room; the protocol's limits bound it.
  const options = { N, r, p, maxmem: 256 * (N + p + 2) * r };
  if (variant === 'standard')
    return { computed: await deriveScrypt(password, salt, expected.length, options), expected };
  const key = await deriveScrypt(password, salt, 32, options);
  // The signer key was already removed from the stored hash, so the key stream itself is compared.
  return { computed: createCipheriv('aes-256-ctr', key, noIv).update(Buffer.alloc(expected.length)), expected };
}

async function compareArgon2(
  message: Uint8Array,
  hash: Extract<ForeignHash, { algorithm: 'argon2i' | 'argon2id' }>,
): Promise<Comparison> {
  const { algorithm, memory, passes, parallelism, salt: nonce, tag: expected } = hash;
  const settings = { message, nonce, memory, passes, parallelism, tagLength: expected.length };
  return { computed: await deriveArgon2(algorithm, settings), expected };
}

/** One round over salt and password, of services that have nothing better. It takes microseconds. */
function compareSha(
  password: Uint8Array,
  { digest, before, after, tag: expected }: Extract<ForeignHash, { algorithm: 'sha' }>,
): Comparison {
  return { computed: createHash(digest).update(before).update(password).update(after).digest(), expected };
}

/** The computed hash and the expected one, which have the same length. */
interface Comparison {
  readonly computed: Uint8Array;
  readonly expected: Uint8Array;
}

/** Milliseconds that a thread waits for more work. */
const patience = 30_000;
/** The length of version, cost and salt. */
const settingsLength = 29;

type Compute = (job: BcryptJob) => Promise<string>;

/** Threads are started when there is work and end when there is none. The queue of passwords limits how many there are. */
function bcryptThreads(): Compute {
  /** With the timer that ends each of them. */
  const idle = new Map<Worker, NodeJS.Timeout>();

  function start(): Worker {
    const thread = new Worker(new URL('./bcrypt-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 64 },
    });
    // The pending computation also gets this error and rejects.
    thread.on('error', () => idle.delete(thread));
    return thread;
  }

  function take(): Worker {
    for (const [thread, timer] of idle) {
      clearTimeout(timer);
      idle.delete(thread);
      thread.ref();
      return thread;
    }
    return start();
  }

  function rest(thread: Worker): void {
    thread.unref();
    const end = () => {
      idle.delete(thread);
      void thread.terminate();
    };
    idle.set(thread, setTimeout(end, patience).unref());
  }

  return async (job) => {
    const thread = take();
    thread.postMessage(job);
    const [answer] = await once(thread, 'message');
    rest(thread);
    return answer;
  };
}

async function compareBcrypt(
  password: Uint8Array,
  { text, prehashed }: Extract<ForeignHash, { algorithm: 'bcrypt' }>,
  compute: Compute,
): Promise<Comparison> {
  const message = prehashed ? createHash('sha256').update(password).digest('hex') : Buffer.from(password).toString();
  // Like the services that made these hashes, this ignores what comes after the first 72 bytes.
  const answer = await compute({ password: message, settings: text.slice(0, settingsLength) });
  return { computed: digestIn(answer), expected: digestIn(text) };
}

function digestIn(text: string): Uint8Array {
  return Buffer.from(text.slice(settingsLength));
}
