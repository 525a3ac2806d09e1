// Deletes expired rows, and stores what processes have to agree on: leases, and facts about the running service.

import { lasting } from '../groups/access-conditions.ts';
import { deletedReviews } from '../reviews/reviews-sql.ts';
import {
  accessRequests,
  type ColumnOf,
  clientAccess,
  events,
  grants,
  groupMembers,
  groups,
  hourlyTotals,
  knownDevices,
  links,
  mails,
  revokedTokens,
  serviceFacts,
  sessions,
  signInFailures,
  signUpLinks,
  spentTickets,
  type Table,
  webhookDeliveries,
} from '../schema.ts';
import type { Database } from './database.ts';
import type { TurnName } from './mail.ts';
import { columns, computed, replaceIn, required, select } from './query.ts';

type FactName =
  | 'base_url'
  | 'swept_at'
  | 'sweep_paused'
  | 'sweep_confirmed_at'
  | 'people_counted'
  | 'password_only_counted'
  | 'backup'
  | 'oldest_schema'
  | 'oldest_schema_alone'
  | TurnName;

/** The sweep deletes rows older than these. */
export interface SweepLimits {
  readonly now: number;
  readonly keptSessionsSeenBefore: number;
  /** For sessions that end with the browser. */
  readonly briefSessionsSeenBefore: number;
  readonly failuresBefore: number;
  readonly eventsBefore: string;
  readonly devicesSeenBefore: number;
  readonly mailsBefore: number;
  /** Those that have ended. */
  readonly signUpLinksBefore: number;
  readonly totalsBefore: number;
  /** Decided ones lose their note, and later they're deleted. */
  readonly requestNotesBefore: number;
  readonly requestsBefore: number;
  /** How many finished deliveries of each webhook endpoint are kept. */
  readonly finishedDeliveries: number;
  /** The number of an access change some time ago; access that ended by then can be deleted. */
  readonly settledAccessChange: number;
}

/** Expired, or of an endpoint that is gone. */
const overSecrets = `DELETE FROM webhook_secrets WHERE id IN
  (SELECT ws.id FROM webhook_secrets ws WHERE ws.ends_at < $1
    OR NOT EXISTS (SELECT 1 FROM webhook_endpoints wh WHERE wh.id = ws.endpoint_id) LIMIT $2) RETURNING 1 AS one`;
/** The rest of a request stays for as long as events do. */
const oldNotes = `UPDATE access_requests SET note = NULL WHERE id IN
  (SELECT ar.id FROM access_requests ar WHERE ar.decided_at IS NOT NULL AND ar.note IS NOT NULL AND ar.decided_at <= $1 LIMIT $2)
  RETURNING 1 AS one`;
/** Finished, and beyond those that are shown. */
const unshownDeliveries = `DELETE FROM webhook_deliveries WHERE (endpoint_id, id) IN
  (SELECT wd.endpoint_id, wd.id FROM webhook_endpoints wh CROSS JOIN webhook_deliveries wd
    WHERE wd.endpoint_id = wh.id AND wd.finished_at IS NOT NULL AND wd.id <=
      (SELECT o.id FROM webhook_deliveries o WHERE o.endpoint_id = wh.id AND o.finished_at IS NOT NULL
        ORDER BY o.id DESC LIMIT 1 OFFSET $1) LIMIT $2) RETURNING 1 AS one`;
// Of deleted clients, once they've been notified. A client that an instance of a version without webhooks has deleted is
// missing.
const abandonedEndpoints = `DELETE FROM webhook_endpoints WHERE id IN
  (SELECT wh.id FROM webhook_endpoints wh WHERE (wh.client_deleted_at IS NOT NULL
      OR (wh.client_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM clients c WHERE c.id = wh.client_id)))
    AND NOT EXISTS (SELECT 1 FROM webhook_deliveries wd WHERE wd.endpoint_id = wh.id AND wd.finished_at IS NULL)
    LIMIT $1) RETURNING 1 AS one`;

/**
 * Access that ended up to this change doesn't matter to any grant: none is left from before its end. A grant that is being
 * stored may not be visible yet, but the change lies some time back, and none is on its way for that long.
 */
const forgettable = (end: string) => `${end} <= $1 AND ${end} < ${lasting}
  AND ${end} <= COALESCE((SELECT MIN(o.access_change) FROM grants o), $1)`;
const ofEndedGroup = `SELECT gr.id FROM groups gr WHERE ${forgettable('gr.ended_by')}`;
const forgottenAccess = [
  deletionWhere(groupMembers, forgettable('ended_by')),
  deletionWhere(clientAccess, forgettable('ended_by')),
  deletionWhere(groupMembers, `group_id IN (${ofEndedGroup})`),
  deletionWhere(clientAccess, `kind = 'group' AND subject_id IN (${ofEndedGroup})`),
  // Last, so that nothing of a group is left when the group itself is deleted.
  deletionWhere(
    groups,
    `${forgettable('ended_by')} AND NOT EXISTS (SELECT 1 FROM group_members gm WHERE gm.group_id = groups.id)
      AND NOT EXISTS (SELECT 1 FROM client_access ca WHERE ca.kind = 'group' AND ca.subject_id = groups.id)`,
  ),
];

