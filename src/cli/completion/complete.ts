// `latchkey __complete`, which the completion scripts call with the words up to the cursor. It prints a word per line, with
// its description after a tab. A last line ":file" asks the shell to offer files.

import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { type Environment, readConfig } from '../../platform/config.ts';
import { searchedWords } from '../../protocol/admin/search-words.ts';
import { escapeMisleading, hasControlCharacters } from '../../protocol/reading/control-characters.ts';
import { examineSchema } from '../../storage/migrating.ts';
import { readMigrations, sqlStorage } from '../../storage/sql/sql-storage.ts';
import type { Storage } from '../../storage/storage.ts';
import { loadCommand, overview } from '../commands.ts';
import {
  type AnyCommand,
  type ArgumentSpec,
  type Command,
  type Completes,
  commandIn,
  type Entry,
  isGroup,
  type OptionSpec,
  takesValue,
} from '../frame/spec.ts';
import { databaseFile, openStore } from '../store/open-store.ts';

export async function printCompletions(words: readonly string[], environment: Environment): Promise<void> {
  const [name = '', ...rest] = words;
  const command = words.length <= 1 ? undefined : await loadCommand(name);
  const next = words.length <= 1 ? commandsAndOptions() : command ? nextWords(command, rest) : nothing;
  const typed = (words.at(-1) ?? '').slice(next.prefix.length);
  const { completes } = next;
  const stored =
    completes === undefined || completes === 'file' ? [] : await storedWords(completes, typed, environment);
  const lines = [...next.words, ...stored]
    .filter(([word]) => word.startsWith(typed) && isHarmless(word))
    .map(([word, about]) => `${next.prefix}${word}\t${escapeMisleading(about)}`);
  if (completes === 'file') lines.push(':file');
  const text = lines.map((line) => `${line}\n`).join('');
  await new Promise((resolve) => process.stdout.write(text, resolve));
}

function commandsAndOptions(): Next {
  const words = overview.flatMap(({ entries }) => entries);
  return { ...nothing, words: [...words, ['--help', 'list the commands'], ['--version', 'print the version']] };
}

/** An escaped name would be another one, and one as it's stored could command the terminal. */
function isHarmless(word: string): boolean {
  return !hasControlCharacters(word) && escapeMisleading(word) === word;
}

interface Next {
  /** Whole words, and what each is about. */
  readonly words: readonly Entry[];
  /** What else fits: files, or something from the store. */
  readonly completes: Completes | undefined;
  /** What stands before the value in the same word, such as "--name=". */
  readonly prefix: string;
}

const nothing: Next = { words: [], completes: undefined, prefix: '' };

/** The last of the words is the one that's being typed. */
function nextWords(command: AnyCommand, words: readonly string[]): Next {
  const [first = '', ...rest] = words;
  if (!isGroup(command)) return nextOf(command, words);
  if (words.length > 1) {
    const subcommand = commandIn(command, first)?.[1] ?? command.own;
    return subcommand === undefined ? nothing : nextOf(subcommand, subcommand === command.own ? words : rest);
  }
  const subcommands = Object.entries(command.commands).map(([word, { summary }]): Entry => [word, summary]);
  const own = command.own === undefined ? nothing : nextOf(command.own, words);
  return { ...own, words: first.startsWith('-') ? own.words : [...subcommands, ...own.words] };
}

function nextOf(command: Command, words: readonly string[]): Next {
  const typed = words.at(-1) ?? '';
  const given: string[] = [];
  let arguments_ = 0;
  let onlyArguments = false;
  let awaited: OptionSpec | undefined;
  for (const word of words.slice(0, -1)) {
    if (awaited !== undefined) awaited = undefined;
    else if (onlyArguments || !word.startsWith('-') || word === '-') arguments_++;
    else if (word === '--') onlyArguments = true;
    else {
      const [name = '', value] = splitOption(command, word);
      given.push(name);
      if (value === undefined && takesValue(command.options[name])) awaited = command.options[name];
    }
  }
  if (awaited !== undefined) return valuesOf(awaited);
  if (onlyArguments || !typed.startsWith('-')) return argumentValues(command, arguments_);
  const inline = /^--([^=]+)=/.exec(typed);
  if (inline === null) return { ...nothing, words: optionsOf(command, given) };
  const option = Object.hasOwn(command.options, inline[1] ?? '') ? command.options[inline[1] ?? ''] : undefined;
  return takesValue(option) ? { ...valuesOf(option), prefix: inline[0] } : nothing;
}

/** The name of an option as it's typed, and its value if that's in the same word. */
function splitOption({ options }: Command, word: string): [name: string, value: string | undefined] {
  const [, long, value] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
  if (long !== undefined) return [long, value];
  const short = Object.entries(options).find(([, option]) => option.short === word.slice(1, 2));
  return [short?.[0] ?? '', word.length > 2 ? word.slice(2) : undefined];
}

function optionsOf({ options }: Command, given: readonly string[]): Entry[] {
  const open = Object.entries(options).filter(([name, { many }]) => many || !given.includes(name));
  return [...open.map(([name, { about }]): Entry => [`--${name}`, about]), ['--help', 'explain the command']];
}

function argumentValues(command: Command, index: number): Next {
  const specs = Object.values(command.arguments);
  const last = specs.at(-1);
  const spec = specs[index] ?? (last?.many ? last : undefined);
  return spec === undefined ? nothing : valuesOf(spec);
}

function valuesOf({ values = [], completes }: OptionSpec | ArgumentSpec): Next {
  return { ...nothing, words: values.map((word): Entry => [word, '']), completes };
}

/** More than anyone looks through. */
const most = 100;
/** Milliseconds: someone has pressed a key and waits. */
const patience = 2000;

type Stored = Exclude<Completes, 'file'>;

const readers: Record<Stored & string, (storage: Storage, typed: string) => Promise<readonly Entry[]>> = {
  client: async (storage) => (await storage.listClients()).map(({ id, name }): Entry => [id, name]),
  webhook: async (storage) => (await storage.listWebhooks()).map(({ id, url }): Entry => [id, url]),
  upstream: async (storage) => (await storage.listUpstreams()).map(({ name, label }): Entry => [name, label]),
  group: async (storage) => {
    const { items } = await storage.pageGroups({ after: undefined, limit: 1000 });
    return items.map(({ name }): Entry => [name, '']);
  },
  // There may be millions of people, so only a search finds them.
  person: async (storage, typed) => {
    const words = searchedWords(typed);
    if (words.length === 0) return [];
    const { items } = await storage.pageUsers({ words, after: undefined, limit: most, order: undefined });
    return items.map(({ email, name }): Entry => [email, name]);
  },
};

/** None if there's no store, or it doesn't answer. */
async function storedWords(kind: Stored, typed: string, environment: Environment): Promise<readonly Entry[]> {
  const stored = readStored(kind, typed, environment).catch(() => []);
  return Promise.race([stored, wait(patience, [], { ref: false })]);
}

async function readStored(kind: Stored, typed: string, environment: Environment): Promise<readonly Entry[]> {
  const config = readConfig(environment);
  if (config.databaseUrl === undefined && !existsSync(databaseFile(config))) return [];
  const driver = await openStore(config, { reportLoss: () => {} });
  try {
    const { kind: state } = await examineSchema(driver, readMigrations());
    const read = typeof kind === 'string' ? readers[kind] : kind;
    return state === 'current' || state === 'newer' ? await read(sqlStorage(driver), typed) : [];
  } finally {
    await driver.close();
  }
}
