// A driver with typed rows. What a query answers with follows from its selections (query.ts), and this is the one place
// that relies on it: no engine checks a row against a type.

import {
  type Driver,
  type DriverObserver,
  OutcomeUnknown,
  type Statement,
  StorageUnavailable,
  type Value,
} from '../driver.ts';
import type { Query } from './query.ts';

export interface Database {
  read<Row extends object>(query: Query<Row>, params: readonly Value[]): Promise<Row[]>;
  /** Atomic; false if a `mustReturn` statement returned no row. */
  write(statements: readonly Statement[]): Promise<boolean>;
  /**
   * The same, for a write that can be repeated and leaves a mark that `happened` checks. If its response is lost, it's
   * repeated; if that changes nothing, `happened` says whether the first one succeeded.
   */
  writeAndVerify(statements: readonly Statement[], happened: () => Promise<boolean>): Promise<boolean>;
  /** The same, returning the number of rows of each statement; undefined if it was rolled back. */
  countReturned(statements: readonly Statement[]): Promise<number[]>;
  /** The statements and then the query, which may be a change too, as one write; the rows are the query's. */
  writeThenRead<Row extends object>(
    statements: readonly Statement[],
    query: Query<Row>,
    params: readonly Value[],
  ): Promise<Row[]>;
  close(): Promise<void>;
}

/** When a write with a lost response is repeated, in milliseconds after the failure, and when to stop trying. */
const repetitions = [0, 200, 800];
const patience = 3000;

export function typedDatabase(driver: Driver, observer: DriverObserver): Database {
  const write = async (statements: readonly Statement[]) => (await driver.write(statements)) !== undefined;

  return {
    read<Row extends object>({ sql }: Query<Row>, params: readonly Value[]) {
      return driver.read(sql, params) as Promise<Row[]>;
    },

    write,

    async writeAndVerify(statements, happened) {
      try {
        return await write(statements);
      } catch (error) {
        if (!(error instanceof OutcomeUnknown)) throw error;
        const since = performance.now();
        for (const pause of repetitions) {
          if (performance.now() - since > patience) break;
          await new Promise((resolve) => setTimeout(resolve, pause));
          observer.retried('lost_answer');
          try {
            return (await write(statements)) || (await happened());
          } catch (again) {
            if (!(again instanceof StorageUnavailable)) throw again;
          }
        }
        throw error;
      }
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
