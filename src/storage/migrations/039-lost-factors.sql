-- Since when somebody who was imported without the second factor that they had has to set up another one. Triggers end that with their first
-- factor, whatever adds it, the previous version included.
ALTER TABLE users ADD COLUMN lost_factor_at BIGINT;

-- embedded: CREATE TRIGGER lost_factor_replaced AFTER UPDATE OF has_factor ON users WHEN NEW.has_factor = 1 AND NEW.lost_factor_at IS NOT NULL BEGIN
-- embedded:   UPDATE users SET lost_factor_at = NULL WHERE id = NEW.id;
-- embedded: END;

-- server: CREATE FUNCTION forget_lost_factor() RETURNS TRIGGER LANGUAGE plpgsql AS $$
-- server: BEGIN
-- server:   NEW.lost_factor_at := NULL;
-- server:   RETURN NEW;
-- server: END $$;
-- server: CREATE TRIGGER forget_lost_factor BEFORE UPDATE OF has_factor ON users FOR EACH ROW WHEN (NEW.has_factor = 1 AND NEW.lost_factor_at IS NOT NULL) EXECUTE FUNCTION forget_lost_factor();
