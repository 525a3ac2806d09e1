// Makes a command of its table and of the function that carries it out.

import { parseArgs } from 'node:util';
import type { Environment } from '../../platform/config.ts';
import { messageOf } from '../../protocol/reading/caught-errors.ts';
import { UsageError } from '../command.ts';
import type { ArgumentSpecs, Command, CommandSpec, Given, OptionSpecs } from './spec.ts';
import { didYouMean } from './suggest.ts';

/** The table as it's written: options and arguments can be left out. */
export interface CommandTable<Options extends OptionSpecs, Arguments extends ArgumentSpecs>
  extends Omit<CommandSpec, 'options' | 'arguments'> {
  readonly options?: Options;
  readonly arguments?: Arguments;
}

export function defineCommand<
  const Options extends OptionSpecs = Record<never, never>,
  const Arguments extends ArgumentSpecs = Record<never, never>,
>(
  table: CommandTable<Options, Arguments>,
  run: (given: Given<Options, Arguments>, environment: Environment) => Promise<void> | void,
): Command {
  const spec = { ...table, options: table.options ?? ({} as Options), arguments: table.arguments ?? ({} as Arguments) };
  return {
    ...spec,
    run: async (words, environment) => run(readWords(words, spec) as Given<Options, Arguments>, environment),
  };
}

/** Most commands can print JSON, for programs. */
export const jsonOption = { json: { about: 'print JSON' } } as const;

interface Typed {
  readonly values: Readonly<Record<string, unknown>>;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Reads what was typed by the table, or says what is wrong with it. */
export function readWords(words: readonly string[], spec: CommandSpec): Typed {
  const { values: typed, positionals } = parse(words, spec.options);
  for (const [name, option] of Object.entries(spec.options)) {
    if (option.required && typed[name] === undefined) throw new UsageError(`--${name} is required`);
  }
  const flags = Object.keys(spec.options).filter((name) => isFlag(spec, name) && typed[name] === undefined);
  const values = { ...typed, ...Object.fromEntries(flags.map((name) => [name, false])) };
  return { values, args: readArguments(positionals, spec.arguments) };
}

function readArguments(positionals: readonly string[], specs: ArgumentSpecs): Record<string, string | string[]> {
  const args: Record<string, string | string[]> = {};
  const rest = [...positionals];
  for (const [name, spec] of Object.entries(specs)) {
    if (rest.length === 0 && !spec.optional) throw new UsageError(`${spec.label} is required`);
    if (spec.many) args[name] = rest.splice(0);
    else {
      const value = rest.shift();
      if (value !== undefined) args[name] = value;
    }
  }
  if (rest.length > 0) throw new UsageError(`unexpected argument "${rest[0]}"`);
  return args;
}

function parse(words: readonly string[], options: OptionSpecs) {
  const args = [...words];
  const config = Object.fromEntries(
    Object.entries(options).map(([name, { value, values, short, many }]) => {
      const type = value === undefined && values === undefined ? ('boolean' as const) : ('string' as const);
      return [name, { type, multiple: many === true, ...(short !== undefined && { short }) }];
    }),
  );
  try {
    return parseArgs({ args, options: config, allowPositionals: true, strict: true });
  } catch (error) {
    const { tokens } = parseArgs({ args, options: config, allowPositionals: true, strict: false, tokens: true });
    for (const token of tokens) {
      const problem = token.kind === 'option' ? optionProblem(token, options) : undefined;
      if (problem !== undefined) throw new UsageError(problem);
    }
    throw new UsageError(messageOf(error).split(/\. |\.?\n/)[0]);
  }
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function optionProblem({ name, rawName, value, inlineValue }: OptionToken, options: OptionSpecs): string | undefined {
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  if (option === undefined) {
    const known = Object.keys(options).map((each) => `--${each}`);
    return `unknown option "${rawName}"${didYouMean(rawName, known)}`;
  }
  if (option.value === undefined && option.values === undefined) {
    return value === undefined ? undefined : `${rawName} takes no value`;
  }
  if (value === undefined) return `${rawName} needs a value`;
  if (inlineValue || !value.startsWith('-') || value === '-') return undefined;
  return `${rawName} needs a value (for one that begins with a hyphen: --${name}=${value})`;
}

function isFlag({ options }: CommandSpec, name: string): boolean {
  return options[name]?.value === undefined && options[name]?.values === undefined;
}
