-- Signing in with another provider, people who came from another service, and passwords known from breaches.

CREATE TABLE upstreams (
  -- Part of the address that the provider sends people back to.
  name TEXT PRIMARY KEY,
  -- oidc or github.
  kind TEXT NOT NULL,
  issuer TEXT NOT NULL UNIQUE,
  client_id TEXT NOT NULL,
  sealed_secret TEXT NOT NULL,
  scopes TEXT NOT NULL,
  label TEXT NOT NULL,
  -- Domains, with spaces between them. Whose people may come; none means everyone's.
  allowed_domains TEXT NOT NULL,
  -- For whose addresses the provider's word that they are verified counts; * for all.
  trusted_domains TEXT NOT NULL,
  -- Whether people of the trusted domains are sent there without being asked for a password.
  routes_domains BIGINT NOT NULL,
  creates_accounts BIGINT NOT NULL,
  -- The values, with spaces between them, that mean that the provider has checked two factors.
  trusted_amr TEXT NOT NULL,
  trusted_acr TEXT NOT NULL,
  -- Where its endpoints were, and how it signs, when an administrator last looked: JSON.
  metadata TEXT NOT NULL,
  icon_version TEXT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  disabled_at BIGINT
);

CREATE TABLE upstream_icons (
  upstream TEXT PRIMARY KEY,
  version TEXT NOT NULL,
  content_type TEXT NOT NULL,
  bytes BYTEA NOT NULL
);

CREATE TABLE identities (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  user_id TEXT NOT NULL,
  -- The address that the provider gave last, for people to recognise it by. It decides nothing.
  email TEXT,
  linked_at BIGINT NOT NULL,
  last_used_at BIGINT,
  PRIMARY KEY (issuer, subject)
);
CREATE INDEX identities_by_user ON identities (user_id);

CREATE TABLE imported_people (
  source TEXT NOT NULL,
  old_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  imported_at BIGINT NOT NULL,
  PRIMARY KEY (source, old_id)
);
CREATE INDEX imported_people_by_user ON imported_people (user_id);

-- When the password was first found among those known from breaches, until it is changed.
ALTER TABLE users ADD COLUMN breached_since BIGINT;
-- A hash that another service has made begins with this word, until its owner signs in.
CREATE INDEX users_with_foreign_hash ON users (id) WHERE SUBSTR(password_hash, 1, 8) = 'foreign:';

-- The provider that people of this application are sent to.
ALTER TABLE clients ADD COLUMN upstream TEXT;
