-- Accounts that nobody uses. Inactivity counts from the last activity, and at the earliest from inactive_from: when the account came to this
-- store, was enabled or approved, or got a later end. Null if that is created_at. An instance of the previous version doesn't note it.
ALTER TABLE users ADD COLUMN inactive_from BIGINT;
-- When the account is disabled unless it's used, as the person was told. Of an account that was, it's the same as disabled_at: whatever the
-- previous version enables or disables isn't taken for it.
ALTER TABLE users ADD COLUMN inactive_end BIGINT;
UPDATE users SET inactive_from = (SELECT MAX(ip.imported_at) FROM imported_people ip WHERE ip.user_id = users.id)
  WHERE EXISTS (SELECT 1 FROM imported_people ip WHERE ip.user_id = users.id) /* in batches of users.id */;
UPDATE users SET inactive_from = (SELECT MAX(e.at) FROM events e
    WHERE e.user_id = users.id AND e.kind IN ('user_enabled', 'user_approved'))
  WHERE id IN (SELECT e.user_id FROM events e WHERE e.kind IN ('user_enabled', 'user_approved')) /* in batches of users.id */;

-- In the order of the last activity that counts (src/storage/users/inactivity-sql.ts has the same text). It takes the place of the index that
-- every use of an account has to change.
CREATE INDEX users_by_activity ON users ((CASE WHEN last_active_at > COALESCE(inactive_from, created_at) THEN last_active_at
  ELSE COALESCE(inactive_from, created_at) END), id);
DROP INDEX users_by_last_active;
CREATE INDEX users_told ON users (inactive_end, id) WHERE inactive_end IS NOT NULL AND disabled_at IS NULL;
CREATE INDEX users_inactive ON users (created_at, id) WHERE disabled_at = inactive_end;
