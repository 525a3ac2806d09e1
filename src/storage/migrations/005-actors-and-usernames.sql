-- Who did something that concerns others gets columns of its own. Until now it was the last member of `detail`, as
-- "by":"administrator <id>" or "by":"api_key <id>", and had to be searched for in the text.

ALTER TABLE events ADD COLUMN actor_kind TEXT;
ALTER TABLE events ADD COLUMN actor_id TEXT;

-- Trimming the end of the JSON and then the characters of an id leaves everything up to the id.
UPDATE events SET
  actor_kind = CASE WHEN detail LIKE '%"by":"administrator %' THEN 'administrator' ELSE 'api_key' END,
  actor_id = SUBSTR(
    RTRIM(detail, '"}'),
    LENGTH(RTRIM(RTRIM(detail, '"}'), 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-')) + 1)
  WHERE detail LIKE '%"by":"administrator %' OR detail LIKE '%"by":"api_key %';
UPDATE events SET detail = REPLACE(REPLACE(detail,
    ',"by":"' || actor_kind || ' ' || actor_id || '"}', '}'),
    '{"by":"' || actor_kind || ' ' || actor_id || '"}', '{}')
  WHERE actor_kind IS NOT NULL;

-- A username is unique whatever its case. The index has only the rows with one, so that counting users does not read it.
ALTER TABLE users ADD COLUMN username_key TEXT;
CREATE UNIQUE INDEX users_by_username ON users (username_key) WHERE username_key IS NOT NULL;
