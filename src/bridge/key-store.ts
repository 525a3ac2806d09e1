// The keys that sign the bridge's tokens. They lie sealed in its file. A new key is published for an hour before it signs, so
// that applications that cache the key set know it by then, and stays published for 30 days after the next one has begun to sign.

import { createPrivateKey, createPublicKey, generateKeyPair, hash, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { type Database, durably } from '../platform/relying-party/database.ts';
import { DAY, HOUR } from '../protocol/durations.ts';
import type { BridgeApplication } from './config-file.ts';
import type { BridgeKeys } from './database.ts';

export type SigningAlgorithm = BridgeApplication['signing'];
const signingAlgorithms: readonly SigningAlgorithm[] = ['RS256', 'ES256', 'EdDSA'];

export interface SigningKey {
  readonly kid: string;
  readonly algorithm: SigningAlgorithm;
  readonly state: 'next' | 'signing' | 'previous';
  /** In milliseconds, like all times here. */
  readonly signsFrom: number;
  /** Undefined as long as no other key follows. */
  readonly publishedUntil: number | undefined;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export interface KeyStore {
  /** What is published, of each algorithm first the key that signs. */
  list(): readonly SigningKey[];
  /** Creates what is missing to sign with these algorithms. */
  ensure(algorithms: Iterable<SigningAlgorithm>): Promise<void>;
  /** A new key for each of these algorithms, which signs in an hour. One that doesn't sign yet is replaced. */
  rotate(algorithms: Iterable<SigningAlgorithm>): Promise<readonly SigningKey[]>;
  /** Deletes keys that are no longer published. */
  sweep(): void;
}

const publishedBefore = HOUR;
const publishedAfter = 30 * DAY;

export function openKeyStore(database: Database, keys: BridgeKeys, now: () => number): KeyStore {
  const all = database.prepare('SELECT kid, algorithm, sealed, signs_from FROM signing_keys ORDER BY signs_from');
  const insert = database.prepare('INSERT INTO signing_keys (kid, algorithm, sealed, signs_from) VALUES (?, ?, ?, ?)');
  const remove = database.prepare('DELETE FROM signing_keys WHERE kid = ?');
  /** Opening a key takes a millisecond, and it never changes. */
  const opened = new Map<string, Pick<SigningKey, 'privateKey' | 'publicKey'>>();

  function open(kid: string, algorithm: string, sealed: Uint8Array) {
    const known = opened.get(kid);
    if (known !== undefined) return known;
    const text = keys.unseal('signing key', '', JSON.stringify([kid, algorithm]), sealed);
    if (text === undefined) return undefined;
    const privateKey = createPrivateKey({ key: JSON.parse(text), format: 'jwk' });
    const pair = { privateKey, publicKey: createPublicKey(privateKey) };
    opened.set(kid, pair);
    return pair;
  }

  /** All that this key file opens, oldest first. */
  function read() {
    return all.all().flatMap((row) => {
      const [kid, signsFrom] = [String(row.kid), Number(row.signs_from)];
      const algorithm = signingAlgorithms.find((each) => each === row.algorithm);
      const pair = algorithm && open(kid, algorithm, row.sealed as Uint8Array);
      return algorithm === undefined || pair === undefined ? [] : [{ kid, algorithm, signsFrom, ...pair }];
    });
  }

  function list(): readonly SigningKey[] {
    const time = now();
    const found = read();
    return signingAlgorithms.flatMap((algorithm) => {
      const own = found.filter((key) => key.algorithm === algorithm);
      // A clock that was set back must not leave anyone without a key.
      const signing = Math.max(
        0,
        own.findLastIndex(({ signsFrom }) => signsFrom <= time),
      );
      const keyed = own.map((key, index): SigningKey => {
        const follower = own[index + 1]?.signsFrom;
        return {
          ...key,
          state: index === signing ? 'signing' : index < signing ? 'previous' : 'next',
          publishedUntil: follower === undefined ? undefined : follower + publishedAfter,
        };
      });
      const published = keyed.filter(({ publishedUntil = Number.POSITIVE_INFINITY }) => time < publishedUntil);
      return published.sort((a, b) => Number(b.state === 'signing') - Number(a.state === 'signing'));
    });
  }

  function add({ kid, algorithm, jwk }: NewKey, signsFrom: number): void {
    const sealed = keys.seal('signing key', '', JSON.stringify([kid, algorithm]), JSON.stringify(jwk));
    insert.run(kid, algorithm, sealed, signsFrom);
  }

  return {
    list,
    async ensure(algorithms) {
      for (const algorithm of algorithms) {
        const exists = () => list().some((key) => key.algorithm === algorithm);
        if (exists()) continue;
        const key = await newKey(algorithm);
        // Another process may have been faster.
        durably(database, () => exists() || add(key, now()));
      }
    },
    async rotate(algorithms) {
      const added = await Promise.all([...algorithms].map(newKey));
      durably(database, () => {
        const next = list().filter(
          ({ state, algorithm }) => state === 'next' && added.some((key) => key.algorithm === algorithm),
        );
        for (const { kid } of next) remove.run(kid);
        for (const key of added) {
          const isFirst = !list().some(({ algorithm }) => algorithm === key.algorithm);
          add(key, isFirst ? now() : now() + publishedBefore);
        }
      });
      return list().filter(({ kid }) => added.some((key) => key.kid === kid));
    },
    sweep() {
      const published = new Set(list().map(({ kid }) => kid));
      for (const { kid } of read()) if (!published.has(kid)) remove.run(kid);
    },
  };
}

interface NewKey {
  readonly kid: string;
  readonly algorithm: SigningAlgorithm;
  readonly jwk: object;
}

const generate = promisify(generateKeyPair) as (
  type: string,
  options: object,
) => Promise<{ privateKey: KeyObject; publicKey: KeyObject }>;

const generated: Readonly<Record<SigningAlgorithm, () => ReturnType<typeof generate>>> = {
  RS256: () => generate('rsa', { modulusLength: 3072 }),
  ES256: () => generate('ec', { namedCurve: 'P-256' }),
  EdDSA: () => generate('ed25519', {}),
};

async function newKey(algorithm: SigningAlgorithm): Promise<NewKey> {
  const { privateKey, publicKey } = await generated[algorithm]();
  const { n, x, y } = publicKey.export({ format: 'jwk' });
  const kid = hash('sha256', JSON.stringify([algorithm, n, x, y]), 'base64url').slice(0, 16);
  return { kid, algorithm, jwk: privateKey.export({ format: 'jwk' }) };
}
