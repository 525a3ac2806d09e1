// `latchkey migrate`: brings the store's schema up to date.

import { readConfig } from '../../platform/config.ts';
import { versionOf } from '../../storage/migrating.ts';
import { readMigrations } from '../../storage/sql/sql-storage.ts';
import { defineCommand, jsonOption } from '../frame/define.ts';
import { withProgress } from '../terminal/progress.ts';
import { openStore } from './open-store.ts';

export const migrate = defineCommand({
  summary: 'update the schema of a PostgreSQL store',
  details: `PostgreSQL needs this before the first start and after an upgrade; the embedded store does it by itself. It takes a lock, so
it's safe to run it twice, or on several machines at once.`,
  options: jsonOption,
  examples: ['latchkey migrate', 'DATABASE_URL=postgres://latchkey@db.example/latchkey latchkey migrate'],
  async run({ environment }) {
    const driver = await openStore(readConfig(environment));
    try {
      const before = versionOf(await driver.appliedMigrations());
      const migrations = readMigrations();
      const work = { label: 'Migrating', total: { count: migrations.length - before, unit: 'migrations' } };
      const version = await withProgress(work, (progress) => driver.migrate(migrations, () => progress.add(1)));
      const text = `The schema is ${before === version ? 'already' : 'now'} at version ${version}.`;
      return { json: { before, version }, text };
    } finally {
      await driver.close();
    }
  },
});
