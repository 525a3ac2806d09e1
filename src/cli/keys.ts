// `latchkey keys`: adds a new key without signing anybody out, and retires old ones that somebody else may have.

import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Resealed, resealEverything, retireOlderKeys } from '../operations/keys/retire-keys.ts';
import { type Config, readConfig } from '../platform/config.ts';
import { isEmptyKeyFile, loadKeys, removeKeys, rotateKeys } from '../platform/key-file.ts';
import { newKeyCommand } from '../platform/key-list.ts';
import { type Command, CommandFailed, commandOrigin, print, printJson, readArguments, UsageError } from './command.ts';
import { composeServices } from './compose.ts';
import { keysEvery } from './service/background.ts';
import { emptyKeyFile } from './store/open-keys.ts';
import { explainFileErrors, makeFolder } from './store/open-store.ts';

/** A running service picks up new keys every two seconds; the rest is for a busy one. */
const inForceEverywhere = keysEvery + 1500;

export const keys: Command = {
  usage: `Usage: latchkey keys rotate [--compromised] [--json]
       latchkey keys retire [--json]

rotate puts a new key before the others in the key file. A running service picks it up within seconds, and nobody is
signed out. Access tokens that an old key has signed are accepted for another 15 minutes, and forms that are open for
another 4 hours. After that, old keys only open what they have sealed (authenticator secrets and queued emails), and let
applications sign people out with ID tokens from their time.

rotate --compromised is for keys that somebody else may have. The old keys are retired at once, on all instances: access
tokens that they have signed are refused (applications refresh them), forms that are open have to be opened again, and
people are asked before an application signs them out with an ID token from before.
What they have sealed is sealed with the new key, and then they are removed from the file. It takes a few seconds. An
instance with its own copy of the key file needs the new file.

retire does the same to all keys but the newest without adding one: for keys in LATCHKEY_KEYS, which you rotate yourself,
and to finish a rotation that was interrupted. With LATCHKEY_KEYS, remove the old keys from it afterwards.`,

  async run([name, ...args], environment) {
    const config = readConfig(environment);
    if (name === 'rotate') {
      const { values } = readArguments(args, { compromised: { type: 'boolean' }, json: { type: 'boolean' } }, []);
      if (config.keys !== undefined) throw new CommandFailed(values.compromised ? manualSteps : manualStep);
      if (values.compromised) return retire(config, values.json, 'rotate');
      return rotate(config, values.json);
    }
    if (name !== 'retire') throw new UsageError(name ? `unknown command "keys ${name}"` : 'a command is missing');
    const { values } = readArguments(args, { json: { type: 'boolean' } }, []);
    return retire(config, values.json, 'keep');
  },
};

const manualStep = 'the keys come from LATCHKEY_KEYS: put a new one before the others there, and restart.';

const manualSteps = `the keys come from LATCHKEY_KEYS, so nothing was changed. The steps are:
  1. Make a new key: ${newKeyCommand}
  2. Put it before the others in LATCHKEY_KEYS on every instance, and restart them all.
  3. Run "latchkey keys retire" with the same LATCHKEY_KEYS. It retires the old keys on all instances, and seals what
     they have sealed with the new one.
  4. Remove the old keys from LATCHKEY_KEYS on every instance, and restart.`;

function rotate(config: Config, json: boolean | undefined): void {
  const { keysFile } = config;
  const count = explainFileErrors(`The keys in ${keysFile} cannot be changed`, () => {
    if (isEmptyKeyFile(keysFile)) throw new CommandFailed(emptyKeyFile(keysFile));
    makeFolder(dirname(keysFile));
    loadKeys(config);
    return rotateKeys(keysFile);
  });
  if (json) printJson({ file: keysFile, keys: count });
  else print(`There is a new key in ${keysFile}. Access tokens of the old ones are accepted for another 15 minutes.`);
}

/** The old keys stay in the file until everything is sealed with the new one, so that nothing is lost if this stops. */
async function retire(config: Config, json: boolean | undefined, newest: 'rotate' | 'keep'): Promise<void> {
  const { keysFile } = config;
  const change = (work: () => unknown) => explainFileErrors(`The keys in ${keysFile} cannot be changed`, work);
  const { services, refreshKeys, close } = await composeServices(config, { busyTimeout: 10_000 });
  try {
    if (newest === 'rotate') change(() => rotateKeys(keysFile));
    if ((await refreshKeys()).retired) throw new CommandFailed('the newest key is itself retired. Rotate the keys.');
    const retired = await retireOlderKeys(services, commandOrigin());
    if (retired.length === 0) throw new CommandFailed('there is only one key, so there is none to retire.');
    // A service that doesn't have the new key yet couldn't open what is sealed with it.
    await pause(inForceEverywhere);
    const outcome = await resealEverything(services);
    if (config.keys === undefined) change(() => removeKeys(keysFile, retired));
    report(config, retired.length, outcome, json);
  } finally {
    await close();
  }
}

function report(config: Config, retired: number, outcome: Resealed, json: boolean | undefined): void {
  const { resealed, unreadable } = outcome;
  const file = config.keys === undefined ? config.keysFile : undefined;
  if (json) {
    printJson({ ...(file && { file }), retired, resealed, unreadable });
    return;
  }
  const others =
    file === undefined ? 'Remove what is retired from LATCHKEY_KEYS now.' : `The key in ${file} is the only one left.`;
  print(`${retired === 1 ? 'The old key is' : `${retired} old keys are`} retired. ${others}`);
  print(`Sealed again: ${resealed}.${unreadable === 0 ? '' : ` Sealed with a key that is gone: ${unreadable}.`}`);
  if (file !== undefined) print('An instance with its own copy of the key file needs the new file now.');
}
