-- Work that only one process may do at a time, such as the sweep, belongs to the holder of its lease.

CREATE TABLE leases (
  name TEXT PRIMARY KEY,
  holder TEXT NOT NULL,
  expires_at BIGINT NOT NULL
);
