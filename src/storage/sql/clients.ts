// Applications, their secrets and their logos.

import { formatScopes } from '../../protocol/oauth/scope.ts';
import type { Driver, Statement } from '../driver.ts';
import type { ClientChange, Logo, Storage } from '../storage.ts';
import { insertEvent } from './events.ts';
import { columns, toClient } from './rows.ts';
import { forgetWords, setClientWords } from './search.ts';

type Clients = Pick<
  Storage,
  | 'createClient'
  | 'findClient'
  | 'listClients'
  | 'updateClient'
  | 'rotateClientSecret'
  | 'retireOldSecret'
  | 'noteSecretUses'
  | 'countConnectedUsers'
  | 'revokeClient'
  | 'restoreClient'
  | 'deleteClient'
  | 'findLogo'
>;

export function sqlClients(driver: Driver): Clients {
  return {
    async createClient(client, logo, event) {
      const sql = `
        INSERT INTO clients (id, name, is_public, redirect_uris, scopes, secret_digest, secret_created_at,
          old_secret_digest, old_secret_created_at, logo_version, revoked_at, generation, created_at, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`;
      const [secret, oldSecret] = client.secrets;
      const params = [
        ...[client.id, client.name, client.isPublic ? 1 : 0, JSON.stringify(client.redirectUris)],
        ...[formatScopes(client.scopes), secret?.digest ?? null, secret?.createdAt ?? null],
        ...[oldSecret?.digest ?? null, oldSecret?.createdAt ?? null, logo?.version ?? null, client.revokedAt],
        ...[client.generation, client.createdAt, client.updatedAt],
      ];
      const words = setClientWords(client.id, client);
      await driver.write([{ sql, params }, ...words, ...setLogo(client.id, logo), insertEvent(event)]);
    },

    async findClient(clientId) {
      const [row] = await driver.read(`SELECT ${columns.client} FROM clients c WHERE c.id = $1`, [clientId]);
      return row && toClient(row);
    },

    async listClients() {
      const rows = await driver.read(`SELECT ${columns.client} FROM clients c ORDER BY c.created_at, c.id`, []);
      return rows.map(toClient);
    },

    async updateClient({ id: clientId, redirectUris, isPublic }, change, now, event) {
      const sql = `UPDATE clients SET name = COALESCE($2, name), redirect_uris = COALESCE($3, redirect_uris),
        scopes = COALESCE($4, scopes), updated_at = $5
        WHERE id = $1 AND redirect_uris = $6 AND is_public = $7 RETURNING id`;
      const params = [
        ...[clientId, change.name ?? null, change.redirectUris ? JSON.stringify(change.redirectUris) : null],
        ...[change.scopes ? formatScopes(change.scopes) : null, now, JSON.stringify(redirectUris), isPublic ? 1 : 0],
      ];
      const type = change.type === undefined ? [] : [changeType(clientId, change.type, now)];
      const statements = [{ sql, params, mustReturn: true }, ...type, ...setLogo(clientId, change.logo)];
      return (
        (await driver.write([...statements, ...setClientWords(clientId, change), insertEvent(event)])) !== undefined
      );
    },

    async rotateClientSecret(clientId, secretDigest, now, event) {
      const sql = `UPDATE clients SET old_secret_digest = secret_digest, old_secret_created_at = secret_created_at,
        old_secret_used_at = secret_used_at, secret_digest = $2, secret_created_at = $3, secret_used_at = NULL,
        updated_at = $3 WHERE id = $1 AND is_public = 0 RETURNING id`;
      const rotate = { sql, params: [clientId, secretDigest, now], mustReturn: true };
      return (await driver.write([rotate, insertEvent(event)])) !== undefined;
    },

    async retireOldSecret(clientId, now, event) {
      const sql = `UPDATE clients SET old_secret_digest = NULL, old_secret_created_at = NULL, old_secret_used_at = NULL,
        updated_at = $2 WHERE id = $1 AND old_secret_digest IS NOT NULL RETURNING id`;
      const retire = { sql, params: [clientId, now], mustReturn: true };
      return (await driver.write([retire, insertEvent(event)])) !== undefined;
    },

    async noteSecretUses(uses) {
      const note = (secret: string) => `UPDATE clients SET ${secret}_used_at = $3
        WHERE id = $1 AND ${secret}_digest = $2 AND (${secret}_used_at IS NULL OR ${secret}_used_at < $3)`;
      // In one order everywhere, so that two instances noting the same clients never wait for each other.
      const ordered = uses.toSorted((a, b) => (a.clientId < b.clientId ? -1 : 1));
      await driver.write(
        ordered.flatMap(({ clientId, digest, at }) =>
          ['secret', 'old_secret'].map((secret) => ({ sql: note(secret), params: [clientId, digest, at] })),
        ),
      );
    },

    async countConnectedUsers(clientId) {
      const sql = `SELECT COUNT(*) AS n FROM clients c
        JOIN consents k ON k.client_id = c.id AND k.client_generation = c.generation WHERE c.id = $1`;
      return Number((await driver.read(sql, [clientId]))[0]?.n ?? 0);
    },

    async revokeClient(clientId, now, event) {
      const sql = `UPDATE clients SET revoked_at = $2, generation = generation + 1, updated_at = $2
        WHERE id = $1 AND revoked_at IS NULL RETURNING id`;
      const done = await driver.write([{ sql, params: [clientId, now], mustReturn: true }, insertEvent(event)]);
      return done !== undefined;
    },

    async restoreClient(clientId, now, event) {
      const sql = `UPDATE clients SET revoked_at = NULL, updated_at = $2
        WHERE id = $1 AND revoked_at IS NOT NULL RETURNING id`;
      const done = await driver.write([{ sql, params: [clientId, now], mustReturn: true }, insertEvent(event)]);
      return done !== undefined;
    },

    async deleteClient(clientId, event) {
      // Its grants are void without it, and swept in their time.
      const done = await driver.write([
        { sql: 'DELETE FROM clients WHERE id = $1 RETURNING id', params: [clientId], mustReturn: true },
        { sql: 'DELETE FROM logos WHERE client_id = $1', params: [clientId] },
        { sql: 'DELETE FROM consents WHERE client_id = $1', params: [clientId] },
        forgetWords('client', clientId),
        insertEvent(event),
      ]);
      return done !== undefined;
    },

    async findLogo(clientId, version) {
      const sql = 'SELECT version, content_type, bytes FROM logos WHERE client_id = $1 AND version = $2';
      const [row] = await driver.read(sql, [clientId, version]);
      return row && ({ version: row.version, contentType: row.content_type, bytes: row.bytes } as Logo);
    },
  };
}

