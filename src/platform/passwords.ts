// Password hashing with Argon2id (OWASP's parameters). It runs in Node's thread pool with bounded concurrency and a
// bounded queue, so that people signing in do not starve the token traffic.

import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { canonicalPassword } from '../protocol/sign-in/password-rules.ts';
import { fairQueue, type Place } from './fair-queue.ts';

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Makes ready what `verify` needs for a person who is not there, so that the first such attempt takes no longer. */
  prepare(): Promise<void>;
  /**
   * Takes the same time whether or not there is a hash to compare with. `place` says for whom it is asked: people in a
   * browser that is known for them must not suffer from a flood of strangers.
   */
  verify(password: string, hash: string | undefined, place?: Place): Promise<boolean>;
}

/** Too many people are signing in at once. Nothing was checked. */
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
  /** Memory of one hash in KiB, where it is not to cost what it should. */
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

  let nobody: Promise<string> | undefined;
  const hashOfNobody = () => {
    nobody ??= hash(randomBytes(32).toString('base64url')).catch((error) => {
      nobody = undefined;
      throw error;
    });
    return nobody;
  };

  return {
    hash,
    async prepare() {
      await hashOfNobody();
    },
    async verify(password, stored, place = anyone) {
      const match = phc.exec(stored ?? (await hashOfNobody()));
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
