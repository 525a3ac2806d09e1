// Events one by one, and totals by the hour and by the day.

import type { VisibleEvents } from '../../protocol/admin/event-subjects.ts';
import { mostCounted, totalOf } from '../../protocol/admin/totals.ts';
import { DAY } from '../../protocol/durations.ts';
import type { EventRecord } from '../../protocol/event.ts';
import type { EventKind, TotalKind } from '../../protocol/events/kinds.ts';
import type { EventFilter } from '../records.ts';
import { events, hourlyTotals, type SelectedRow } from '../schema.ts';
import type { Database } from '../sql/database.ts';
import { withoutRole } from '../sql/guards.ts';
import {
  columns,
  computed,
  countOf,
  insertInto,
  insertMissingRows,
  perLayout,
  replaceIn,
  select,
} from '../sql/query.ts';
import { queueMessages, rowOf } from '../webhooks/outbox-sql.ts';

const eventColumns = columns(events);
const insertMissingEvents = insertMissingRows(events);
const insertOrReplace = replaceIn(events);
const addTotal = insertInto(
  hourlyTotals,
  'ON CONFLICT (hour, kind, client_id) DO UPDATE SET total = hourly_totals.total + excluded.total',
);
const totalsByHour = select(
  [columns(hourlyTotals, 'hour', 'kind', 'total')],
  `FROM hourly_totals t WHERE t.hour >= $1 AND t.client_id = '' ORDER BY t.hour, t.kind`,
);
const totalsByClient = select(
  [
    columns(hourlyTotals, 'client_id', 'kind'),
    computed<{ readonly total: number }>('CAST(SUM(t.total) AS BIGINT) AS total'),
  ],
  `FROM hourly_totals t WHERE t.hour >= $1 AND t.client_id <> ''
    GROUP BY t.client_id, t.kind ORDER BY t.client_id, t.kind`,
);

/** Events one by one, and how often things happened: by the hour, and for one client by the day. */
export function sqlEvents(database: Database) {
  return {
    /** An event that was written before, by an attempt whose response was lost, is skipped. */
    async appendEvents(events: readonly EventRecord[]) {
      await database.write([...insertMissingEvents(events.map(rowOf)), ...queueMessages(events)]);
    },

    /** Writes events whose count still grows, replacing one with the same ID. */
    async replaceEvents(events: readonly EventRecord[]) {
      await database.write(events.map((event) => insertOrReplace(rowOf(event))));
    },

    /** The newest that match, newest first; or the oldest, oldest first. */
    findEvents(filter: EventFilter, limit: number, order: 'newest' | 'oldest' = 'newest') {
      const { fromOf, params } = eventsMatching(filter, limit, order);
      const query = perLayout((isSpread) => select([eventColumns], fromOf(isSpread)));
      return database.list(query, params, toEvent);
    },

    /** By the same walk, as far as `most`. */
    async countEvents(filter: EventFilter, most = mostCounted) {
      const { fromOf, params } = eventsMatching(filter, most + 1, 'newest');
      const query = perLayout((isSpread) => countOf(`FROM (SELECT 1 AS one ${fromOf(isSpread)}) AS counted`));
      return totalOf(await database.count(query, params), most);
    },

    async addTotals(totals: readonly { hour: number; kind: TotalKind; clientId: string; total: number }[]) {
      const rows = new Map<string, { hour: number; kind: TotalKind; client_id: string; total: number }>();
      const add = (hour: number, kind: TotalKind, clientId: string, more: number) => {
        const key = `${hour} ${kind} ${clientId}`;
        rows.set(key, { hour, kind, client_id: clientId, total: more + (rows.get(key)?.total ?? 0) });
      };
      for (const { hour, kind, clientId, total } of totals) {
        add(hour, kind, '', total);
        if (clientId !== '') add(dayOf(hour), kind, clientId, total);
      }
      // In a fixed order, so that two instances that update the same rows don't deadlock.
      const ordered = [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1));
      await database.write(ordered.map(([, row]) => addTotal(row)));
    },

    sumTotalsByHour: (since: number) =>
      database.list(totalsByHour, [since], (row) => ({ hour: row.t_hour, kind: row.t_kind, total: row.t_total })),

    /** Since the beginning of that day. */
    sumTotalsByClient: (since: number) =>
      database.list(totalsByClient, [dayOf(since)], (row) => ({
        clientId: row.t_client_id,
        kind: row.t_kind,
        total: row.total,
      })),
  };
}

function dayOf(time: number): number {
  return Math.floor(time / DAY) * DAY;
}

/**
 * Walks the index of the most selective column in the filter, and no other: a request or trace has a few events, a user
 * some, a client or a kind very many. Otherwise, engines use the index of a kind with a million events to find one user's
 * ten, or the primary key for a client that has been quiet for months. So the condition on the walked columns is a range of
 * their index in its order, and the conditions on the other columns are written so that no index fits.
 */
