// Reads the records of a file, or of a folder of files, in whatever form the service writes them: a list or lines of
// JSON, a list within an object, or CSV. However large a file is, only a part of it is in memory.

import { closeSync, createReadStream, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { AttributeChoices } from '../../protocol/import/given-attributes.ts';
import { firebaseRow } from '../../protocol/import/sources/firebase.ts';
import { isOwnColumn, knownColumns } from '../../protocol/import/sources/own.ts';
import type { ImportSource } from '../../protocol/import/sources.ts';
import { messageOf } from '../../protocol/reading/caught-errors.ts';
import { type Json, readJson } from '../../protocol/reading/strict-json.ts';
import { CommandFailed, readingFile } from '../command.ts';
import { ElementScanner, elementLimit, InvalidFile } from './json-elements.ts';

export interface FileRecord {
  /** Undefined, with a problem, if it can't be read. */
  readonly value: Json | undefined;
  readonly problem?: string;
  readonly place: Place;
}

export interface Place {
  readonly file: string;
  readonly line: number;
  /** From 1 on, in all files. */
  readonly record: number;
}

export interface ImportFile {
  readonly paths: readonly string[];
  /** In bytes, as they are on disk. */
  readonly size: number;
  /** What is beside them and isn't read. */
  readonly ignored: readonly string[];
}

/** In bytes. All rows of such a part are in memory at once, and a row can be as short as two bytes. */
const chunkSize = 64 * 1024;
const rowsAtOnce = 256;

/** Keycloak writes a folder of files for a realm; the others write one file. */
export function findImportFile(path: string, from: ImportSource): ImportFile {
  const isFolder = readingFile(path, () => statSync(path).isDirectory());
  if (isFolder && from !== 'keycloak') throw new CommandFailed(`${path} is a folder. Name the file.`);
  const { paths, ignored } = isFolder ? realmFiles(path) : { paths: [path], ignored: [] };
  const size = paths.reduce((sum, each) => sum + readingFile(each, () => statSync(each).size), 0);
  return { paths, size, ignored };
}

function realmFiles(folder: string): { paths: string[]; ignored: string[] } {
  const names = readingFile(folder, () => readdirSync(folder)).filter((name) => name.endsWith('.json'));
  const parts = names.flatMap((name) => {
    const [, realm, kind, part = '0'] = /^(.+?)-(realm|users|federated-users)(?:-(\d+))?\.json$/.exec(name) ?? [];
    return realm === undefined ? [] : [{ name, realm, kind, part: Number(part) }];
  });
  const realms = [...new Set(parts.map(({ realm }) => realm))];
  if (realms.length === 0) throw new CommandFailed(`${folder} has no files of a Keycloak export (REALM-realm.json).`);
  if (realms.length > 1) {
    throw new CommandFailed(`${folder} has the realms ${realms.join(', ')}. Export one of them with --realm.`);
  }
  const ordered = parts
    .toSorted((a, b) => a.part - b.part)
    .toSorted((a, b) => (a.kind === 'realm' ? -1 : b.kind === 'realm' ? 1 : 0));
  return {
    paths: ordered.filter(({ kind }) => kind !== 'federated-users').map(({ name }) => join(folder, name)),
    ignored: ordered.filter(({ kind }) => kind === 'federated-users').map(({ name }) => name),
  };
}

/** The records, some at a time. `onRead` is called with the number of bytes read; `choices` decide which columns our own can have. */
export async function* readRecords(
  { paths }: ImportFile,
  from: ImportSource,
  onRead: (bytes: number) => void,
  choices: AttributeChoices = {},
): AsyncGenerator<FileRecord[]> {
  const member = from === 'keycloak' || from === 'firebase' ? 'users' : from === 'authentik' ? 'results' : undefined;
  const count = { records: 0 };
  let found = false;
  for (const path of paths) {
    const bytes = readBytes(path, onRead);
    if (from === 'csv' || ((from === 'firebase' || from === 'clerk') && /\.csv(\.gz)?$/i.test(path))) {
      found = true;
      yield* csvRecords(path, bytes, from, count, choices);
    } else {
      const scanner = new ElementScanner(member);
      yield* jsonRecords(path, bytes, scanner, count);
      found ||= scanner.found;
    }
  }
  if (!found) throw new CommandFailed(`${paths.join(', ')} has no list of ${JSON.stringify(member)}.`);
}

/** The objects in a list of a JSON file, which may be a member of it. */
export function readObjects(path: string, member: 'clients' | undefined): AsyncGenerator<FileRecord[]> {
  return jsonRecords(path, readBytes(path), new ElementScanner(member), { records: 0 });
}

/** The rows of a CSV file with whatever columns. */
export function readTable(path: string): AsyncGenerator<FileRecord[]> {
  return csvRecords(path, readBytes(path), 'authentik', { records: 0 }, {});
}

async function* readBytes(path: string, onRead = (_bytes: number) => {}): AsyncGenerator<Uint8Array> {
  const file = createReadStream(path, { highWaterMark: chunkSize });
  file.on('data', (chunk) => onRead(chunk.length));
  const stream = isCompressed(path) ? file.pipe(createGunzip({ chunkSize })) : file;
  file.on('error', (error) => stream.destroy(error));
  try {
    for await (const chunk of stream) yield chunk;
  } catch (error) {
    throw new CommandFailed(`can't read ${path}: ${messageOf(error)}.`);
  } finally {
    file.destroy();
  }
}

function isCompressed(path: string): boolean {
  const first = Buffer.alloc(2);
  return readingFile(path, () => {
    const file = openSync(path, 'r');
    try {
      return readSync(file, first) === 2 && first.readUInt16BE() === 0x1f8b;
    } finally {
      closeSync(file);
    }
  });
}

async function* jsonRecords(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  scanner: ElementScanner,
  count: { records: number },
): AsyncGenerator<FileRecord[]> {
  const file = basename(path);
  try {
    for await (const chunk of bytes) {
      const elements = scanner.push(chunk);
      yield elements.map(({ text, line }) => {
        const place = { file, line, record: ++count.records };
        const read = readJson(text);
        if (read.kind === 'read') return { value: read.value, place };
        // Readers differ in which of the two they take.
        const problem = read.reason === 'repeated_key' ? 'has the same key twice' : 'is not valid JSON';
        return { value: undefined, problem, place };
      });
    }
    scanner.finish();
  } catch (error) {
    throw error instanceof InvalidFile ? new CommandFailed(`${file}, line ${error.line}: ${error.message}.`) : error;
  }
}

async function* csvRecords(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  from: ImportSource,
  count: { records: number },
  choices: AttributeChoices,
): AsyncGenerator<FileRecord[]> {
  const file = basename(path);
  const { CsvError, parse } = await import('csv-parse');
  const parser = parse({
    bom: true,
    info: true,
    skip_empty_lines: true,
    // What has another number of columns is reported with the other problems.
    relax_column_count: true,
    // Firebase puts quotes around a name only where it has a comma, so quotes within a name are kept as they are.
    relax_quotes: from === 'firebase',
    max_record_size: elementLimit,
  });
  // What goes wrong is thrown where the parser is read.
  pipeline(Readable.from(bytes), parser, () => {});
  let header: readonly string[] | undefined;
  let records: FileRecord[] = [];
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      if (from !== 'firebase' && header === undefined) {
        header = checkedHeader(file, record, from, choices);
        continue;
      }
      const place = { file, line: info.lines, record: ++count.records };
      records.push({ ...rowReading(header, record), place });
      if (records.length < rowsAtOnce) continue;
      yield records;
      records = [];
    }
    yield records;
    if (from !== 'firebase' && header === undefined) throw new CommandFailed(`${file} is empty.`);
  } catch (error) {
    throw error instanceof CsvError ? new CommandFailed(`${file}: ${error.message}.`) : error;
  }
}

