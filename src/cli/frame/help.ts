// The help, made from the tables of the commands.

import { print, styled, terminalWidth } from '../terminal/output.ts';
import { displayWidth, padTo, wrapped } from '../terminal/width.ts';
import { type AnyCommand, type Command, type Entry, isGroup, type OptionSpec, type Section } from './spec.ts';

/** Longer lines are hard to read, however wide the terminal is. */
const widest = 100;
/** Keeps an option and its value on one line. */
const unbroken = '\u00a0';
/** A name that takes more than this gets a line to itself. */
const widestName = 32;

export function printHelp(path: readonly string[], command: AnyCommand): void {
  const name = ['latchkey', ...path].join(' ');
  const { own, commands } = isGroup(command) ? command : { own: command };
  printUsage([
    ...(own ? [[name, ...synopsis(own)].join(' ')] : []),
    ...(commands ? [`${name} <command> [options]`] : []),
  ]);
  printText(`${command.summary.charAt(0).toUpperCase()}${command.summary.slice(1)}.`);
  if (commands)
    printEntries(
      'Commands',
      Object.entries(commands).map(([each, { summary }]): Entry => [each, summary]),
    );
  for (const paragraph of command.details?.split('\n\n') ?? []) printText(paragraph);
  for (const { heading, entries } of command.sections ?? []) printEntries(heading, entries);
  if (own) printEntries('Arguments', argumentEntries(own));
  if (own) printEntries('Options', optionEntries(own));
  printExamples(command.examples);
  if (commands) printText(`Run "${name} <command> --help" for the options of a command.`);
}

/** The help of the whole command line. */
export function printOverview(commands: readonly Section[]): void {
  printUsage(['latchkey <command> [options]', 'latchkey --version']);
  printText('Latchkey signs people in to applications with OAuth 2.0 and OpenID Connect.');
  const names = commands.flatMap(({ entries }) => entries.map(([name]) => displayWidth(name)));
  for (const { heading, entries } of commands) printEntries(heading, entries, Math.max(...names));
  printExamples([
    'latchkey serve',
    'latchkey client create --name "My app" --redirect-uri https://app.example/callback',
    'latchkey user create --email ada@example.com --name "Ada Lovelace" --admin',
  ]);
  printText('Run "latchkey <command> --help" for details.');
}

function printUsage(lines: readonly string[]): void {
  for (const [index, line] of lines.entries()) {
    const [first = '', ...others] = wrapped(line, width() - 7).map((part) => part.replaceAll(unbroken, ' '));
    print(index === 0 ? styled('bold', 'Usage: ') : '       ', first);
    for (const other of others) print(`         ${other}`);
  }
}

/** Required options by name; the others are listed below. */
function synopsis({ options, arguments: args }: Command): string[] {
  const given = Object.entries(options);
  return [
    ...Object.values(args).map(({ label, optional, many }) => {
      const shown = `${label}${many ? '…' : ''}`;
      return optional ? `[${shown}]` : shown;
    }),
    ...given.filter(([, { required }]) => required).map(([name, option]) => `--${name}${unbroken}${valueName(option)}`),
    ...(given.some(([, { required }]) => !required) ? ['[options]'] : []),
  ];
}

function argumentEntries({ arguments: args }: Command): Entry[] {
  return Object.values(args).flatMap(({ label, about }) => (about === undefined ? [] : [[label, about]]));
}

function optionEntries({ options }: Command): Entry[] {
  return Object.entries(options).map(([name, option]) => {
    const flag = `${option.short === undefined ? '' : `-${option.short}, `}--${name}`;
    const notes = [...(option.required ? ['required'] : []), ...(option.many ? ['can be repeated'] : [])];
    return [`${flag} ${valueName(option)}`.trimEnd(), `${option.about}${notes.length ? ` (${notes.join('; ')})` : ''}`];
  });
}

function valueName({ value, values }: OptionSpec): string {
  return value ?? values?.join('|') ?? '';
}

function printEntries(heading: string, entries: readonly Entry[], least = 0): void {
  if (entries.length === 0) return;
  print('\n', styled('bold', `${heading}:`));
  const names = entries.map(([name]) => displayWidth(name)).filter((each) => each <= widestName);
  const indent = Math.max(least, ...names, 4) + 4;
  // On a narrow terminal, what an entry is about stands below its name.
  const below = width() - indent < 24;
  for (const [name, about] of entries) {
    const lines = wrapped(about, width() - (below ? 6 : indent));
    const fits = !below && displayWidth(name) <= indent - 4;
    if (!fits) print('  ', styled('cyan', name));
    for (const [index, line] of lines.entries()) {
      if (index === 0 && fits) print('  ', styled('cyan', name), ' '.repeat(indent - 2 - displayWidth(name)), line);
      else print(' '.repeat(below ? 6 : indent), line);
    }
  }
}

function printExamples(examples: readonly string[]): void {
  if (examples.length === 0) return;
  print('\n', styled('bold', 'Examples:'));
  // As they are: a line that's broken can't be copied.
  for (const example of examples) print(padTo('', 2), example);
}

function printText(paragraph: string): void {
  print('');
  const isAsWritten = paragraph.split('\n').every((line) => line.startsWith('  ') || line === '');
  for (const line of isAsWritten ? [paragraph] : wrapped(paragraph.replaceAll('\n', ' '), width())) print(line);
}

function width(): number {
  return Math.min(widest, terminalWidth() ?? widest);
}
