// The tables of webhooks, and of back-channel logout, which they deliver. Part of schema.ts.

import type { WebhookValues } from '../../protocol/resources/webhook.ts';
import { coded, integer, nullable, table, text } from '../table.ts';

const allTypes = '*';
const eventTypes = coded(text(), {
  // With a space before and after each, so that the outbox finds one among them.
  encode: (types: readonly string[] | null) => (types === null ? allTypes : ` ${types.join(' ')} `),
  decode: (stored) => (stored === allTypes ? null : stored.trim().split(' ')),
});

export const webhookEndpoints = table('webhook_endpoints', 'wh', ['id'], {
  id: text(),
  url: text(),
  description: text(),
  client_id: nullable(text()),
  types: eventTypes,
  created_at: integer(),
  updated_at: integer(),
  disabled_at: nullable(integer()),
  disabled_reason: nullable(text<NonNullable<WebhookValues['disabledReason']>>()),
  failures: integer(),
  failing_since: nullable(integer()),
  delivered_at: nullable(integer()),
  dropped: integer(),
  resting_until: integer(),
  claimed_by: nullable(text()),
  claimed_until: integer(),
  client_deleted_at: nullable(integer()),
  /** An endpoint for back-channel logout is no webhook for anyone but the queue. */
  purpose: text<'webhook' | 'logout'>(),
});

export const webhookSecrets = table('webhook_secrets', 'ws', ['id'], {
  id: text(),
  endpoint_id: text(),
  sealed: text(),
  created_at: integer(),
  /** Null for the current one. */
  ends_at: nullable(integer()),
});

export const webhookDeliveries = table('webhook_deliveries', 'wd', ['endpoint_id', 'id'], {
  endpoint_id: text(),
  id: text(),
  type: text(),
  at: integer(),
  user_id: nullable(text()),
  client_id: nullable(text()),
  data: text(),
  attempts: integer(),
  next_attempt_at: integer(),
  finished_at: nullable(integer()),
  delivered: integer(),
  attempted_at: nullable(integer()),
  duration: nullable(integer()),
  status: nullable(integer()),
  response: nullable(text()),
  error: nullable(text()),
  delete_after: integer(),
});
