// How rows become records and records become rows: each column is the property of its name in camel case, in the form that
// the schema gives it.

import { includes } from '../../protocol/reading/includes.ts';
import { camelCase } from '../../protocol/resources/resource.ts';
import type { Statement, Value } from '../driver.ts';
import type { ColumnOf, RecordOf, SelectedRow, StoredRow, Table } from '../schema.ts';
import { columnNames, columns, columnsExcept } from './query.ts';

/** All columns but `except`. */
export function recordColumns<T extends Table, Except extends ColumnOf<T> = never>(
  table: T,
  ...except: readonly Except[]
) {
  type Names = Exclude<ColumnOf<T>, Except>;
  const plan = planOf(table, (name) => !includes(except, name));
  const encoded = (record: object) => {
    const values = record as Readonly<Record<string, unknown>>;
    return plan
      .filter(({ property }) => values[property] !== undefined)
      .map(({ name, property, codec, update }) => {
        const value = values[property];
        return { name, update, value: codec === undefined ? (value as Value) : codec.encode(value) };
      });
  };
  const encodeGiven = (values: object): Record<string, Value> =>
    Object.fromEntries(encoded(values).map(({ name, value }) => [name, value]));
  return {
    columns: columnsExcept(table, ...except),
    decode: decoder(table.alias, plan) as (row: SelectedRow<T, Names>) => RecordOf<T, Names>,
    encode: (record: RecordOf<T, Names>) => encodeGiven(record) as Pick<StoredRow<T>, Names>,
    /** The columns of the properties that are given, of a record that may lack some or have others. */
    encodeGiven,
    /** Stores the values that are given. A statement for each, so that there are few texts, which stay prepared. */
    set: (key: string, values: Partial<RecordOf<T, Names>>): Statement[] =>
      encoded(values).map(({ update, value }) => ({ sql: update, params: [key, value] })),
  };
}

function planOf<T extends Table>(table: T, takes: (name: ColumnOf<T>) => boolean) {
  return columnNames(table)
    .filter(takes)
    .map((name) => ({
      name,
      property: camelCase(name),
      codec: table.columns[name]?.codec,
      update: `UPDATE ${table.name} SET ${name} = $2 WHERE ${table.key[0]} = $1`,
    }));
}

/** Some columns, to read alone. */
export function pickedColumns<T extends Table, Names extends ColumnOf<T>>(table: T, ...names: readonly Names[]) {
  const plan = planOf(table, (name) => includes(names, name));
  return {
    columns: columns(table, ...names),
    decode: decoder(table.alias, plan) as (row: SelectedRow<T, Names>) => RecordOf<T, Names>,
  };
}

/** Lists the properties in one literal, so that all records have one shape. The names come from the schema. */
function decoder(alias: string, plan: readonly { name: string; property: string; codec: unknown }[]) {
  const members = plan.map(({ name, property, codec }, index) => {
    const stored = `row.${alias}_${name}`;
    return `${property}: ${codec === undefined ? stored : `plan[${index}].codec.decode(${stored})`}`;
  });
  return new Function('plan', `return (row) => ({ ${members.join(', ')} });`)(plan);
}
