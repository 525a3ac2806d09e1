-- The endpoint of a deleted application stays until it has been told of the end of its grants. It used to keep the
-- application's ID with a suffix; now it has no application, and the time of the deletion says that it had one. Without
-- that time, it would get the messages of all applications. Version 0.3.0 has no webhooks, so an instance of it that still
-- serves never reads such a row.

ALTER TABLE webhook_endpoints ADD COLUMN client_deleted_at BIGINT;

UPDATE webhook_endpoints SET client_id = NULL, client_deleted_at = COALESCE(
    (SELECT MAX(e.at) FROM events e WHERE e.kind = 'client_deleted'
      AND e.client_id = SUBSTR(webhook_endpoints.client_id, 1, LENGTH(webhook_endpoints.client_id) - 10)),
    updated_at)
  WHERE client_id LIKE '% (deleted)';
