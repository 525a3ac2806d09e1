-- The trace that the request behind an event belongs to, if its caller named one.

ALTER TABLE events ADD COLUMN trace_id TEXT;
CREATE INDEX events_by_trace ON events (trace_id, id) WHERE trace_id IS NOT NULL;
