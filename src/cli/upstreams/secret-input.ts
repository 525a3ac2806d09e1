// Where a command reads an upstream's client secret: a file, standard input, or a hidden prompt on a terminal. Never from
// the arguments, which other users of the machine can see.

import { readFileSync } from 'node:fs';
import { readingFile, UsageError } from '../command.ts';
import type { Given } from '../frame/spec.ts';
import { askHidden, firstLine } from '../password-input.ts';
import { withoutProgress } from '../terminal/progress.ts';

export const secretOptions = {
  'secret-file': { value: 'FILE', completes: 'file', about: 'a file with the client secret' },
  'secret-stdin': { about: 'read the client secret from standard input' },
} as const;

type SecretValues = Given<typeof secretOptions, Record<never, never>>['values'];

/** Undefined when none is given. */
export async function givenSecret(values: SecretValues): Promise<string | undefined> {
  const file = values['secret-file'];
  if (file !== undefined && values['secret-stdin']) {
    throw new UsageError("--secret-file and --secret-stdin can't be combined");
  }
  // A file that was written with an editor ends with a line break.
  if (file !== undefined) return readingFile(file, () => readFileSync(file, 'utf8').trim());
  if (!values['secret-stdin']) return undefined;
  const line = await firstLine();
  if (line === undefined) throw new UsageError('--secret-stdin was given, but standard input is empty');
  return line.trim();
}

/** For a new one, which needs a secret. */
export async function neededSecret(values: SecretValues): Promise<string> {
  const given = await givenSecret(values);
  if (given !== undefined) return given;
  if (!process.stdin.isTTY) throw new UsageError('--secret-file or --secret-stdin is required');
  return (await withoutProgress(() => askHidden('Client secret: '))).trim();
}
