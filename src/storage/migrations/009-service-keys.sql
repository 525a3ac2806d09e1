-- When each of the service's own keys was first used, and when it was retired as compromised. The keys themselves are never
-- stored: the id is derived from the key, and says nothing about it.

CREATE TABLE service_keys (
  id TEXT PRIMARY KEY,
  first_used_at BIGINT NOT NULL,
  retired_at BIGINT
);
