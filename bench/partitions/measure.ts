// What one table, filled and divided, does: how the service's own statements are planned, how long look-ups take, and what
// the sweep and vacuum cost.

import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { firstIdAt } from '../../src/protocol/identifiers.ts';
import { type Statement, StorageUnavailable } from '../../src/storage/driver.ts';
import { openPostgres } from '../../src/storage/postgres/postgres.ts';
import { sqlStorage } from '../../src/storage/sql/sql-storage.ts';
import type { Storage, SweepLimits } from '../../src/storage/storage.ts';
import { anEvent } from '../../test/storage/records.ts';
import { median } from '../median.ts';
import { DAY, partition, rowId, type Size, spans, type TableName } from './layouts.ts';

export interface Sample {
  readonly id: string;
  readonly userId: string;
  readonly clientId: string;
  readonly requestId: string;
}

/** Random rows of the newer half, so that none of them is swept meanwhile. */
export async function samples(connection: pg.Client, table: TableName, size: Size, count: number): Promise<Sample[]> {
  const half = Math.floor(size[table] / 2);
  const request = table === 'events' ? 'request_id' : "''";
  const { rows } = await connection.query(
    `SELECT t.id, t.user_id, t.client_id, ${request} AS request_id
      FROM (SELECT ${half} + floor(random() * ${half})::bigint AS n FROM generate_series(1, ${count})) AS chosen
      CROSS JOIN LATERAL (SELECT ${rowId(table, size)} AS id OFFSET 0) AS named JOIN ${table} t ON t.id = named.id`,
  );
  return rows.map((row) => ({
    id: row.id,
    userId: row.user_id,
    clientId: row.client_id,
    requestId: row.request_id,
  }));
}

/** What the service does with the table, by the names that operators know. */
function callsOn(table: TableName, { id, userId, clientId, requestId }: Sample, size: Size) {
  const event = anEvent();
  const use = { grantId: id, userId, clientId, at: size.end };
  const code = { grantId: id, codeDigest: 'd', now: size.end, refreshDigest: 'r', expiresAt: 1, deleteAfter: 1 };
  const calls: Record<TableName, Record<string, (storage: Storage) => Promise<unknown>>> = {
    grants: {
      'userinfo: by id': (storage) => storage.findTokenHolder(id, 't'),
      'refresh: by id': (storage) => storage.findClientAndGrant(clientId, id),
      'exchange: by id': (storage) => storage.consumeCode(code),
      'revoke: by id': (storage) => storage.endGrant(id, size.end, event),
      '"last used": by id': (storage) => storage.noteGrantUses([use]),
      'remove a connected app: by person': (storage) => storage.removeConnectedApp(userId, clientId, size.end, event),
      'sweep: 500 that are over': (storage) => storage.sweep(limitsOf(size), 500),
      'before a sweep: the newest 5,000': (storage) => storage.examineExpiring(limitsOf(size)),
    },
    events: {
      'newest 51': (storage) => storage.findEvents({}, 51),
      'newest 51 of a person': (storage) => storage.findEvents({ userId }, 51),
      'newest 51 of an application': (storage) => storage.findEvents({ clientId }, 51),
      'newest 51 of a kind': (storage) => storage.findEvents({ kind: 'signed_in' }, 51),
      'of one request': (storage) => storage.findEvents({ requestId }, 51),
      'sweep: 500 that are over': (storage) => storage.sweep(limitsOf(size), 500),
    },
  };
  return calls[table];
}

function limitsOf({ end }: Size): SweepLimits {
  const never = { keptSessionsSeenBefore: 0, briefSessionsSeenBefore: 0, failuresBefore: 0, devicesSeenBefore: 0 };
  const eventsBefore = firstIdAt(end - 91 * DAY);
  return {
    ...never,
    mailsBefore: 0,
    totalsBefore: 0,
    finishedDeliveries: 1000,
    settledAccessChange: 0,
    now: end,
    eventsBefore,
  };
}

/** The statements that a call sends, without a database. */
async function statementsOf(call: (storage: Storage) => Promise<unknown>): Promise<Statement[]> {
  const sent: Statement[] = [];
  const storage = sqlStorage({
    async read(sql, params) {
      sent.push({ sql, params });
      return [];
    },
    async write(statements) {
      sent.push(...statements);
      return statements.map(() => []);
    },
    appliedMigrations: async () => [],
    migrate: async () => 0,
    load: () => ({ waitingReads: 0, waitingWrites: 0, connections: undefined }),
    close: async () => {},
  });
  // Nothing is found, which some calls take for an error after their first statement.
  await call(storage).catch(() => {});
  return sent;
}