function eventsMatching(
  filter: EventFilter,
  limit: number,
  order: 'newest' | 'oldest',
): { fromOf(isSpread: boolean): string; params: (string | number)[] } {
  const params: (string | number)[] = [limit];
  const place = (value: string) => `$${params.push(value)}`;
  const wanted = [
    { column: 'e.request_id', value: filter.requestId },
    { column: 'e.trace_id', value: filter.traceId },
    { column: 'e.user_id', value: filter.userId },
    { column: 'e.client_id', value: filter.clientId },
    { column: 'e.kind', value: filter.kind },
  ].flatMap(({ column, value }) => (value === undefined ? [] : [{ column, value, place: place(value) }]));
  // Only the client's index includes the kind.
  const walked = wanted.slice(0, wanted[0]?.column === 'e.client_id' ? 2 : 1);
  const conditions = [
    ...walked.map(({ column }) => `${column} IS NOT NULL`),
    ...wanted.slice(walked.length).map((each) => `${each.column} || '' = ${each.place}`),
  ];
  if (filter.kinds !== undefined) conditions.push(isAmong(filter.kinds));
  if (filter.actorId !== undefined) conditions.push(`e.actor_id = ${place(filter.actorId)}`);
  const bound = (comparison: '>=' | '<', id: string | undefined) => {
    const bounded = [...walked.map(({ column }) => column), ...(id === undefined ? [] : ['e.id'])];
    const places = [...walked.map((each) => each.place), ...(id === undefined ? [] : [place(id)])];
    // Without an id, the range goes to the end of what the columns name.
    const operator = id === undefined && comparison === '<' ? '<=' : comparison;
    if (bounded.length > 0) conditions.push(`(${bounded.join(', ')}) ${operator} (${places.join(', ')})`);
  };
  bound('>=', filter.fromId);
  bound('<', filter.beforeId);
  const columns = [...walked.map(({ column }) => column), 'e.id'];
  const sorted = columns.map((column) => (order === 'newest' ? `${column} DESC` : column)).join(', ');
  const { visible } = filter;
  const fromOf = (isSpread: boolean) => {
    const all = [...conditions, ...(visible === undefined ? [] : [isVisible(visible, isSpread)])];
    const where = all.length === 0 ? '' : `WHERE ${all.join(' AND ')}`;
    return `FROM events e ${visible && isSpread ? joinHidden : ''} ${where} ORDER BY ${sorted} LIMIT $1`;
  };
  return { fromOf, params };
}

const roleEnds = "'user_administrator_removed', 'user_roles_changed'";
/** Whether the person of event `e` had a role at its time, or later. Few ever had one, so others are left at the first condition. */
const hadRole = `e.user_id IN (SELECT r.user_id FROM events r WHERE r.kind IN (${roleEnds}))
  AND EXISTS (SELECT 1 FROM events r WHERE r.user_id = e.user_id AND r.at >= e.at AND r.kind || '' IN (${roleEnds}))`;
const deletions = "'user_deleted', 'account_deleted'";
/** Whether they were deleted with one, which the event about that says; if they're back since, only what was before counts. */
const leftWithRole = `(NOT EXISTS (SELECT 1 FROM users u WHERE u.id = e.user_id)
    OR EXISTS (SELECT 1 FROM imported_people ip WHERE ip.user_id = e.user_id AND ip.imported_at >= e.at))
  AND EXISTS (SELECT 1 FROM events r WHERE r.user_id = e.user_id
    AND r.kind || '' IN (${deletions}) AND r.detail LIKE '%"roles":%')`;

/** The kinds are ours, so they can be part of the text. */
function isAmong(kinds: readonly EventKind[]): string {
  return `e.kind || '' IN ('${kinds.join("', '")}')`;
}

const endOfTime = Number.MAX_SAFE_INTEGER;
/**
 * The same for events on several servers, which can't ask each other about each event: until when those of a person are hidden. It has
 * a row for everyone who has or had a role.
 */
const joinHidden = `LEFT JOIN (
    SELECT h.user_id, MAX(h.until) AS until FROM (
      SELECT u.id AS user_id, ${endOfTime} AS until FROM users u WHERE NOT (${withoutRole('u')})
      UNION ALL SELECT r.user_id, MAX(r.at) FROM events r WHERE r.kind IN (${roleEnds}) GROUP BY r.user_id
      UNION ALL SELECT d.user_id, CASE WHEN u.id IS NULL THEN ${endOfTime} ELSE ip.imported_at END
        FROM (SELECT DISTINCT r.user_id FROM events r WHERE r.kind IN (${deletions}) AND r.detail LIKE '%"roles":%') d
        LEFT JOIN users u ON u.id = d.user_id LEFT JOIN imported_people ip ON ip.user_id = d.user_id
    ) AS h GROUP BY h.user_id
  ) AS hidden ON hidden.user_id = e.user_id`;

function isVisible({ ofPeople, ofApplications }: VisibleEvents, isSpread: boolean): string {
  const withRole = `SELECT 1 FROM users u WHERE u.id = e.user_id AND NOT (${withoutRole('u')})`;
  const isOpen = isSpread
    ? '(hidden.until IS NULL OR hidden.until < e.at)'
    : `NOT EXISTS (${withRole}) AND NOT (${hadRole}) AND NOT (${leftWithRole})`;
  const person = `e.user_id IS NOT NULL AND ${isAmong(ofPeople)} AND ${isOpen}`;
  return `(${person} OR e.client_id IS NOT NULL AND ${isAmong(ofApplications)})`;
}

function toEvent(row: SelectedRow<typeof events>): EventRecord {
  const actor =
    row.e_actor_kind === null || row.e_actor_id === null ? undefined : { kind: row.e_actor_kind, id: row.e_actor_id };
  return {
    id: row.e_id,
    at: row.e_at,
    kind: row.e_kind,
    ...(row.e_user_id !== null && { userId: row.e_user_id }),
    ...(row.e_client_id !== null && { clientId: row.e_client_id }),
    address: row.e_address,
    requestId: row.e_request_id,
    ...(row.e_trace_id !== null && { traceId: row.e_trace_id }),
    detail: JSON.parse(row.e_detail),
    ...(actor && { actor }),
  };
}
