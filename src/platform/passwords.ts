// Hashes and verifies passwords with Argon2id and OWASP's parameters. It runs in Node's thread pool with bounded
// concurrency and a bounded queue, so that sign-ins don't starve token requests.

import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { canonicalPassword } from '../protocol/sign-in/password-rules.ts';
import { fairQueue, type Place, type QueueLoad } from './fair-queue.ts';

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Computes the dummy hash that `verify` uses for unknown users, so that the first attempt doesn't take longer. */
  prepare(): Promise<void>;
  /**
   * Takes the same time whether or not there is a hash to compare with. `place` is where it queues, so that a user in a
   * known browser doesn't wait behind a flood of strangers.
   */
  verify(password: string, hash: string | undefined, place?: Place): Promise<boolean>;
  load(): QueueLoad;
}

/** Too many passwords are waiting already. Nothing was checked. */
export class PasswordsBusy extends Error {
  override name = 'PasswordsBusy';
}

const derive = promisify(argon2);
const anyone: Place = { owner: '', urgent: false };
const parameters = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;
const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

export interface PasswordLimits {
  readonly concurrency: number;
  readonly queue: number;
  /** Memory of one hash in KiB, to make hashes cheap in tests. */
  readonly memory?: number | undefined;
}

export function argon2Passwords(limits: PasswordLimits): Passwords {
  const cost = { ...parameters, memory: limits.memory ?? parameters.memory };
  const busy = () => new PasswordsBusy('too many passwords are waiting to be checked');
  const run = fairQueue({ ...limits, busy });

  async function hash(password: string): Promise<string> {
    const nonce = randomBytes(16);
    const tag = await run(() => tagOf(password, { ...cost, nonce }), anyone);
    const { memory, passes, parallelism } = cost;
    return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(tag)}`;
  }

  let dummy: Promise<string> | undefined;
  /** The hash of a random password, to compare with where there is no user. */
  const dummyHash = () => {
    dummy ??= hash(randomBytes(32).toString('base64url')).catch((error) => {
      // The queue was full: the next caller tries again.
      dummy = undefined;
      throw error;
    });
    return dummy;
  };

  return {
    hash,
    load: run.load,
    async prepare() {
      await dummyHash();
    },
    async verify(password, stored, place = anyone) {
      const match = phc.exec(stored ?? (await dummyHash()));
      if (match === null) return false;
      const [memory, passes, parallelism] = match.slice(1, 4).map(Number) as [number, number, number];
      const nonce = Buffer.from(match[4] as string, 'base64');
      const expected = Buffer.from(match[5] as string, 'base64');
      const tag = await run(
        () => tagOf(password, { memory, passes, parallelism, tagLength: expected.length, nonce }),
        place,
      );
      return timingSafeEqual(tag, expected) && stored !== undefined;
    },
  };
}

function tagOf(password: string, settings: Omit<Argon2Parameters, 'message'>): Promise<Buffer> {
  return derive('argon2id', { ...settings, message: Buffer.from(canonicalPassword(password)) });
}

function unpadded(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replaceAll('=', '');
}
