// `latchkey passwords build-filter`: makes a filter of a published list of breached passwords.

import {
  closeSync,
  createReadStream,
  fsyncSync,
  opendirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import {
  checkKind,
  type FilterHeader,
  FilterUnusable,
  falsePositivesOf,
  pageSize,
} from '../../platform/breached-passwords/filter-format.ts';
import { FilterWriter } from '../../platform/breached-passwords/filter-writer.ts';
import { HashListError, HashListReader } from '../../platform/breached-passwords/hash-list.ts';
import { syncFolder } from '../../platform/durable-file.ts';
import { codeOf, messageOf } from '../../protocol/reading/caught-errors.ts';
import { CommandFailed, UsageError } from '../command.ts';
import { defineCommand, jsonOption } from '../frame/define.ts';
import type { CommandGroup } from '../frame/spec.ts';
import { summaries } from '../summaries.ts';
import { noteOnTerminal, print, printError, printJson } from '../terminal/output.ts';
import { type Work, withProgress } from '../terminal/progress.ts';
import { removeLeftovers, unfinishedName } from '../unfinished-file.ts';

const chunkSize = 1024 * 1024;
const megabyte = 1_000_000;

const buildFilter = defineCommand({
  summary: 'build a filter file from a list of breached passwords',
  details: `The list has a line for each password: its SHA-1 hash in hexadecimal, a colon and how often it was seen, sorted by hash, as
in the download of Pwned Passwords. It can also be a folder with the files of all ranges, 00000.txt to FFFFF.txt, or - for
standard input. Sort a list of your own with "LC_ALL=C sort".

The list is read once, in constant memory. The filter needs about 8 GB for a billion passwords. It replaces the file of that
name when it's complete, and a running service that uses the file loads it within seconds. Name it in
LATCHKEY_BREACHED_PASSWORDS.`,
  arguments: {
    list: { label: '<LIST|->', about: 'the list, a folder of ranges, or - for standard input', completes: 'file' },
    target: { label: 'FILE', about: 'the filter file to write', completes: 'file' },
  },
  options: {
    'min-count': { value: 'NUMBER', about: 'leave out passwords that were seen less often than this (default: 1)' },
    ...jsonOption,
  },
  examples: [
    'latchkey passwords build-filter pwnedpasswords.txt breached-passwords.filter',
    'zcat list.gz | latchkey passwords build-filter - breached-passwords.filter --min-count 10',
  ],
  async run({ args: { list, target }, values }) {
    const minCount = values['min-count'] ?? '1';
    if (!/^[0-9]{1,15}$/.test(minCount)) throw new UsageError('--min-count needs a whole number');
    refuseToReplaceAnythingElse(target);
    const built = await writeFilter(list, target, Number(minCount));
    report(target, built, values.json);
  },
});

export const passwords: CommandGroup = {
  summary: summaries.passwords,
  examples: ['latchkey passwords build-filter pwnedpasswords.txt breached-passwords.filter'],
  commands: { 'build-filter': buildFilter },
};

interface Built {
  readonly header: FilterHeader;
  /** The last hash of the list, as a share of all that are possible. */
  readonly reached: number;
  readonly missingRanges: number;
}

/** Mixing up the two arguments must not overwrite the list. */
function refuseToReplaceAnythingElse(target: string): void {
  const stats = statSync(target, { throwIfNoEntry: false });
  if (stats === undefined) return;
  try {
    if (!stats.isFile()) throw new FilterUnusable('is not a file');
    checkKind(firstPage(target));
  } catch (error) {
    if (!(error instanceof FilterUnusable)) throw error;
    throw new CommandFailed(`${target} ${error.message}. It's left alone: name another file, or delete it first.`);
  }
}

function firstPage(file: string): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    const page = Buffer.alloc(pageSize);
    return page.subarray(0, readSync(descriptor, page));
  } finally {
    closeSync(descriptor);
  }
}

async function writeFilter(list: string, target: string, minCount: number): Promise<Built> {
  const unfinished = unfinishedName(target);
  const removeUnfinished = () => rmSync(unfinished, { force: true });
  const stopped = (signal: 'SIGINT' | 'SIGTERM') => {
    removeUnfinished();
    process.exit(signal === 'SIGINT' ? 130 : 143);
  };
  process.once('SIGINT', stopped).once('SIGTERM', stopped);
  let descriptor: number | undefined;
  try {
    const source = list === '-' ? undefined : statSync(list);
    removeLeftovers(target);
    descriptor = openSync(unfinished, 'wx');
    const writer = new FilterWriter(descriptor, minCount);
    const reader = new HashListReader({ minCount, take: (hash) => writer.add(hash) });
    const missingRanges = await read(list, source, reader);
    if (writer.hashes === 0) throw new HashListError('has no hashes to put into a filter');
    const header = writer.finish();
    fsyncSync(descriptor);
    renameSync(unfinished, target);
    syncFolder(dirname(target));
    return { header, reached: shareOf(reader.last), missingRanges };
  } catch (error) {
    removeUnfinished();
    throw explained(error, list);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
    process.off('SIGINT', stopped).off('SIGTERM', stopped);
  }
}

