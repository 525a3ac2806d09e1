-- The sweep looks for emails that are too old to be sent. Without an index each of its batches read all that wait.

CREATE INDEX mails_by_created_at ON mails (created_at);
