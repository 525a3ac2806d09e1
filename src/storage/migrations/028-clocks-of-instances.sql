-- By how many milliseconds the clock of an instance is ahead of the store's. Null if it couldn't tell yet, or is one of the previous
-- version.

ALTER TABLE instances ADD COLUMN clock_offset BIGINT;
