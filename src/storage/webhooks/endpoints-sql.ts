// Webhook endpoints and their secrets.

import type { EventRecord } from '../../protocol/event.ts';
import type { Statement } from '../driver.ts';
import { webhookEndpoints, webhookSecrets } from '../schema.ts';
import type { Database } from '../sql/database.ts';
import { computed, insertInto, insertWhere, required, select } from '../sql/query.ts';
import { recordColumns } from '../sql/record-columns.ts';
import { isWebhook } from './logout-endpoints.ts';
import type { WebhookChange, WebhookEndpoint, WebhookSecret } from './webhook-records.ts';

const endpointRows = recordColumns(webhookEndpoints, 'resting_until', 'claimed_by', 'claimed_until', 'purpose');
export const toEndpoint = endpointRows.decode;
const secretRows = recordColumns(webhookSecrets);
const byId = select([endpointRows.columns], `FROM webhook_endpoints wh WHERE wh.id = $1 AND ${isWebhook}`);
const oldestFirst = select(
  [endpointRows.columns],
  `FROM webhook_endpoints wh WHERE ${isWebhook} ORDER BY wh.created_at, wh.id`,
);
const ofClient = select(
  [endpointRows.columns],
  `FROM webhook_endpoints wh WHERE wh.client_id = $1 AND ${isWebhook} ORDER BY wh.created_at, wh.id`,
);
const waitingCounts = select(
  [computed<{ endpoint_id: string; n: number }>('wd.endpoint_id, COUNT(*) AS n')],
  'FROM webhook_deliveries wd WHERE wd.finished_at IS NULL GROUP BY wd.endpoint_id',
);
const secretsOf = select([secretRows.columns], 'FROM webhook_secrets ws WHERE ws.endpoint_id = $1 ORDER BY ws.id DESC');
const unclaimed = { resting_until: 0, claimed_by: null, claimed_until: 0, purpose: 'webhook' } as const;
const insertSecret = insertInto(webhookSecrets);
/** As `isWebhook` says, in a change. */
const byWebhookId = `WHERE id = $1 AND purpose = 'webhook'`;
const lockEndpoint = `UPDATE webhook_endpoints SET updated_at = updated_at ${byWebhookId} RETURNING id`;

/** Rolls back when the limit is reached, or the client is gone. */
const insertIfAllowed = insertWhere(
  webhookEndpoints,
  (
    { client_id },
    further,
  ) => `WHERE (SELECT COUNT(*) FROM webhook_endpoints wh WHERE ${isWebhook}) < CAST(${further(0)} AS BIGINT)
      AND (SELECT COUNT(*) FROM webhook_endpoints wh WHERE ${isWebhook} AND wh.client_deleted_at IS NULL
        AND COALESCE(wh.client_id, '') = COALESCE(${client_id}, '')) < CAST(${further(1)} AS BIGINT)
      AND (${client_id} IS NULL OR EXISTS (SELECT 1 FROM clients c WHERE c.id = ${client_id}))`,
);

export function sqlWebhookEndpoints(database: Database) {
  return {
    /** False when there are as many endpoints as `limits` allow, or the client is gone. */
    createWebhook(
      endpoint: WebhookEndpoint,
      secret: WebhookSecret,
      { total, alike }: { readonly total: number; readonly alike: number },
      event: EventRecord,
    ) {
      return database.writeWith(event, [
        insertIfAllowed({ ...endpointRows.encode(endpoint), ...unclaimed }, total, alike),
        insertSecret(secretRows.encode(secret)),
      ]);
    },

    findWebhook: (endpointId: string) => database.first(byId, [endpointId], toEndpoint),

    /** Oldest first; of one client, or all of them. */
    async listWebhooks(clientId?: string) {
      const rows = clientId === undefined ? database.read(oldestFirst, []) : database.read(ofClient, [clientId]);
      return (await rows).map(toEndpoint);
    },

    /** The number of queued messages of each endpoint that has any. */
    async countWaitingDeliveries() {
      return new Map((await database.read(waitingCounts, [])).map(({ endpoint_id, n }) => [endpoint_id, n]));
    },

    /** The current one first. */
    listWebhookSecrets: (endpointId: string) => database.list(secretsOf, [endpointId], secretRows.decode),

    changeWebhook(endpointId: string, change: WebhookChange, now: number, event: EventRecord) {
      const update = required(`UPDATE webhook_endpoints SET updated_at = $2 ${byWebhookId} RETURNING id`, [
        endpointId,
        now,
      ]);
      return database.writeWith(event, [update, ...endpointRows.set(endpointId, change)]);
    },

    /** False if already disabled or unknown. Queued messages stay, and are sent once the endpoint is enabled. */
    disableWebhook(endpointId: string, now: number, event: EventRecord) {
      const disable = required(
        `UPDATE webhook_endpoints SET disabled_at = $2, disabled_reason = 'administrator', updated_at = $2
          ${byWebhookId} AND disabled_at IS NULL RETURNING id`,
        [endpointId, now],
      );
      return database.writeWith(event, [disable]);
    },

    /** False when not disabled or unknown. */
    enableWebhook(endpointId: string, now: number, event: EventRecord) {
      const enable = required(
        `UPDATE webhook_endpoints SET disabled_at = NULL, disabled_reason = NULL, failures = 0, failing_since = NULL,
          resting_until = 0, updated_at = $2 ${byWebhookId} AND disabled_at IS NOT NULL RETURNING id`,
        [endpointId, now],
      );
      return database.writeWith(event, [enable]);
    },

    /** Deletes its secrets and deliveries as well. */
    deleteWebhook(endpointId: string, event: EventRecord) {
      return database.writeWith(event, [
        required(`DELETE FROM webhook_endpoints ${byWebhookId} RETURNING id`, [endpointId]),
        { sql: 'DELETE FROM webhook_secrets WHERE endpoint_id = $1', params: [endpointId] },
        { sql: 'DELETE FROM webhook_deliveries WHERE endpoint_id = $1', params: [endpointId] },
      ]);
    },

    /** The previous secret stays valid until then; an older one stops working. */
    rotateWebhookSecret(secret: WebhookSecret, earlierUntil: number, event: EventRecord) {
      const { endpointId } = secret;
      return database.writeWith(event, [
        required(lockEndpoint, [endpointId]),
        { sql: 'DELETE FROM webhook_secrets WHERE endpoint_id = $1 AND ends_at IS NOT NULL', params: [endpointId] },
        { sql: 'UPDATE webhook_secrets SET ends_at = $2 WHERE endpoint_id = $1', params: [endpointId, earlierUntil] },
        insertSecret(secretRows.encode(secret)),
      ]);
    },

    /** False when there is only one secret. */
    retireWebhookSecret(endpointId: string, now: number, event: EventRecord) {
      // One that has expired is as good as gone.
      const retire = 'DELETE FROM webhook_secrets WHERE endpoint_id = $1 AND ends_at > $2 RETURNING id';
      return database.writeWith(event, [required(lockEndpoint, [endpointId]), required(retire, [endpointId, now])]);
    },
  };
}

/**
 * For a write that deletes the client. Its endpoints still get the message about that, but a client that is created with
 * the same ID later doesn't get the endpoints.
 */
export function endpointsOutliveClient(clientId: string, deletedAt: number): Statement {
  const sql = 'UPDATE webhook_endpoints SET client_id = NULL, client_deleted_at = $2 WHERE client_id = $1';
  return { sql, params: [clientId, deletedAt] };
}
