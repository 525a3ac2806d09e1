// The connections to PostgreSQL, for single statements and for transactions whose statements are sent together. Nothing relies
// on state that outlives a transaction (SET, LISTEN, names of prepared statements), because a pooler such as PgBouncer may hand
// each transaction to another server process.

import { createHash } from 'node:crypto';
import pg from 'pg';
import {
  type ConnectionLoad,
  type DriverObserver,
  nobody,
  OutcomeUnknown,
  type Row,
  type Statement,
  StorageUnavailable,
  type Value,
} from '../driver.ts';
import { connectionOf } from './connecting.ts';
import { answerOf, hasLostName, isAnswered, isUnsupported, standbySentence } from './errors.ts';
import { endsAfter, lookUpsOnly, type Prepared, primaryOnly, queryUnder, walksOnly } from './look-up.ts';

const bigint = 20;
const mostConnections = 10;
/** Where transactions can wait for other servers, they have connections of their own: nothing else waits behind them. */
const mostTransactions = 6;

/** Times and counts fit into a number; pg would return strings. */
const types = { getTypeParser: (oid: number) => (oid === bigint ? Number : pg.types.getTypeParser(oid)) };

export class Connections {
  readonly #address: pg.ClientConfig;
  readonly #pool: pg.Pool;
  readonly #transactions: pg.Pool;
  readonly #timeout: number;
  /** How long PostgreSQL may take for a statement, in milliseconds. */
  readonly patience: number;
  readonly #begin: string;
  readonly #lookUpsOnly: string;
  readonly #walksOnly: string;
  readonly #names = new Map<string, string>();
  readonly #observer: DriverObserver;
  /** Whether the database has the extension that spreads tables over several servers. */
  #isSpread = false;
  /** False once a pooler turns out to lose names. Without them, PostgreSQL parses and plans every statement again. */
  #usesNames = true;
  /** Behind a pooler a connection stays open when the server changes, so every read has to check that it's on the primary. */
  #isPooled = false;

  constructor(url: string, timeout: number, observer: DriverObserver = nobody) {
    this.#timeout = timeout;
    this.#observer = observer;
    // PostgreSQL times out first, so that we know that nothing was changed.
    this.patience = Math.floor(0.9 * timeout);
    this.#begin = `BEGIN; SET LOCAL statement_timeout = ${this.patience}`;
    this.#lookUpsOnly = lookUpsOnly(this.patience);
    this.#walksOnly = walksOnly(this.patience);
    this.#address = connectionOf(url);
    this.#pool = this.#newPool(mostConnections);
    this.#transactions = this.#newPool(mostTransactions);
  }

