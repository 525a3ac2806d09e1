// `latchkey keys rotate`: adds a new key without signing anybody out.

import { dirname } from 'node:path';
import { readConfig } from '../platform/config.ts';
import { isEmptyKeyFile, loadKeys, rotateKeys } from '../platform/key-file.ts';
import { type Command, CommandFailed, print, printJson, readArguments, UsageError } from './command.ts';
import { emptyKeyFile } from './store/open-keys.ts';
import { explainFileErrors, makeFolder } from './store/open-store.ts';

export const keys: Command = {
  usage: `Usage: latchkey keys rotate [--json]

Puts a new key before the others in the key file. A running service takes it on within seconds: it signs with the new key,
and what was signed or sealed with an old one goes on working. Access tokens of an old key are over after 15 minutes;
authenticator apps were sealed with the key of their day, so an old key is taken out of the file only when it is known to
others, and then these apps have to be set up again.`,

  async run([name, ...args], environment) {
    if (name !== 'rotate') throw new UsageError(name ? `unknown command "keys ${name}"` : 'a command is missing');
    const { values } = readArguments(args, { json: { type: 'boolean' } }, []);
    const config = readConfig(environment);
    if (config.keys !== undefined) {
      throw new CommandFailed('the keys come from LATCHKEY_KEYS: put a new one before the others there, and restart.');
    }
    const count = explainFileErrors(`The keys in ${config.keysFile} cannot be changed`, () => {
      if (isEmptyKeyFile(config.keysFile)) throw new CommandFailed(emptyKeyFile(config.keysFile));
      makeFolder(dirname(config.keysFile));
      loadKeys(config);
      return rotateKeys(config.keysFile);
    });
    if (values.json) return printJson({ file: config.keysFile, keys: count });
    print(
      `There is a new key in ${config.keysFile}; ${count === 2 ? 'the old one goes' : 'the old ones go'} on working.`,
    );
  },
};
