-- Where people reach an application's developer. An instance of the previous version leaves the column as it is.

ALTER TABLE clients ADD COLUMN contact_email TEXT;
