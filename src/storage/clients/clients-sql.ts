// Clients, their secrets and their logos.

import { mostCounted, totalOf } from '../../protocol/admin/totals.ts';
import type { EventRecord } from '../../protocol/event.ts';
import type { ApplicationClaim } from '../../protocol/oauth/application-claims.ts';
import { groupsIn, newClaims } from '../../protocol/oauth/claim-references.ts';
import { useInClaims } from '../attributes/attributes-sql.ts';
import type { Statement } from '../driver.ts';
import { lasting, nextChange } from '../groups/access-conditions.ts';
import { noneExpired } from '../groups/expiry-sql.ts';
import type { Client, ClientChange, Logo } from '../records.ts';
import { clients, logos, type StoredRow } from '../schema.ts';
import type { Database } from '../sql/database.ts';
import { forgetWords, setClientWords } from '../sql/lists/words.ts';
import { columnsExcept, countOf, insertInto, replaceIn, required, select } from '../sql/query.ts';
import { clientColumns, clientRows, fromLogo, storedLastFour, toClient, toLogo } from '../sql/rows.ts';
import { everyoneLosesAccess, grantsOfClientEnd } from '../webhooks/ended-grants.ts';
import { endpointsOutliveClient } from '../webhooks/endpoints-sql.ts';
import { forgetLogoutEndpoint, setLogoutEndpoint } from '../webhooks/logout-endpoints.ts';
import { insertEvent } from '../webhooks/outbox-sql.ts';
import { forgetClient, switchAccess } from './access-list-sql.ts';
import { forgetRequests } from './access-requests-sql.ts';
import type { NewClientSecret, SecretUse } from './client-secret.ts';

const byId = select([clientColumns], 'FROM clients c WHERE c.id = $1');
const oldestFirst = select([clientColumns], 'FROM clients c ORDER BY c.created_at, c.id');
const connectedUsers = countOf(
  `FROM (SELECT 1 AS one FROM clients c JOIN consents k ON k.client_id = c.id AND k.client_generation = c.generation
    WHERE c.id = $1 LIMIT ${mostCounted + 1}) AS counted`,
);
const logoOf = select([columnsExcept(logos, 'client_id')], 'FROM logos i WHERE i.client_id = $1 AND i.version = $2');
const touch = 'UPDATE clients SET updated_at = $3 WHERE id = $1 AND updated_at = $2 RETURNING id';
const touchClaims = touch.replace('RETURNING', 'AND claims = $4 RETURNING');
const insertRow = insertInto(clients);
const replaceLogo = replaceIn(logos);
const eachSecret = ['secret', 'old_secret'] as const;
const noteUse = eachSecret.map(
  (secret) => `UPDATE clients SET ${secret}_used_at = $3
    WHERE id = $1 AND ${secret}_digest = $2 AND (${secret}_used_at IS NULL OR ${secret}_used_at < $3)`,
);
const keepStates = eachSecret.map(
  (secret) => `UPDATE clients SET ${secret}_states = $3
    WHERE id = $1 AND ${secret}_digest = $2 AND backchannel_logout_uri IS NOT NULL AND ${secret}_states IS NULL`,
);
const dropStates = eachSecret.map(
  (secret) => `UPDATE clients SET ${secret}_states = NULL WHERE id = $1 AND ${secret}_states = $2`,
);

