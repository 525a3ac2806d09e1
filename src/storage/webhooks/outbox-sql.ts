// Events and the webhook outbox: messages about an event are inserted in the transaction of the change that they report, by a statement that finds the
// subscribed endpoints. So no list of endpoints can be out of date, and nothing is lost in between.

import { MINUTE } from '../../protocol/durations.ts';
import type { EventRecord } from '../../protocol/event.ts';
import { firstIdAt } from '../../protocol/identifiers.ts';
import { messageAbout } from '../../protocol/webhooks/messages.ts';
import { deliveryLifetime } from '../../protocol/webhooks/schedule.ts';
import { clientTypes, type WebhookMessage } from '../../protocol/webhooks/types.ts';
import type { Statement, Value } from '../driver.ts';
import { events, type StoredRow } from '../schema.ts';
import { insertInto, insertRows, insertWhere } from '../sql/query.ts';

const idPrefix = 'msg_';

/** The ID of the message about an event, for every endpoint. They begin with their time, like those of events. */
export function messageId({ id }: EventRecord): string {
  return `${idPrefix}${id}`;
}

/** Whether endpoint `wh` subscribes to this type, given as an expression. */
export function wants(type: string): string {
  return `wh.disabled_at IS NULL AND (wh.types = '*' OR REPLACE(wh.types, ' ' || ${type} || ' ', '') <> wh.types)`;
}

/**
 * Whether endpoint `wh` gets what concerns this client, which is an expression: one of the service gets everything. One
 * whose client was deleted gets nothing.
 */
export function concerns(client: string): string {
  return `(wh.client_id = ${client} OR (wh.client_id IS NULL AND wh.client_deleted_at IS NULL))`;
}

/** Inserts what `select` selects: the endpoint, id, type, at, user, client, data and when to delete it. */
export function insertMessages(select: string): string {
  return `INSERT INTO webhook_deliveries
      (endpoint_id, id, type, at, next_attempt_at, user_id, client_id, data, delete_after, attempts, delivered)
    SELECT n.endpoint_id, n.id, n.type, n.at, n.at, n.user_id, n.client_id, n.data, n.delete_after, 0, 0 FROM (${select}) AS n`;
}

const parameterTypes = ['TEXT', 'TEXT', 'BIGINT', 'TEXT', 'TEXT', 'TEXT', 'BIGINT', 'TEXT', 'TEXT'] as const;

function insertFor(count: number): string {
  const places = (row: number) =>
    parameterTypes.map((type, index) => `CAST($${row * parameterTypes.length + index + 1} AS ${type})`).join(', ');
  const rows = Array.from({ length: count }, (_, row) => `(${places(row)})`).join(', ');
  const eventIds = Array.from({ length: count }, (_, row) => `$${(row + 1) * parameterTypes.length}`).join(', ');
  // A client's endpoint gets messages that name the client in the eighth column. The event in the ninth is looked up,
  // because some are inserted only under a condition; all at once, because events may be on other servers.
  return insertMessages(`SELECT wh.id AS endpoint_id, m.column1 AS id, m.column2 AS type, m.column3 AS at,
      m.column4 AS user_id, m.column5 AS client_id, m.column6 AS data, m.column7 AS delete_after
    FROM (VALUES ${rows}) AS m CROSS JOIN webhook_endpoints wh
    WHERE ${concerns('m.column8')} AND ${wants('m.column2')}
      AND (m.column9 IS NULL OR m.column9 IN (SELECT e.id FROM events e WHERE e.id IN (${eventIds})))`);
}

/** Messages per statement, so that there are only a few prepared statements. */
const texts = [64, 8, 1].map((count) => ({ count, sql: insertFor(count) }));

/** The messages about events that webhooks report. They come after the statements that insert the events. */
export function queueMessages(events: readonly EventRecord[]): Statement[] {
  const rows = events.flatMap((event) => {
    const message = messageAbout(event);
    return message === undefined ? [] : [paramsOf(event, messageId(event), message, event.id)];
  });
  let done = 0;
  return texts.flatMap(({ count, sql }) => {
    const statements: Statement[] = [];
    for (; rows.length - done >= count; done += count) {
      statements.push({ sql, params: rows.slice(done, done + count).flat() });
    }
    return statements;
  });
}

/** Another message about an event. `id` is unlike that of the first; without an `id`, there is no first one. */
export function queueMessage(event: EventRecord, message: WebhookMessage, id = messageId(event)): Statement {
  return { sql: insertFor(1), params: paramsOf(event, id, message, null) };
}

function paramsOf(event: EventRecord, id: string, { type, data }: WebhookMessage, eventId: string | null): Value[] {
  const { at, userId = null, clientId = null } = event;
  const ownClient = clientTypes.some((each) => each === type) ? clientId : null;
  return [id, type, at, userId, clientId, JSON.stringify(data), at + deliveryLifetime, ownClient, eventId];
}

const insertRow = insertInto(events);

/** The event, and its message for each subscribed webhook endpoint. */
export function insertEvent(event: EventRecord): Statement[] {
  return [insertRow(rowOf(event)), ...queueMessages([event])];
}

const insertAllRows = insertRows(events);

/** Inserts many events, in few statements. */
export function insertEvents(all: readonly EventRecord[]): Statement[] {
  return [...insertAllRows(all.map(rowOf)), ...queueMessages(all)];
}

const insertsEvents = new RegExp(`^INSERT (OR IGNORE )?INTO ${events.name} `);

export function isEvent({ sql }: Statement): boolean {
  return insertsEvents.test(sql);
}

/** Inserts the event only if a condition holds. Its parameters, named by `place`, follow the event's. */
export function insertEventIf(condition: (place: (index: number) => string) => string) {
  const insert = insertWhere(events, (_, place) => `WHERE ${condition(place)}`);
  return (event: EventRecord, ...params: readonly Value[]): Statement[] => [
    { ...insert(rowOf(event), ...params), mustReturn: false },
    ...queueMessages([event]),
  ];
}

const insertUnlessRecent = insertEventIf(
  // With a LIMIT, it can also be answered by several servers.
  (place) => `NOT EXISTS (SELECT 1 FROM events o
    WHERE o.user_id = ${place(0)} AND o.id >= ${place(1)} AND o.kind || '' = ${place(2)} AND o.detail = ${place(3)} LIMIT 1)`,
);
const postpone = `UPDATE webhook_deliveries SET next_attempt_at = $2
  WHERE id = $1 AND endpoint_id IN (SELECT wh.id FROM webhook_endpoints wh)`;

/**
 * For what a user may change as often as they like: all changes of the same within a minute are one event. Its message goes out at
 * the end of that minute, so that a receiver that then asks for the user gets the last of them.
 */
export function insertEventOncePerMinute(event: EventRecord): Statement[] {
  const { at, kind, userId = '' } = event;
  return [
    ...insertUnlessRecent(event, userId, firstIdAt(at - MINUTE + 1), kind, rowOf(event).detail),
    { sql: postpone, params: [messageId(event), at + MINUTE] },
  ];
}

export function rowOf(event: EventRecord): StoredRow<typeof events> {
  return {
    id: event.id,
    at: event.at,
    kind: event.kind,
    user_id: event.userId ?? null,
    client_id: event.clientId ?? null,
    address: event.address,
    request_id: event.requestId,
    detail: JSON.stringify(event.detail ?? {}),
    actor_kind: event.actor?.kind ?? null,
    actor_id: event.actor?.id ?? null,
    trace_id: event.traceId ?? null,
  };
}
