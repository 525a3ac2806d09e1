-- What administrators work with: lists that stay fast, search, API keys, totals by the hour.

ALTER TABLE users ADD COLUMN last_active_at BIGINT;
ALTER TABLE clients ADD COLUMN secret_used_at BIGINT;
ALTER TABLE clients ADD COLUMN old_secret_used_at BIGINT;

UPDATE users SET last_active_at = (SELECT MAX(s.last_seen_at) FROM sessions s WHERE s.user_id = users.id)
  WHERE EXISTS (SELECT 1 FROM sessions s WHERE s.user_id = users.id);

CREATE INDEX users_by_created_at ON users (created_at, id);
CREATE INDEX users_by_last_active ON users (last_active_at);
CREATE INDEX administrators ON users (admin_since) WHERE admin_since IS NOT NULL;
CREATE INDEX clients_by_created_at ON clients (created_at, id);
CREATE INDEX consents_by_client ON consents (client_id, client_generation);

CREATE INDEX events_by_client ON events (client_id, id) WHERE client_id IS NOT NULL;
CREATE INDEX events_by_client_and_kind ON events (client_id, kind, id) WHERE client_id IS NOT NULL;
CREATE INDEX events_by_kind ON events (kind, id);
CREATE INDEX events_by_request ON events (request_id, id);

-- What people and applications are found by, as bytes: those are in the same order everywhere, whatever the collation.
CREATE TABLE search_words (
  kind TEXT NOT NULL,
  word BYTEA NOT NULL,
  ref TEXT NOT NULL,
  source TEXT NOT NULL,
  PRIMARY KEY (kind, word, ref, source)
);
CREATE INDEX search_words_by_ref ON search_words (kind, ref, word, source);

-- Those who were there before: a running service makes them searchable, a few at a time.
CREATE TABLE unsearchable (
  kind TEXT NOT NULL,
  ref TEXT NOT NULL,
  PRIMARY KEY (kind, ref)
);
INSERT INTO unsearchable (kind, ref) SELECT 'person', id FROM users;
INSERT INTO unsearchable (kind, ref) SELECT 'client', id FROM clients;

CREATE TABLE api_keys (
  digest TEXT PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  permission TEXT NOT NULL,
  created_by TEXT,
  created_at BIGINT NOT NULL,
  expires_at BIGINT,
  last_used_at BIGINT
);

-- How often something happened in an hour; `hour` is its beginning. What concerns no application has an empty client_id.
CREATE TABLE hourly_totals (
  hour BIGINT NOT NULL,
  kind TEXT NOT NULL,
  client_id TEXT NOT NULL,
  total BIGINT NOT NULL,
  PRIMARY KEY (hour, kind, client_id)
);
INSERT INTO hourly_totals (hour, kind, client_id, total)
  SELECT at / 3600000 * 3600000, 'sign_in', COALESCE(client_id, ''), COUNT(*) FROM events
  WHERE kind = 'signed_in' GROUP BY at / 3600000 * 3600000, COALESCE(client_id, '');
INSERT INTO hourly_totals (hour, kind, client_id, total)
  SELECT at / 3600000 * 3600000, 'exchange', COALESCE(client_id, ''), COUNT(*) FROM events
  WHERE kind = 'code_exchanged' GROUP BY at / 3600000 * 3600000, COALESCE(client_id, '');
INSERT INTO hourly_totals (hour, kind, client_id, total)
  SELECT at / 3600000 * 3600000, 'failure', COALESCE(client_id, ''), COUNT(*) FROM events
  WHERE kind IN ('sign_in_failed', 'authorization_refused', 'exchange_refused', 'refresh_refused',
    'client_authentication_failed')
  GROUP BY at / 3600000 * 3600000, COALESCE(client_id, '');

-- Held by every change that could take away the last administrator: such changes happen one after the other.
INSERT INTO leases (name, holder, expires_at) VALUES ('administrators', '', 0);
