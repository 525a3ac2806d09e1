// The one implementation of Storage: the same SQL for every engine, over whatever driver it is given.

import { readdirSync, readFileSync } from 'node:fs';
import type { Driver, Migration } from '../driver.ts';
import type { Storage } from '../storage.ts';
import { sqlAccounts } from './accounts.ts';
import { sqlAdministration } from './administration.ts';
import { sqlClients } from './clients.ts';
import { sqlHousekeeping } from './events.ts';
import { sqlGrants } from './grants.ts';
import { sqlMail } from './mail.ts';
import { sqlSearch } from './search.ts';
import { sqlUsers } from './users.ts';

export function sqlStorage(driver: Driver): Storage {
  return {
    ...sqlUsers(driver),
    ...sqlAccounts(driver),
    ...sqlMail(driver),
    ...sqlClients(driver),
    ...sqlGrants(driver),
    ...sqlHousekeeping(driver),
    ...sqlSearch(driver),
    ...sqlAdministration(driver),
  };
}

/** The migrations in their order; a file's number is the version that it leads to. */
export function readMigrations(): Migration[] {
  const folder = new URL('../migrations/', import.meta.url);
  return readdirSync(folder)
    .filter((name) => /^\d{3}-.*\.sql$/.test(name))
    .sort()
    .map((name) => ({ version: Number(name.slice(0, 3)), sql: readFileSync(new URL(name, folder), 'utf8') }));
}