interface Explained {
  readonly Plan: PlanNode;
  readonly 'Planning Time': number;
  readonly 'Execution Time': number;
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Loops': number;
  readonly 'Actual Total Time': number;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly PlanNode[];
}

export interface PlanFacts {
  readonly what: string;
  readonly scans: string;
  /** Partitions that were read, or 1 for a plain table. */
  readonly read: number;
  readonly pages: number;
  readonly planMs: number;
  readonly runMs: number;
}

/** How PostgreSQL carries out the statements of each call, with what it plans for a prepared statement. */
export async function plansOf(connection: pg.Client, table: TableName, size: Size): Promise<PlanFacts[]> {
  const facts: PlanFacts[] = [];
  const [first, second] = await samples(connection, table, size, 20);
  if (first === undefined || second === undefined) throw new Error('there are no rows');
  const mentions = new RegExp(`(FROM|INTO|UPDATE|JOIN) ${table}\\b`);
  for (const [what, call] of Object.entries(callsOn(table, first, size))) {
    const isSweep = what.startsWith('sweep');
    const deletion = new RegExp(`^DELETE FROM ${table}\\b`);
    const statement = (await statementsOf(call)).find(({ sql }) => (isSweep ? deletion : mentions).test(sql));
    if (statement === undefined) throw new Error(`${what} doesn't use ${table}`);
    facts.push({ what, ...(await explain(connection, table, statement)) });
  }
  return facts;
}

