// The one implementation of Storage: the same SQL for every engine, over whatever driver it is given.

import { readdirSync, readFileSync } from 'node:fs';
import type { Driver, Migration } from './driver.ts';
import { sqlAccounts } from './sql-accounts.ts';
import { sqlAdministration } from './sql-administration.ts';
import { sqlClients } from './sql-clients.ts';
import { sqlHousekeeping } from './sql-events.ts';
import { sqlGrants } from './sql-grants.ts';
import { sqlMails } from './sql-mails.ts';
import { sqlPeople } from './sql-people.ts';
import { sqlSearch } from './sql-search.ts';
import type { Storage } from './storage.ts';

export function sqlStorage(driver: Driver): Storage {
  return {
    ...sqlPeople(driver),
    ...sqlAccounts(driver),
    ...sqlMails(driver),
    ...sqlClients(driver),
    ...sqlGrants(driver),
    ...sqlHousekeeping(driver),
    ...sqlSearch(driver),
    ...sqlAdministration(driver),
  };
}

/** The migrations in their order; a file's number is the version that it leads to. */
export function readMigrations(): Migration[] {
  const folder = new URL('./migrations/', import.meta.url);
  return readdirSync(folder)
    .filter((name) => /^\d{3}-.*\.sql$/.test(name))
    .sort()
    .map((name) => ({ version: Number(name.slice(0, 3)), sql: readFileSync(new URL(name, folder), 'utf8') }));
}
