-- Attributes of people: what administrators define, and each person's values as a JSON object by name. An instance of the previous
-- version leaves the values as they are. A deleted attribute keeps its row until no person has a value any more; `cleared_to` is
-- the last person whose value has been removed.

CREATE TABLE attributes (
  name TEXT PRIMARY KEY,
  label TEXT NOT NULL,
  kind TEXT NOT NULL,
  editable_by TEXT NOT NULL,
  allowed_values TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  deleted_at BIGINT,
  cleared_to TEXT NOT NULL
);

ALTER TABLE users ADD COLUMN attributes TEXT NOT NULL DEFAULT '{}';