/** A public client has no secret; one that becomes confidential has the one that is given, and no other. */
function changeType(clientId: string, type: NonNullable<ClientChange['type']>, now: number): Statement {
  const digest = type.kind === 'confidential' ? type.secretDigest : null;
  return {
    sql: `UPDATE clients SET is_public = $2, secret_digest = $3, secret_created_at = $4, secret_used_at = NULL,
      old_secret_digest = NULL, old_secret_created_at = NULL, old_secret_used_at = NULL WHERE id = $1`,
    params: [clientId, digest === null ? 1 : 0, digest, digest === null ? null : now],
  };
}

function setLogo(clientId: string, logo: Logo | null | undefined): Statement[] {
  if (logo === undefined) return [];
  const note = {
    sql: 'UPDATE clients SET logo_version = $2 WHERE id = $1',
    params: [clientId, logo?.version ?? null],
  };
  if (logo === null) return [note, { sql: 'DELETE FROM logos WHERE client_id = $1', params: [clientId] }];
  const store = {
    sql: `INSERT INTO logos (client_id, version, content_type, bytes) VALUES ($1, $2, $3, $4)
      ON CONFLICT (client_id) DO UPDATE SET version = excluded.version, content_type = excluded.content_type,
      bytes = excluded.bytes`,
    params: [clientId, logo.version, logo.contentType, logo.bytes],
  };
  return [note, store];
}
