// A command as a table: what it takes and what it's for. Arguments are read by it, and help, suggestions and completion
// are made from it.

import type { StoredWords } from '../../operations/admin/subject.ts';
import type { Environment } from '../../platform/config.ts';

/** What completion offers besides a fixed set: files, or ids and names from the store. */
export type Completes = 'file' | 'client' | 'person' | 'group' | 'webhook' | 'upstream' | StoredWords;

/** An option is a flag unless it has `value` or `values`. */
export interface OptionSpec {
  /** What it does, in lower case and without a full stop. */
  readonly about: string;
  /** What the value is called in the help, such as NAME. */
  readonly value?: string;
  /** Every value there is. A command checks the value itself, because its sentence is better than a parser's. */
  readonly values?: readonly string[];
  readonly short?: string;
  /** What operations call it, if that isn't its name with underscores. */
  readonly field?: string;
  readonly required?: true;
  /** It can be given more than once. */
  readonly many?: true;
  readonly completes?: Completes;
}

export interface ArgumentSpec {
  /** What it's called in the help, such as <client_id>. */
  readonly label: string;
  readonly about?: string;
  readonly optional?: true;
  /** One or more of them; only the last argument of a command. With `optional`, any number. */
  readonly many?: true;
  readonly values?: readonly string[];
  readonly completes?: Completes;
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;
/** In the order in which they're given. */
export type ArgumentSpecs = Readonly<Record<string, ArgumentSpec>>;

type ValueOf<Option> = Option extends { many: true }
  ? readonly string[]
  : Option extends { value: string } | { values: readonly string[] }
    ? string
    : boolean;

/** What was typed, read by the table: options in `values`, arguments in `args`. */
export interface Given<Options extends OptionSpecs, Arguments extends ArgumentSpecs> {
  readonly values: {
    readonly [Name in keyof Options]: ValueOf<Options[Name]> extends boolean
      ? boolean
      : ValueOf<Options[Name]> | (Options[Name] extends { required: true } ? never : undefined);
  };
  readonly args: {
    readonly [Name in keyof Arguments]: Arguments[Name] extends { many: true }
      ? readonly string[]
      : Arguments[Name] extends { optional: true }
        ? string | undefined
        : string;
  };
}

export type Entry = readonly [name: string, about: string];

/** Names and what they mean, such as the variables of the environment. */
export interface Section {
  readonly heading: string;
  readonly entries: readonly Entry[];
}

interface Described {
  /** What it does, in lower case and without a full stop. */
  readonly summary: string;
  /** Paragraphs with an empty line between them. Lines that begin with two spaces stay as they are. */
  readonly details?: string;
  readonly sections?: readonly Section[];
  /** As typed in a shell. */
  readonly examples: readonly string[];
}

export interface CommandSpec extends Described {
  /** The exit status of a failure, where 1 is an answer. */
  readonly failure?: 2;
  readonly options: OptionSpecs;
  readonly arguments: ArgumentSpecs;
}

/** A command that does something. */
export interface Command extends CommandSpec {
  /** Resolves with the exit status. */
  run(words: readonly string[], environment: Environment): Promise<number>;
}

/** A command that others belong to. */
export interface CommandGroup extends Described {
  readonly commands: Readonly<Record<string, Command>>;
  /** What some of them were called before, which still works. */
  readonly formerly?: Readonly<Record<string, string>>;
  /** What it does when none of them is named. It takes options alone: a word would be a command. */
  readonly own?: Command;
}

export type AnyCommand = Command | CommandGroup;

export function takesValue(option: OptionSpec | undefined): option is OptionSpec {
  return option?.value !== undefined || option?.values !== undefined;
}

export function commandIn({ commands, formerly = {} }: CommandGroup, typed: string): [string, Command] | undefined {
  const renamed = Object.hasOwn(formerly, typed) ? formerly[typed] : typed;
  return Object.entries(commands).find(([name]) => name === renamed);
}

export function isGroup(command: AnyCommand): command is CommandGroup {
  return 'commands' in command;
}
