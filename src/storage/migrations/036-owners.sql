-- Owners of applications: people, and groups whose members own them. Whether people can ask for access is the application's.
CREATE TABLE client_owners (
  client_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  began_at BIGINT NOT NULL,
  PRIMARY KEY (client_id, kind, subject_id)
);
CREATE INDEX client_owners_by_subject ON client_owners (kind, subject_id, client_id);
ALTER TABLE clients ADD COLUMN access_requests TEXT NOT NULL DEFAULT 'off';

-- Who owns what, whatever an end that isn't written says.
CREATE VIEW owned_clients AS SELECT co.client_id, co.subject_id AS user_id FROM client_owners co WHERE co.kind = 'person'
  UNION ALL SELECT co.client_id, gm.user_id FROM group_members gm
    JOIN client_owners co ON co.kind = 'group' AND co.subject_id = gm.group_id WHERE gm.ended_by = 9007199254740991;

-- Whether somebody owns an application counts wherever a role does. Triggers note it, so that nothing that reads a person looks into
-- other tables, and the previous version keeps it right as well. What is deleted owns nothing and has no owners.
ALTER TABLE users ADD COLUMN is_owner BIGINT NOT NULL DEFAULT 0;

-- embedded: CREATE TRIGGER owner_added AFTER INSERT ON client_owners BEGIN
-- embedded:   UPDATE users SET is_owner = 1 WHERE is_owner = 0 AND (NEW.kind = 'person' AND id = NEW.subject_id
-- embedded:     OR NEW.kind = 'group' AND id IN (SELECT gm.user_id FROM group_members gm WHERE gm.group_id = NEW.subject_id AND gm.ended_by = 9007199254740991));
-- embedded: END;
-- embedded: CREATE TRIGGER owner_removed AFTER DELETE ON client_owners BEGIN
-- embedded:   UPDATE users SET is_owner = 0 WHERE OLD.kind = 'person' AND id = OLD.subject_id
-- embedded:     AND NOT EXISTS (SELECT 1 FROM owned_clients oc WHERE oc.user_id = users.id);
-- embedded:   UPDATE users SET is_owner = 0 WHERE OLD.kind = 'group'
-- embedded:     AND id IN (SELECT gm.user_id FROM group_members gm WHERE gm.group_id = OLD.subject_id)
-- embedded:     AND NOT EXISTS (SELECT 1 FROM owned_clients oc WHERE oc.user_id = users.id);
-- embedded: END;
-- embedded: CREATE TRIGGER owning_member_added AFTER INSERT ON group_members
-- embedded:   WHEN EXISTS (SELECT 1 FROM client_owners co WHERE co.kind = 'group' AND co.subject_id = NEW.group_id) BEGIN
-- embedded:   UPDATE users SET is_owner = EXISTS (SELECT 1 FROM owned_clients oc WHERE oc.user_id = NEW.user_id) WHERE id = NEW.user_id;
-- embedded: END;
-- embedded: CREATE TRIGGER owning_member_changed AFTER UPDATE OF ended_by ON group_members
-- embedded:   WHEN EXISTS (SELECT 1 FROM client_owners co WHERE co.kind = 'group' AND co.subject_id = NEW.group_id) BEGIN
-- embedded:   UPDATE users SET is_owner = EXISTS (SELECT 1 FROM owned_clients oc WHERE oc.user_id = NEW.user_id) WHERE id = NEW.user_id;
-- embedded: END;
-- embedded: CREATE TRIGGER owning_member_removed AFTER DELETE ON group_members
-- embedded:   WHEN EXISTS (SELECT 1 FROM client_owners co WHERE co.kind = 'group' AND co.subject_id = OLD.group_id) BEGIN
-- embedded:   UPDATE users SET is_owner = EXISTS (SELECT 1 FROM owned_clients oc WHERE oc.user_id = OLD.user_id) WHERE id = OLD.user_id;
-- embedded: END;
-- embedded: CREATE TRIGGER owned_client_deleted AFTER DELETE ON clients BEGIN
-- embedded:   DELETE FROM client_owners WHERE client_id = OLD.id;
-- embedded: END;
-- embedded: CREATE TRIGGER owner_deleted AFTER DELETE ON users BEGIN
-- embedded:   DELETE FROM client_owners WHERE kind = 'person' AND subject_id = OLD.id;
-- embedded: END;
-- embedded: CREATE TRIGGER owning_group_deleted AFTER UPDATE OF ended_by ON groups WHEN NEW.ended_by < 9007199254740991 BEGIN
-- embedded:   DELETE FROM client_owners WHERE kind = 'group' AND subject_id = NEW.id;
-- embedded: END;

