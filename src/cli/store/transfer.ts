// `latchkey export` and `latchkey import`: everything in a store as lines of JSON, to move it to another store. Which
// rows there are is decided in storage/transfer.ts.

import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { readConfig } from '../../platform/config.ts';
import { isSystemError, messageOf } from '../../protocol/reading/caught-errors.ts';
import type { Driver, Row, Value } from '../../storage/driver.ts';
import { StorageConflict } from '../../storage/storage.ts';
import {
  countRows,
  markUnsearchable,
  readRows,
  type TransferTable,
  transferTables,
  writeRows,
} from '../../storage/transfer.ts';
import { CommandFailed } from '../command.ts';
import { defineCommand } from '../frame/define.ts';
import { summaries } from '../summaries.ts';
import { noteOnTerminal, writeOut } from '../terminal/output.ts';
import { type Progress, startProgress, withProgress } from '../terminal/progress.ts';
import { writeCompletely } from '../unfinished-file.ts';
import { ensureSchema, openStore } from './open-store.ts';

const format = 1;
const pageSize = 500;

export const exportCommand = defineCommand({
  summary: summaries.export,
  details: `Writes people, applications, groups, grants, sessions, settings, webhooks, events and everything else, as one JSON value per
line. Passwords are Argon2id hashes, and secrets are digests or encrypted, as in the store, but keep the output as safe as
the store.

Stop the service first, or changes made during the export may be missing. The keys aren't included: give the new service
the same ones (LATCHKEY_KEYS or LATCHKEY_KEYS_FILE), so that access tokens, webhook secrets and open forms keep
working.`,
  options: {
    output: {
      value: 'FILE',
      completes: 'file',
      about: 'write to a new file that only you can read, instead of standard output',
    },
  },
  examples: [
    'latchkey export --output latchkey.jsonl',
    'latchkey export | DATABASE_URL=postgres://latchkey@db.example/latchkey latchkey import',
  ],
  async run({ values: { output }, environment }) {
    if (output === undefined && process.stdout.isTTY) {
      throw new CommandFailed('export writes to a file or a pipe, not to a terminal. Use --output FILE.');
    }
    if (output !== undefined && existsSync(output)) {
      throw new CommandFailed(`${output} already exists. Choose another file.`);
    }
    const config = readConfig(environment);
    await withStore(config, 'refuse', async (driver) => {
      if (output === undefined) return exportLines(driver, writeOut);
      await writeCompletely(output, async (unfinished) => {
        const file = await open(unfinished, 'wx', 0o600);
        try {
          await exportLines(driver, (text) => file.appendFile(text));
          await file.sync();
        } finally {
          await file.close();
        }
      }).catch((error) => {
        throw isSystemError(error) ? new CommandFailed(`the export failed: ${messageOf(error)}.`) : error;
      });
    });
  },
});

async function exportLines(driver: Driver, write: (text: string) => Promise<void>): Promise<void> {
  const writeLines = (values: readonly unknown[]) =>
    write(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
  const counts: Record<string, number> = {};
  for (const table of transferTables) counts[table.name] = await countRows(driver, table);
  await writeLines([{ latchkey_export: format, counts }]);
  const work = { label: 'Exporting', total: { count: sum(counts), unit: 'rows' } };
  await withProgress(work, async (progress) => {
    for (const table of transferTables) {
      for await (const page of readRows(driver, table, pageSize)) {
        await writeLines(page.map((row) => ({ table: table.name, row: encode(row) })));
        progress.add(page.length);
      }
    }
  });
  await writeLines([{ end: true }]);
  noteOnTerminal(`Exported ${sum(counts).toLocaleString('en')} rows.`);
}

export const importCommand = defineCommand({
  summary: summaries.import,
  details: `Reads the output of "latchkey export" into the configured store. Existing rows are replaced with those from the file, so
you can simply repeat an import that was interrupted.`,
  examples: ['latchkey import < latchkey.jsonl'],
  async run({ environment }) {
    if (process.stdin.isTTY) throw new CommandFailed('import reads from a file or a pipe, not from a terminal.');
    const config = readConfig(environment);
    await withStore(config, 'announce', async (driver) => {
      try {
        await importLines(driver, createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY }));
      } catch (error) {
        if (!(error instanceof StorageConflict)) throw error;
        throw new CommandFailed(`the store already has a different row with the same key (${error.message}).`);
      }
    });
  },
});

async function importLines(driver: Driver, lines: AsyncIterable<string>): Promise<void> {
  let progress: Progress | undefined;
  let table: TransferTable | undefined;
  let rows: Row[] = [];
  let number = 0;
  let imported = 0;
  let ended = false;
  /** 0.3.0 didn't find people by every word of their email address. */
  let lacksWords = false;
  const flush = async () => {
    if (table !== undefined && rows.length > 0) await writeRows(driver, table, rows);
    progress?.add(rows.length);
    imported += rows.length;
    rows = [];
  };
  try {
    for await (const line of lines) {
      number++;
      const value = parse(line, number);
      if (number === 1) {
        const counts = value.counts as Record<string, number> | undefined;
        // Exports have counted service keys since 0.3.0.
        if (value.latchkey_export !== format || counts?.service_keys === undefined) {
          throw new CommandFailed(
            "this isn't an export that this version of Latchkey can read (those of 0.3.0 and later).",
          );
        }
        progress = startProgress({ label: 'Importing', total: { count: sum(counts), unit: 'rows' } });
        continue;
      }
      if (value.end === true) {
        ended = true;
        continue;
      }
      const next = transferTables.find((candidate) => candidate.name === value.table);
      if (next === undefined)
        throw new CommandFailed(`line ${number} is for a table that this version of Latchkey doesn't know.`);
      if (next !== table || rows.length >= pageSize) await flush();
      table = next;
      if (next.name === 'users' && !Object.hasOwn(value.row as object, 'last_sign_in_at')) lacksWords = true;
      rows.push(decode(value.row as Record<string, unknown>, next, number));
    }
    await flush();
    if (lacksWords) await markUnsearchable(driver);
    if (!ended)
      throw new CommandFailed('the export is incomplete: its end is missing. Everything before that was imported.');
  } finally {
    progress?.done();
  }
  noteOnTerminal(`Imported ${imported.toLocaleString('en')} rows.`);
}

async function withStore(
  config: ReturnType<typeof readConfig>,
  ifMissing: 'announce' | 'refuse',
  work: (driver: Driver) => Promise<void>,
): Promise<void> {
  const driver = await openStore(config, { busyTimeout: 10_000, ifMissing });
  try {
    await ensureSchema(config, driver);
    await work(driver);
  } finally {
    await driver.close();
  }
}

function parse(line: string, number: number): Record<string, unknown> {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    throw new CommandFailed(`line ${number} isn't valid JSON.`);
  }
}

function encode(row: Row): Record<string, unknown> {
  const plain = (value: Value) =>
    value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value;
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, plain(value)]));
}

function decode(row: Record<string, unknown>, table: TransferTable, number: number): Row {
  const read = (column: string): Value => {
    const value = row[column] ?? null;
    if (value === null || typeof value === 'string' || typeof value === 'number') return value;
    const { base64 } = value as { base64?: unknown };
    if (typeof base64 === 'string') return Buffer.from(base64, 'base64');
    throw new CommandFailed(`line ${number} has a value of the wrong type in ${column}.`);
  };
  return Object.fromEntries(table.columns.map((column) => [column, read(column)]));
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
