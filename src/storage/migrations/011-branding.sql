-- What the service looks like, and where an application lives.

-- The versions of these images are stored among the settings, so that every instance learns of a new one.
CREATE TABLE brand_images (
  name TEXT PRIMARY KEY,
  version TEXT NOT NULL,
  content_type TEXT NOT NULL,
  bytes BYTEA NOT NULL
);

ALTER TABLE clients ADD COLUMN client_uri TEXT;
ALTER TABLE clients ADD COLUMN policy_uri TEXT;
ALTER TABLE clients ADD COLUMN tos_uri TEXT;
ALTER TABLE clients ADD COLUMN launch_url TEXT;
-- The applications that people can open from their account, by name.
CREATE INDEX clients_to_launch ON clients (access, LOWER(name), id)
  WHERE launch_url IS NOT NULL OR client_uri IS NOT NULL;
