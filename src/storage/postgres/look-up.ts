// A query with its own planner settings. Both are sent together, which makes them one transaction without a BEGIN and a COMMIT,
// so the settings end with it.

import pg from 'pg';
import type { Row } from '../driver.ts';

/** A prepared statement; without a name it's prepared for this one time. */
export interface Prepared {
  readonly name?: string;
  readonly text: string;
  readonly values: unknown[];
}

/**
 * Indexes say which rows are read. A planner without statistics, or with those of an almost empty table, would rather read whole tables. One
 * that expects few rows of many to be left would read all of them before the first is answered, such as everyone in a group of a million.
 */
const walkSettings = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_bitmapscan: 'off',
  // Many look-ups may cost so much by its estimate that it would compile the plan, which takes longer than a page.
  jit: 'off',
};

/**
 * A batch looks rows up by their keys. A planner would keep to a plan from an almost empty table while it grows, and would plan every small
 * batch anew, which takes longer than the look-ups.
 */
const lookUpSettings = { ...walkSettings, plan_cache_mode: 'force_generic_plan' };

/** A standby can't become writable, so this fails there with `onStandby`; on a primary it does nothing. */
const refuseOnStandby = `CASE WHEN pg_is_in_recovery() THEN set_config('transaction_read_only', 'off', true) ELSE '' END`;

/** The SQLSTATE of that failure, which nothing else here can cause. */
export const onStandby = '25001';

/** A query that returns no rows, and fails on a standby. */
export const primaryOnly = `SELECT WHERE num_nulls(${refuseOnStandby}) > 0`;

export function lookUpsOnly(statementTimeout: number): string {
  return changing({ ...lookUpSettings, statement_timeout: String(statementTimeout) });
}

export function walksOnly(statementTimeout: number): string {
  return changing({ ...walkSettings, statement_timeout: String(statementTimeout) });
}

export function endsAfter(statementTimeout: number): string {
  return changing({ statement_timeout: String(statementTimeout) });
}

/** Such a query that also changes settings until the transaction ends. None of them is ever null. */
function changing(settings: Readonly<Record<string, string>>): string {
  const changes = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', true)`);
  return `SELECT WHERE num_nulls(${[...changes, refuseOnStandby].join(', ')}) > 0`;
}

/** The statements with settings that a connection has. */
const prepared = new WeakMap<pg.Connection, Set<string>>();

export function queryUnder(
  settings: Prepared,
  { name, text, values }: Prepared,
  client: pg.PoolClient,
): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const query = new pg.Query<Row>({ ...(name !== undefined && { name }), text, values }, (error, results) => {
      if (error) reject(error);
      // pg returns a list when there was more than one statement.
      else resolve([results].flat().at(-1)?.rows ?? []);
    });
    const submit = query.submit;
    query.submit = (connection) => {
      connection.stream.cork();
      try {
        const known = prepared.get(connection) ?? new Set();
        prepared.set(connection, known);
        if (settings.name === undefined || !known.has(settings.name)) {
          connection.parse({ name: settings.name ?? '', text: settings.text, types: [] }, true);
          if (settings.name !== undefined) known.add(settings.name);
        }
        connection.bind({ statement: settings.name }, true);
        connection.execute(null, true);
        return submit.call(query, connection);
      } finally {
        connection.stream.uncork();
      }
    };
    client.query(query);
  });
}
