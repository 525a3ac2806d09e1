// Where the service's keys come from: the environment, or a key file that is created on first use and read again when it
// changes. What the keys are used for is in keys.ts.

import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs';
import { ConfigurationError } from './config.ts';
import { createFile, removeAbandonedFiles, replaceFile } from './durable-file.ts';
import { type KeyList, keyListRule, readKeyList } from './key-list.ts';
import { type ServiceKeys, serviceKeys } from './keys.ts';

export interface LoadedKeys extends ServiceKeys {
  /** Reads the key file again; true if it has changed. A file that can't be read changes nothing. */
  refresh(): boolean;
}

export interface KeySource {
  /** Keys from the environment. They win over the file and never change while the process runs. */
  readonly keys: KeyList | undefined;
  readonly keysFile: string;
}

export function loadKeys({ keys, keysFile }: KeySource): LoadedKeys {
  if (keys !== undefined) return { ...serviceKeys(keys), refresh: () => false };
  let text = readOrCreate(keysFile);
  let current = serviceKeys(parse(text, keysFile));
  return {
    get accessTokenKeys() {
      return current.accessTokenKeys;
    },
    publicIdTokenKey: (clientId) => current.publicIdTokenKey(clientId),
    stamp: (purpose, ...parts) => current.stamp(purpose, ...parts),
    verifyStamp: (stamp, purpose, ...parts) => current.verifyStamp(stamp, purpose, ...parts),
    seal: (purpose, plain) => current.seal(purpose, plain),
    unseal: (purpose, sealed) => current.unseal(purpose, sealed),
    refresh() {
      try {
        const now = readFileSync(keysFile, 'utf8');
        if (now === text) return false;
        current = serviceKeys(parse(now, keysFile));
        text = now;
        return true;
      } catch {
        return false;
      }
    },
  };
}

/** Adds a new key before the others, which keep working. Returns how many keys the file has now. */
export function rotateKeys(file: string): number {
  const rotated = [newKey(), ...parse(readFileSync(file, 'utf8'), file)];
  replaceFile(file, formatKeys(rotated));
  return rotated.length;
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
  if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
  return readFileSync(file, 'utf8');
}

function formatKeys(keys: readonly string[]): string {
  return `${keys.join('\n')}\n`;
}

function parse(text: string, file: string): KeyList {
  const keys = readKeyList(text);
  if (keys === undefined) throw new ConfigurationError([`${file} ${keyListRule}`]);
  return keys;
}

function newKey(): string {
  return randomBytes(32).toString('base64url');
}
