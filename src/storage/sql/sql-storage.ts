// The one implementation of Storage: the same SQL for every engine, on whatever driver it is given.

import { readdirSync, readFileSync } from 'node:fs';
import { type Driver, type DriverObserver, type Migration, nobody } from '../driver.ts';
import { repairs } from '../repairs.ts';
import type { Storage } from '../storage.ts';
import { sqlClientList } from './access/client-list.ts';
import { sqlGroups } from './access/groups.ts';
import { sqlLauncher } from './access/launcher.ts';
import { sqlApiKeys } from './api-keys.ts';
import { sqlAssurance } from './assurance.ts';
import { sqlClients } from './clients.ts';
import { typedDatabase } from './database.ts';
import { sqlEvents } from './events.ts';
import { sqlGrants } from './grants.ts';
import { sqlHousekeeping } from './housekeeping.ts';
import { sqlImports } from './import/imports.ts';
import { sqlLinks } from './links.ts';
import { sqlPeople } from './lists/people.ts';
import { sqlSearch } from './lists/search.ts';
import { sqlMail } from './mail.ts';
import { sqlRecovery } from './recovery.ts';
import { sqlSecondFactors } from './second-factors.ts';
import { sqlServiceKeys } from './service/service-keys.ts';
import { sqlSettings } from './service/settings.ts';
import { sqlSessions } from './sessions.ts';
import { sqlThrottling } from './throttling.ts';
import { sqlTrustedDevices } from './trusted-devices.ts';
import { sqlIdentities } from './upstreams/identities.ts';
import { sqlUpstreams } from './upstreams/upstreams.ts';
import { sqlUsers } from './users.ts';
import { sqlWebhookDeliveries } from './webhooks/deliveries.ts';
import { sqlWebhookEndpoints } from './webhooks/endpoints.ts';

export function sqlStorage(driver: Driver, observer: DriverObserver = nobody): Storage {
  const database = typedDatabase(driver, observer);
  return {
    ...sqlUsers(database),
    ...sqlSessions(database),
    ...sqlTrustedDevices(database),
    ...sqlLinks(database),
    ...sqlSecondFactors(database),
    ...sqlRecovery(database),
    ...sqlAssurance(database),
    ...sqlClients(database),
    ...sqlClientList(database),
    ...sqlGroups(database),
    ...sqlLauncher(database),
    ...sqlGrants(database),
    ...sqlMail(database),
    ...sqlEvents(database),
    ...sqlApiKeys(database),
    ...sqlServiceKeys(database),
    ...sqlSettings(database),
    ...sqlSearch(database),
    ...sqlPeople(database),
    ...sqlImports(database),
    ...sqlThrottling(database),
    ...sqlWebhookEndpoints(database),
    ...sqlWebhookDeliveries(database),
    ...sqlUpstreams(database),
    ...sqlIdentities(database),
    ...sqlHousekeeping(database),
  };
}

/** The migrations in order; a file's number is its schema version. */
export function readMigrations(): Migration[] {
  const folder = new URL('../migrations/', import.meta.url);
  return readdirSync(folder)
    .filter((name) => /^\d{3}-.*\.sql$/.test(name))
    .sort()
    .map((file) => {
      const version = Number(file.slice(0, 3));
      return { version, file, sql: readFileSync(new URL(file, folder), 'utf8'), repair: repairs[version] };
    });
}
