-- One schema for both engines. Times are BIGINT, milliseconds since the epoch; a null time means "it has not happened".
-- `generation` counts how often a person or client has been stopped: sessions, consents and grants carry the generation
-- they were made in and are void in any other, so stopping is one row and restoring revives nothing.

CREATE TABLE users (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL UNIQUE,
  email_verified_at BIGINT,
  name TEXT NOT NULL,
  given_name TEXT,
  family_name TEXT,
  preferred_username TEXT,
  picture TEXT,
  locale TEXT,
  password_hash TEXT NOT NULL,
  admin_since BIGINT,
  disabled_at BIGINT,
  generation BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);

CREATE TABLE clients (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  is_public BIGINT NOT NULL,
  redirect_uris TEXT NOT NULL,
  scopes TEXT NOT NULL,
  secret_digest TEXT,
  secret_created_at BIGINT,
  old_secret_digest TEXT,
  old_secret_created_at BIGINT,
  logo_version TEXT,
  revoked_at BIGINT,
  generation BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);

CREATE TABLE logos (
  client_id TEXT PRIMARY KEY,
  version TEXT NOT NULL,
  content_type TEXT NOT NULL,
  bytes BYTEA NOT NULL
);

CREATE TABLE sessions (
  digest TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  user_generation BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  last_seen_at BIGINT NOT NULL,
  auth_time BIGINT NOT NULL,
  amr TEXT NOT NULL,
  answered TEXT
);
CREATE INDEX sessions_by_user ON sessions (user_id);
CREATE INDEX sessions_by_last_seen ON sessions (last_seen_at);

CREATE TABLE consents (
  user_id TEXT NOT NULL,
  client_id TEXT NOT NULL,
  client_generation BIGINT NOT NULL,
  scopes TEXT NOT NULL,
  granted_at BIGINT NOT NULL,
  last_used_at BIGINT NOT NULL,
  PRIMARY KEY (user_id, client_id)
);

CREATE TABLE grants (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  user_generation BIGINT NOT NULL,
  client_id TEXT NOT NULL,
  client_generation BIGINT NOT NULL,
  scopes TEXT NOT NULL,
  redirect_uri TEXT NOT NULL,
  code_challenge TEXT NOT NULL,
  nonce TEXT,
  auth_time BIGINT NOT NULL,
  amr TEXT NOT NULL,
  code_digest TEXT NOT NULL,
  code_expires_at BIGINT NOT NULL,
  exchanged_at BIGINT,
  refresh_digest TEXT,
  expires_at BIGINT,
  ended_at BIGINT,
  last_used_at BIGINT,
  delete_after BIGINT NOT NULL
);
CREATE INDEX grants_by_user_and_client ON grants (user_id, client_id);
CREATE INDEX grants_by_delete_after ON grants (delete_after);

CREATE TABLE revoked_tokens (
  token_id TEXT PRIMARY KEY,
  delete_after BIGINT NOT NULL
);
CREATE INDEX revoked_tokens_by_delete_after ON revoked_tokens (delete_after);

CREATE TABLE sign_in_failures (
  counter TEXT NOT NULL,
  bucket BIGINT NOT NULL,
  failures BIGINT NOT NULL,
  PRIMARY KEY (counter, bucket)
);
CREATE INDEX sign_in_failures_by_bucket ON sign_in_failures (bucket);

CREATE TABLE events (
  id TEXT PRIMARY KEY,
  at BIGINT NOT NULL,
  kind TEXT NOT NULL,
  user_id TEXT,
  client_id TEXT,
  address TEXT NOT NULL,
  request_id TEXT NOT NULL,
  detail TEXT NOT NULL
);
