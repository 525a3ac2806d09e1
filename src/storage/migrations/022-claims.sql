-- Claims that an administrator has switched on for an application, and which of them a person has agreed to. The previous version knows
-- neither: what it stores has none.

ALTER TABLE clients ADD COLUMN claims TEXT NOT NULL DEFAULT '[]';
ALTER TABLE consents ADD COLUMN claims TEXT;
ALTER TABLE grants ADD COLUMN claims TEXT;

-- Few applications have any: whoever renames or deletes a group looks at those alone.
CREATE INDEX clients_with_claims ON clients (id) WHERE claims <> '[]';

-- What the claims of a grant are made from, in lines, of which those after the third are the person's groups. A function for the same
-- reason as those in 020: few grants need it.
-- server: CREATE FUNCTION claim_facts(of_user TEXT, client_claims TEXT, grant_claims TEXT, user_attributes TEXT) RETURNS TEXT
-- server: LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
-- server: BEGIN
-- server:   RETURN client_claims || chr(10) || grant_claims || chr(10) || user_attributes || COALESCE((
-- server:     SELECT chr(10) || string_agg(gr.id || ' ' || gr.name, chr(10)) FROM group_members gm CROSS JOIN groups gr
-- server:     WHERE gm.user_id = of_user AND gr.id = gm.group_id
-- server:       AND gm.ended_by = 9007199254740991 AND gr.ended_by = 9007199254740991), '');
-- server: END $$;
