// Messages queued for webhook endpoints, their results, and which process delivers to which endpoint.

import { HOUR } from '../../protocol/durations.ts';
import type { EventRecord } from '../../protocol/event.ts';
import type { WebhookAttempt, WebhookDelivery } from '../../protocol/webhooks/delivery.ts';
import { deliveryLifetime, outageAfter } from '../../protocol/webhooks/schedule.ts';
import type { WebhookMessage } from '../../protocol/webhooks/types.ts';
import type { Statement } from '../driver.ts';
import type { ListPart, PagePosition } from '../paging.ts';
import { type SelectedRow, webhookDeliveries, webhookEndpoints } from '../schema.ts';
import type { Database } from '../sql/database.ts';
import { pageOf, type Walk, walk } from '../sql/lists/walk.ts';
import { columns, computed, countOf, required, returning, select } from '../sql/query.ts';
import { toEndpoint } from './endpoints-sql.ts';
import { isWebhook, logoutEndpointId } from './logout-endpoints.ts';
import { insertEventIf } from './outbox-sql.ts';
import type { ClaimedEndpoint, WebhookClaim, WebhookResult } from './webhook-records.ts';

const deliveryColumns = columns(webhookDeliveries);
const byId = select(
  [deliveryColumns],
  `FROM webhook_deliveries wd JOIN webhook_endpoints wh ON wh.id = wd.endpoint_id AND ${isWebhook}
    WHERE wd.endpoint_id = $1 AND wd.id = $2`,
);
const newest = select(
  [deliveryColumns],
  'FROM webhook_deliveries wd WHERE wd.endpoint_id = $1 ORDER BY wd.id DESC LIMIT $2',
);
const due = select(
  [deliveryColumns],
  `FROM webhook_deliveries wd WHERE wd.endpoint_id = $1 AND wd.finished_at IS NULL AND wd.next_attempt_at <= $2
    ORDER BY wd.next_attempt_at, wd.id LIMIT $3`,
);

/** A claim or a pause that ends later than `far` was made by a wrong clock, and is ignored. */
const isFree = (now: string, far: string) => `(claimed_until <= ${now} OR claimed_until > ${far})`;
const isDue = `wh.disabled_at IS NULL AND (wh.resting_until <= $1 OR wh.resting_until > $2)
  AND EXISTS (SELECT 1 FROM webhook_deliveries wd
    WHERE wd.endpoint_id = wh.id AND wd.finished_at IS NULL AND wd.next_attempt_at <= $1)`;
const anyDue = select(
  [computed<{ one: number }>('1 AS one')],
  `FROM webhook_endpoints wh WHERE ${isFree('$1', '$2')} AND ${isDue} LIMIT 1`,
);
/** Counts at most `$1` messages: every instance asks for this all the time, also while very many wait. */
const waitingCount = countOf(`FROM (SELECT wd.next_attempt_at FROM webhook_endpoints wh CROSS JOIN webhook_deliveries wd
  WHERE wd.endpoint_id = wh.id AND wh.disabled_at IS NULL AND wd.finished_at IS NULL LIMIT $1) AS n`);
const failingCount = countOf('FROM webhook_endpoints wh WHERE wh.disabled_at IS NULL AND wh.failures >= $1');
/** The endpoint that waited longest is next, so that those with many messages can't starve others. */
const longestWithout = 'wh.resting_until, COALESCE(wh.delivered_at, 0), wh.id';
// The condition is there twice: when two processes choose the same row, the second one finds that it has changed.
const claim = (failures: string) =>
  returning(
    `UPDATE webhook_endpoints SET claimed_by = $3, claimed_until = $4
      WHERE ${isFree('$6', '$7')} AND id IN
        (SELECT wh.id FROM webhook_endpoints wh
          WHERE ${failures} AND ${isFree('$6', '$7')} AND ${isDue} ORDER BY ${longestWithout} LIMIT $5)`,
    webhookEndpoints,
  );
const claimHealthy = claim('wh.failures = 0');
const claimFailing = claim('wh.failures > 0');
const longestPlausible = HOUR;

const stateConditions: Record<WebhookDelivery['state'], string> = {
  waiting: 'wd.finished_at IS NULL',
  delivered: 'wd.finished_at IS NOT NULL AND wd.delivered = 1',
  given_up: 'wd.finished_at IS NOT NULL AND wd.delivered = 0',
};

const record = `UPDATE webhook_deliveries SET attempts = attempts + 1, attempted_at = $4, duration = $5, status = $6,
    response = $7, error = $8, next_attempt_at = $9, finished_at = $10, delivered = $11,
    delete_after = COALESCE($12, delete_after)
  WHERE endpoint_id = $1 AND id = $2 AND attempts = $3 AND finished_at IS NULL RETURNING id`;
