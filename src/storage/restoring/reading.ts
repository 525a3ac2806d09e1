// Reads tables of two stores side by side: those of one in pages, and the same rows of the other by their keys. Engines sort text
// differently, so the two can't be walked together.

import type { Row, SnapshotReader, Value } from '../driver.ts';

const pageSize = 500;

/** In the order of the key, which every row has. `columns` are what else is read; the alias of the table is `t`. */
export async function* pagesOf(
  reader: SnapshotReader,
  table: string,
  key: readonly string[],
  columns: string,
  condition = 'true',
): AsyncGenerator<Row[]> {
  const names = key.map((column) => `t.${column}`).join(', ');
  const places = key.map((_, index) => `$${index + 2}`).join(', ');
  let last: Value[] | undefined;
  for (;;) {
    const after = last === undefined ? '' : `AND (${names}) > (${places})`;
    const sql = `SELECT ${names}, ${columns} FROM ${table} t WHERE ${condition} ${after} ORDER BY ${names} LIMIT $1`;
    const page = await reader.read(sql, [pageSize, ...(last ?? [])]);
    if (page.length > 0) yield page;
    if (page.length < pageSize) return;
    last = key.map((column) => page.at(-1)?.[column] ?? null);
  }
}

/** The rows with the same keys as these. */
export async function rowsWith(
  reader: SnapshotReader,
  table: string,
  key: readonly string[],
  rows: readonly Row[],
  columns: string,
  condition = 'true',
): Promise<Row[]> {
  if (rows.length === 0) return [];
  const tuples = rows.map((_, row) => `(${key.map((_, column) => `$${row * key.length + column + 1}`).join(', ')})`);
  const [one, list] = [key.map((column) => `t.${column}`).join(', '), tuples.join(', ')];
  const sql = `SELECT ${columns} FROM ${table} t WHERE (${one}) IN (VALUES ${list}) AND ${condition}`;
  return reader.read(
    sql,
    rows.flatMap((row) => key.map((column) => row[column] ?? null)),
  );
}
