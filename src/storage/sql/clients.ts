// Clients, their secrets and their logos.

import { clientLinkNames } from '../../protocol/oauth/client-links.ts';
import { formatScopes } from '../../protocol/oauth/scope.ts';
import type { Statement } from '../driver.ts';
import type { Client, ClientChange, Logo } from '../records.ts';
import { clients, logos, type StoredRow } from '../schema.ts';
import type { Clients } from '../storage.ts';
import { forgetClient, switchAccess } from './access/client-list.ts';
import { nextChange } from './access/conditions.ts';
import type { Database } from './database.ts';
import { insertEvent } from './events.ts';
import { forgetWords, setClientWords } from './lists/words.ts';
import { columnsExcept, computed, insertInto, replaceIn, required, select } from './query.ts';
import { clientColumns, fromLogo, toClient, toLogo } from './rows.ts';
import { everyoneLosesAccess, grantsOfClientEnd } from './webhooks/ended-grants.ts';
import { endpointsOutliveClient } from './webhooks/endpoints.ts';

const byId = select([clientColumns], 'FROM clients c WHERE c.id = $1');
const oldestFirst = select([clientColumns], 'FROM clients c ORDER BY c.created_at, c.id');
const connectedUsers = select(
  [computed<{ n: number }>('COUNT(*) AS n')],
  `FROM clients c JOIN consents k ON k.client_id = c.id AND k.client_generation = c.generation WHERE c.id = $1`,
);
const logoOf = select([columnsExcept(logos, 'client_id')], 'FROM logos i WHERE i.client_id = $1 AND i.version = $2');
const insertRow = insertInto(clients);
const replaceLogo = replaceIn(logos);
const noteUse = (['secret', 'old_secret'] as const).map(
  (secret) => `UPDATE clients SET ${secret}_used_at = $3
    WHERE id = $1 AND ${secret}_digest = $2 AND (${secret}_used_at IS NULL OR ${secret}_used_at < $3)`,
);

export function sqlClients(database: Database): Clients {
  return {
    async createClient(client, logo, event) {
      await database.write([
        insertRow(fromClient({ ...client, logoVersion: logo?.version ?? null })),
        ...setClientWords(client.id, client),
        ...setLogo(client.id, logo),
        ...insertEvent(event),
      ]);
    },

    async findClient(clientId) {
      const [row] = await database.read(byId, [clientId]);
      return row && toClient(row);
    },

    async listClients() {
      return (await database.read(oldestFirst, [])).map(toClient);
    },

    updateClient(basis, change, now, event) {
      const update = required(
        `UPDATE clients SET name = COALESCE($2, name), redirect_uris = COALESCE($3, redirect_uris),
          scopes = COALESCE($4, scopes), updated_at = $5,
          post_logout_redirect_uris = COALESCE($8, post_logout_redirect_uris), second_factor = COALESCE($9, second_factor)
          WHERE id = $1 AND redirect_uris = $6 AND is_public = $7 AND post_logout_redirect_uris = $10 RETURNING id`,
        [
          basis.id,
          change.name ?? null,
          change.redirectUris ? JSON.stringify(change.redirectUris) : null,
          change.scopes ? formatScopes(change.scopes) : null,
          now,
          JSON.stringify(basis.redirectUris),
          basis.isPublic ? 1 : 0,
          change.postLogoutRedirectUris ? JSON.stringify(change.postLogoutRedirectUris) : null,
          change.secondFactor ?? null,
          JSON.stringify(basis.postLogoutRedirectUris),
        ],
      );
      return database.write([
        ...(change.access === undefined ? [] : [nextChange]),
        update,
        ...(change.access === undefined ? [] : switchAccess(basis.id, change.access)),
        ...(change.type === undefined ? [] : [changeType(basis.id, change.type, now)]),
        ...setLogo(basis.id, change.logo),
        ...setLinks(basis.id, change.links),
        ...setUpstream(basis.id, change.upstream),
        ...setClientWords(basis.id, change),
        ...insertEvent(event),
        ...(change.access === 'listed' ? [everyoneLosesAccess(event, basis.id)] : []),
      ]);
    },

    rotateClientSecret(clientId, secretDigest, now, event) {
      const rotate = required(
        `UPDATE clients SET old_secret_digest = secret_digest, old_secret_created_at = secret_created_at,
          old_secret_used_at = secret_used_at, secret_digest = $2, secret_created_at = $3, secret_used_at = NULL,
          updated_at = $3 WHERE id = $1 AND is_public = 0 RETURNING id`,
        [clientId, secretDigest, now],
      );
      return database.write([rotate, ...insertEvent(event)]);
    },

    retireOldSecret(clientId, now, event) {
      const retire = required(
        `UPDATE clients SET old_secret_digest = NULL, old_secret_created_at = NULL, old_secret_used_at = NULL,
          updated_at = $2 WHERE id = $1 AND old_secret_digest IS NOT NULL RETURNING id`,
        [clientId, now],
      );
      return database.write([retire, ...insertEvent(event)]);
    },

    async noteSecretUses(uses) {
      // In a fixed order, so that two instances that update the same clients don't deadlock.
      const ordered = uses.toSorted((a, b) => (a.clientId < b.clientId ? -1 : 1));
      await database.write(
        ordered.flatMap(({ clientId, digest, at }) => noteUse.map((sql) => ({ sql, params: [clientId, digest, at] }))),
      );
    },

    async countConnectedUsers(clientId) {
      const [row] = await database.read(connectedUsers, [clientId]);
      return row?.n ?? 0;
    },

    revokeClient(clientId, now, event) {
      const revoke = required(
        `UPDATE clients SET revoked_at = $2, generation = generation + 1, updated_at = $2
          WHERE id = $1 AND revoked_at IS NULL RETURNING id`,
        [clientId, now],
      );
      return database.write([grantsOfClientEnd(event, clientId), revoke, ...insertEvent(event)]);
    },

    restoreClient(clientId, now, event) {
      const restore = required(
        `UPDATE clients SET revoked_at = NULL, updated_at = $2
          WHERE id = $1 AND revoked_at IS NOT NULL RETURNING id`,
        [clientId, now],
      );
      return database.write([restore, ...insertEvent(event)]);
    },

    deleteClient(clientId, event) {
      // Its grants are void without it, and the sweep deletes them later.
      return database.write([
        nextChange,
        grantsOfClientEnd(event, clientId),
        required('DELETE FROM clients WHERE id = $1 RETURNING id', [clientId]),
        { sql: forgetClient, params: [clientId] },
        { sql: 'DELETE FROM logos WHERE client_id = $1', params: [clientId] },
        { sql: 'DELETE FROM consents WHERE client_id = $1', params: [clientId] },
        forgetWords('client', clientId),
        endpointsOutliveClient(clientId),
        ...insertEvent(event),
      ]);
    },

    async findLogo(clientId, version) {
      const [row] = await database.read(logoOf, [clientId, version]);
      return row && toLogo(row);
    },
  };
}

