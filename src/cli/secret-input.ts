// Where a command gets a password or a client secret from: a file, standard input, a hidden prompt on a terminal, or for a
// password a random one. Never from the arguments, which other users of the machine can see.

import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { RandomBytes } from '../protocol/identifiers.ts';
import { readingFile, UsageError } from './command.ts';
import type { Given } from './frame/spec.ts';
import { withoutProgress } from './terminal/progress.ts';

interface ChosenPassword {
  readonly password: string;
  /** The password if it was made up here, so the command has to print it. */
  readonly generated?: string;
}

export async function choosePassword(fromStdin: boolean, random: RandomBytes): Promise<ChosenPassword> {
  if (fromStdin) return { password: await firstLine('--password-stdin') };
  const typed = process.stdin.isTTY ? await askHidden('Password (leave empty to generate one): ') : '';
  if (typed !== '') return { password: typed };
  const generated = generatePassword(random);
  return { password: generated, generated };
}

/** 20 letters and digits that are hard to confuse: about 98 bits, and easy to read out. */
export function generatePassword(random: RandomBytes): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
  const letters: string[] = [];
  while (letters.length < 20) {
    // Skip bytes above the last multiple of the alphabet's length: they would favor its first letters.
    const byte = random(1)[0] as number;
    if (byte < 256 - (256 % alphabet.length)) letters.push(alphabet[byte % alphabet.length] as string);
  }
  return letters.join('').replace(/(.{5})(?=.)/g, '$1-');
}

async function firstLine(option: string): Promise<string> {
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) return line;
  throw new UsageError(`${option} was given, but standard input is empty`);
}

function askHidden(question: string): Promise<string> {
  return withoutProgress(() => {
    process.stderr.write(question);
    const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
    const prompt = createInterface({ input: process.stdin, output: silent, terminal: true });
    return new Promise((resolve) => {
      prompt.once('close', () => resolve(''));
      prompt.once('line', (line) => {
        process.stderr.write('\n');
        resolve(line);
        prompt.close();
      });
    });
  });
}

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
  return values['secret-stdin'] ? (await firstLine('--secret-stdin')).trim() : undefined;
}

/** For a new one, which needs a secret. */
export async function neededSecret(values: SecretValues): Promise<string> {
  const given = await givenSecret(values);
  if (given !== undefined) return given;
  if (!process.stdin.isTTY) throw new UsageError('--secret-file or --secret-stdin is required');
  return (await askHidden('Client secret: ')).trim();
}
