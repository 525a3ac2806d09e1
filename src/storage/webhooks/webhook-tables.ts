// The webhook tables, listed as in schema.ts.

import { integer, nullable, table, text } from '../table.ts';
import type { WebhookEndpoint } from './webhook-records.ts';

export const webhookEndpoints = table('webhook_endpoints', 'wh', ['id'], {
  id: text(),
  url: text(),
  description: text(),
  client_id: nullable(text()),
  types: text(),
  created_at: integer(),
  updated_at: integer(),
  disabled_at: nullable(integer()),
  disabled_reason: nullable(text<NonNullable<WebhookEndpoint['disabledReason']>>()),
  failures: integer(),
  failing_since: nullable(integer()),
  delivered_at: nullable(integer()),
  dropped: integer(),
  resting_until: integer(),
  claimed_by: nullable(text()),
  claimed_until: integer(),
  client_deleted_at: nullable(integer()),
});

export const webhookSecrets = table('webhook_secrets', 'ws', ['id'], {
  id: text(),
  endpoint_id: text(),
  sealed: text(),
  created_at: integer(),
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
