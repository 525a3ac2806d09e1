// A driver with typed rows. What a query answers with follows from its selections (query.ts), and this is the one place
// that relies on it: no engine checks a row against a type.

import type { Driver, Statement, Value } from '../driver.ts';
import type { Query } from './query.ts';

export interface Database {
  read<Row extends object>(query: Query<Row>, params: readonly Value[]): Promise<Row[]>;
  /** All statements or none; false when one that had to return a row returned none. */
  write(statements: readonly Statement[]): Promise<boolean>;
  /** The same, and how many rows each statement has returned; nothing when it did not take place. */
  countReturned(statements: readonly Statement[]): Promise<number[]>;
  /** The statements and then the query, which may be a change too, as one write; the rows are the query's. */
  writeThenRead<Row extends object>(
    statements: readonly Statement[],
    query: Query<Row>,
    params: readonly Value[],
  ): Promise<Row[]>;
  close(): Promise<void>;
}

export function typedDatabase(driver: Driver): Database {
  return {
    read<Row extends object>({ sql }: Query<Row>, params: readonly Value[]) {
      return driver.read(sql, params) as Promise<Row[]>;
    },

    async write(statements) {
      return (await driver.write(statements)) !== undefined;
    },

    async countReturned(statements) {
      return ((await driver.write(statements)) ?? []).map((rows) => rows.length);
    },

    async writeThenRead<Row extends object>(
      statements: readonly Statement[],
      { sql }: Query<Row>,
      params: readonly Value[],
    ) {
      const results = await driver.write([...statements, { sql, params }]);
      return (results?.at(-1) ?? []) as Row[];
    },

    close: () => driver.close(),
  };
}
