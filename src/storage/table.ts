// How schema.ts describes a table, and the types of rows that follow from a description.

import type { Value } from './driver.ts';

export interface Column<Type extends Value = Value> {
  readonly sql: 'TEXT' | 'BIGINT' | 'BYTEA';
  readonly nullable: boolean;
  /** What a value of the column is. Only the compiler reads this; it is never set. */
  readonly type?: Type;
}

export interface Table<
  Alias extends string = string,
  Columns extends Readonly<Record<string, Column>> = Readonly<Record<string, Column>>,
> {
  readonly name: string;
  /** What every query calls the table, and with an underscore the prefix of its columns in a row: `u.id` is `u_id`. */
  readonly alias: Alias;
  readonly key: readonly string[];
  readonly columns: Columns;
}

type TypeOf<C> = C extends Column<infer Type> ? Type : never;

export type ColumnOf<T extends Table> = keyof T['columns'] & string;

/** A row as it is stored. */
export type StoredRow<T extends Table> = { readonly [Name in ColumnOf<T>]: TypeOf<T['columns'][Name]> };

/** A row as a query returns it, with some or all of its columns under the table's prefix. */
export type SelectedRow<T extends Table, Names extends ColumnOf<T> = ColumnOf<T>> = {
  readonly [Name in Names as `${T['alias']}_${Name}`]: TypeOf<T['columns'][Name]>;
};

export function table<const Alias extends string, Columns extends Readonly<Record<string, Column>>>(
  name: string,
  alias: Alias,
  key: readonly (keyof Columns & string)[],
  columns: Columns,
): Table<Alias, Columns> {
  return { name, alias, key, columns };
}

export function text<Type extends string = string>(): Column<Type> {
  return { sql: 'TEXT', nullable: false };
}

export function integer(): Column<number> {
  return { sql: 'BIGINT', nullable: false };
}

export function bytes(): Column<Uint8Array> {
  return { sql: 'BYTEA', nullable: false };
}

export function nullable<Type extends Value>(column: Column<Type>): Column<Type | null> {
  return { sql: column.sql, nullable: true };
}
