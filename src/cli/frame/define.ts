// Makes a command of its table: reads what was typed, carries it out, and prints what it says.

import { parseArgs } from 'node:util';
import type { Environment } from '../../platform/config.ts';
import { messageOf } from '../../protocol/reading/caught-errors.ts';
import { Rejected, UsageError } from '../command.ts';
import { print, printError, printJson, styled } from '../terminal/output.ts';
import { printFields, printList, printTable, type Row } from '../terminal/table.ts';
import {
  type ArgumentSpecs,
  type Command,
  type CommandSpec,
  type Given,
  type OptionSpecs,
  takesValue,
} from './spec.ts';
import { didYouMean } from './suggest.ts';

/** What a command says: JSON for programs; for people a table with its titles, names with values, and sentences. */
export interface Said {
  readonly json?: unknown;
  readonly table?: readonly Row[];
  /** A table with one line for each of many, which are cut where a terminal is too narrow. */
  readonly list?: readonly Row[];
  /** Instead of a table without rows. */
  readonly none?: string;
  /** What a list leaves out: on stderr, unless the output is a terminal. */
  readonly rest?: string | undefined;
  readonly fields?: readonly Row[];
  readonly text?: string | undefined;
  /** The exit status, if it's an answer; 0 if undefined. */
  readonly status?: number;
}

export function say({ json, table, list, none, rest, fields, text }: Said, asJson: boolean): void {
  if (asJson) printJson(json);
  else {
    if (none !== undefined && (table ?? list)?.length === 1) print(none);
    else if (table !== undefined) printTable(table);
    else if (list !== undefined) printList(list);
    if (fields !== undefined) printFields(fields);
    if (text !== undefined) print(text);
  }
  if (rest === undefined) return;
  if (process.stdout.isTTY && !asJson) print(styled('dim', rest));
  else printError(rest);
}

/** The table as it's written: options and arguments can be left out. */
export interface CommandTable<Options extends OptionSpecs, Arguments extends ArgumentSpecs, Context>
  extends Omit<CommandSpec, 'options' | 'arguments'> {
  readonly options?: Options;
  readonly arguments?: Arguments;
  /** After the options, from which it has its types. */
  run(given: Given<Options, Arguments> & Context): Promise<Said | undefined> | Promise<void> | Said | void;
}

export function defineCommand<
  const Options extends OptionSpecs = Record<never, never>,
  const Arguments extends ArgumentSpecs = Record<never, never>,
>(table: CommandTable<Options, Arguments, { readonly environment: Environment }>): Command {
  const spec = { ...table, options: table.options ?? ({} as Options), arguments: table.arguments ?? ({} as Arguments) };
  return {
    ...spec,
    async run(words, environment) {
      const { values, args } = readWords(words, spec);
      try {
        const said = await table.run({ values, args, environment } as Parameters<typeof table.run>[0]);
        if (said) say(said, values.json === true);
        return said?.status ?? 0;
      } catch (error) {
        throw error instanceof Rejected ? withSuggestion(error, spec.options, values) : error;
      }
    },
  };
}

/** With the value that was probably meant, if the problem is about an option that takes only some. */
function withSuggestion(error: Rejected, options: OptionSpecs, given: Readonly<Record<string, unknown>>): Rejected {
  for (const [name, { field = name.replaceAll('-', '_'), values = [] }] of Object.entries(options)) {
    const unknown = [given[name]].flat().find((typed) => typeof typed === 'string' && !values.includes(typed));
    if (field !== error.problem.field || values.length === 0 || unknown === undefined) continue;
    return new Rejected(error.problem, didYouMean(String(unknown), values));
  }
  return error;
}

/** Most commands can print JSON, for programs. */
export const jsonOption = { json: { about: 'print JSON' } } as const;

/** Reads what was typed by the table, or says what is wrong with it. */
export function readWords(words: readonly string[], spec: CommandSpec) {
  const { values: typed, positionals } = parse(words, spec.options);
  for (const [name, option] of Object.entries(spec.options)) {
    if (option.required && typed[name] === undefined) throw new UsageError(`--${name} is required`);
  }
  const flags = Object.keys(spec.options).filter((name) => !takesValue(spec.options[name]) && !typed[name]);
  const values: Record<string, unknown> = { ...typed, ...Object.fromEntries(flags.map((name) => [name, false])) };
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
    Object.entries(options).map(([name, option]) => {
      const { short, many = false } = option;
      const type = takesValue(option) ? ('string' as const) : ('boolean' as const);
      return [name, { type, multiple: many, ...(short !== undefined && { short }) }];
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
  if (!takesValue(option)) return value === undefined ? undefined : `${rawName} takes no value`;
  if (value === undefined) return `${rawName} needs a value`;
  if (inlineValue || !value.startsWith('-') || value === '-') return undefined;
  return `${rawName} needs a value (for one that begins with a hyphen: --${name}=${value})`;
}
