-- The last four characters of secrets, to tell them apart. Secrets from before have none. An instance of the previous version rotates a
-- client's secret without these columns, so that what they hold names the secret's digest: "<digest> <four characters>".

ALTER TABLE clients ADD COLUMN secret_last_four TEXT;
ALTER TABLE clients ADD COLUMN old_secret_last_four TEXT;
ALTER TABLE api_keys ADD COLUMN last_four TEXT;
ALTER TABLE scim_tokens ADD COLUMN last_four TEXT;
