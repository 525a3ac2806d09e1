-- Claims that an administrator has switched on for an application, and which of them a person has agreed to. The previous version knows
-- neither: what it stores has none.

ALTER TABLE clients ADD COLUMN claims TEXT NOT NULL DEFAULT '[]';
ALTER TABLE consents ADD COLUMN claims TEXT;
ALTER TABLE grants ADD COLUMN claims TEXT;

-- Few applications have any: whoever renames or deletes a group looks at those alone.
CREATE INDEX clients_with_claims ON clients (id) WHERE claims <> '[]';
