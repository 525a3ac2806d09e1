// Builds the SQL that follows from schema.ts, and keeps the type of the rows together with the text of a query. All
// texts are built when modules load: a request only adds its parameters, and drivers prepare each text once.

import { includes } from '../../protocol/reading/includes.ts';
import type { Engine, Statement, Value } from '../driver.ts';
import type { ColumnOf, SelectedRow, StoredRow, Table } from '../schema.ts';

/** The selected columns of a query, with their types. */
export interface Selection<Row extends object = object> {
  readonly list: string;
  /** Only the compiler reads this; it is never set. */
  readonly row?: Row;
}

/** A query, with the type of its rows. */
export interface Query<Row extends object = object> {
  readonly sql: string;
  /** How it's written for a database server, if that's different. */
  readonly serverSql?: string;
  /** How it's written where tables are on several servers. */
  readonly spreadSql?: string;
  /** Whether a server plans it for its parameters each time. */
  readonly anew?: boolean;
  /** Only the compiler reads this; it is never set. */
  readonly row?: Row;
}

/** The named columns of a table, or all of them. */
export function columns<T extends Table, Names extends ColumnOf<T> = ColumnOf<T>>(
  table: T,
  ...names: readonly Names[]
): Selection<SelectedRow<T, Names>> {
  return listed(table, names.length === 0 ? columnNames(table) : names);
}

export function columnsExcept<T extends Table, Names extends ColumnOf<T>>(
  table: T,
  ...names: readonly Names[]
): Selection<SelectedRow<T, Exclude<ColumnOf<T>, Names>>> {
  return listed(
    table,
    columnNames(table).filter((name) => !includes(names, name)),
  );
}

function listed(table: Table, names: readonly string[]): { list: string } {
  const { alias } = table;
  return { list: names.map((name) => `${alias}.${name} AS ${alias}_${name}`).join(', ') };
}

/** Columns of a LEFT JOINed table, which are all null if there's no row. */
export function optional<Row extends object>(
  selection: Selection<Row>,
): Selection<Row | { readonly [Name in keyof Row]: null }> {
  return { list: selection.list };
}

/** Expressions that aren't columns, with the type that the caller gives. */
export function computed<Row extends object>(list: string): Selection<Row> {
  return { list };
}

/** Columns of two tables. */
export function both<A extends object, B extends object>(a: Selection<A>, b: Selection<B>): Selection<A & B> {
  return { list: `${a.list}, ${b.list}` };
}

/** How many rows there are. */
export function countOf(from: string): Query<{ readonly n: number }> {
  return { sql: `SELECT COUNT(*) AS n ${from}` };
}

type Joined<Selections> = Selections extends readonly [Selection<infer First>, ...infer Rest]
  ? First & Joined<Rest>
  : unknown;

export function select<const Selections extends readonly Selection[]>(
  selections: Selections,
  from: string,
): Query<Joined<Selections> & object> {
  return { sql: `SELECT ${selections.map(({ list }) => list).join(', ')} ${from}` };
}

/** A query that is written differently for a database server. */
export function perEngine<Row extends object>(queryFor: (engine: Engine) => Query<Row>): Query<Row> {
  return { ...queryFor('embedded'), serverSql: queryFor('server').sql };
}

/** A query that is written differently where tables are on several servers. */
export function perLayout<Row extends object>(queryFor: (isSpread: boolean) => Query<Row>): Query<Row> {
  return { ...queryFor(false), spreadSql: queryFor(true).sql };
}

/**
 * A query for a list. Whether few or many rows meet a filter decides how it's read: after a few times, a server would make one plan
 * for all parameters, and might read the whole table for the few.
 */
export function plannedAnew<Row extends object>(query: Query<Row>): Query<Row> {
  return { ...query, anew: true };
}

/** A statement that is written differently for a database server. */
export function statementFor(textFor: (engine: Engine) => string) {
  const texts = { sql: textFor('embedded'), serverSql: textFor('server') };
  return (...params: readonly Value[]): Statement => ({ ...texts, params });
}