async function explain(connection: pg.Client, table: TableName, { sql, params }: Statement) {
  const run = async () => {
    await connection.query('BEGIN');
    const { rows } = await connection.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`, [...params]);
    await connection.query('ROLLBACK');
    return rows[0]['QUERY PLAN'][0] as Explained;
  };
  const runs = [await run()];
  const [{ Plan: plan }] = runs as [Explained];
  // What takes seconds isn't worth repeating.
  if (plan['Actual Total Time'] < 1000) runs.push(await run(), await run());
  const scanned = nodesOf(plan).filter(
    (node) =>
      node['Relation Name']?.startsWith(table) === true && /Scan/.test(node['Node Type']) && node['Actual Loops'] > 0,
  );
  return {
    scans: [...new Set(scanned.map((node) => node['Node Type']))].join(', '),
    read: new Set(scanned.map((node) => node['Relation Name'])).size,
    pages: (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0),
    planMs: median(runs.map((each) => each['Planning Time'])),
    runMs: median(runs.map((each) => each['Execution Time'])),
  };
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

/** Of a deletion in batches of 500. */
export interface Swept {
  readonly rows: number;
  readonly perSecond: number;
  /** Bytes for each row. */
  readonly log: number;
}

export interface Costs {
  readonly lookUp?: LookUps;
  /** With `plan_cache_mode=force_generic_plan`, which a role or a database can be given. */
  readonly lookUpGeneric?: LookUps;
  readonly updates?: { readonly microseconds: number; readonly log: number; readonly heapOnly: number };
  readonly sweep: Swept;
  /** The same deletion with the ids in an array, which no join can turn into reading every row. */
  readonly sweepByArray: Swept;
  readonly dropped?: { readonly rows: number; readonly milliseconds: number; readonly log: number };
  readonly vacuum: { readonly seconds: number; readonly log: number; readonly dead: number };
}

export interface LookUps {
  readonly p50: number;
  readonly p99: number;
  readonly perSecond: number;
}

const sweepSeconds = 25;
const longestStatement = 60_000;

export async function costsOf(
  connection: pg.Client,
  url: string,
  table: TableName,
  size: Size,
  isByTime: boolean,
): Promise<Costs> {
  const used = table === 'grants' ? await useGrants(connection, url, size) : {};
  const storage = sqlStorage(openPostgres(url, { timeout: longestStatement }));
  try {
    const sweep = await swept(connection, async () => storage.sweep(limitsOf(size), 500));
    const { now, eventsBefore } = limitsOf(size);
    const [column, limit] = table === 'grants' ? ['delete_after', now] : ['id', eventsBefore];
    const ids = `SELECT id FROM ${table} WHERE ${column} < $1 LIMIT 500`;
    const sweepByArray = await swept(connection, async () => {
      const { rowCount } = await connection.query(`DELETE FROM ${table} WHERE id = ANY (ARRAY(${ids}))`, [limit]);
      return rowCount ?? 0;
    });
    await pause(1500);
    const dead = await count(
      connection,
      `SELECT sum(n_dead_tup) FROM pg_stat_user_tables WHERE relname LIKE '${table}%'`,
    );
    const log = await logSince(connection);
    const started = performance.now();
    await connection.query(`VACUUM ${table}`);
    const vacuum = { seconds: (performance.now() - started) / 1000, log: await log(), dead };
    return { ...used, sweep, sweepByArray, vacuum, ...(isByTime && { dropped: await drop(connection, table) }) };
  } finally {
    await storage.close();
  }
}

/** Deletes for some seconds, or until nothing is left. A batch that takes too long ends it. */
async function swept(connection: pg.Client, deleteSome: () => Promise<number>): Promise<Swept> {
  const log = await logSince(connection);
  const started = performance.now();
  let rows = 0;
  while (performance.now() - started < sweepSeconds * 1000) {
    const deleted = await deleteSome().catch((error: unknown) => {
      if (error instanceof StorageUnavailable) return 0;
      throw error;
    });
    rows += deleted;
    if (deleted === 0) break;
  }
  return { rows, perSecond: rows / ((performance.now() - started) / 1000), log: (await log()) / Math.max(1, rows) };
}

async function useGrants(connection: pg.Client, url: string, size: Size) {
  const chosen = await samples(connection, 'grants', size, 20_000);
  const ids = chosen.map(({ id }) => id);
  const lookUp = await lookUps(url, ids.slice(0, 10_000));
  const generic = new URL(url);
  generic.searchParams.set('options', '-c plan_cache_mode=force_generic_plan');
  const lookUpGeneric = await lookUps(generic.href, ids.slice(10_000));

  const storage = sqlStorage(openPostgres(url, { timeout: longestStatement }));
  const log = await logSince(connection);
  const started = performance.now();
  for (let first = 0; first < chosen.length; first += 500) {
    const uses = chosen.slice(first, first + 500).map((each) => ({ grantId: each.id, ...each, at: size.end }));
    await storage.noteGrantUses(uses);
  }
  const microseconds = ((performance.now() - started) * 1000) / chosen.length;
  const logged = (await log()) / chosen.length;
  await storage.close();
  await pause(1500);
  const heapOnly = await count(
    connection,
    `SELECT 100 * sum(n_tup_hot_upd) / greatest(sum(n_tup_upd), 1) FROM pg_stat_user_tables WHERE relname LIKE 'grants%'`,
  );
  return { lookUp, lookUpGeneric, updates: { microseconds, log: logged, heapOnly } };
}

/** As userinfo asks: one after the other, then many at a time, which travel in batches. */
async function lookUps(url: string, ids: readonly string[]): Promise<LookUps> {
  const storage = sqlStorage(openPostgres(url, { timeout: longestStatement }));
  const find = async (id: string) => {
    if ((await storage.findTokenHolder(id, 't')) === undefined) throw new Error(`grant ${id} isn't found`);
  };
  const alone = ids.slice(0, 3000);
  const times: number[] = [];
  for (const id of alone) {
    const started = performance.now();
    await find(id);
    times.push(performance.now() - started);
  }
  const warm = times.slice(500).sort((one, other) => one - other);
  const at = (share: number) => warm[Math.floor(warm.length * share)] ?? Number.NaN;
  const waiting = ids.slice(alone.length);
  const many = waiting.length;
  const started = performance.now();
  const asker = async () => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) await find(id);
  };
  await Promise.all(Array.from({ length: 64 }, asker));
  const perSecond = many / ((performance.now() - started) / 1000);
  await storage.close();
  return { p50: at(0.5), p99: at(0.99), perSecond };
}

/** A whole partition, as it would be dropped once all of it is over. The sweep has emptied the oldest, so it's the next. */
async function drop(connection: pg.Client, table: TableName) {
  const name = partition(table, 1);
  const rows = await count(connection, `SELECT count(*) FROM ${name}`);
  const log = await logSince(connection);
  const started = performance.now();
  await connection.query(`ALTER TABLE ${table} DETACH PARTITION ${name} CONCURRENTLY`);
  await connection.query(`DROP TABLE ${name}`);
  return { rows, milliseconds: performance.now() - started, log: await log() };
}

/** Bytes of write-ahead log from here on, whole pages after a checkpoint included. */
async function logSince(connection: pg.Client): Promise<() => Promise<number>> {
  await connection.query('CHECKPOINT');
  const { rows } = await connection.query('SELECT pg_current_wal_insert_lsn() AS at');
  return () => count(connection, `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '${rows[0].at}')`);
}

export async function count(connection: pg.Client, sql: string): Promise<number> {
  const { rows } = await connection.query({ text: sql, rowMode: 'array' });
  return Number(rows[0]?.[0] ?? 0);
}

export const partitionsOf = (table: TableName, layout: string) =>
  layout === 'plain' ? 1 : layout === 'hash' ? 32 : spans[table].days / spans[table].perPartition + 1;
