// Events, counts of failed sign-ins, and the sweep of what is over.

import type { Actor, EventDetail, EventKind, EventRecord } from '../../protocol/event.ts';
import type { Driver, Row, Statement } from '../driver.ts';
import type { EventFilter, Storage } from '../storage.ts';

type Housekeeping = Pick<
  Storage,
  | 'countFailures'
  | 'addFailures'
  | 'takeBackFailures'
  | 'appendEvents'
  | 'listEvents'
  | 'findEvents'
  | 'sweep'
  | 'takeLease'
  | 'noteFact'
  | 'findFact'
  | 'ping'
  | 'close'
>;

export function insertEvent(event: EventRecord): Statement {
  return {
    sql: `INSERT INTO events (id, at, kind, user_id, client_id, address, request_id, detail, actor_kind, actor_id)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    params: [
      ...[event.id, event.at, event.kind, event.userId ?? null, event.clientId ?? null],
      ...[event.address, event.requestId, JSON.stringify(event.detail ?? {})],
      ...[event.actor?.kind ?? null, event.actor?.id ?? null],
    ],
  };
}

export function sqlHousekeeping(driver: Driver): Housekeeping {
  return {
    async countFailures(counters, sinceBucket) {
      const statement = countStatement(counters, sinceBucket);
      return (await driver.read(statement.sql, statement.params)).map(toFailureCount);
    },

    async addFailures(counters, bucket, sinceBucket) {
      const sql = `INSERT INTO sign_in_failures (counter, bucket, failures) VALUES ($1, $2, 1)
        ON CONFLICT (counter, bucket) DO UPDATE SET failures = sign_in_failures.failures + 1`;
      const results = await driver.write([
        ...counters.map((counter) => ({ sql, params: [counter, bucket] })),
        countStatement(counters, sinceBucket),
      ]);
      return (results?.at(-1) ?? []).map(toFailureCount);
    },

    async takeBackFailures(counters, bucket) {
      const sql = `UPDATE sign_in_failures SET failures = failures - 1
        WHERE counter = $1 AND bucket = $2 AND failures > 0`;
      await driver.write(counters.map((counter) => ({ sql, params: [counter, bucket] })));
    },

    async appendEvents(events) {
      await driver.write(events.map(insertEvent));
    },

    async listEvents(afterId, limit) {
      const rows = await driver.read('SELECT * FROM events WHERE id > $1 ORDER BY id DESC LIMIT $2', [afterId, limit]);
      return rows.reverse().map(toEvent);
    },

    async findEvents(filter, limit) {
      const { sql, params } = eventsStatement(filter, limit);
      return (await driver.read(sql, params)).map(toEvent);
    },

    async sweep(limits, limit) {
      const over = (table: string, key: string, condition: string, value: string | number): Statement => ({
        sql: `DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE ${condition} $1 LIMIT $2)
          RETURNING 1 AS one`,
        params: [value, limit],
      });
      const results = await driver.write([
        over('grants', 'id', 'delete_after <', limits.now),
        over('revoked_tokens', 'token_id', 'delete_after <', limits.now),
        over('sessions', 'digest', 'last_seen_at <', limits.sessionsSeenBefore),
        over('events', 'id', 'id <', limits.eventsBefore),
        over('links', 'digest', 'expires_at <', limits.now),
        over('spent_tickets', 'digest', 'expires_at <', limits.now),
        over('mails', 'id', 'created_at <', limits.mailsBefore),
        {
          sql: `DELETE FROM hourly_totals WHERE (hour, kind, client_id) IN
            (SELECT hour, kind, client_id FROM hourly_totals WHERE hour < $1 LIMIT $2) RETURNING 1 AS one`,
          params: [limits.totalsBefore, limit],
        },
        {
          sql: `DELETE FROM known_devices WHERE (user_id, digest) IN
            (SELECT user_id, digest FROM known_devices WHERE last_seen_at < $1 LIMIT $2) RETURNING 1 AS one`,
          params: [limits.devicesSeenBefore, limit],
        },
        {
          sql: `DELETE FROM sign_in_failures WHERE (counter, bucket) IN
            (SELECT counter, bucket FROM sign_in_failures WHERE bucket < $1 LIMIT $2) RETURNING 1 AS one`,
          params: [limits.failuresBefore, limit],
        },
      ]);
      return (results ?? []).reduce((sum, rows) => sum + rows.length, 0);
    },

    async takeLease(name, holder, now, expiresAt) {
      const sql = `INSERT INTO leases (name, holder, expires_at) VALUES ($1, $2, $3)
        ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
        WHERE leases.holder = excluded.holder OR leases.expires_at <= $4 RETURNING name`;
      const params = [name, holder, expiresAt, now];
      return (await driver.write([{ sql, params, mustReturn: true }])) !== undefined;
    },

    async noteFact(name, value) {
      const sql = `INSERT INTO service_facts (name, value) VALUES ($1, $2)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
      await driver.write([{ sql, params: [name, value] }]);
    },

    async findFact(name) {
      const [row] = await driver.read('SELECT value FROM service_facts WHERE name = $1', [name]);
      return row?.value as string | undefined;
    },

    async ping() {
      await driver.read('SELECT 1 AS one FROM clients LIMIT 1', []);
    },

    close() {
      return driver.close();
    },
  };
}

