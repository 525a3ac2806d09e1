-- People who lack access to an application can ask for it. One request at a time of a person for an application.
CREATE TABLE access_requests (
  id TEXT PRIMARY KEY,
  client_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  status TEXT NOT NULL,
  note TEXT,
  asked_at BIGINT NOT NULL,
  decided_at BIGINT,
  decided_by_kind TEXT,
  decided_by_id TEXT,
  expires_at BIGINT,
  told BIGINT NOT NULL
);
CREATE UNIQUE INDEX access_requests_open ON access_requests (user_id, client_id) WHERE status = 'open';
CREATE INDEX access_requests_of_user ON access_requests (user_id, id);
CREATE INDEX access_requests_of_client ON access_requests (client_id, id);
CREATE INDEX access_requests_by_status ON access_requests (status, id);
CREATE INDEX access_requests_of_client_by_status ON access_requests (client_id, status, id);
CREATE INDEX access_requests_to_tell ON access_requests (asked_at) WHERE status = 'open' AND told = 0;
CREATE INDEX access_requests_decided ON access_requests (decided_at) WHERE decided_at IS NOT NULL;
CREATE INDEX access_requests_with_note ON access_requests (decided_at) WHERE decided_at IS NOT NULL AND note IS NOT NULL;

-- Up to when requests were listed in the last email to somebody who decides about them.
ALTER TABLE users ADD COLUMN requests_told_at BIGINT NOT NULL DEFAULT 0;