/** An UPDATE or DELETE of one table that answers with the rows that it has changed. An alias cannot be used in it. */
export function returning<T extends Table>(change: string, table: T): Query<SelectedRow<T>> {
  const list = columnNames(table).map((name) => `${name} AS ${table.alias}_${name}`);
  return { sql: `${change} RETURNING ${list.join(', ')}` };
}

/** Rolls back the whole write if it returns no row. */
export function required(sql: string, params: readonly Value[]): Statement {
  return { sql, params, mustReturn: true };
}

/** An INSERT of a whole row. `conflict` says what happens when there is such a row; without it, a StorageConflict. */
export function insertInto<T extends Table>(table: T, conflict = ''): (row: StoredRow<T>) => Statement {
  const names = columnNames(table);
  const places = names.map((_, index) => `$${index + 1}`).join(', ');
  const sql = `INSERT INTO ${table.name} (${names.join(', ')}) VALUES (${places}) ${conflict}`;
  return (row) => ({ sql, params: valuesOf(names, row) });
}

/** Rows per statement, in powers of two, so that there are only a few prepared statements. */
const insertSizes = [128, 64, 32, 16, 8, 4, 2, 1];

/** An INSERT of any number of whole rows, in few statements. */
export function insertRows<T extends Table>(table: T): (rows: readonly StoredRow<T>[]) => Statement[] {
  return insertsOf(table, (values) => ({ sql: `INSERT INTO ${values}` }));
}

/**
 * An INSERT of any number of whole rows that leaves a row as it is whose key is there already. The embedded engine then has nothing to
 * undo within a statement, and doesn't copy each page before it changes it, which takes a third of the whole insert. It would also skip
 * a row without a value that it needs, so that is looked for here.
 */
export function insertMissingRows<T extends Table>(table: T): (rows: readonly StoredRow<T>[]) => Statement[] {
  const needed = columnNames(table).filter((name) => table.columns[name]?.nullable === false);
  const insert = insertsOf(table, (values) => ({
    sql: `INSERT OR IGNORE INTO ${values}`,
    serverSql: `INSERT INTO ${values} ON CONFLICT (${table.key.join(', ')}) DO NOTHING`,
  }));
  return (rows) => {
    for (const row of rows) {
      const missing = needed.find((name) => row[name] == null);
      if (missing !== undefined) throw new TypeError(`${table.name}.${missing} has no value`);
    }
    return insert(rows);
  };
}

function insertsOf<T extends Table>(table: T, insert: (values: string) => Pick<Statement, 'sql' | 'serverSql'>) {
  const names = columnNames(table);
  const textsFor = (count: number) => {
    const places = (row: number) => names.map((_, index) => `$${row * names.length + index + 1}`).join(', ');
    const rows = Array.from({ length: count }, (_, row) => `(${places(row)})`).join(', ');
    return insert(`${table.name} (${names.join(', ')}) VALUES ${rows}`);
  };
  const texts = insertSizes.map((size) => ({ size, text: textsFor(size) }));
  return (rows: readonly StoredRow<T>[]) => {
    const statements: Statement[] = [];
    let done = 0;
    for (const { size, text } of texts) {
      for (; rows.length - done >= size; done += size) {
        statements.push({ ...text, params: rows.slice(done, done + size).flatMap((row) => valuesOf(names, row)) });
      }
    }
    return statements;
  };
}

/** Rolls back the whole write if there's a row with this key. */
export function insertNew<T extends Table>(table: T): (row: StoredRow<T>) => Statement {
  const key = table.key.join(', ');
  const insert = insertInto(table, `ON CONFLICT (${key}) DO NOTHING RETURNING ${key}`);
  return (row) => ({ ...insert(row), mustReturn: true });
}

/** An existing row is replaced. */
export function replaceIn<T extends Table>(table: T): (row: StoredRow<T>) => Statement {
  const { key } = table;
  const changes = columnNames(table)
    .filter((name) => !key.includes(name))
    .map((name) => `${name} = excluded.${name}`)
    .join(', ');
  const action = changes === '' ? 'DO NOTHING' : `DO UPDATE SET ${changes}`;
  return insertInto(table, `ON CONFLICT (${key.join(', ')}) ${action}`);
}