function fromClient(client: Client): StoredRow<typeof clients> {
  const [secret, oldSecret] = client.secrets;
  return {
    id: client.id,
    name: client.name,
    is_public: client.isPublic ? 1 : 0,
    redirect_uris: JSON.stringify(client.redirectUris),
    scopes: formatScopes(client.scopes),
    secret_digest: secret?.digest ?? null,
    secret_created_at: secret?.createdAt ?? null,
    old_secret_digest: oldSecret?.digest ?? null,
    old_secret_created_at: oldSecret?.createdAt ?? null,
    logo_version: client.logoVersion,
    revoked_at: client.revokedAt,
    generation: client.generation,
    created_at: client.createdAt,
    updated_at: client.updatedAt,
    secret_used_at: secret?.usedAt ?? null,
    old_secret_used_at: oldSecret?.usedAt ?? null,
    post_logout_redirect_uris: JSON.stringify(client.postLogoutRedirectUris),
    second_factor: client.secondFactor,
    access: client.access,
    was_listed: client.access === 'listed' ? 1 : 0,
    ...client.links,
    upstream: client.upstream,
  };
}

/** A public client has no secret; one that becomes confidential has the given secret and no other. */
function changeType(clientId: string, type: NonNullable<ClientChange['type']>, now: number): Statement {
  const digest = type.kind === 'confidential' ? type.secretDigest : null;
  return {
    sql: `UPDATE clients SET is_public = $2, secret_digest = $3, secret_created_at = $4, secret_used_at = NULL,
      old_secret_digest = NULL, old_secret_created_at = NULL, old_secret_used_at = NULL WHERE id = $1`,
    params: [clientId, digest === null ? 1 : 0, digest, digest === null ? null : now],
  };
}

function setUpstream(clientId: string, upstream: string | null | undefined): Statement[] {
  if (upstream === undefined) return [];
  return [{ sql: 'UPDATE clients SET upstream = $2 WHERE id = $1', params: [clientId, upstream] }];
}

function setLinks(clientId: string, links: ClientChange['links'] = {}): Statement[] {
  return clientLinkNames.flatMap((name) => {
    const url = links[name];
    return url === undefined ? [] : [{ sql: `UPDATE clients SET ${name} = $2 WHERE id = $1`, params: [clientId, url] }];
  });
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
