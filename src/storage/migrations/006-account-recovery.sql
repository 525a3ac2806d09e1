-- A password reset suspends second factors that were added shortly before it, until the person decides about them.
-- Recovery codes from before this version have no time and count as old.

ALTER TABLE authenticators ADD COLUMN suspended_at BIGINT;
ALTER TABLE passkeys ADD COLUMN suspended_at BIGINT;
ALTER TABLE recovery_codes ADD COLUMN created_at BIGINT;
ALTER TABLE recovery_codes ADD COLUMN suspended_at BIGINT;

-- When the password was reset, until the person has looked through what has access to their account.
ALTER TABLE users ADD COLUMN review_since BIGINT;

-- An API key now ends with its maker's rights for good. These were only refused, and would have come back to life.
DELETE FROM api_keys WHERE created_by IS NOT NULL AND NOT EXISTS
  (SELECT 1 FROM users u WHERE u.id = api_keys.created_by AND u.admin_since IS NOT NULL AND u.disabled_at IS NULL);
CREATE INDEX api_keys_by_maker ON api_keys (created_by) WHERE created_by IS NOT NULL;
