// The one implementation of Storage: the same SQL for every engine, on whatever driver it is given.

import { readdirSync, readFileSync } from 'node:fs';
import { sqlApiKeys } from '../api-keys/api-keys-sql.ts';
import { sqlAttributes } from '../attributes/attributes-sql.ts';
import { sqlClientList } from '../clients/access-list-sql.ts';
import { sqlAccessOfPerson } from '../clients/access-of-person-sql.ts';
import { sqlAccessRequests } from '../clients/access-requests-sql.ts';
import { sqlClients } from '../clients/clients-sql.ts';
import { sqlLauncher } from '../clients/launcher-sql.ts';
import { sqlOwners } from '../clients/owners-sql.ts';
import { sqlPeopleWithAccess } from '../clients/people-with-access-sql.ts';
import { type Driver, type DriverObserver, type Migration, nobody } from '../driver.ts';
import { sqlEvents } from '../events/events-sql.ts';
import { sqlEnding } from '../groups/ending-sql.ts';
import { sqlExpiry } from '../groups/expiry-sql.ts';
import { sqlGroups } from '../groups/groups-sql.ts';
import { sqlImportGroups } from '../groups/import-groups-sql.ts';
import { sqlMembers } from '../groups/members-sql.ts';
import { sqlOpenedClients } from '../groups/opened-clients-sql.ts';
import { sqlRestoring } from '../groups/restoring-sql.ts';
import { sqlInstances } from '../instances/instances-sql.ts';
import { sqlReviewItems } from '../reviews/review-items-sql.ts';
import { sqlReviews } from '../reviews/reviews-sql.ts';
import { sqlProvisioned } from '../scim/provisioned-sql.ts';
import { sqlScimGroups } from '../scim/scim-groups-sql.ts';
import { sqlScimTokens } from '../scim/scim-tokens-sql.ts';
import { sqlScimUsers } from '../scim/scim-users-sql.ts';
import { sqlServiceKeys } from '../settings/service-keys-sql.ts';
import { sqlSettings } from '../settings/settings-sql.ts';
import { sqlUpstreams } from '../upstreams/upstreams-sql.ts';
import { sqlCredentials } from '../users/credentials-sql.ts';
import { type DigestKeys, noKeys, sqlDeletedIds } from '../users/deleted-ids-sql.ts';
import { sqlIdentities } from '../users/identities-sql.ts';
import { sqlImports } from '../users/imports-sql.ts';
import { sqlInactivity } from '../users/inactivity-sql.ts';
import { sqlUserAdministration } from '../users/invitations-sql.ts';
import { sqlNames } from '../users/names-sql.ts';
import { sqlPasswordless } from '../users/passwordless-sql.ts';
import { sqlSignUpLinks } from '../users/sign-up-links-sql.ts';
import { sqlStanding } from '../users/standing-sql.ts';
import { sqlUsers } from '../users/users-sql.ts';
import { sqlWaiting } from '../users/waiting-sql.ts';
import { sqlWebhookDeliveries } from '../webhooks/deliveries-sql.ts';
import { sqlWebhookEndpoints } from '../webhooks/endpoints-sql.ts';
import { sqlAssurance } from './assurance.ts';
import { typedDatabase } from './database.ts';
import { sqlEmailCodes } from './email-codes.ts';
import { sqlGrants } from './grants.ts';
import { sqlHousekeeping } from './housekeeping.ts';
import { sqlLinks } from './links.ts';
import { sqlSearch } from './lists/search.ts';
import { sqlMail } from './mail.ts';
import { sqlRecovery } from './recovery.ts';
import { sqlSecondFactors, sqlTrustedDevices } from './second-factors.ts';
import { sqlSessions } from './sessions.ts';
import { sqlThrottling } from './throttling.ts';

/** Without `keys`, no person can be deleted; what only reads the store has none. */
export function sqlStorage(driver: Driver, observer: DriverObserver = nobody, keys: DigestKeys = noKeys) {
  const database = typedDatabase(driver, observer);
  const deletedIds = sqlDeletedIds(database, keys);
  return {
    ...sqlUsers(database, deletedIds),
    ...sqlCredentials(database),
    ...sqlStanding(database),
    ...sqlWaiting(database, deletedIds),
    ...sqlInactivity(database),
    ...sqlPasswordless(database),
    ...sqlAttributes(database),
    ...sqlSessions(database),
    ...sqlTrustedDevices(database),
    ...sqlLinks(database),
    ...sqlEmailCodes(database),
    ...sqlSecondFactors(database),
    ...sqlRecovery(database),
    ...sqlAssurance(database),
    ...sqlClients(database),
    ...sqlClientList(database),
    ...sqlOwners(database),
    ...sqlPeopleWithAccess(database),
    ...sqlAccessOfPerson(database),
    ...sqlAccessRequests(database),
    ...sqlGroups(database),
    ...sqlMembers(database),
    ...sqlExpiry(database),
    ...sqlEnding(database),
    ...sqlLauncher(database),
    ...sqlOpenedClients(database),
    ...sqlRestoring(database),
    ...sqlGrants(database),
    ...sqlMail(database),
    ...sqlEvents(database),
    ...sqlApiKeys(database),
    ...sqlServiceKeys(database),
    ...sqlInstances(database),
    ...sqlSettings(database),
    ...sqlSearch(database),
    ...sqlUserAdministration(database),
    ...sqlSignUpLinks(database),
    ...sqlScimTokens(database),
    ...sqlImports(database, deletedIds),
    ...sqlImportGroups(database),
    ...sqlThrottling(database),
    ...sqlWebhookEndpoints(database),
    ...sqlWebhookDeliveries(database),
    ...sqlUpstreams(database),
    ...sqlIdentities(database, deletedIds),
    ...sqlNames(database),
    ...sqlProvisioned(database),
    ...sqlScimGroups(database),
    ...sqlScimUsers(database, deletedIds),
    ...sqlReviews(database),
    ...sqlReviewItems(database),
    ...sqlHousekeeping(database),
  };
}

/** The migrations in order; a file's number is its schema version. */
export function readMigrations(): Migration[] {
  const folder = new URL('../migrations/', import.meta.url);
  return readdirSync(folder)
    .filter((name) => /^\d{3}-.*\.sql$/.test(name))
    .sort()
    .map((file) => ({
      version: Number(file.slice(0, 3)),
      file,
      sql: readFileSync(new URL(file, folder), 'utf8'),
    }));
}