function checkedHeader(
  file: string,
  names: readonly string[],
  from: ImportSource,
  choices: AttributeChoices,
): readonly string[] {
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined)
    throw new CommandFailed(`${file}, line 1: the column ${JSON.stringify(twice)} appears twice.`);
  if (from !== 'csv') return names;
  const unknown = names.find((name) => !isOwnColumn(name, choices));
  if (unknown === undefined && names.includes('email')) return names;
  const problem =
    unknown === undefined ? 'there is no column "email"' : `there is no column ${JSON.stringify(unknown)}`;
  throw new CommandFailed(`${file}, line 1: ${problem}. The columns are ${knownColumns(choices).join(', ')}.`);
}

/** Firebase has no header. */
function rowReading(header: readonly string[] | undefined, row: readonly string[]): Omit<FileRecord, 'place'> {
  // The parser has put this character where the bytes were none.
  if (row.some((field) => field.includes('\ufffd'))) return { value: undefined, problem: "isn't UTF-8 text" };
  const named = header?.map((name, index) => [name, row[index] ?? '']);
  const value = named === undefined ? firebaseRow(row) : Object.fromEntries(named);
  const isComplete = value !== undefined && (header === undefined || header.length === row.length);
  return isComplete ? { value } : { value: undefined, problem: 'has another number of columns' };
}
