// A driver with typed rows. What a query answers with follows from its selections (query.ts), and this is the one place
// that relies on it: no engine checks a row against a type. Text that one of the engines couldn't take is refused for all.

import type { EventRecord } from '../../protocol/event.ts';
import type { Eventual } from '../../protocol/eventual.ts';
import {
  type Driver,
  type DriverObserver,
  type OtherServers,
  OutcomeUnknown,
  type Statement,
  StorageUnavailable,
  UnusableText,
  type Value,
} from '../driver.ts';
import { insertEvent, isEvent } from '../webhooks/outbox-sql.ts';
import { guardsOf } from './guards.ts';
import type { Query } from './query.ts';

export type Database = ReturnType<typeof typedDatabase>;

/** When a write with a lost response is repeated, in milliseconds after the failure, and when to stop trying. */
const repetitions = [0, 200, 800];
const patience = 3000;

export function typedDatabase(driver: Driver, observer: DriverObserver) {
  const isServer = driver.engine === 'server';
  const textOf = ({ sql, serverSql = sql, spreadSql = serverSql }: Query) => {
    if (!isServer) return sql;
    return driver.isSpread?.() ? spreadSql : serverSql;
  };
  const readNow = <Row extends object>(query: Query<Row>, params: readonly Value[]) => {
    requireUsable(params);
    return driver.read(textOf(query), params, query.anew) as Eventual<Row[]>;
  };
  const read = async <Row extends object>(query: Query<Row>, params: readonly Value[]) => readNow(query, params);
  const writeAll = async (statements: readonly Statement[]) => {
    for (const { params } of statements) requireUsable(params);
    const results = await driver.write(statements);
    if (results !== undefined && statements.some(isEvent)) observer.changed();
    return results;
  };
  const write = async (statements: readonly Statement[]) => (await writeAll(statements)) !== undefined;

  return {
    engine: driver.engine,

    timeSql: driver.timeSql,

    otherServers: async (): Promise<OtherServers> =>
      (await driver.otherServers?.()) ?? { servers: [], recoveryInterval: undefined },

    read,

    list: async <Row extends object, Item>(
      query: Query<Row>,
      params: readonly Value[],
      toItem: (row: Row) => Item,
    ): Promise<Item[]> => (await read(query, params)).map((row) => toItem(row)),

    first: async <Row extends object, Item>(
      query: Query<Row>,
      params: readonly Value[],
      toItem: (row: Row) => Item,
    ): Promise<Item | undefined> => {
      const [row] = await read(query, params);
      return row && toItem(row);
    },

    /** The first row, of what requests wait for most often: at once if the engine can. It may throw at once, too. */
    find: <Row extends object, Item>(
      query: Query<Row>,
      params: readonly Value[],
      toItem: (row: Row) => Item,
    ): Eventual<Item | undefined> => {
      const rows = readNow(query, params);
      return rows instanceof Promise ? rows.then(([row]) => row && toItem(row)) : rows[0] && toItem(rows[0]);
    },

    count: async (query: Query<{ readonly n: number }>, params: readonly Value[]) =>
      (await read(query, params))[0]?.n ?? 0,

    /** Atomic; false if a `mustReturn` statement returned no row. */
    write,

    /**
     * A write that is followed by events, with their messages for webhooks. What guards them comes twice: a user who is deleted has
     * no role afterwards, and a server may have given one before the first statement has locked the row.
     */
    writeWith(events: EventRecord | readonly EventRecord[], statements: readonly Statement[]) {
      const all = [events].flat();
      return write([...guardsOf(all), ...statements, ...guardsOf(all), ...all.flatMap(insertEvent)]);
    },

    /**
     * A write that can be repeated and leaves a mark that `happened` checks. If its response is lost, it's
     * repeated; if that changes nothing, `happened` says whether the first one succeeded.
     */
    async writeAndVerify(statements: readonly Statement[], happened: () => Promise<boolean>) {
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

    /** A write that answers with the number of rows of each statement; with none if it was rolled back. */
    async countReturned(statements: readonly Statement[]) {
      return ((await writeAll(statements)) ?? []).map((rows) => rows.length);
    },

    /** The statements and then the query, which may be a change too, as one write; the rows are the query's. */
    async writeThenRead<Row extends object>(
      statements: readonly Statement[],
      query: Query<Row>,
      params: readonly Value[],
    ) {
      const results = await writeAll([...statements, { ...query, params }]);
      return (results?.at(-1) ?? []) as Row[];
    },

    close: () => driver.close(),
  };
}

/** One of the engines has no text with a zero byte. */
function requireUsable(params: readonly Value[]): void {
  if (params.some(hasZeroByte)) throw new UnusableText('a text has a zero byte');
}

function hasZeroByte(value: Value): boolean {
  return typeof value === 'string' && value.includes('\0');
}