/** Returns how many ranges have no file. */
async function read(list: string, source: Stats | undefined, reader: HashListReader): Promise<number> {
  const label = 'Building the filter';
  if (source?.isDirectory()) return readRanges(list, label, reader);
  // Of what comes from a pipe, the hashes say how far it is: they're in order and spread evenly.
  const megabytes = source?.isFile() ? Math.ceil(source.size / megabyte) : undefined;
  const work: Work =
    megabytes === undefined
      ? { label, share: () => shareOf(reader.last) }
      : { label, total: { count: megabytes, unit: 'MB' }, measure: () => Math.floor(bytes / megabyte) };
  let bytes = 0;
  const input = list === '-' ? process.stdin : createReadStream(list, { highWaterMark: chunkSize });
  await withProgress(work, async (progress) => {
    for await (const chunk of input as AsyncIterable<Buffer>) {
      reader.push(chunk);
      bytes += chunk.length;
      progress.add(0);
    }
  });
  reader.end();
  return 0;
}

function shareOf(hash: Uint8Array): number {
  return Buffer.from(hash).readUIntBE(0, 6) / 2 ** 48;
}

function explained(error: unknown, list: string): unknown {
  const name = list === '-' ? 'standard input' : list;
  if (error instanceof HashListError) {
    const advice = error.message.includes('not in order') ? ' Sort the list with "LC_ALL=C sort".' : '';
    return new CommandFailed(`${name}: ${error.message}.${advice}`);
  }
  const code = codeOf(error);
  if (code === 'ENOENT' || code === 'EACCES') return new CommandFailed(`${messageOf(error)}.`);
  if (code === 'ENOSPC') return new CommandFailed("the disk is full: the filter wasn't written.");
  return error;
}

function report(target: string, { header, reached, missingRanges }: Built, json: boolean): void {
  const { hashes } = header;
  const falsePositives = falsePositivesOf(header);
  const { size } = statSync(target);
  const rate = `1 in ${Math.round(1 / falsePositives).toLocaleString('en')}`;
  if (missingRanges > 0) {
    printError(`${missingRanges.toLocaleString('en')} of ${rangeCount.toLocaleString('en')} ranges have no file.`);
  } else if ((1 - reached) * hashes > 50) {
    // The last of so many hashes is closer to the end unless something is missing.
    printError(`The list ends at ${Math.floor(reached * 100)}% of all hashes. If it should be complete, get it again.`);
  }
  if (json) {
    printJson({ file: target, passwords: hashes, bytes: size, false_positives: falsePositives });
    return;
  }
  print(`Wrote ${target}: ${hashes.toLocaleString('en')} passwords, ${(size / megabyte).toFixed(1)} MB.`);
  print(`About ${rate} other passwords is refused as well.`);
  noteOnTerminal(`To use it, set LATCHKEY_BREACHED_PASSWORDS=${target}.`);
}

const rangeCount = 16 ** 5;

/** How the files may be called. */
const forms: readonly ((prefix: string) => string)[] = [
  (prefix) => `${prefix}.txt`,
  (prefix) => prefix,
  (prefix) => `${prefix.toLowerCase()}.txt`,
  (prefix) => prefix.toLowerCase(),
];

/** Reads the files in order, and returns how many are missing. */
async function readRanges(folder: string, label: string, reader: HashListReader): Promise<number> {
  const formOf = formsIn(folder);
  let missing = 0;
  await withProgress({ label, total: { count: rangeCount, unit: 'ranges' } }, async (progress) => {
    for (const [range, form] of formOf.entries()) {
      if (form === 0) missing++;
      else readRange(folder, prefixOf(range), form, reader);
      progress.add(1);
      // Signals have their turn.
      if (range % 256 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  });
  if (missing === rangeCount) throw new HashListError('has no files of ranges, 00000.txt to FFFFF.txt');
  return missing;
}

/** For each range, how its file is called, counted from 1; 0 if there is none. A byte for each, not a million names. */
function formsIn(folder: string): Uint8Array {
  const found = new Uint8Array(rangeCount);
  const entries = opendirSync(folder);
  try {
    for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) {
      const { name } = entry;
      if (!/^[0-9A-Fa-f]{5}(?:\.txt)?$/.test(name)) continue;
      const range = Number.parseInt(name.slice(0, 5), 16);
      found[range] = 1 + forms.findIndex((form) => form(prefixOf(range)) === name);
    }
  } finally {
    entries.closeSync();
  }
  return found;
}

function prefixOf(range: number): string {
  return range.toString(16).toUpperCase().padStart(5, '0');
}

function readRange(folder: string, prefix: string, form: number, reader: HashListReader): void {
  const name = forms[form - 1]?.(prefix) ?? prefix;
  const text = readFileSync(join(folder, name));
  try {
    reader.beginRange(prefix);
    reader.push(text);
    reader.end();
  } catch (error) {
    throw error instanceof HashListError ? new HashListError(`${error.message} (in ${name})`) : error;
  }
}