/** What follows the selected columns, given the parameter of each column, and further ones that are stored nowhere. */
export type InsertSource<T extends Table> = (
  place: Readonly<Record<ColumnOf<T>, string>>,
  further: (index: number) => string,
) => string;

/**
 * An INSERT that takes place only if `source` finds a row, and otherwise rolls back the whole write. `computed` are columns
 * whose value is an expression instead. On a server, the row that was found under the alias `kept` can't be deleted until the
 * write is over, and several such inserts can be one statement, in which `keys` says again by which parameters rows are found
 * (`batchOf`); that takes a key named `id`, and one further parameter, which is text.
 */
export function insertWhere<T extends Table, Computed extends ColumnOf<T> = never>(
  table: T,
  source: InsertSource<T>,
  computed: Readonly<Record<Computed, string>> = {} as Readonly<Record<Computed, string>>,
  onServer?: {
    readonly source: InsertSource<T>;
    readonly kept: string;
    /** The types of the further parameters. */
    readonly further: readonly string[];
    keys(all: Readonly<Record<ColumnOf<T>, string>>): string;
  },
): (row: Omit<StoredRow<T>, Computed>, ...further: readonly Value[]) => Statement {
  const names = columnNames(table).filter((name) => !Object.hasOwn(computed, name));
  const placesAfter = (mark: string) =>
    Object.fromEntries(names.map((name, index) => [name, `${mark}${index + 1}`])) as Record<ColumnOf<T>, string>;
  const places = placesAfter('$');
  const types = names.map((name) => table.columns[name]?.sql ?? '');
  // In a SELECT, an engine cannot tell the type of a parameter from the column it ends up in.
  const values = names.map((name, index) => `CAST(${places[name]} AS ${types[index]})`);
  const all = [...names, ...Object.keys(computed)].join(', ');
  const selected = [...values, ...Object.values(computed)].join(', ');
  const textOf = (found: string) => `INSERT INTO ${table.name} (${all}) SELECT ${selected} ${found}`;
  const returningKey = `RETURNING ${table.key.join(', ')}`;
  const found = (each: InsertSource<T>) => each(places, (index) => `$${names.length + 1 + index}`);
  const text = textOf(found(source));
  const perEngine = onServer
    ? { sql: text, countsChanges: true, ...serverTexts(onServer) }
    : { sql: `${text} ${returningKey}` };
  return (row, ...further) => ({ ...perEngine, params: [...valuesOf(names, row), ...further], mustReturn: true });

  function serverTexts({ source, kept, further, keys }: NonNullable<typeof onServer>) {
    const lock = `FOR KEY SHARE OF ${kept}`;
    const among = found(source).replace('FROM ', 'FROM batch CROSS JOIN ');
    return {
      serverSql: `${textOf(`${found(source)} ${lock}`)} ${returningKey}`,
      batchSql: batchOf(`${textOf(`${among} AND ${keys(placesAfter('$all'))} ${lock}`)} ${returningKey}`, [
        ...types,
        ...further,
      ]),
    };
  }
}

/**
 * A text that reads its parameters from the table `batch`, for several sets of them at once. `$all1` is the list of all first
 * parameters. Rows are to be looked up by such a list, too: a server that has counted few rows would otherwise read all of
 * them and compare each with the batch, and keep to that while the table grows.
 */
export function batchOf(text: string, types: readonly string[]): string {
  const names = types.map((_, index) => `p${index + 1}`).join(', ');
  const lists = types.map((type, index) => `$${index + 1}::${type}[]`);
  const inBatch = text
    .replaceAll(/\$(\d+)/g, 'batch.p$1')
    .replaceAll(/\$all(\d+)/g, (_, place) => lists[place - 1] ?? '');
  return `WITH batch(${names}) AS (SELECT * FROM unnest(${lists.join(', ')})) ${inBatch}`;
}

/** The columns in the order of the schema. */
export function columnNames<T extends Table>(table: T): ColumnOf<T>[] {
  return Object.keys(table.columns) as ColumnOf<T>[];
}

function valuesOf(names: readonly string[], row: Readonly<Record<string, Value>>): Value[] {
  return names.map((name) => row[name] ?? null);
}
