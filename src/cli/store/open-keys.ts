// Opens the service's keys next to its store. New keys are made only where nothing depends on the ones that are missing.

import { dirname } from 'node:path';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import { isEmptyKeyFile, type LoadedKeys, loadKeys, replaceEmptyKeyFile } from '../../platform/key-file.ts';
import type { Storage } from '../../storage/storage.ts';
import { CommandFailed } from '../command.ts';
import { explainFileErrors, makeFolder } from './open-store.ts';

export async function openKeys(config: Config, storage: Storage, clock: Clock): Promise<LoadedKeys> {
  const { keysFile } = config;
  const complaint = `Can't use the keys in ${keysFile}`;
  if (config.keys === undefined && explainFileErrors(complaint, () => isEmptyKeyFile(keysFile))) {
    if (!(await storage.isEmpty())) throw new CommandFailed(emptyKeyFile(keysFile));
    explainFileErrors(complaint, () => replaceEmptyKeyFile(keysFile));
  }
  return explainFileErrors(complaint, () => {
    if (config.keys === undefined) makeFolder(dirname(keysFile));
    return loadKeys(config, clock);
  });
}

/** What an empty key file next to a store in use means, and what to do about it. */
export function emptyKeyFile(file: string): string {
  return (
    `The key file ${file} is empty, but the store has data. Restore the file from your backup. If you have no backup, ` +
    'delete the file, and the next start creates a new key: people then have to set up authenticator apps again, ' +
    'queued emails are lost, and access tokens and open forms stop working. Everything else is kept.'
  );
}

/** Why nothing works that the newest key has signed. */
export function retiredKey({ keys, keysFile }: Config): string {
  const place = keys === undefined ? keysFile : 'LATCHKEY_KEYS';
  return (
    `The newest key in ${place} was retired as compromised, so nothing it signs is accepted. Give this instance the ` +
    'same keys as the others.'
  );
}
