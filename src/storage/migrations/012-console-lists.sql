-- What the console's lists show and are sorted by, and which invitations are pending.

-- 0 for whoever has never signed in: engines put a null in different places of an order.
ALTER TABLE users ADD COLUMN last_sign_in_at BIGINT NOT NULL DEFAULT 0;
-- Until now only a session knew when it began. Where none is left, the last activity comes closest.
UPDATE users SET last_sign_in_at =
  COALESCE((SELECT MAX(s.auth_time) FROM sessions s WHERE s.user_id = users.id), last_active_at, 0)
  WHERE (last_active_at IS NOT NULL OR EXISTS (SELECT 1 FROM sessions s WHERE s.user_id = users.id)) /* in batches of users.id */;
CREATE INDEX users_by_last_sign_in ON users (last_sign_in_at, id);

CREATE INDEX invitations ON links (expires_at, digest) WHERE purpose = 'invite';

-- People are found by every word of their email address, applications by every part of their name, and both are sorted by
-- their name: a running service writes the words of those who are there already, a few at a time.
INSERT INTO unsearchable (kind, ref) SELECT 'person', id FROM users WHERE true /* in batches of users.id */
  ON CONFLICT (kind, ref) DO NOTHING;
INSERT INTO unsearchable (kind, ref) SELECT 'client', id FROM clients WHERE true /* in batches of clients.id */
  ON CONFLICT (kind, ref) DO NOTHING;
