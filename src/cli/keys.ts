// `latchkey keys`: adds a new key without signing anyone out, and retires old ones that may have leaked.

import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  noteKeyUse,
  type Resealed,
  resealEverything,
  retireOlderKeys,
} from '../operations/housekeeping/retire-keys.ts';
import { type Config, readConfig } from '../platform/config.ts';
import { isEmptyKeyFile, loadKeys, removeKeys, rotateKeys } from '../platform/key-file.ts';
import { newKeyCommand } from '../platform/key-list.ts';
import { CommandFailed, commandRequester } from './command.ts';
import { composeServices } from './compose.ts';
import { defineCommand, jsonOption, type Said } from './frame/define.ts';
import type { CommandGroup } from './frame/spec.ts';
import { keysEvery } from './service/background.ts';
import { emptyKeyFile, explainFileErrors, makeFolder } from './store/open-store.ts';
import { summaries } from './summaries.ts';
import { withProgress } from './terminal/progress.ts';

/** A running service picks up new keys every two seconds; the rest is for a busy one. */
const inForceEverywhere = keysEvery + 1500;

export const keys: CommandGroup = {
  summary: summaries.keys,
  examples: ['latchkey keys rotate', 'latchkey keys rotate --compromised'],
  commands: {
    rotate: defineCommand({
      summary: 'add a new key at the beginning of the key file',
      details: `A running service picks it up within seconds, and uses it once every running instance has it; until then, the old one is
used. Nobody is signed out. From then on, access tokens signed with an old key are accepted for another 15 minutes, and open
forms for another 4 hours. After that, old keys are only used to decrypt what they encrypted (authenticator secrets and queued
emails) and to recognize ID tokens at sign-out.

--compromised is for keys that may have leaked. It retires the old keys at once, on all instances: access tokens signed with
them are refused (applications refresh them), open forms have to be reloaded, and people are asked before an application
signs them out with an old ID token. Everything the old keys encrypted is encrypted with the new one, and the old keys are
removed from the file. It waits for no instance and takes a few seconds. An instance with its own copy of the key file needs
the new file.`,
      options: { compromised: { about: 'retire the old keys at once, because they may have leaked' }, ...jsonOption },
      examples: ['latchkey keys rotate', 'latchkey keys rotate --compromised'],
      run({ values, environment }) {
        const config = readConfig(environment);
        if (config.keys !== undefined) throw new CommandFailed(values.compromised ? manualSteps : manualStep);
        return values.compromised ? retire(config, 'rotate') : rotate(config);
      },
    }),
    retire: defineCommand({
      summary: 'retire all keys but the newest',
      details: `Does what "rotate --compromised" does, without adding a key. Use it for keys in LATCHKEY_KEYS, which you rotate yourself,
and to finish a rotation that was interrupted. With LATCHKEY_KEYS, remove the old keys afterwards.`,
      options: jsonOption,
      examples: ['latchkey keys retire'],
      run: ({ environment }) => retire(readConfig(environment), 'keep'),
    }),
  },
};

const manualStep =
  'the keys come from LATCHKEY_KEYS. Add a new one at the beginning, and restart all instances one at a time.';

const manualSteps = `the keys come from LATCHKEY_KEYS, so nothing was changed. To replace them:
  1. Generate a new key: ${newKeyCommand}
  2. Add it at the beginning of LATCHKEY_KEYS on every instance, and restart them all.
  3. Run "latchkey keys retire" with the same LATCHKEY_KEYS. It retires the old keys on all instances, and encrypts
     everything they encrypted with the new one.
  4. Remove the old keys from LATCHKEY_KEYS on every instance, and restart.`;

function rotate(config: Config): Said {
  const { keysFile } = config;
  const count = explainFileErrors(`can't change the keys in ${keysFile}`, () => {
    if (isEmptyKeyFile(keysFile)) throw new CommandFailed(emptyKeyFile(keysFile));
    makeFolder(dirname(keysFile));
    loadKeys(config);
    return rotateKeys(keysFile);
  });
  const whenUsed = "It's used once every running instance has it.";
  const text = `Added a new key to ${keysFile}. ${whenUsed} Access tokens signed with old keys work for another 15 minutes.`;
  return { json: { file: keysFile, keys: count }, text };
}

/** The old keys stay in the file until everything is sealed with the new one, so that nothing is lost if this stops. */
async function retire(config: Config, newest: 'rotate' | 'keep'): Promise<Said> {
  const { keysFile } = config;
  const change = (work: () => unknown) => explainFileErrors(`can't change the keys in ${keysFile}`, work);
  const { services, refreshKeys, close } = await composeServices(config, { busyTimeout: 10_000, ifMissing: 'refuse' });
  try {
    if (newest === 'rotate') change(() => rotateKeys(keysFile));
    await refreshKeys();
    // Without waiting for the other instances: until then, a stolen key still works.
    await noteKeyUse(services);
    if ((await refreshKeys()).retired)
      throw new CommandFailed('the newest key is itself retired. Run "latchkey keys rotate".');
    const retired = await retireOlderKeys(services, commandRequester());
    if (retired.length === 0) throw new CommandFailed("there's only one key, so there's nothing to retire.");
    // A service that doesn't have the new key yet couldn't open what is sealed with it.
    const waiting = { label: 'Waiting until every instance uses the new key', takes: inForceEverywhere };
    await withProgress(waiting, () => pause(inForceEverywhere));
    const outcome = await withProgress({ label: 'Re-encrypting' }, () => resealEverything(services));
    if (config.keys === undefined) change(() => removeKeys(keysFile, retired));
    return report(config, retired.length, outcome);
  } finally {
    await close();
  }
}

function report(config: Config, retired: number, { resealed, unreadable }: Resealed): Said {
  const file = config.keys === undefined ? config.keysFile : undefined;
  const others =
    file === undefined
      ? `Remove ${retired === 1 ? 'it' : 'them'} from LATCHKEY_KEYS now.`
      : `${file} now has only the new one.`;
  const lost = unreadable === 0 ? '' : ` Lost because the key is missing: ${unreadable}.`;
  const copy = file === undefined ? '' : '\nCopy the file to any instance that has its own copy of it.';
  return {
    json: { ...(file && { file }), retired, resealed, unreadable },
    text: `Retired ${retired === 1 ? 'the old key' : `${retired} old keys`}. ${others}\nRe-encrypted: ${resealed}.${lost}${copy}`,
  };
}
