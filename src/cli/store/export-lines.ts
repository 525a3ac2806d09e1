// The lines of an export: a header with the schema and how many rows of each table follow, a line for each row, and an end. Which
// rows there are is decided in storage/transfer.ts.

import type { Driver, Row, Value } from '../../storage/driver.ts';
import { versionOf } from '../../storage/migrating.ts';
import { countRows, readRows, transferTables } from '../../storage/transfer.ts';
import { type Progress, withProgress } from '../terminal/progress.ts';

export const format = 1;
const pageSize = 500;

export interface Exported {
  readonly rows: number;
  /** For how many milliseconds the snapshot was held. */
  readonly heldFor: number;
}

/** As of one moment, while others change the store. */
export async function exportLines(driver: Driver, write: (text: string) => Promise<unknown>): Promise<Exported> {
  const writeLines = (values: readonly unknown[]) =>
    write(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
  const schema = versionOf(await driver.appliedMigrations());
  let started = performance.now();
  const rows = await driver.snapshot(async (reader) => {
    started = performance.now();
    const counts: Record<string, number> = {};
    for (const table of transferTables) counts[table.name] = await countRows(reader, table);
    await writeLines([{ latchkey_export: format, schema, counts }]);
    const count = sum(counts);
    await withProgress({ label: 'Exporting', total: { count, unit: 'rows' } }, async (progress: Progress) => {
      for (const table of transferTables) {
        for await (const page of readRows(reader, table, pageSize)) {
          await writeLines(page.map((row) => ({ table: table.name, row: encode(row) })));
          progress.add(page.length);
        }
      }
    });
    return count;
  });
  const heldFor = performance.now() - started;
  await writeLines([{ end: true }]);
  return { rows, heldFor };
}

function encode(row: Row): Record<string, unknown> {
  const plain = (value: Value) =>
    value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value;
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, plain(value)]));
}

export function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
