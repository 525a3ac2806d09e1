-- Since when somebody has been in a group or on a list, by the clock. What began before this was noted has no time.

ALTER TABLE group_members ADD COLUMN began_at BIGINT;
ALTER TABLE client_access ADD COLUMN began_at BIGINT;

-- What ends, of one group and of one application.
CREATE INDEX group_members_ends ON group_members (group_id, expires_at, user_id)
  WHERE expires_at IS NOT NULL AND ended_by = 9007199254740991;
CREATE INDEX client_access_ends ON client_access (client_id, kind, expires_at, subject_id)
  WHERE expires_at IS NOT NULL AND ended_by = 9007199254740991;
