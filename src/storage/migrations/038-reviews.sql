-- Reviews of who has access. A review is a snapshot of the tables of access of its applications, which is filled in batches. An instance of
-- the previous version doesn't know them: if it deletes a person, the next round of the sweep takes their name out of reviews.

CREATE TABLE reviews (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  status TEXT NOT NULL,
  due_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  -- Where filling goes on: how many of its applications are done, and the last person of the next one.
  place TEXT NOT NULL,
  reminded_at BIGINT,
  closed_at BIGINT,
  -- Who closed it: null for the command line.
  closed_by TEXT,
  -- How many people in it were deleted. Each got the next number.
  deleted_people BIGINT NOT NULL
);
CREATE INDEX reviews_in_order ON reviews (created_at, id);
CREATE INDEX reviews_at_work ON reviews (status, id) WHERE status <> 'closed' AND status <> 'open';

-- Its applications in their order, with the name that each had, and how many items there are and were decided.
CREATE TABLE review_applications (
  review_id TEXT NOT NULL,
  place BIGINT NOT NULL,
  client_id TEXT NOT NULL,
  name TEXT NOT NULL,
  items BIGINT NOT NULL,
  reviewed BIGINT NOT NULL,
  PRIMARY KEY (review_id, client_id)
);
CREATE INDEX review_applications_by_client ON review_applications (client_id, review_id);

CREATE TABLE review_items (
  id TEXT PRIMARY KEY,
  review_id TEXT NOT NULL,
  client_id TEXT NOT NULL,
  -- A deleted person has a number instead of ID, name and email address.
  user_id TEXT,
  name TEXT,
  email TEXT,
  deleted_number BIGINT,
  reasons TEXT NOT NULL,
  last_used_at BIGINT,
  -- When it was read, and since when the person has had access without using it.
  as_of BIGINT NOT NULL,
  unused_since BIGINT NOT NULL,
  -- In the order of reviewing: unused for 90 days first, then by name.
  sort_key BYTEA NOT NULL,
  decision TEXT,
  decided_by TEXT,
  decided_at BIGINT,
  -- Of a removal, once it's done; and what gives access then, if it's a task.
  outcome TEXT,
  remaining TEXT
);
CREATE UNIQUE INDEX review_items_once ON review_items (review_id, client_id, user_id);
CREATE INDEX review_items_in_order ON review_items (review_id, sort_key, id);
CREATE INDEX review_items_decided ON review_items (review_id, client_id) WHERE decision IS NOT NULL;
CREATE INDEX review_items_to_remove ON review_items (review_id, id) WHERE decision = 'remove' AND outcome IS NULL;
CREATE INDEX review_items_of_person ON review_items (user_id) WHERE user_id IS NOT NULL;