export function sqlClients(database: Database) {
  return {
    /** False when something that its claims refer to isn't what it was. A StorageConflict if there is one with this ID. */
    createClient(client: Client, logo: Logo | undefined, event: EventRecord) {
      return database.writeWith(event, [
        ...referencesStay(client.claims),
        insertRow(fromClient({ ...client, logoVersion: logo?.version ?? null })),
        ...setClientWords(client.id, client),
        ...setLogo(client.id, logo),
        ...(client.backchannelLogoutUri === null
          ? []
          : setLogoutEndpoint(client.id, client.backchannelLogoutUri, client.createdAt)),
      ]);
    },

    findClient: (clientId: string) => database.first(byId, [clientId], toClient),

    /** Oldest first. */
    listClients: () => database.list(oldestFirst, [], toClient),

    /**
     * Changes what is given and leaves the rest. False when the client is not, or no longer, as `basis` says, or when
     * something that new claims refer to isn't what it was. Neither can it be opened to everyone while an end isn't written
     * (expiry-sql.ts).
     */
    updateClient(
      basis: Pick<Client, 'id' | 'updatedAt' | 'claims'>,
      change: ClientChange,
      now: number,
      event: EventRecord,
    ) {
      const { logo, isPublic, access, newSecret, ...values } = change;
      const key = [basis.id, basis.updatedAt, Math.max(now, basis.updatedAt + 1)];
      // A group that is renamed or deleted changes claims, but nothing else about a client.
      const update =
        change.claims === undefined
          ? required(touch, key)
          : required(touchClaims, [...key, clientRows.encodeGiven({ claims: basis.claims }).claims ?? '']);
      return database.write([
        ...(access === undefined ? [] : [nextChange]),
        ...(access === 'everyone' ? [noneExpired(now)] : []),
        ...referencesStay(change.claims, basis.claims),
        update,
        ...clientRows.set(basis.id, values),
        ...(access === undefined ? [] : switchAccess(basis.id, access, now)),
        ...(isPublic === undefined ? [] : [changeType(basis.id, newSecret, now)]),
        ...setLogo(basis.id, logo),
        ...setClientWords(basis.id, change),
        ...changeLogout(basis.id, values.backchannelLogoutUri, now),
        ...insertEvent(event),
        ...(access === 'listed' ? everyoneLosesAccess(event, basis.id) : []),
      ]);
    },

    /** The new secret works at once, the newest of the earlier ones stays valid, an older one stops working. */
    rotateClientSecret(clientId: string, secret: NewClientSecret, now: number, event: EventRecord) {
      const rotate = required(
        `UPDATE clients SET old_secret_digest = secret_digest, old_secret_created_at = secret_created_at,
          old_secret_used_at = secret_used_at, old_secret_states = secret_states,
          old_secret_last_four = secret_last_four, secret_digest = $2, secret_created_at = $3, secret_used_at = NULL,
          secret_states = NULL, secret_last_four = $4, updated_at = $3 WHERE id = $1 AND is_public = 0 RETURNING id`,
        [clientId, secret.digest, now, storedLastFour(secret)],
      );
      return database.writeWith(event, [rotate]);
    },

    /** False when there is only one secret. */
    retireOldSecret(clientId: string, now: number, event: EventRecord) {
      const retire = required(
        `UPDATE clients SET old_secret_digest = NULL, old_secret_created_at = NULL, old_secret_used_at = NULL,
          old_secret_states = NULL, old_secret_last_four = NULL, updated_at = $2 WHERE id = $1 AND old_secret_digest IS NOT NULL RETURNING id`,
        [clientId, now],
      );
      return database.writeWith(event, [retire]);
    },

    async noteSecretUses(uses: readonly SecretUse[]) {
      // In a fixed order, so that two instances that update the same clients don't deadlock.
      const ordered = uses.toSorted((a, b) => (a.clientId < b.clientId ? -1 : 1));
      await database.write(
        ordered.flatMap(({ clientId, digest, at }) => noteUse.map((sql) => ({ sql, params: [clientId, digest, at] }))),
      );
    },

    /** Keeps them beside this secret, if it has none yet, while the client has back-channel logout. */
    async keepSecretStates(clientId: string, digest: string, sealedStates: string) {
      await database.write(keepStates.map((sql) => ({ sql, params: [clientId, digest, sealedStates] })));
    },

    /** Of a secret that the client has no longer, or sealed with a lost key: the next presentation makes others. */
    async dropSecretStates(clientId: string, sealedStates: string) {
      await database.write(dropStates.map((sql) => ({ sql, params: [clientId, sealedStates] })));
    },

    /** The number of users with an active consent for the client. */
    countConnectedUsers: async (clientId: string) => totalOf(await database.count(connectedUsers, [clientId])),

    /** Ends every code, token and consent of the client. False when revoked already or unknown. */
    revokeClient(clientId: string, now: number, event: EventRecord) {
      const revoke = required(
        `UPDATE clients SET revoked_at = $2, generation = generation + 1, updated_at = $2
          WHERE id = $1 AND revoked_at IS NULL RETURNING id`,
        [clientId, now],
      );
      return database.writeWith(event, [grantsOfClientEnd(event, clientId), revoke]);
    },

    /** Revives no token and no consent. False when not revoked or unknown. */
    restoreClient(clientId: string, now: number, event: EventRecord) {
      const restore = required(
        `UPDATE clients SET revoked_at = NULL, updated_at = $2
          WHERE id = $1 AND revoked_at IS NOT NULL RETURNING id`,
        [clientId, now],
      );
      return database.writeWith(event, [restore]);
    },

    deleteClient(clientId: string, event: EventRecord) {
      // Its grants are void without it, and the sweep deletes them later.
      return database.writeWith(event, [
        nextChange,
        grantsOfClientEnd(event, clientId),
        required('DELETE FROM clients WHERE id = $1 RETURNING id', [clientId]),
        { sql: forgetClient, params: [clientId] },
        { sql: forgetRequests, params: [clientId] },
        { sql: 'DELETE FROM logos WHERE client_id = $1', params: [clientId] },
        { sql: 'DELETE FROM consents WHERE client_id = $1', params: [clientId] },
        forgetWords('client', clientId),
        ...forgetLogoutEndpoint(clientId),
        endpointsOutliveClient(clientId, event.at),
      ]);
    },

    findLogo: (clientId: string, version: string) => database.first(logoOf, [clientId, version], toLogo),
  };
}

