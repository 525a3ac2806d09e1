// Deletes expired rows, and stores what processes have to agree on: leases, and facts about the running service.

import { forgottenAccess } from '../groups/access-history.ts';
import {
  type ColumnOf,
  events,
  grants,
  hourlyTotals,
  knownDevices,
  links,
  mails,
  revokedTokens,
  serviceFacts,
  sessions,
  signInFailures,
  spentTickets,
  type Table,
} from '../schema.ts';
import type { Housekeeping } from '../storage.ts';
import { webhookSweep } from '../webhooks/webhook-sweep-sql.ts';
import type { Database } from './database.ts';
import { columns, computed, replaceIn, required, select } from './query.ts';

const expiredGrants = deletionOf(grants, 'delete_after');
const expiredTokens = deletionOf(revokedTokens, 'delete_after');
const expiredKept = deletionOf(sessions, 'last_seen_at', 'kept = 1');
const expiredBrief = deletionOf(sessions, 'last_seen_at', 'kept = 0');
const expiredEvents = deletionOf(events, 'id');
const expiredLinks = deletionOf(links, 'expires_at');
const expiredTickets = deletionOf(spentTickets, 'expires_at');
const expiredMails = deletionOf(mails, 'created_at');
const expiredTotals = deletionOf(hourlyTotals, 'hour');
const expiredDevices = deletionOf(knownDevices, 'last_seen_at');
const expiredFailures = deletionOf(signInFailures, 'bucket');

const takeLease = `INSERT INTO leases (name, holder, expires_at) VALUES ($1, $2, $3)
  ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
  WHERE leases.holder = excluded.holder OR leases.expires_at <= $4 OR leases.expires_at > $5 RETURNING name`;
/** Only the newest rows are checked, so that it's as fast in a large store. */
const newestGrants = examined(`SELECT delete_after AS over FROM (SELECT delete_after, exchanged_at, ended_at FROM grants
  ORDER BY id DESC LIMIT 5000) AS newest WHERE exchanged_at IS NOT NULL AND ended_at IS NULL`);
const newestSessions = examined(
  'SELECT last_seen_at AS over FROM sessions WHERE kept = 1 ORDER BY last_seen_at DESC LIMIT 1000',
);
const replaceFact = replaceIn(serviceFacts);
const factByName = select([columns(serviceFacts, 'value')], 'FROM service_facts sf WHERE sf.name = $1');
/** A different value each time, because an engine may skip writing an unchanged row. */
const changeSomething = {
  sql: `INSERT INTO service_facts (name, value) VALUES ('write_check', 'tick')
    ON CONFLICT (name) DO UPDATE SET value = CASE service_facts.value WHEN 'tick' THEN 'tock' ELSE 'tick' END`,
  params: [],
};
const anything = select([computed<{ one: number }>('1 AS one')], 'FROM clients LIMIT 1');
const firstRows = select(
  [computed<{ one: number }>('1 AS one')],
  `WHERE EXISTS (SELECT 1 FROM users) OR EXISTS (SELECT 1 FROM clients) OR EXISTS (SELECT 1 FROM mails)
    OR EXISTS (SELECT 1 FROM webhook_secrets) OR EXISTS (SELECT 1 FROM upstreams)`,
);

export function sqlHousekeeping(database: Database): Housekeeping {
  return {
    async sweep(limits, limit) {
      const counts = await database.countReturned([
        { sql: expiredGrants, params: [limits.now, limit] },
        { sql: expiredTokens, params: [limits.now, limit] },
        { sql: expiredKept, params: [limits.keptSessionsSeenBefore, limit] },
        { sql: expiredBrief, params: [limits.briefSessionsSeenBefore, limit] },
        { sql: expiredEvents, params: [limits.eventsBefore, limit] },
        { sql: expiredLinks, params: [limits.now, limit] },
        { sql: expiredTickets, params: [limits.now, limit] },
        { sql: expiredMails, params: [limits.mailsBefore, limit] },
        { sql: expiredTotals, params: [limits.totalsBefore, limit] },
        { sql: expiredDevices, params: [limits.devicesSeenBefore, limit] },
        { sql: expiredFailures, params: [limits.failuresBefore, limit] },
        ...webhookSweep(limits, limit),
        ...forgottenAccess.map((sql) => ({ sql, params: [limits.settledAccessChange, limit] })),
      ]);
      return counts.reduce((sum, count) => sum + count, 0);
    },

    async examineExpiring(limits) {
      const rows = [
        ...(await database.read(newestGrants, [limits.now])),
        ...(await database.read(newestSessions, [limits.keptSessionsSeenBefore])),
      ];
      const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
      return { examined: sum(rows.map((row) => row.examined)), due: sum(rows.map((row) => row.due)) };
    },

    takeLease(name, holder, now, expiresAt) {
      // Clocks of several machines differ a little, but not by the length of a lease.
      const implausible = now + 2 * (expiresAt - now);
      return database.write([required(takeLease, [name, holder, expiresAt, now, implausible])]);
    },

    async noteFact(name, value) {
      await database.write([replaceFact({ name, value })]);
    },

    async findFact(name) {
      const [row] = await database.read(factByName, [name]);
      return row?.sf_value;
    },

    async isEmpty() {
      return (await database.read(firstRows, [])).length === 0;
    },

    async ping() {
      await database.read(anything, []);
    },

    async checkWritable() {
      await database.write([changeSomething]);
    },

    close() {
      return database.close();
    },
  };
}

/** Counts rows with a column `over`, and those of them in which it is less than the parameter. */
function examined(rows: string) {
  return select(
    [
      computed<{ examined: number }>('CAST(COUNT(*) AS BIGINT) AS examined'),
      computed<{ due: number }>('CAST(COALESCE(SUM(CASE WHEN e.over < $1 THEN 1 ELSE 0 END), 0) AS BIGINT) AS due'),
    ],
    `FROM (${rows}) AS e`,
  );
}

/** Deletes rows whose column is less than the first parameter, at most as many as the second. */
function deletionOf<T extends Table>(table: T, column: ColumnOf<T>, condition?: string): string {
  const key = table.key.join(', ');
  const others = condition === undefined ? '' : `${condition} AND `;
  return `DELETE FROM ${table.name} WHERE (${key}) IN
    (SELECT ${key} FROM ${table.name} WHERE ${others}${column} < $1 LIMIT $2) RETURNING 1 AS one`;
}