const noteSuccess = `UPDATE webhook_endpoints SET failures = 0, failing_since = NULL, resting_until = 0, delivered_at = $2,
  claimed_until = CASE WHEN claimed_by = $3 THEN $4 ELSE claimed_until END WHERE id = $1`;
const noteFailure = `UPDATE webhook_endpoints SET failures = failures + 1, failing_since = COALESCE(failing_since, $2),
  resting_until = $5, claimed_until = CASE WHEN claimed_by = $3 THEN $4 ELSE claimed_until END WHERE id = $1`;
const noteNothing = 'UPDATE webhook_endpoints SET claimed_until = $3 WHERE id = $1 AND claimed_by = $2';
const disable = `UPDATE webhook_endpoints SET disabled_at = $2, disabled_reason = 'gone', updated_at = $2
  WHERE id = $1 AND disabled_at IS NULL`;
/** An administrator may have disabled it a moment before. */
const noteGone = insertEventIf(
  (place) => `EXISTS (SELECT 1 FROM webhook_endpoints wh WHERE wh.id = ${place(0)} AND wh.disabled_at IS NULL)`,
);
const dueAtOnce = `UPDATE webhook_deliveries SET next_attempt_at = at
  WHERE endpoint_id = $1 AND finished_at IS NULL AND next_attempt_at > $2`;
const stillClaimed = 'SELECT wh.id FROM webhook_endpoints wh WHERE wh.id = $1 AND wh.claimed_by = $2';
const resend = `UPDATE webhook_deliveries SET attempts = 0, next_attempt_at = $3, finished_at = NULL, delivered = 0,
    delete_after = $4
  WHERE endpoint_id = $1 AND id = $2 AND finished_at IS NOT NULL RETURNING id`;
const queueFor = `INSERT INTO webhook_deliveries
    (endpoint_id, id, type, at, next_attempt_at, client_id, data, delete_after, attempts, delivered)
  SELECT wh.id, CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS BIGINT), CAST($4 AS BIGINT), wh.client_id,
    CAST($5 AS TEXT), CAST($6 AS BIGINT), 0, 0
  FROM webhook_endpoints wh WHERE wh.id = $1 RETURNING id`;
const dropOldest = `DELETE FROM webhook_deliveries WHERE endpoint_id = $1 AND id IN
  (SELECT wd.id FROM webhook_deliveries wd WHERE wd.endpoint_id = $1 AND wd.finished_at IS NULL ORDER BY wd.id LIMIT $2)`;

