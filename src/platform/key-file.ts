// Where the service's keys come from: the environment, or a key file that is created on first use and read again when it
// changes. What the keys are used for is in keys.ts.

import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { ConfigurationError } from './config.ts';
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
  // Write and rename, so that a process that reads the file sees the old keys or the new ones, never a partial list.
  const unfinished = `${file}.unfinished`;
  writeFileSync(unfinished, `${rotated.join('\n')}\n`, { mode: 0o600 });
  renameSync(unfinished, file);
  return rotated.length;
}

function readOrCreate(file: string): string {
  if (!existsSync(file)) {
    try {
      writeFileSync(file, `${newKey()}\n`, { mode: 0o600, flag: 'wx' });
    } catch (error) {
      // Another process has created it in the meantime.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
  return readFileSync(file, 'utf8');
}

function parse(text: string, file: string): KeyList {
  const keys = readKeyList(text);
  if (keys === undefined) throw new ConfigurationError([`${file} ${keyListRule}`]);
  return keys;
}

function newKey(): string {
  return randomBytes(32).toString('base64url');
}
