// Stores that were migrated with an earlier text of a migration, before checksums were recorded. There is one such
// migration, 004, and there will be no other: see decision 46.

import type { Repair } from './driver.ts';

const day = 86_400_000;

/** By the version of the migration. A repair also runs on stores that lack nothing, and leaves them as they are. */
export const repairs: Readonly<Record<number, Repair>> = {
  4: {
    columns: [{ table: 'links', column: 'email_key', type: 'TEXT' }],
    // The first text counted an application's totals by the hour, and those of all together only if they concerned no
    // application. Those of midnight can't be told from those of a day, and stay as they are.
    sql: `
      CREATE INDEX IF NOT EXISTS links_by_email ON links (email_key);
      CREATE TABLE IF NOT EXISTS service_facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
      INSERT INTO hourly_totals (hour, kind, client_id, total)
        SELECT hour, kind, '', SUM(total) FROM hourly_totals WHERE client_id <> '' AND hour % ${day} <> 0
        GROUP BY hour, kind
        ON CONFLICT (hour, kind, client_id) DO UPDATE SET total = hourly_totals.total + excluded.total;
      INSERT INTO hourly_totals (hour, kind, client_id, total)
        SELECT hour / ${day} * ${day}, kind, client_id, SUM(total) FROM hourly_totals
        WHERE client_id <> '' AND hour % ${day} <> 0 GROUP BY hour / ${day} * ${day}, kind, client_id
        ON CONFLICT (hour, kind, client_id) DO UPDATE SET total = hourly_totals.total + excluded.total;
      DELETE FROM hourly_totals WHERE client_id <> '' AND hour % ${day} <> 0;`,
  },
};
