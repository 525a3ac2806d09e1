-- What is remembered of somebody who was deleted: a digest of their ID, so that nobody else gets it. The keys of these digests are
-- sealed with the keys of the service.

CREATE TABLE deleted_ids (digest TEXT NOT NULL PRIMARY KEY);
CREATE TABLE deleted_id_keys (number TEXT NOT NULL PRIMARY KEY, sealed TEXT NOT NULL);
