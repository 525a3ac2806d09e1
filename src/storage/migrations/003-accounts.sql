-- What a person does with their own account: devices, links sent by mail, mails waiting to be sent, second factors,
-- passkeys and a picture.

ALTER TABLE sessions ADD COLUMN device TEXT;
ALTER TABLE sessions ADD COLUMN address TEXT;

-- Browsers in which a person has signed in before, by the digest of a cookie.
CREATE TABLE known_devices (
  user_id TEXT NOT NULL,
  digest TEXT NOT NULL,
  last_seen_at BIGINT NOT NULL,
  PRIMARY KEY (user_id, digest)
);
CREATE INDEX known_devices_by_last_seen ON known_devices (last_seen_at);

-- Links that work once. Using one deletes its row.
CREATE TABLE links (
  digest TEXT PRIMARY KEY,
  purpose TEXT NOT NULL,
  user_id TEXT,
  detail TEXT NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX links_by_user ON links (user_id);
CREATE INDEX links_by_expires_at ON links (expires_at);

-- Mails hold links, so they are sealed. A row is gone once its mail is sent.
CREATE TABLE mails (
  id TEXT PRIMARY KEY,
  sealed TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  attempts BIGINT NOT NULL,
  next_attempt_at BIGINT NOT NULL
);
CREATE INDEX mails_by_next_attempt ON mails (next_attempt_at);

-- `last_step` is the time step of the last code that was accepted: no code is accepted twice.
CREATE TABLE authenticators (
  user_id TEXT PRIMARY KEY,
  sealed_secret TEXT NOT NULL,
  last_step BIGINT NOT NULL,
  created_at BIGINT NOT NULL
);

CREATE TABLE recovery_codes (
  user_id TEXT NOT NULL,
  digest TEXT NOT NULL,
  PRIMARY KEY (user_id, digest)
);

CREATE TABLE passkeys (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  public_key TEXT NOT NULL,
  counter BIGINT NOT NULL,
  transports TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT
);
CREATE INDEX passkeys_by_user ON passkeys (user_id);

CREATE TABLE pictures (
  user_id TEXT PRIMARY KEY,
  version TEXT NOT NULL,
  content_type TEXT NOT NULL,
  bytes BYTEA NOT NULL
);

-- Tickets that work once and were used, kept until they would have expired.
CREATE TABLE spent_tickets (
  digest TEXT PRIMARY KEY,
  expires_at BIGINT NOT NULL
);
CREATE INDEX spent_tickets_by_expires_at ON spent_tickets (expires_at);

CREATE INDEX events_by_user ON events (user_id, id);
