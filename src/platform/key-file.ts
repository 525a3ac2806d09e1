// Where the service's keys come from: the environment, or a key file that is created on first use and read again when it
// changes. What the keys are used for is in keys.ts.

import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { type KeyRecord, keyEnds, never, signingPlace } from '../protocol/key-retirement.ts';
import { codeOf } from '../protocol/reading/caught-errors.ts';
import { type Clock, systemClock } from './clock.ts';
import { ConfigurationError } from './config.ts';
import { createFile, removeAbandonedFiles, replaceFile } from './durable-file.ts';
import { type KeyList, keyListProblem, readKeyList } from './key-list.ts';
import { type KeyValidity, keyId, type ServiceKeys, serviceKeys } from './keys.ts';

export interface LoadedKeys extends ServiceKeys {
  /**
   * Reads the key file again and asks what the store knows about its keys. Only then the new keys verify, so that none does
   * so longer than the store says, and the newest that the store says is in use signs and seals. A file that can't be read
   * leaves the keys as they are.
   */
  refresh(lookUp: KeyLookUp): Promise<RefreshedKeys>;
}

/** What the store knows about all keys. */
export type KeyLookUp = () => Promise<readonly KeyRecord[]>;

export interface RefreshedKeys {
  /** Whether the keys, the one that signs, or how long they verify, have changed. */
  readonly changed: boolean;
  /** Whether the newest key was retired as compromised, so that nothing it signs is accepted. */
  readonly retired: boolean;
}

export interface KeySource {
  /** Keys from the environment. They take precedence over the file and never change while the process runs. */
  readonly keys: KeyList | undefined;
  readonly keysFile: string;
}

/** The keys of a file, which is created with a new one if there's none. */
export function readKeyFile(file: string): KeyList {
  return parse(readOrCreate(file), file);
}

export function loadKeys({ keys, keysFile }: KeySource, clock: Clock = systemClock): LoadedKeys {
  let secrets = keys ?? readKeyFile(keysFile);
  let validity: KeyValidity | undefined;
  let current = serviceKeys(secrets);
  let refreshing: Promise<RefreshedKeys> | undefined;
  return {
    get ids() {
      return current.ids;
    },
    get signingId() {
      return current.signingId;
    },
    get accessTokenKey() {
      return current.accessTokenKey;
    },
    accessTokenKeys: (now) => current.accessTokenKeys(now),
    sidKey: (id) => current.sidKey(id),
    sidKeys: (now) => current.sidKeys(now),
    publicIdTokenKey: (clientId) => current.publicIdTokenKey(clientId),
    stamp: (purpose, ...parts) => current.stamp(purpose, ...parts),
    verifyStamp: (stamp, purpose, ...parts) => current.verifyStamp(stamp, purpose, ...parts),
    seal: (purpose, plain) => current.seal(purpose, plain),
    unseal: (purpose, sealed) => current.unseal(purpose, sealed),
    reseal: (purpose, sealed) => current.reseal(purpose, sealed),
    refresh(lookUp) {
      // One at a time: a slow response about an earlier list must not replace a later one.
      refreshing ??= refreshOnce(lookUp).finally(() => {
        refreshing = undefined;
      });
      return refreshing;
    },
  };

  async function refreshOnce(lookUp: KeyLookUp): Promise<RefreshedKeys> {
    const found = keys ?? readAgain(keysFile) ?? secrets;
    const [newest, ...older] = found;
    const ids: ServiceKeys['ids'] = [keyId(newest), ...older.map(keyId)];
    const records = await lookUp();
    const foundValidity = { ends: keyEnds(ids, records), signing: signingPlace(ids, records), clock };
    const retired = foundValidity.ends[0] === never;
    if (isDeepStrictEqual([found, foundValidity], [secrets, validity])) return { changed: false, retired };
    secrets = found;
    validity = foundValidity;
    current = serviceKeys(found, validity);
    return { changed: true, retired };
  }
}

function readAgain(file: string): KeyList | undefined {
  try {
    return readKeyList(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Adds a new key before the others, which keep working. Returns how many keys the file has now. */
export function rotateKeys(file: string): number {
  const rotated = [newKey(), ...parse(readFileSync(file, 'utf8'), file)];
  replaceFile(file, formatKeys(rotated));
  return rotated.length;
}

/** Removes the keys with these ids. The newest key stays, whatever its id. */
export function removeKeys(file: string, ids: readonly string[]): void {
  const [newest, ...older] = parse(readFileSync(file, 'utf8'), file);
  replaceFile(file, formatKeys([newest, ...older.filter((key) => !ids.includes(keyId(key)))]));
}

/**
 * Whether the file exists and has nothing in it, which is what a power cut or a full disk left of a file that wasn't
 * written durably. Some file systems fill it with zero bytes.
 */
export function isEmptyKeyFile(file: string): boolean {
  return existsSync(file) && /^[\s\0]*$/.test(readFileSync(file, 'utf8'));
}

/** Puts a new key into an empty key file. If another process was faster, its key stays. */
export function replaceEmptyKeyFile(file: string): void {
  if (isEmptyKeyFile(file)) replaceFile(file, formatKeys([newKey()]));
}

function readOrCreate(file: string): string {
  removeAbandonedFiles(file);
  if (!existsSync(file)) createFile(file, formatKeys([newKey()]));
  if (isExposed(file)) protect(file);
  return readFileSync(file, 'utf8');
}

/**
 * Whether users who don't need to can read the file. A file that belongs to another user, such as a mounted secret, is
 * readable through its group.
 */
export function isExposed(file: string): boolean {
  const { mode, uid } = statSync(file);
  return (mode & (uid === process.geteuid?.() ? 0o077 : 0o007)) !== 0;
}

function protect(file: string): void {
  try {
    chmodSync(file, 0o600);
  } catch (error) {
    // Another user's file, or a read-only file system: its owner decides.
    if (!['EPERM', 'EROFS'].includes(codeOf(error) ?? '')) throw error;
  }
}

function formatKeys(keys: readonly string[]): string {
  return `${keys.join('\n')}\n`;
}

function parse(text: string, file: string): KeyList {
  const keys = readKeyList(text);
  if (keys === undefined) throw new ConfigurationError([`${file} ${keyListProblem(text)}`]);
  return keys;
}

function newKey(): string {
  return randomBytes(32).toString('base64url');
}
