-- Claims that an administrator has switched on for an application, and which of them a person has agreed to. The previous version knows
-- neither: what it stores has none.

ALTER TABLE clients ADD COLUMN claims TEXT NOT NULL DEFAULT '[]';
ALTER TABLE consents ADD COLUMN claims TEXT;
ALTER TABLE grants ADD COLUMN claims TEXT;
