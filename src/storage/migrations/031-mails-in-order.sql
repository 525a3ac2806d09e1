-- The order in which emails are claimed, from the index alone: many are due at once. With the attempts, what a wrong clock has postponed
-- is found without reading the emails.
DROP INDEX mails_by_next_attempt;
CREATE INDEX mails_by_next_attempt ON mails (next_attempt_at, id, attempts);
