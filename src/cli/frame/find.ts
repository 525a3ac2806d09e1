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

/** The command that the words want to run. */
export function requireRunnable({ path, command, words }: Found): Found<Command> {
  if (!isGroup(command)) return { path, command, words };
  if (command.own !== undefined) return { path, command: command.own, words };
  const [typed] = words;
  if (typed === undefined) throw new UsageError('missing command');
  const question = didYouMean(typed, Object.keys(command.commands));
  throw new UsageError(`unknown command "${[...path, typed].join(' ')}"${question}`);
}
