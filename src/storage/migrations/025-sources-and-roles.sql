-- Directories that create people and groups by SCIM, administrators with less power, and groups that only administrators change. An
-- instance of the previous version knows no roles but "administrator": people with another one can't open its console. It takes an API key
-- with roles for one that reads.

-- Besides "administrator", which is admin_since: names in alphabetical order with a space between them.
ALTER TABLE users ADD COLUMN roles TEXT;
CREATE INDEX users_with_role ON users (created_at, id) WHERE roles IS NOT NULL OR admin_since IS NOT NULL;
-- The directory that a person or group belongs to, and what it's called there.
ALTER TABLE users ADD COLUMN managed_by TEXT;
ALTER TABLE users ADD COLUMN external_id TEXT;
-- When a directory took over someone who was there before.
ALTER TABLE users ADD COLUMN adopted_at BIGINT;
CREATE INDEX users_managed ON users (managed_by, created_at, id) WHERE managed_by IS NOT NULL;
CREATE UNIQUE INDEX users_external ON users (managed_by, external_id) WHERE external_id IS NOT NULL;

ALTER TABLE groups ADD COLUMN protected_since BIGINT;
ALTER TABLE groups ADD COLUMN managed_by TEXT;
ALTER TABLE groups ADD COLUMN external_id TEXT;
CREATE INDEX groups_managed ON groups (managed_by, created_at, id) WHERE managed_by IS NOT NULL;
CREATE UNIQUE INDEX groups_external ON groups (managed_by, external_id) WHERE external_id IS NOT NULL AND ended_by = 9007199254740991;

ALTER TABLE api_keys ADD COLUMN roles TEXT;

CREATE TABLE scim_tokens (
  digest TEXT PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  source TEXT NOT NULL,
  name TEXT NOT NULL,
  adopts BIGINT NOT NULL,
  upstream TEXT,
  subject_claim TEXT NOT NULL,
  created_by TEXT,
  created_at BIGINT NOT NULL,
  expires_at BIGINT,
  last_used_at BIGINT
);
CREATE INDEX scim_tokens_by_source ON scim_tokens (source);
CREATE INDEX scim_tokens_by_upstream ON scim_tokens (upstream) WHERE upstream IS NOT NULL;