-- server: CREATE FUNCTION note_owner() RETURNS TRIGGER LANGUAGE plpgsql AS $$
-- server: BEGIN
-- server:   IF TG_OP = 'INSERT' AND NEW.kind = 'person' THEN
-- server:     UPDATE users SET is_owner = 1 WHERE id = NEW.subject_id AND is_owner = 0;
-- server:   ELSIF TG_OP = 'INSERT' THEN
-- server:     UPDATE users SET is_owner = 1 WHERE is_owner = 0 AND id IN
-- server:       (SELECT gm.user_id FROM group_members gm WHERE gm.group_id = NEW.subject_id AND gm.ended_by = 9007199254740991);
-- server:   ELSIF OLD.kind = 'person' THEN
-- server:     UPDATE users SET is_owner = 0 WHERE id = OLD.subject_id AND is_owner = 1
-- server:       AND NOT EXISTS (SELECT 1 FROM owned_clients oc WHERE oc.user_id = users.id);
-- server:   ELSE
-- server:     UPDATE users SET is_owner = 0 WHERE is_owner = 1
-- server:       AND id IN (SELECT gm.user_id FROM group_members gm WHERE gm.group_id = OLD.subject_id)
-- server:       AND NOT EXISTS (SELECT 1 FROM owned_clients oc WHERE oc.user_id = users.id);
-- server:   END IF;
-- server:   RETURN NULL;
-- server: END $$;
-- server: CREATE TRIGGER note_owner AFTER INSERT OR DELETE ON client_owners FOR EACH ROW EXECUTE FUNCTION note_owner();
-- server: CREATE FUNCTION note_owning_member() RETURNS TRIGGER LANGUAGE plpgsql AS $$
-- server: DECLARE
-- server:   changed TEXT := CASE WHEN TG_OP = 'DELETE' THEN OLD.user_id ELSE NEW.user_id END;
-- server:   joined TEXT := CASE WHEN TG_OP = 'DELETE' THEN OLD.group_id ELSE NEW.group_id END;
-- server:   owns BIGINT;
-- server: BEGIN
-- server:   IF NOT EXISTS (SELECT 1 FROM client_owners co WHERE co.kind = 'group' AND co.subject_id = joined) THEN
-- server:     RETURN NULL;
-- server:   END IF;
-- server:   owns := CASE WHEN EXISTS (SELECT 1 FROM owned_clients oc WHERE oc.user_id = changed) THEN 1 ELSE 0 END;
-- server:   UPDATE users SET is_owner = owns WHERE id = changed AND is_owner <> owns;
-- server:   RETURN NULL;
-- server: END $$;
-- server: CREATE TRIGGER note_owning_member AFTER INSERT OR DELETE OR UPDATE OF ended_by ON group_members FOR EACH ROW EXECUTE FUNCTION note_owning_member();
-- server: CREATE FUNCTION forget_owners() RETURNS TRIGGER LANGUAGE plpgsql AS $$
-- server: BEGIN
-- server:   IF TG_TABLE_NAME = 'clients' THEN
-- server:     DELETE FROM client_owners WHERE client_id = OLD.id;
-- server:   ELSE
-- server:     DELETE FROM client_owners WHERE kind = CASE WHEN TG_TABLE_NAME = 'groups' THEN 'group' ELSE 'person' END AND subject_id = OLD.id;
-- server:   END IF;
-- server:   RETURN NULL;
-- server: END $$;
-- server: CREATE TRIGGER forget_owners AFTER DELETE ON clients FOR EACH ROW EXECUTE FUNCTION forget_owners();
-- server: CREATE TRIGGER forget_owners AFTER DELETE ON users FOR EACH ROW EXECUTE FUNCTION forget_owners();
-- server: CREATE TRIGGER forget_owners AFTER UPDATE OF ended_by ON groups FOR EACH ROW WHEN (NEW.ended_by < 9007199254740991) EXECUTE FUNCTION forget_owners();

CREATE INDEX users_owning ON users (created_at, id) WHERE is_owner = 1;
