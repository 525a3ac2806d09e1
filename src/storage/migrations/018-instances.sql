-- The instances that run on this store, and what has to be the same for all of them. Each writes its row every ten seconds
-- and deletes it when it stops; that of one that was killed is deleted later. Times are by the database's clock, and the keys
-- are listed by their ids, newest first.

CREATE TABLE instances (
  id TEXT PRIMARY KEY,
  version TEXT NOT NULL,
  base_url TEXT NOT NULL,
  key_ids TEXT NOT NULL,
  events_days BIGINT NOT NULL,
  breaches_digest TEXT,
  started_at BIGINT NOT NULL,
  last_seen_at BIGINT NOT NULL
);
