-- Back-channel logout: where an application wants to hear that somebody's session has ended, which session a grant comes from, and
-- what signs the message. The previous version notes no sessions, so what it stores gets no message.

ALTER TABLE clients ADD COLUMN backchannel_logout_uri TEXT;
-- The two states of SHA-256 after the key block of HMAC with each secret, sealed. Null until the secret is presented.
ALTER TABLE clients ADD COLUMN secret_states TEXT;
ALTER TABLE clients ADD COLUMN old_secret_states TEXT;

-- The digest changes when a session is raised or the password is changed in it; this stays.
ALTER TABLE sessions ADD COLUMN id TEXT;

-- The session only for applications that want to hear of its end. The key is the one that makes the sid, so that a refresh after a
-- rotation doesn't change it.
ALTER TABLE grants ADD COLUMN session_id TEXT;
ALTER TABLE grants ADD COLUMN sid_key TEXT;
CREATE INDEX grants_by_session ON grants (session_id) WHERE session_id IS NOT NULL;

-- 'logout' for the one to which the messages of back-channel logout go, which is no webhook for anyone but the queue.
ALTER TABLE webhook_endpoints ADD COLUMN purpose TEXT NOT NULL DEFAULT 'webhook';