export function sqlWebhookDeliveries(database: Database) {
  return {
    /** Newest first. */
    async pageDeliveries(endpointId: string, state: WebhookDelivery['state'] | undefined, part: ListPart) {
      const newestFirst: Walk = {
        from: 'webhook_deliveries wd',
        conditions: [
          (place) => `wd.endpoint_id = ${place(endpointId)}`,
          ...(state === undefined ? [] : [() => stateConditions[state]]),
        ],
        key: ['wd.id'],
        descending: true,
        valuesAt: ([, id]) => [id],
      };
      const position = (_row: object, { id }: WebhookDelivery): PagePosition => ['0', id];
      return pageOf(await walk(database, deliveryColumns, newestFirst, part), part, toDelivery, position);
    },

    findDelivery: (endpointId: string, deliveryId: string) =>
      database.first(byId, [endpointId, deliveryId], toDelivery),

    /** The last messages of back-channel logout to a client, newest first. */
    listLogouts: (clientId: string, limit: number) =>
      database.list(newest, [logoutEndpointId(clientId), limit], toDelivery),

    /** Queues a finished one again, with all attempts. False if it's already waiting, or unknown. */
    resendDelivery(endpointId: string, deliveryId: string, now: number) {
      return database.write([required(resend, [endpointId, deliveryId, now, now + deliveryLifetime])]);
    },

    /** A message for one endpoint, whatever it subscribes to. False for an unknown endpoint. */
    queueTestMessage(endpointId: string, deliveryId: string, { type, data }: WebhookMessage, now: number) {
      const params = [endpointId, deliveryId, type, now, JSON.stringify(data), now + deliveryLifetime];
      return database.write([required(queueFor, params)]);
    },

    /** Whether anything is due that no process is delivering. */
    async webhooksAreDue(now: number) {
      return (await database.read(anyDue, [now, now + longestPlausible])).length > 0;
    },

    /** How many messages wait for enabled endpoints, counted up to this limit, and how many of those endpoints fail. */
    async countWaitingWebhooks(limit: number) {
      const counts = [database.count(waitingCount, [limit]), database.count(failingCount, [outageAfter])] as const;
      const [messages, failing] = await Promise.all(counts);
      return { messages, failing };
    },

    /**
     * Claims endpoints with due messages, exclusively for this holder until the claim ends. Claims are by the clock of the store, which
     * says `storeNow`.
     */
    async claimWebhooks(
      now: number,
      { holder, until }: WebhookClaim,
      { healthy, failing }: { readonly healthy: number; readonly failing: number },
      storeNow = now,
    ) {
      const params = (limit: number) => {
        return [now, now + longestPlausible, holder, until, limit, storeNow, storeNow + longestPlausible];
      };
      const claimed = await database.writeThenRead([], claimHealthy, params(healthy));
      const others = failing === 0 ? [] : await database.writeThenRead([], claimFailing, params(failing));
      return [...claimed, ...others].map((row): ClaimedEndpoint => ({ ...toEndpoint(row), purpose: row.wh_purpose }));
    },

    /** An endpoint's due messages, in sending order. */
    listDueDeliveries: (endpointId: string, now: number, limit: number) =>
      database.list(due, [endpointId, now, limit], toDelivery),

    /**
     * Records an attempt's result and renews the claim. False if the claim was lost, or another process has handled the
     * delivery meanwhile.
     */
    async recordAttempt(
      { endpointId, id, attempts }: Pick<WebhookDelivery, 'endpointId' | 'id' | 'attempts'>,
      attempt: WebhookAttempt,
      result: WebhookResult,
      { holder, until }: WebhookClaim,
    ) {
      const { at } = attempt;
      const recorded = required(record, [
        endpointId,
        id,
        attempts,
        ...attemptValues(attempt),
        ...resultValues(result, at),
      ]);
      const counts = await database.countReturned([
        recorded,
        noteOf(result, endpointId, at, { holder, until }),
        ...('recovered' in result && result.recovered ? [{ sql: dueAtOnce, params: [endpointId, at] }] : []),
        ...(result.kind === 'gone' ? disableAsGone(endpointId, at, result.event) : []),
        // Not a condition: the message was sent, even if another process has the claim now.
        { sql: stillClaimed, params: [endpointId, holder] },
      ]);
      return (counts.at(-1) ?? 0) > 0;
    },

    async releaseWebhook(endpointId: string, holder: string) {
      const sql = 'UPDATE webhook_endpoints SET claimed_until = 0, claimed_by = NULL WHERE id = $1 AND claimed_by = $2';
      await database.write([{ sql, params: [endpointId, holder] }]);
    },

    /** Deletes this many of the oldest queued messages, and counts them as dropped. */
    async dropOldestDeliveries(endpointId: string, count: number) {
      await database.write([
        { sql: dropOldest, params: [endpointId, count] },
        { sql: 'UPDATE webhook_endpoints SET dropped = dropped + $2 WHERE id = $1', params: [endpointId, count] },
      ]);
    },
  };
}

/** What the endpoint's row says of it. */
function noteOf(result: WebhookResult, endpointId: string, at: number, { holder, until }: WebhookClaim): Statement {
  if ('recovered' in result) return { sql: noteSuccess, params: [endpointId, at, holder, until] };
  const restUntil = result.kind === 'gone' ? 0 : result.restUntil;
  if (restUntil === null) return { sql: noteNothing, params: [endpointId, holder, until] };
  return { sql: noteFailure, params: [endpointId, at, holder, until, restUntil] };
}

/** Its own message comes last, because the endpoint itself doesn't get it. */
function disableAsGone(endpointId: string, at: number, event: EventRecord): Statement[] {
  const [note, ...messages] = noteGone(event, endpointId);
  return [...(note === undefined ? [] : [note]), { sql: disable, params: [endpointId, at] }, ...messages];
}

function attemptValues({ at, duration, status, response, error }: WebhookAttempt) {
  return [at, duration, status, response, error] as const;
}

/** When it's tried again, when it was finished, whether it was delivered, and when it's deleted: unchanged while it waits. */
function resultValues(result: WebhookResult, at: number) {
  return result.kind === 'postponed'
    ? ([result.until, null, 0, null] as const)
    : ([at, at, result.kind === 'delivered' ? 1 : 0, at + deliveryLifetime] as const);
}

function toDelivery(row: SelectedRow<typeof webhookDeliveries>): WebhookDelivery {
  const finished = row.wd_delivered === 1 ? 'delivered' : 'given_up';
  return {
    endpointId: row.wd_endpoint_id,
    id: row.wd_id,
    type: row.wd_type,
    at: row.wd_at,
    userId: row.wd_user_id,
    clientId: row.wd_client_id,
    data: row.wd_data,
    state: row.wd_finished_at === null ? 'waiting' : finished,
    attempts: row.wd_attempts,
    nextAttemptAt: row.wd_next_attempt_at,
    finishedAt: row.wd_finished_at,
    lastAttempt:
      row.wd_attempted_at === null
        ? undefined
        : {
            at: row.wd_attempted_at,
            duration: row.wd_duration ?? 0,
            status: row.wd_status,
            response: row.wd_response,
            error: row.wd_error,
          },
  };
}