function fromClient(client: Client): StoredRow<typeof clients> {
  const [secret, oldSecret] = client.secrets;
  return {
    ...clientRows.encode(client),
    secret_digest: secret?.digest ?? null,
    secret_created_at: secret?.createdAt ?? null,
    old_secret_digest: oldSecret?.digest ?? null,
    old_secret_created_at: oldSecret?.createdAt ?? null,
    secret_used_at: secret?.usedAt ?? null,
    old_secret_used_at: oldSecret?.usedAt ?? null,
    secret_states: secret?.sealedStates ?? null,
    old_secret_states: oldSecret?.sealedStates ?? null,
    secret_last_four: secret === undefined ? null : storedLastFour(secret),
    old_secret_last_four: oldSecret === undefined ? null : storedLastFour(oldSecret),
    was_listed: client.access === 'listed' ? 1 : 0,
  };
}

/** A public client has no secret; one that becomes confidential has the given secret and no other. */
function changeType(clientId: string, secret: NewClientSecret | undefined, now: number): Statement {
  const digest = secret?.digest ?? null;
  return {
    sql: `UPDATE clients SET is_public = $2, secret_digest = $3, secret_created_at = $4, secret_used_at = NULL,
      old_secret_digest = NULL, old_secret_created_at = NULL, old_secret_used_at = NULL, secret_states = NULL,
      old_secret_states = NULL, secret_last_four = $5, old_secret_last_four = NULL WHERE id = $1`,
    params: [
      clientId,
      digest === null ? 1 : 0,
      digest,
      digest === null ? null : now,
      secret === undefined ? null : storedLastFour(secret),
    ],
  };
}

/** Undefined leaves it unchanged. What signs logout tokens is kept only while there are any. */
function changeLogout(clientId: string, uri: string | null | undefined, now: number): Statement[] {
  if (uri === undefined) return [];
  if (uri !== null) return setLogoutEndpoint(clientId, uri, now);
  const sql = 'UPDATE clients SET secret_states = NULL, old_secret_states = NULL WHERE id = $1';
  return [{ sql, params: [clientId] }, ...forgetLogoutEndpoint(clientId)];
}

/** Undefined leaves the logo unchanged. */
function setLogo(clientId: string, logo: Logo | null | undefined): Statement[] {
  if (logo === undefined) return [];
  const note = {
    sql: 'UPDATE clients SET logo_version = $2 WHERE id = $1',
    params: [clientId, logo?.version ?? null],
  };
  if (logo === null) return [note, { sql: 'DELETE FROM logos WHERE client_id = $1', params: [clientId] }];
  return [note, replaceLogo({ client_id: clientId, ...fromLogo(logo) })];
}

const groupStays = `UPDATE groups SET updated_at = updated_at
  WHERE id = $1 AND name = $2 AND ended_by = ${lasting} RETURNING id`;

/**
 * For a write that changes claims, before anything that locks a client's row: it waits for a change of these groups and
 * attributes that is under way, and such a change waits for it. What the client had before in the same form isn't looked at.
 */
export function referencesStay(
  claims: readonly ApplicationClaim[] = [],
  before: readonly ApplicationClaim[] = [],
): Statement[] {
  const added = newClaims(claims, before);
  // In a fixed order, so that two of these don't deadlock.
  return [
    ...groupsIn(added)
      .filter(({ deleted }) => !deleted)
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .map(({ id, name }) => required(groupStays, [id, name])),
    ...useInClaims(added),
  ];
}
