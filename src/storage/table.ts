// How schema.ts describes a table, and the types of rows that follow from a description.

import type { CamelCase } from '../protocol/resources/resource.ts';
import type { Value } from './driver.ts';

export interface Column<Type extends Value = Value, Recorded = unknown> {
  readonly sql: 'TEXT' | 'BIGINT' | 'BYTEA';
  readonly nullable: boolean;
  /** What a value of the column is. Only the compiler reads this; it is never set. */
  readonly type?: Type;
  /** How a record's value is stored, where that isn't the value itself. */
  readonly codec?: Codec<Type, Recorded>;
}

interface Codec<Type extends Value, Recorded> {
  encode(value: Recorded): Type;
  decode(stored: Type): Recorded;
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
type RecordedOf<C> = C extends Column<Value, infer Recorded> ? Recorded : never;

export type ColumnOf<T extends Table> = keyof T['columns'] & string;

/** A row as it is stored. */
export type StoredRow<T extends Table> = { readonly [Name in ColumnOf<T>]: TypeOf<T['columns'][Name]> };

/** A row as a query returns it, with some or all of its columns under the table's prefix. */
export type SelectedRow<T extends Table, Names extends ColumnOf<T> = ColumnOf<T>> = {
  readonly [Name in Names as `${T['alias']}_${Name}`]: TypeOf<T['columns'][Name]>;
};

/** A record with some or all columns, each the property of its name in camel case: `user_id` is `userId`. */
export type RecordOf<T extends Table, Names extends ColumnOf<T> = ColumnOf<T>> = {
  readonly [Name in Names as CamelCase<Name>]: RecordedOf<T['columns'][Name]>;
};

export function table<const Alias extends string, Columns extends Readonly<Record<string, Column>>>(
  name: string,
  alias: Alias,
  key: readonly (keyof Columns & string)[],
  columns: Columns,
): Table<Alias, Columns> {
  return { name, alias, key, columns };
}

export function text<Type extends string = string>(): Column<Type, Type> {
  return { sql: 'TEXT', nullable: false };
}

export function integer(): Column<number, number> {
  return { sql: 'BIGINT', nullable: false };
}

export function bytes(): Column<Uint8Array, Uint8Array> {
  return { sql: 'BYTEA', nullable: false };
}

export function nullable<Type extends Value>(column: Column<Type, Type>): Column<Type | null, Type | null> {
  return { sql: column.sql, nullable: true };
}

export function coded<Type extends Value, Recorded>(
  column: Column<Type>,
  codec: Codec<Type, Recorded>,
): Column<Type, Recorded> {
  return { sql: column.sql, nullable: column.nullable, codec };
}

export function flag(): Column<number, boolean> {
  return coded(integer(), { encode: (value) => (value ? 1 : 0), decode: (stored) => stored === 1 });
}

/** A list of texts without spaces. */
export function words(): Column<string, readonly string[]> {
  return coded(text(), {
    encode: (items) => items.join(' '),
    decode: (stored) => stored.split(' ').filter((item) => item !== ''),
  });
}

export function json<Content>(): Column<string, Content> {
  return coded(text(), {
    encode: (content: Content) => JSON.stringify(content),
    decode: (stored) => JSON.parse(stored),
  });
}
