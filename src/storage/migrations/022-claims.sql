-- Claims that an administrator has switched on for an application, and which of them a person has agreed to. The previous version knows
-- neither: what it stores has none.

ALTER TABLE clients ADD COLUMN claims TEXT NOT NULL DEFAULT '[]';
ALTER TABLE consents ADD COLUMN claims TEXT;
ALTER TABLE grants ADD COLUMN claims TEXT;

-- Few applications have any: whoever renames or deletes a group looks at those alone.
CREATE INDEX clients_with_claims ON clients (id) WHERE claims <> '[]';

-- A person's groups without a look at the tables themselves.
CREATE INDEX group_members_lasting ON group_members (user_id, group_id) WHERE ended_by = 9007199254740991;
CREATE INDEX groups_lasting ON groups (id, name) WHERE ended_by = 9007199254740991;

-- What the claims of a grant are made from, in lines, of which those after the third are the person's groups. A function for the same
-- reason as those in 020: few grants need it.
-- server: CREATE FUNCTION claim_facts(of_user TEXT, client_claims TEXT, grant_claims TEXT, user_attributes TEXT) RETURNS TEXT
-- server: LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
-- server: BEGIN
-- server:   RETURN concat_ws(chr(10), client_claims, grant_claims, user_attributes, NULLIF(array_to_string(ARRAY(
-- server:     SELECT gr.id || ' ' || gr.name FROM groups gr WHERE gr.ended_by = 9007199254740991
-- server:       AND gr.id = ANY(ARRAY(SELECT gm.group_id FROM group_members gm
-- server:         WHERE gm.user_id = of_user AND gm.ended_by = 9007199254740991))), chr(10)), ''));
-- server: END $$;
