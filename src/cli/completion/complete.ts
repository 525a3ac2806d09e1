// `latchkey __complete`, which the completion scripts call with the words up to the cursor. It prints a word per line, with
// its description after a tab. A last line ":file" asks the shell to offer files.

import type { Environment } from '../../platform/config.ts';
import { escapeMisleading, hasControlCharacters } from '../../protocol/reading/control-characters.ts';
import { commandNames, loadCommand } from '../commands.ts';
import { type Candidate, type Next, nextWords } from './candidates.ts';
import { storedWords } from './stored.ts';

export async function printCompletions(words: readonly string[], environment: Environment): Promise<void> {
  const [name = '', ...rest] = words;
  const next = words.length <= 1 ? await commandsAndOptions() : await nextAfter(name, rest);
  const typed = (words.at(-1) ?? '').slice(next.prefix.length);
  const { completes } = next;
  const stored =
    completes === undefined || completes === 'file' ? [] : await storedWords(completes, typed, environment);
  const lines = [...next.words, ...stored]
    .filter(({ word }) => word.startsWith(typed) && isHarmless(word))
    .map(({ word, about }) => `${next.prefix}${word}\t${escapeMisleading(about)}`);
  if (completes === 'file') lines.push(':file');
  const text = lines.map((line) => `${line}\n`).join('');
  await new Promise((resolve) => process.stdout.write(text, resolve));
}

async function commandsAndOptions(): Promise<Next> {
  const commands = commandNames.map(async (word): Promise<Candidate> => {
    return { word, about: (await loadCommand(word))?.summary ?? '' };
  });
  const options = [
    { word: '--help', about: 'list the commands' },
    { word: '--version', about: 'print the version' },
  ];
  return { words: [...(await Promise.all(commands)), ...options], completes: undefined, prefix: '' };
}

async function nextAfter(name: string, rest: readonly string[]): Promise<Next> {
  const command = await loadCommand(name);
  return command === undefined ? { words: [], completes: undefined, prefix: '' } : nextWords(command, rest);
}

/** An escaped name would be another one, and one as it's stored could command the terminal. */
function isHarmless(word: string): boolean {
  return !hasControlCharacters(word) && escapeMisleading(word) === word;
}
