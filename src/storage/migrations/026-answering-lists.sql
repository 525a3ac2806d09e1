-- What a list of people can be limited to, each from an index with those people alone, the newest last. A sign-in changes last_sign_in_at:
-- after someone's first, the index of those who never did has nothing to change. It's written so that SQLite prefers it to
-- users_by_last_sign_in, which has another order.
CREATE INDEX users_active ON users (created_at, id) WHERE disabled_at IS NULL;
CREATE INDEX users_disabled ON users (created_at, id) WHERE disabled_at IS NOT NULL AND pending_since IS NULL;
CREATE INDEX users_never_signed_in ON users (created_at, id, last_sign_in_at) WHERE NOT last_sign_in_at > 0;
DROP INDEX users_ending;
CREATE INDEX users_ending ON users (expires_at, id) WHERE expires_at IS NOT NULL;

-- Whether somebody has an active second factor is in other tables. Triggers note it, so that it's right whatever changes a factor, the
-- previous version included.
CREATE VIEW active_factors AS SELECT user_id FROM authenticators WHERE suspended_at IS NULL
  UNION ALL SELECT user_id FROM passkeys WHERE suspended_at IS NULL;
ALTER TABLE users ADD COLUMN has_factor BIGINT NOT NULL DEFAULT 0;

-- embedded: CREATE TRIGGER authenticator_added AFTER INSERT ON authenticators BEGIN
-- embedded:   UPDATE users SET has_factor = EXISTS (SELECT 1 FROM active_factors f WHERE f.user_id = NEW.user_id) WHERE id = NEW.user_id;
-- embedded: END;
-- embedded: CREATE TRIGGER authenticator_changed AFTER UPDATE OF suspended_at ON authenticators BEGIN
-- embedded:   UPDATE users SET has_factor = EXISTS (SELECT 1 FROM active_factors f WHERE f.user_id = NEW.user_id) WHERE id = NEW.user_id;
-- embedded: END;
-- embedded: CREATE TRIGGER authenticator_removed AFTER DELETE ON authenticators BEGIN
-- embedded:   UPDATE users SET has_factor = EXISTS (SELECT 1 FROM active_factors f WHERE f.user_id = OLD.user_id) WHERE id = OLD.user_id;
-- embedded: END;
-- embedded: CREATE TRIGGER passkey_added AFTER INSERT ON passkeys BEGIN
-- embedded:   UPDATE users SET has_factor = EXISTS (SELECT 1 FROM active_factors f WHERE f.user_id = NEW.user_id) WHERE id = NEW.user_id;
-- embedded: END;
-- embedded: CREATE TRIGGER passkey_changed AFTER UPDATE OF suspended_at ON passkeys BEGIN
-- embedded:   UPDATE users SET has_factor = EXISTS (SELECT 1 FROM active_factors f WHERE f.user_id = NEW.user_id) WHERE id = NEW.user_id;
-- embedded: END;
-- embedded: CREATE TRIGGER passkey_removed AFTER DELETE ON passkeys BEGIN
-- embedded:   UPDATE users SET has_factor = EXISTS (SELECT 1 FROM active_factors f WHERE f.user_id = OLD.user_id) WHERE id = OLD.user_id;
-- embedded: END;

-- server: CREATE FUNCTION note_factor() RETURNS TRIGGER LANGUAGE plpgsql AS $$
-- server: DECLARE
-- server:   changed TEXT := CASE WHEN TG_OP = 'DELETE' THEN OLD.user_id ELSE NEW.user_id END;
-- server:   has BIGINT := CASE WHEN EXISTS (SELECT 1 FROM active_factors f WHERE f.user_id = changed) THEN 1 ELSE 0 END;
-- server: BEGIN
-- server:   UPDATE users SET has_factor = has WHERE id = changed AND has_factor <> has;
-- server:   RETURN NULL;
-- server: END $$;
-- server: CREATE TRIGGER note_factor AFTER INSERT OR DELETE OR UPDATE OF suspended_at ON authenticators FOR EACH ROW EXECUTE FUNCTION note_factor();
-- server: CREATE TRIGGER note_factor AFTER INSERT OR DELETE OR UPDATE OF suspended_at ON passkeys FOR EACH ROW EXECUTE FUNCTION note_factor();

-- The triggers also note those that are there already.
UPDATE authenticators SET suspended_at = suspended_at WHERE suspended_at IS NULL /* in batches of authenticators.user_id */;
UPDATE passkeys SET suspended_at = suspended_at WHERE suspended_at IS NULL /* in batches of passkeys.id */;
CREATE INDEX users_without_factor ON users (created_at, id) WHERE has_factor = 0;

-- The last use of an application, from the same index as how many people use it.
DROP INDEX consents_by_client;
CREATE INDEX consents_by_client ON consents (client_id, client_generation, last_used_at);
