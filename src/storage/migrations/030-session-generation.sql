-- How often all of a person's sessions have ended at once. What began before doesn't go on: a sign-in that waits for its second step, a
-- form in a session. An instance of the previous version compares password hashes instead, and doesn't raise it.

ALTER TABLE users ADD COLUMN session_generation BIGINT NOT NULL DEFAULT 0;
