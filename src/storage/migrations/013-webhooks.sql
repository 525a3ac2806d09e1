-- Webhooks: where messages go, the secrets that sign them, and the messages themselves. A message is written in the
-- transaction of the change that it reports, once for each endpoint that hears of it.

CREATE TABLE webhook_endpoints (
  id TEXT PRIMARY KEY,
  url TEXT NOT NULL,
  description TEXT NOT NULL,
  -- The application whose own endpoint it is, which hears of that application's grants and of nothing else.
  client_id TEXT,
  -- The types of messages that it gets, with a space before and after each; * for all.
  types TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  disabled_at BIGINT,
  disabled_reason TEXT,
  -- How many attempts have failed since the last one that succeeded, and since when.
  failures BIGINT NOT NULL,
  failing_since BIGINT,
  delivered_at BIGINT,
  -- How many messages were dropped because too many were waiting.
  dropped BIGINT NOT NULL,
  -- No attempt before this time.
  resting_until BIGINT NOT NULL,
  -- The process that delivers to it, which no other does before this time.
  claimed_by TEXT,
  claimed_until BIGINT NOT NULL
);
CREATE INDEX webhook_endpoints_by_client ON webhook_endpoints (client_id);

-- Two at a time during a rotation: the older one has an end.
CREATE TABLE webhook_secrets (
  id TEXT PRIMARY KEY,
  endpoint_id TEXT NOT NULL,
  sealed TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  ends_at BIGINT
);
CREATE INDEX webhook_secrets_by_endpoint ON webhook_secrets (endpoint_id);

CREATE TABLE webhook_deliveries (
  endpoint_id TEXT NOT NULL,
  -- The same for every endpoint and every attempt. Ids begin with their time, so they are in order.
  id TEXT NOT NULL,
  type TEXT NOT NULL,
  at BIGINT NOT NULL,
  user_id TEXT,
  client_id TEXT,
  data TEXT NOT NULL,
  attempts BIGINT NOT NULL,
  next_attempt_at BIGINT NOT NULL,
  -- Delivered or given up.
  finished_at BIGINT,
  delivered BIGINT NOT NULL,
  -- What came of the last attempt.
  attempted_at BIGINT,
  duration BIGINT,
  status BIGINT,
  response TEXT,
  error TEXT,
  delete_after BIGINT NOT NULL,
  PRIMARY KEY (endpoint_id, id)
);
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (endpoint_id, next_attempt_at, id) WHERE finished_at IS NULL;
CREATE INDEX webhook_deliveries_finished ON webhook_deliveries (endpoint_id, id) WHERE finished_at IS NOT NULL;
CREATE INDEX webhook_deliveries_by_user ON webhook_deliveries (user_id);
CREATE INDEX webhook_deliveries_by_delete_after ON webhook_deliveries (delete_after);