/**
 * Walks along the index of the narrowest column that is asked for, and along no other: a request has a few events, a person
 * some, an application or a kind very many. Left to themselves, engines take the index of a kind with a million events for
 * one person's ten, or that of all events for an application that has been quiet for months. So the walk is stated as a
 * span of that index in its order, and the other columns so that no index fits.
 */
function eventsStatement(filter: EventFilter, limit: number): Statement {
  const params: (string | number)[] = [limit];
  const place = (value: string) => `$${params.push(value)}`;
  const wanted = [
    { column: 'request_id', value: filter.requestId },
    { column: 'user_id', value: filter.userId },
    { column: 'client_id', value: filter.clientId },
    { column: 'kind', value: filter.kind },
  ].flatMap(({ column, value }) => (value === undefined ? [] : [{ column, value, place: place(value) }]));
  const first = wanted[0]?.column;
  const walked = wanted.slice(0, first === 'client_id' ? 2 : 1);
  const conditions = [
    ...walked.map(({ column }) => `${column} IS NOT NULL`),
    ...wanted.slice(walked.length).map((each) => `${each.column} || '' = ${each.place}`),
  ];
  const bound = (comparison: '>=' | '<', id: string | undefined) => {
    const columns = [...walked.map(({ column }) => column), ...(id === undefined ? [] : ['id'])];
    const places = [...walked.map((each) => each.place), ...(id === undefined ? [] : [place(id)])];
    // Without an id the span goes to the end of what the columns name.
    const operator = id === undefined && comparison === '<' ? '<=' : comparison;
    if (columns.length > 0) conditions.push(`(${columns.join(', ')}) ${operator} (${places.join(', ')})`);
  };
  bound('>=', filter.fromId);
  bound('<', filter.beforeId);
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  const order = [...walked.map(({ column }) => column), 'id'].map((column) => `${column} DESC`).join(', ');
  return { sql: `SELECT * FROM events ${where} ORDER BY ${order} LIMIT $1`, params };
}

function countStatement(counters: readonly string[], sinceBucket: number): Statement {
  const places = counters.map((_, index) => `$${index + 2}`).join(', ');
  return {
    sql: `SELECT counter, CAST(SUM(failures) AS BIGINT) AS failures, MIN(bucket) AS first_bucket FROM sign_in_failures
      WHERE bucket >= $1 AND failures > 0 AND counter IN (${places}) GROUP BY counter`,
    params: [sinceBucket, ...counters],
  };
}

function toFailureCount(row: Row) {
  return {
    key: row.counter as string,
    failures: row.failures as number,
    firstBucket: row.first_bucket as number,
  };
}

export function toEvent(row: Row): EventRecord {
  return {
    id: row.id as string,
    at: row.at as number,
    kind: row.kind as EventKind,
    ...(row.user_id === null ? {} : { userId: row.user_id as string }),
    ...(row.client_id === null ? {} : { clientId: row.client_id as string }),
    address: row.address as string,
    requestId: row.request_id as string,
    detail: JSON.parse(row.detail as string) as EventDetail,
    ...(row.actor_kind === null
      ? {}
      : { actor: { kind: row.actor_kind as Actor['kind'], id: row.actor_id as string } }),
  };
}
