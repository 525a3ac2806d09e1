// How the fields of a resource are stored: each in the column of its name, a list as text, a flag as 0 or 1.

import type { FieldTable } from '../../protocol/resources/field.ts';
import { rowsOf, type ValuesOf } from '../../protocol/resources/resource.ts';
import type { Statement, Value } from '../driver.ts';
import type { Table } from '../schema.ts';

export interface FieldColumns<Fields extends FieldTable> {
  /** The columns of the values that are given. */
  encode(values: Partial<ValuesOf<Fields>>): Record<string, Value>;
  /** The fields of a selected row. */
  decode(row: object): ValuesOf<Fields>;
  /** The columns of what a field starts with. */
  readonly initial: Readonly<Record<string, Value>>;
  /** Stores the values that are given. A statement for each, so that there are few texts, which stay prepared. */
  set(key: string, values: Partial<ValuesOf<Fields>>): Statement[];
}

/** How a field is stored that has a form of its own. */
export interface Codec {
  encode(value: unknown): Value;
  decode(value: unknown): unknown;
}

/** `columns` are those with another name than the field. */
export function fieldColumns<Fields extends FieldTable>(
  { name: table, alias, key: [key = 'id'] }: Table,
  fields: Fields,
  {
    columns = {},
    codecs = {},
  }: {
    columns?: Partial<Record<keyof Fields, string>>;
    codecs?: Partial<Record<keyof Fields, Codec>>;
  } = {},
): FieldColumns<Fields> {
  const plan = rowsOf(fields)
    .filter(({ field }) => field.kind !== 'image' && field.kind !== 'secret')
    .map(({ name, property, field: { kind, initial, storedAs } }) => {
      const column = columns[name] ?? name;
      const isJson = storedAs === 'json';
      return {
        property,
        column,
        initial,
        selected: `${alias}_${column}`,
        sql: `UPDATE ${table} SET ${column} = $2 WHERE ${key} = $1`,
        encode: (value: unknown): Value => {
          if (kind === 'flag') return value ? 1 : 0;
          if (kind === 'list') return isJson ? JSON.stringify(value) : (value as readonly string[]).join(' ');
          return value as Value;
        },
        decode: (value: unknown): unknown => {
          if (kind === 'flag') return value === 1;
          if (kind !== 'list') return value;
          return isJson ? JSON.parse(String(value)) : String(value).split(' ').filter(Boolean);
        },
        ...codecs[name],
      };
    });
  const given = (values: object) => {
    const all = values as Readonly<Record<string, unknown>>;
    return plan
      .filter(({ property }) => all[property] !== undefined)
      .map((row) => ({ ...row, value: row.encode(all[row.property]) }));
  };
  const initial = plan.filter((row) => row.initial !== undefined).map((row) => [row.column, row.encode(row.initial)]);
  return {
    initial: Object.fromEntries(initial),
    encode: (values) => Object.fromEntries(given(values).map(({ column, value }) => [column, value])),
    decode: (row) => {
      const columnsOfRow = row as Readonly<Record<string, unknown>>;
      const values: Record<string, unknown> = {};
      for (const { property, selected, decode } of plan) values[property] = decode(columnsOfRow[selected]);
      return values as ValuesOf<Fields>;
    },
    set: (id, values) => given(values).map(({ sql, value }) => ({ sql, params: [id, value] })),
  };
}
