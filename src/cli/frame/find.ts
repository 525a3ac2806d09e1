// Finds the command that the first words name.

import { UsageError } from '../command.ts';
import { type AnyCommand, type Command, isGroup } from './spec.ts';
import { didYouMean } from './suggest.ts';

export interface Found<Kind extends AnyCommand = AnyCommand> {
  /** The words that name it. */
  readonly path: readonly string[];
  readonly command: Kind;
  /** What it's given. */
  readonly words: readonly string[];
}

/** The command or the group that the words lead to, for help. */
export function findCommand(name: string, command: AnyCommand, words: readonly string[]): Found {
  const [next = '', ...rest] = words;
  const subcommand = isGroup(command) && Object.hasOwn(command.commands, next) ? command.commands[next] : undefined;
  return subcommand === undefined
    ? { path: [name], command, words }
    : { path: [name, next], command: subcommand, words: rest };
}

/** Refuses a word that would have to name a command of the group, and doesn't. */
export function requireKnown({ path, command, words: [typed = '-'] }: Found): void {
  if (!isGroup(command) || typed.startsWith('-')) return;
  const question = didYouMean(typed, Object.keys(command.commands));
  throw new UsageError(`unknown command "${[...path, typed].join(' ')}"${question}`);
}

/** The command that the words want to run. */
export function requireRunnable(found: Found): Found<Command> {
  const { path, command, words } = found;
  if (!isGroup(command)) return { path, command, words };
  requireKnown(found);
  if (command.own !== undefined) return { path, command: command.own, words };
  throw new UsageError('missing command');
}
