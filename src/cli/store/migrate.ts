// `latchkey migrate`: brings the store's schema up to date.

import { readConfig } from '../../platform/config.ts';
import { versionOf } from '../../storage/migrating.ts';
import { readMigrations } from '../../storage/sql/sql-storage.ts';
import { type Command, print, printJson, readArguments } from '../command.ts';
import { openStore } from './open-store.ts';

export const migrate: Command = {
  usage: `Usage: latchkey migrate [--json]

Brings the schema of the store up to date, under a lock: running it twice, or on two machines at once, does no harm.
PostgreSQL needs it before the first start and after an upgrade; the embedded store does it by itself.`,

  async run(args, environment) {
    const { values } = readArguments(args, { json: { type: 'boolean' } }, []);
    const driver = await openStore(readConfig(environment));
    try {
      const before = versionOf(await driver.appliedMigrations());
      const version = await driver.migrate(readMigrations());
      if (values.json) return printJson({ before, version });
      print(
        before === version
          ? `The schema is at version ${version} already.`
          : `The schema is at version ${version} now.`,
      );
    } finally {
      await driver.close();
    }
  },
};
