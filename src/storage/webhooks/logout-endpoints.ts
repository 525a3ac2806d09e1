// Where the messages of back-channel logout go: an endpoint for each client with a URI for them. To the queue it's an endpoint
// like those of webhooks, so turns, retries and address checks are the same. Nobody else sees it: every other operation asks for
// `isWebhook`.

import type { Statement } from '../driver.ts';
import { webhookEndpoints } from '../schema.ts';
import { insertInto } from '../sql/query.ts';

/** The ID of a webhook has no colon. */
const prefix = 'logout:';

export function logoutEndpointId(clientId: string): string {
  return `${prefix}${clientId}`;
}

/** The ID of a client's endpoint in SQL, given an expression. */
export function logoutEndpointOf(client: string): string {
  return `'${prefix}' || ${client}`;
}

/** Whether the endpoint `wh` is one that people know of. */
export const isWebhook = `wh.purpose = 'webhook'`;

/** What has waited for an earlier URL goes to the new one, without delay. */
const insertOrMove = insertInto(
  webhookEndpoints,
  `ON CONFLICT (id) DO UPDATE SET url = excluded.url, updated_at = excluded.updated_at, failures = 0,
    failing_since = NULL, resting_until = 0`,
);

export function setLogoutEndpoint(clientId: string, url: string, now: number): Statement[] {
  const row = {
    id: logoutEndpointId(clientId),
    url,
    description: '',
    client_id: clientId,
    // No event is reported to it.
    types: '',
    created_at: now,
    updated_at: now,
    disabled_at: null,
    disabled_reason: null,
    failures: 0,
    failing_since: null,
    delivered_at: null,
    dropped: 0,
    resting_until: 0,
    claimed_by: null,
    claimed_until: 0,
    client_deleted_at: null,
    purpose: 'logout',
  } as const;
  return [insertOrMove(row)];
}

/** With what has waited: nothing is left to sign it with. */
export function forgetLogoutEndpoint(clientId: string): Statement[] {
  const params = [logoutEndpointId(clientId)];
  return [
    { sql: 'DELETE FROM webhook_deliveries WHERE endpoint_id = $1', params },
    { sql: 'DELETE FROM webhook_endpoints WHERE id = $1', params },
  ];
}
