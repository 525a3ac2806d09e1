-- Which older versions can run on this schema: those that know this migration. The previous release is 0.3.0, with 009.
INSERT INTO service_facts (name, value) VALUES ('oldest_schema', '9')
  ON CONFLICT (name) DO UPDATE SET value = excluded.value;

-- Words of a search in less space. The embedded store kept each row three times: as a row, and in each of two indexes that
-- have all columns. PostgreSQL keeps an equal key once, so its index by record has nothing but the record.
-- embedded: CREATE TABLE search_words_in_order (kind TEXT NOT NULL, word BYTEA NOT NULL, ref TEXT NOT NULL, source TEXT NOT NULL, PRIMARY KEY (kind, word, ref, source)) WITHOUT ROWID;
-- embedded: INSERT INTO search_words_in_order SELECT kind, word, ref, source FROM search_words ORDER BY kind, word, ref, source;
-- embedded: DROP TABLE search_words;
-- embedded: ALTER TABLE search_words_in_order RENAME TO search_words;
-- embedded: CREATE INDEX search_words_by_ref ON search_words (ref, kind, word, source);
-- server: DROP INDEX search_words_by_ref;
-- server: CREATE INDEX search_words_by_ref ON search_words (ref);
