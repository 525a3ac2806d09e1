// Reads the lines of an export (export-lines.ts) into a store.

import type { Driver, Row, Value } from '../../storage/driver.ts';
import { readMigrations } from '../../storage/sql/sql-storage.ts';
import { markUnsearchable, type TransferTable, transferTables, writeRows } from '../../storage/transfer.ts';
import { CommandFailed } from '../command.ts';
import { type Progress, startProgress } from '../terminal/progress.ts';
import { format, sum } from './export-lines.ts';

const pageSize = 500;

export const incomplete = 'the export is incomplete: its end is missing.';

export interface Imported {
  /** How many rows of each table there were, and how many the header says. */
  readonly counts: Readonly<Record<string, number>>;
  readonly announced: Readonly<Record<string, number>>;
  /** Whether the last line says that it's the last. */
  readonly ended: boolean;
  /** Of the store that was exported; undefined for exports of 0.3.0, which were none of one moment either. */
  readonly schema: number | undefined;
}

export async function importLines(driver: Driver, lines: AsyncIterable<string>): Promise<Imported> {
  let progress: Progress | undefined;
  let table: TransferTable | undefined;
  let header: Header = { announced: {}, schema: undefined };
  let rows: Row[] = [];
  let number = 0;
  let ended = false;
  const counts: Record<string, number> = {};
  /** 0.3.0 didn't find people by every word of their email address. */
  let lacksWords = false;
  const flush = async () => {
    if (table !== undefined && rows.length > 0) {
      await writeRows(driver, table, rows);
      counts[table.name] = (counts[table.name] ?? 0) + rows.length;
    }
    progress?.add(rows.length);
    rows = [];
  };
  try {
    for await (const line of lines) {
      number++;
      const value = parse(line, number);
      if (number === 1) {
        header = readHeader(value);
        progress = startProgress({ label: 'Importing', total: { count: sum(header.announced), unit: 'rows' } });
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
  } finally {
    progress?.done();
  }
  return { counts, ended, ...header };
}

type Header = Pick<Imported, 'announced' | 'schema'>;

function readHeader(value: Record<string, unknown>): Header {
  const announced = value.counts as Record<string, number> | undefined;
  // Exports have counted service keys since 0.3.0.
  if (value.latchkey_export !== format || announced?.service_keys === undefined) {
    throw new CommandFailed("this isn't an export that this version of Latchkey can read (those of 0.3.0 and later).");
  }
  const schema = typeof value.schema === 'number' ? value.schema : undefined;
  const known = readMigrations().at(-1)?.version ?? 0;
  if (schema !== undefined && schema > known) {
    throw new CommandFailed(
      `this export has schema version ${schema}, from a newer version of Latchkey. This version knows version ${known}.`,
    );
  }
  return { announced, schema };
}

function parse(line: string, number: number): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Refused below.
  }
  throw new CommandFailed(`line ${number} isn't valid JSON.`);
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
