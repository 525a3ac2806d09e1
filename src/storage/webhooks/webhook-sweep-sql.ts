// Deletes expired webhook messages and secrets, finished deliveries beyond those that are shown, and endpoints of deleted
// clients once they've been notified.

import type { Statement } from '../driver.ts';
import type { SweepLimits } from '../housekeeping.ts';

const byDeliveryKey = 'DELETE FROM webhook_deliveries WHERE (endpoint_id, id) IN';
const overDeliveries = `${byDeliveryKey}
  (SELECT endpoint_id, id FROM webhook_deliveries WHERE delete_after < $1 LIMIT $2) RETURNING 1 AS one`;
const overSecrets = `DELETE FROM webhook_secrets WHERE id IN
  (SELECT ws.id FROM webhook_secrets ws WHERE ws.ends_at < $1
    OR NOT EXISTS (SELECT 1 FROM webhook_endpoints wh WHERE wh.id = ws.endpoint_id) LIMIT $2) RETURNING 1 AS one`;
const unshownDeliveries = `${byDeliveryKey}
  (SELECT wd.endpoint_id, wd.id FROM webhook_endpoints wh CROSS JOIN webhook_deliveries wd
    WHERE wd.endpoint_id = wh.id AND wd.finished_at IS NOT NULL AND wd.id <=
      (SELECT o.id FROM webhook_deliveries o WHERE o.endpoint_id = wh.id AND o.finished_at IS NOT NULL
        ORDER BY o.id DESC LIMIT 1 OFFSET $1) LIMIT $2) RETURNING 1 AS one`;
// A client that an instance of a version without webhooks has deleted is missing.
const abandonedEndpoints = `DELETE FROM webhook_endpoints WHERE id IN
  (SELECT wh.id FROM webhook_endpoints wh WHERE (wh.client_deleted_at IS NOT NULL
      OR (wh.client_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM clients c WHERE c.id = wh.client_id)))
    AND NOT EXISTS (SELECT 1 FROM webhook_deliveries wd WHERE wd.endpoint_id = wh.id AND wd.finished_at IS NULL)
    LIMIT $1) RETURNING 1 AS one`;

export function webhookSweep({ now, finishedDeliveries }: SweepLimits, limit: number): Statement[] {
  return [
    { sql: overDeliveries, params: [now, limit] },
    { sql: unshownDeliveries, params: [finishedDeliveries, limit] },
    { sql: abandonedEndpoints, params: [limit] },
    { sql: overSecrets, params: [now, limit] },
  ];
}
