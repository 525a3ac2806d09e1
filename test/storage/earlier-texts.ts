// The migrations as they were until 948da801, made from those of today: stores that were migrated by a version between two releases
// have the checksums of these texts.

import type { Migration } from '../../src/storage/driver.ts';

const withoutFactors = 'CREATE INDEX users_without_factor ON users (created_at, id) WHERE has_factor = 0;\n';

/** In each migration, what it says today and what it said. */
const changes: Readonly<Record<number, readonly (readonly [string, string])[]>> = {
  10: [
    [' WHERE proven_at = 0 /* in batches of sessions.digest */', ''],
    [
      `-- Whoever was signed in before there was a choice stays signed in. PostgreSQL notes the first default for all rows that are there.
-- embedded: ALTER TABLE sessions ADD COLUMN kept BIGINT NOT NULL DEFAULT 0;
-- embedded: UPDATE sessions SET kept = 1;
-- server: ALTER TABLE sessions ADD COLUMN kept BIGINT NOT NULL DEFAULT 1;
-- server: ALTER TABLE sessions ALTER COLUMN kept SET DEFAULT 0;
`,
      `ALTER TABLE sessions ADD COLUMN kept BIGINT NOT NULL DEFAULT 0;
-- Whoever was signed in before there was a choice stays signed in.
UPDATE sessions SET kept = 1;
`,
    ],
  ],
  12: [
    [
      `
  WHERE (last_active_at IS NOT NULL OR EXISTS (SELECT 1 FROM sessions s WHERE s.user_id = users.id)) /* in batches of users.id */`,
      '',
    ],
    [' /* in batches of users.id */\n  ON', ' ON'],
    [' /* in batches of clients.id */\n  ON', ' ON'],
  ],
  26: [
    [
      `-- The triggers also note those that are there already.
UPDATE authenticators SET suspended_at = suspended_at WHERE suspended_at IS NULL /* in batches of authenticators.user_id */;
UPDATE passkeys SET suspended_at = suspended_at WHERE suspended_at IS NULL /* in batches of passkeys.id */;
${withoutFactors}
`,
      '',
    ],
    [
      'ALTER TABLE users ADD COLUMN has_factor BIGINT NOT NULL DEFAULT 0;\n',
      `ALTER TABLE users ADD COLUMN has_factor BIGINT NOT NULL DEFAULT 0;
UPDATE users SET has_factor = 1 WHERE id IN (SELECT f.user_id FROM active_factors f);
${withoutFactors}`,
    ],
  ],
};

export function earlierTextOf(migration: Migration): Migration {
  const sql = (changes[migration.version] ?? []).reduce(
    (text, [now, then]) => text.replace(now, () => then),
    migration.sql,
  );
  return { ...migration, sql };
}
