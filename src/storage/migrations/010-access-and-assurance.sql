-- Where applications may send people after they sign out, who may use which application, and stronger proof of identity.

ALTER TABLE clients ADD COLUMN post_logout_redirect_uris TEXT NOT NULL DEFAULT '[]';
ALTER TABLE clients ADD COLUMN second_factor TEXT NOT NULL DEFAULT 'optional';

-- Access is a matter of changes, not of times: every change to who may use what takes the next number, and whatever gives
-- access has the number of the change that began it and of the one that ended it, which is 9007199254740991 while it
-- lasts. Clocks may be apart or stand still.
CREATE TABLE counters (
  name TEXT PRIMARY KEY,
  value BIGINT NOT NULL
);
INSERT INTO counters (name, value) VALUES ('access_changes', 0);

ALTER TABLE clients ADD COLUMN access TEXT NOT NULL DEFAULT 'everyone';
-- Whether the application has ever been open to some people only: if not, none of the tables below has to be asked.
ALTER TABLE clients ADD COLUMN was_listed BIGINT NOT NULL DEFAULT 0;
-- The last change when the grant began.
ALTER TABLE grants ADD COLUMN access_change BIGINT NOT NULL DEFAULT 0;
-- The sweep keeps what ended after the oldest grant began.
CREATE INDEX grants_by_access_change ON grants (access_change);

CREATE TABLE groups (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  -- Null once the group is deleted, so that another may have the name.
  name_key TEXT UNIQUE,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  ended_by BIGINT NOT NULL
);
CREATE INDEX groups_by_end ON groups (ended_by) WHERE ended_by < 9007199254740991;

CREATE TABLE group_members (
  group_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  began_with BIGINT NOT NULL,
  ended_by BIGINT NOT NULL,
  PRIMARY KEY (group_id, user_id, began_with)
);
CREATE INDEX group_members_by_user ON group_members (user_id, group_id);
CREATE INDEX group_members_by_end ON group_members (ended_by) WHERE ended_by < 9007199254740991;

-- What opens an application: `kind` is everyone, person or group, and `subject_id` says which person or group.
CREATE TABLE client_access (
  client_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  began_with BIGINT NOT NULL,
  ended_by BIGINT NOT NULL,
  PRIMARY KEY (client_id, kind, subject_id, began_with)
);
CREATE INDEX client_access_by_subject ON client_access (kind, subject_id, client_id);
CREATE INDEX client_access_by_end ON client_access (ended_by) WHERE ended_by < 9007199254740991;

-- When the person last proved who they are, whether the session outlasts the browser, and whether a trusted browser took
-- the place of the second step.
ALTER TABLE sessions ADD COLUMN proven_at BIGINT NOT NULL DEFAULT 0;
UPDATE sessions SET proven_at = auth_time WHERE proven_at = 0 /* in batches of sessions.digest */;
-- Whoever was signed in before there was a choice stays signed in. PostgreSQL notes the first default for all rows that are there.
-- embedded: ALTER TABLE sessions ADD COLUMN kept BIGINT NOT NULL DEFAULT 0;
-- embedded: UPDATE sessions SET kept = 1;
-- server: ALTER TABLE sessions ADD COLUMN kept BIGINT NOT NULL DEFAULT 1;
-- server: ALTER TABLE sessions ALTER COLUMN kept SET DEFAULT 0;
-- The sweep deletes the two kinds of session at different ages.
DROP INDEX sessions_by_last_seen;
CREATE INDEX sessions_by_last_seen ON sessions (kept, last_seen_at);
ALTER TABLE sessions ADD COLUMN trusted BIGINT NOT NULL DEFAULT 0;

-- Until when a browser is spared the second step, and what it is called.
ALTER TABLE known_devices ADD COLUMN trusted_until BIGINT;
ALTER TABLE known_devices ADD COLUMN device TEXT;

-- What administrators decide and not the operator.
CREATE TABLE settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  updated_at BIGINT NOT NULL
);