/** In this order. Each deletes what is below a limit, at most as many rows as its last parameter says. */
const sweeps: readonly { readonly sql: string; readonly below?: keyof SweepLimits }[] = [
  { sql: deletionOf(grants, 'delete_after'), below: 'now' },
  { sql: deletionOf(revokedTokens, 'delete_after'), below: 'now' },
  { sql: deletionOf(sessions, 'last_seen_at', 'kept = 1'), below: 'keptSessionsSeenBefore' },
  { sql: deletionOf(sessions, 'last_seen_at', 'kept = 0'), below: 'briefSessionsSeenBefore' },
  { sql: deletionOf(events, 'id'), below: 'eventsBefore' },
  { sql: deletionOf(links, 'expires_at'), below: 'now' },
  { sql: deletionOf(spentTickets, 'expires_at'), below: 'now' },
  { sql: deletionOf(signUpLinks, 'expires_at'), below: 'signUpLinksBefore' },
  { sql: deletionOf(signUpLinks, 'revoked_at'), below: 'signUpLinksBefore' },
  { sql: deletionOf(mails, 'created_at'), below: 'mailsBefore' },
  { sql: deletionOf(hourlyTotals, 'hour'), below: 'totalsBefore' },
  { sql: oldNotes, below: 'requestNotesBefore' },
  { sql: deletionOf(accessRequests, 'decided_at', 'decided_at IS NOT NULL'), below: 'requestsBefore' },
  { sql: deletionOf(knownDevices, 'last_seen_at'), below: 'devicesSeenBefore' },
  { sql: deletionOf(signInFailures, 'bucket'), below: 'failuresBefore' },
  { sql: deletionOf(webhookDeliveries, 'delete_after'), below: 'now' },
  { sql: unshownDeliveries, below: 'finishedDeliveries' },
  { sql: abandonedEndpoints },
  { sql: overSecrets, below: 'now' },
  ...deletedReviews.map((sql) => ({ sql })),
  ...forgottenAccess.map((sql) => ({ sql, below: 'settledAccessChange' as const })),
];

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

export function sqlHousekeeping(database: Database) {
  return {
    /** Deletes at most `limit` expired rows of each table; returns how many. */
    async sweep(limits: SweepLimits, limit: number) {
      const counts = await database.countReturned(
        sweeps.map(({ sql, below }) => ({ sql, params: below === undefined ? [limit] : [limits[below], limit] })),
      );
      return counts.reduce((sum, count) => sum + count, 0);
    },

    /**
     * How many of the newest grants and kept sessions a sweep would delete. Codes that weren't exchanged don't count,
     * nor do sessions that end within a day anyway.
     */
    async examineExpiring(limits: SweepLimits) {
      const rows = [
        ...(await database.read(newestGrants, [limits.now])),
        ...(await database.read(newestSessions, [limits.keptSessionsSeenBefore])),
      ];
      const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
      return { examined: sum(rows.map((row) => row.examined)), due: sum(rows.map((row) => row.due)) };
    },

    /**
     * Takes or renews a lease. False while another holder's has not expired. One that ends much later than this one
     * would was taken by a wrong clock, and counts as expired.
     */
    takeLease(name: string, holder: string, now: number, expiresAt: number) {
      // Clocks of several machines differ a little, but not by the length of a lease.
      const implausible = now + 2 * (expiresAt - now);
      return database.write([required(takeLease, [name, holder, expiresAt, now, implausible])]);
    },

    /** Facts about a running service, for commands that run alongside it. */
    async noteFact(name: FactName, value: string) {
      await database.write([replaceFact({ name, value })]);
    },

    async findFact(name: FactName) {
      const [row] = await database.read(factByName, [name]);
      return row?.sf_value;
    },

    /** Whether there's nothing yet that keys protect: no user, client, queued email or webhook. */
    async isEmpty() {
      return (await database.read(firstRows, [])).length === 0;
    },

    /** Returns when the store can be read. */
    async ping() {
      await database.read(anything, []);
    },

    /** Returns when something was written, durably. */
    async checkWritable() {
      await database.write([changeSomething]);
    },

    /** Those that the events are on, if that's not this database. */
    findOtherServers: () => database.otherServers(),

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

/** Deletes rows whose column is less than the first parameter. */
function deletionOf<T extends Table>(table: T, column: ColumnOf<T>, condition = 'true'): string {
  return deletionWhere(table, `${condition} AND ${column} < $1`);
}

/** At most as many rows as the second parameter says. */
function deletionWhere({ name, key }: Table, condition: string): string {
  return `DELETE FROM ${name} WHERE (${key.join(', ')}) IN
    (SELECT ${key.join(', ')} FROM ${name} WHERE ${condition} LIMIT $2) RETURNING 1 AS one`;
}