  #newPool(max: number): pg.Pool {
    const timeout = this.#timeout;
    const pool = new pg.Pool({
      ...this.#address,
      max,
      connectionTimeoutMillis: timeout,
      query_timeout: timeout,
      keepAlive: true,
      pipeline: true,
      onConnect: async (connection) => {
        this.#isPooled = !(await this.#examine(connection)).isOwnProcess;
      },
      types,
    });
    // The pool replaces an idle connection that breaks; without a listener the process would exit.
    pool.on('error', () => {});
    return pool;
  }

  get isSpread(): boolean {
    return this.#isSpread;
  }

  async #examine(connection: pg.ClientBase) {
    const { isOwnProcess, isSpread } = await requirePrimary(connection);
    this.#isSpread = isSpread;
    return { isOwnProcess };
  }

  ask(sql: string, params: readonly Value[]): Promise<Row[]> {
    return this.#trip('read', 1, () =>
      this.#withConnection(async (connection) => {
        const query = this.#prepared(sql, params);
        if (this.#isPooled) return queryUnder(this.#prepared(primaryOnly, []), query, connection);
        return (await connection.query<Row>(query)).rows;
      }),
    );
  }

  /** Without a name: PostgreSQL refuses a prepared statement whose columns have changed since. */
  askOnce(sql: string): Promise<Row[]> {
    return this.#withConnection(async (connection) => (await connection.query<Row>(sql)).rows);
  }

  /** A query that PostgreSQL ends after so many milliseconds. */
  askWithin(milliseconds: number, sql: string, params: readonly Value[]): Promise<Row[]> {
    return this.#withConnection((connection) =>
      queryUnder(this.#prepared(endsAfter(milliseconds), []), this.#prepared(sql, params), connection),
    );
  }

  /** A statement on its own commits by itself. */
  write(statement: Statement): Promise<Row[]> {
    return this.#trip('write', 1, () =>
      this.#withConnection(async (connection) => {
        return (await answerOf(connection.query<Row>(this.#preparedWrite(statement)))).rows;
      }),
    );
  }

  /** A query for a list, planned for these parameters. A prepared statement may have a plan for any. */
  walk(sql: string, params: readonly Value[]): Promise<Row[]> {
    return this.#trip('read', 1, () =>
      this.#withConnection((connection) =>
        queryUnder(this.#prepared(this.#walksOnly, []), { text: sql, values: [...params] }, connection),
      ),
    );
  }

  /** A query for rows by their keys, planned accordingly. */
  lookUp(sql: string, params: readonly (readonly Value[])[]): Promise<Row[]> {
    return this.#trip('read', params[0]?.length ?? 1, () => this.#byKeys(sql, params));
  }

  /** A change of rows by their keys, which commits by itself. */
  change(sql: string, params: readonly (readonly Value[])[]): Promise<Row[]> {
    return this.#trip('write', params[0]?.length ?? 1, () => answerOf(this.#byKeys(sql, params)));
  }

  #byKeys(sql: string, params: readonly (readonly Value[])[]): Promise<Row[]> {
    return this.#withConnection((connection) =>
      queryUnder(this.#prepared(this.#lookUpsOnly, []), this.#prepared(sql, params), connection),
    );
  }

  /**
   * One transaction. Everything is sent at once, the COMMIT too, unless a statement that must return a row decides whether
   * there is one: then the answers are awaited first. Undefined when such a statement returned none. `writes` is how many
   * writes the statements are of.
   */
  transact(statements: readonly Statement[], writes = 1): Promise<Row[][] | undefined> {
    return this.#trip('write', writes, () =>
      this.#withConnection(
        (connection) => this.#send(connection, statements),
        this.#isSpread ? this.#transactions : this.#pool,
      ),
    );
  }

  async #send(connection: pg.PoolClient, statements: readonly Statement[]): Promise<Row[][] | undefined> {
    const commit = () => answerOf(connection.query('COMMIT'));
    const begun = connection.query(this.#begin);
    const sent = statements.map((statement) => connection.query<Row>(this.#preparedWrite(statement)));
    const isConditional = statements.some(({ mustReturn }) => mustReturn === true);
    const committed = isConditional ? undefined : commit();
    const [beginning, , ...answers] = await Promise.allSettled([begun, committed, ...sent]);
    if (beginning?.status === 'rejected' && isAnswered(beginning.reason)) {
      // Outside of a transaction, each statement has committed by itself.
      throw new OutcomeUnknown('no transaction could begin', { cause: beginning.reason });
    }
    const results: Row[][] = [];
    for (const [index, answer] of answers.entries()) {
      if (answer.status === 'rejected') {
        // If a COMMIT was sent and its response was lost, the outcome is unknown.
        if (!isAnswered(answer.reason)) await committed;
        throw answer.reason;
      }
      results.push(answer.value.rows);
      if (statements[index]?.mustReturn === true && answer.value.rows.length === 0) {
        await connection.query('ROLLBACK');
        return undefined;
      }
    }
    await (committed ?? commit());
    return results;
  }

  /** A connection that has failed is closed, because its transaction may be in any state. */
  async #withConnection<Result>(
    work: (connection: pg.PoolClient) => Promise<Result>,
    pool = this.#pool,
  ): Promise<Result> {
    const connection = await pool.connect();
    const ignore = () => {};
    connection.on('error', ignore);
    let failed = true;
    try {
      const result = await work(connection);
      failed = false;
      return result;
    } catch (error) {
      if (this.#isSpread || !isUnsupported(error)) throw error;
      // A transaction answers nothing after an error.
      await connection.query('ROLLBACK');
      await this.#examine(connection);
      if (!this.#isSpread) throw error;
      throw new StorageUnavailable('the tables have just been moved to other servers', { cause: error });
    } finally {
      connection.off('error', ignore);
      connection.release(failed);
    }
  }

  /** On a separate connection without a timeout. Behind a pooler, its session isn't its own. */
  async withPatience<Result>(
    work: (connection: pg.Client, isOwnProcess: boolean) => Promise<Result>,
    pipeline = false,
  ): Promise<Result> {
    const address = { ...this.#address, connectionTimeoutMillis: this.#timeout, keepAlive: true, types, pipeline };
    const connection = new pg.Client(address);
    connection.on('error', () => {});
    try {
      await connection.connect();
      const { isOwnProcess } = await this.#examine(connection);
      return await work(connection, isOwnProcess);
    } finally {
      await connection.end();
    }
  }

  load(): ConnectionLoad {
    const pools = this.#isSpread ? [this.#pool, this.#transactions] : [this.#pool];
    const sum = (name: 'totalCount' | 'idleCount' | 'waitingCount') => pools.reduce((all, pool) => all + pool[name], 0);
    const most = mostConnections + (this.#isSpread ? mostTransactions : 0);
    return { most, open: sum('totalCount'), idle: sum('idleCount'), waiting: sum('waitingCount') };
  }

  async close(): Promise<void> {
    const open = [this.#pool, this.#transactions].filter(({ ended }) => !ended);
    await Promise.all(open.map((pool) => pool.end()));
  }

  #preparedWrite({ sql, serverSql = sql, params }: Statement): Prepared {
    return this.#prepared(serverSql, params);
  }

  /** A statement is prepared once on each connection, under a name derived from its text. */
  #prepared(text: string, params: readonly unknown[]): Prepared {
    const values = [...params];
    if (!this.#usesNames) return { text, values };
    let name = this.#names.get(text);
    if (name === undefined) {
      name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
      this.#names.set(text, name);
    }
    return { name, text, values };
  }

  async #trip<Result>(operation: 'read' | 'write', size: number, work: () => Promise<Result>): Promise<Result> {
    const started = performance.now();
    try {
      return await this.#repeatWithoutNames(work);
    } finally {
      this.#observer.batch(operation, size, performance.now() - started);
    }
  }

  /** An unknown or duplicate name fails before anything is executed. */
  async #repeatWithoutNames<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!hasLostName(error)) throw error;
      this.#usesNames = false;
      this.#observer.retried('lost_name');
      return work();
    }
  }
}

/**
 * A standby's data may be outdated: a revoked token would work, and a new one wouldn't. Checking once is enough if the
 * connection goes to one PostgreSQL process, as a primary that becomes a standby closes its connections. A pooler doesn't,
 * and reports its own numbers instead of that process's ID.
 */
async function requirePrimary(connection: pg.ClientBase & { processID?: number | null }) {
  const { rows } = await connection.query<Row>(
    `SELECT CASE WHEN pg_is_in_recovery() THEN 1 ELSE 0 END AS standby, pg_backend_pid() AS process,
      (SELECT COUNT(*) FROM pg_extension WHERE extname = 'citus') AS citus`,
  );
  if (rows[0]?.standby !== 0) throw new StorageUnavailable(standbySentence);
  return { isOwnProcess: rows[0].process === connection.processID, isSpread: rows[0].citus === 1 };
}
