// Hashes and verifies passwords with Argon2id and OWASP's parameters, and verifies hashes of other services.
// All of it runs off the event loop, with bounded concurrency and a bounded queue, so that sign-ins don't starve token
// requests.

import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { parseForeignHash } from '../../protocol/sign-in/foreign-hashes.ts';
import { canonicalPassword } from '../../protocol/sign-in/password-rules.ts';
import { fairQueue, type Place, type QueueLoad } from '../fair-queue.ts';
import { measureCostliest } from './foreign/costliest.ts';
import { foreignHashes } from './foreign/foreign.ts';

export interface Passwords {
  hash(password: string, place?: Place): Promise<string>;
  /**
   * Takes as long where there is no hash to compare with, or none that can be read, as for a hash made here. A hash of
   * another service takes its own time. `place` is where it queues, so that a user in a known browser doesn't wait behind
   * a flood of strangers.
   */
  verify(password: string, hash: string | undefined, place?: Place): Promise<boolean>;
  /** How many milliseconds the most expensive hash of another service takes to verify. Measured once. */
  costliestCheck(): Promise<number>;
  load(): QueueLoad;
}

/** The queue is full. Nothing was checked. */
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
  /** Memory of one hash in KB, to make hashes cheap in tests. */
  readonly memory?: number | undefined;
}

export function argon2Passwords(limits: PasswordLimits): Passwords {
  const cost = { ...parameters, memory: limits.memory ?? parameters.memory };
  const busy = () => new PasswordsBusy('too many passwords are waiting to be checked');
  const run = fairQueue({ ...limits, busy });
  const matchesForeign = foreignHashes();
  let costliest: Promise<number> | undefined;

  async function makeHash(password: string, place: Place): Promise<OwnHash> {
    const settings = { ...cost, nonce: randomBytes(16) };
    return { ...settings, expected: await run(() => tagOf(password, settings), place) };
  }

  /** Nobody's hash, for unknown users: comparing with it takes as long as with anybody's, and nothing matches it. */
  const nobodys: OwnHash = { ...cost, nonce: randomBytes(16), expected: randomBytes(cost.tagLength) };

  return {
    async hash(password, place = anyone) {
      return formatOwn(await makeHash(password, place));
    },
    load: run.load,
    async verify(password, stored = '', place = anyone) {
      const foreign = parseForeignHash(stored);
      if (foreign !== undefined) return run(() => matchesForeign(password, foreign), place);
      const own = parseOwn(stored);
      const { expected, ...settings } = own ?? nobodys;
      const tag = await run(() => tagOf(password, settings), place);
      return timingSafeEqual(tag, expected) && own !== undefined;
    },
    costliestCheck() {
      costliest ??= measureCostliest(matchesForeign);
      return costliest;
    },
  };
}

type Settings = Omit<Argon2Parameters, 'message'>;

interface OwnHash extends Settings {
  readonly nonce: Uint8Array;
  readonly expected: Uint8Array;
}

function formatOwn({ memory, passes, parallelism, nonce, expected }: OwnHash): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(expected)}`;
}

function parseOwn(stored: string): OwnHash | undefined {
  const match = phc.exec(stored);
  if (match === null) return undefined;
  const [memory, passes, parallelism] = match.slice(1, 4).map(Number) as [number, number, number];
  const nonce = Buffer.from(match[4] as string, 'base64');
  const expected = Buffer.from(match[5] as string, 'base64');
  return { memory, passes, parallelism, tagLength: expected.length, nonce, expected };
}

function tagOf(password: string, settings: Settings): Promise<Buffer> {
  return derive('argon2id', { ...settings, message: Buffer.from(canonicalPassword(password)) });
}

function unpadded(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replaceAll('=', '');
}
