-- Access that ends by itself, accounts that wait for approval, and links to sign up with. An instance of the previous version knows no
-- ends: it gives access until they're written (within a minute), from when the account is disabled, and the membership or the entry over.
-- For an account that waits, it's disabled as well.

ALTER TABLE users ADD COLUMN expires_at BIGINT;
ALTER TABLE users ADD COLUMN pending_since BIGINT;
-- How many of the emails about the coming end were sent.
ALTER TABLE users ADD COLUMN end_notices BIGINT NOT NULL DEFAULT 0;
CREATE INDEX users_ending ON users (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX users_pending ON users (pending_since, id) WHERE pending_since IS NOT NULL;

ALTER TABLE group_members ADD COLUMN expires_at BIGINT;
ALTER TABLE group_members ADD COLUMN end_notices BIGINT NOT NULL DEFAULT 0;
CREATE INDEX group_members_ending ON group_members (expires_at) WHERE expires_at IS NOT NULL AND ended_by = 9007199254740991;
ALTER TABLE client_access ADD COLUMN expires_at BIGINT;
ALTER TABLE client_access ADD COLUMN end_notices BIGINT NOT NULL DEFAULT 0;
CREATE INDEX client_access_ending ON client_access (expires_at) WHERE expires_at IS NOT NULL AND ended_by = 9007199254740991;

-- A person's groups without a look at the table, as before, with their ends.
DROP INDEX group_members_lasting;
CREATE INDEX group_members_lasting ON group_members (user_id, group_id, expires_at) WHERE ended_by = 9007199254740991;

CREATE TABLE sign_up_links (
  id TEXT PRIMARY KEY,
  digest TEXT NOT NULL UNIQUE,
  uses BIGINT NOT NULL,
  used BIGINT NOT NULL,
  group_ids TEXT NOT NULL,
  note TEXT NOT NULL,
  created_by TEXT,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  revoked_at BIGINT
);

ALTER TABLE upstreams ADD COLUMN skip_approval BIGINT NOT NULL DEFAULT 0;

-- The functions of 020 and 022 at a given time. The previous version goes on with its own.
-- server: CREATE FUNCTION is_on_list(of_client TEXT, of_user TEXT, moment BIGINT) RETURNS BOOLEAN LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
-- server: BEGIN
-- server:   RETURN EXISTS (SELECT 1 FROM client_access ca WHERE ca.client_id = of_client AND ca.kind = 'person'
-- server:       AND ca.subject_id = of_user AND ca.ended_by = 9007199254740991 AND (ca.expires_at IS NULL OR ca.expires_at > moment))
-- server:     OR EXISTS (SELECT 1 FROM group_members gm CROSS JOIN groups gr CROSS JOIN client_access ca
-- server:       WHERE gm.user_id = of_user AND gr.id = gm.group_id
-- server:         AND ca.client_id = of_client AND ca.kind = 'group' AND ca.subject_id = gm.group_id
-- server:         AND gm.ended_by = 9007199254740991 AND (gm.expires_at IS NULL OR gm.expires_at > moment)
-- server:         AND gr.ended_by = 9007199254740991
-- server:         AND ca.ended_by = 9007199254740991 AND (ca.expires_at IS NULL OR ca.expires_at > moment));
-- server: END $$;

-- server: CREATE FUNCTION claim_facts(of_user TEXT, client_claims TEXT, grant_claims TEXT, user_attributes TEXT, moment BIGINT)
-- server: RETURNS TEXT LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
-- server: BEGIN
-- server:   RETURN concat_ws(chr(10), client_claims, grant_claims, user_attributes, NULLIF(array_to_string(ARRAY(
-- server:     SELECT gr.id || ' ' || gr.name FROM groups gr WHERE gr.ended_by = 9007199254740991
-- server:       AND gr.id = ANY(ARRAY(SELECT gm.group_id FROM group_members gm
-- server:         WHERE gm.user_id = of_user AND gm.ended_by = 9007199254740991
-- server:           AND (gm.expires_at IS NULL OR gm.expires_at > moment)))), chr(10)), ''));
-- server: END $$;
