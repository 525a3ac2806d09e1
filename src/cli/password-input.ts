// Where a command gets a password from: one line of standard input, a hidden prompt on a terminal, or a random one.
// Never from the arguments, which other users of the machine can see.

import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { RandomBytes } from '../protocol/identifiers.ts';
import { UsageError } from './command.ts';
import { withoutProgress } from './terminal/progress.ts';

interface ChosenPassword {
  readonly password: string;
  /** The same one if it was made up here, so the command has to print it. */
  readonly generated?: string;
}

export async function choosePassword(fromStdin: boolean, random: RandomBytes): Promise<ChosenPassword> {
  if (fromStdin) {
    const line = await firstLine();
    if (line === undefined) throw new UsageError('--password-stdin was given, but standard input is empty');
    return { password: line };
  }
  const typed = process.stdin.isTTY
    ? await withoutProgress(() => askHidden('Password (leave empty to generate one): '))
    : '';
  if (typed !== '') return { password: typed };
  const generated = generatePassword(random);
  return { password: generated, generated };
}

/** 20 letters and digits that are hard to confuse: about 98 bits, and easy to read out. */
export function generatePassword(random: RandomBytes): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
  const letters: string[] = [];
  while (letters.length < 20) {
    // Skip bytes above the last multiple of the alphabet's length: they would favour its first letters.
    const byte = random(1)[0] as number;
    if (byte < 256 - (256 % alphabet.length)) letters.push(alphabet[byte % alphabet.length] as string);
  }
  return letters.join('').replace(/(.{5})(?=.)/g, '$1-');
}

export async function firstLine(): Promise<string | undefined> {
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) return line;
  return undefined;
}

export function askHidden(question: string): Promise<string> {
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
}
