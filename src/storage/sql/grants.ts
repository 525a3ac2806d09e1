// Authorization, grants and Connected apps. Whether a grant stands is always asked of the grant, its person and its
// client together, so that stopping either is one row.

import { lifetimes } from '../../protocol/oauth/grant.ts';
import { formatScopes, parseScopes } from '../../protocol/oauth/scope.ts';
import type { Driver, Statement } from '../driver.ts';
import type { GrantUse, NewGrant, Storage } from '../storage.ts';
import { insertEvent } from './events.ts';
import { columns, toClaimsSubject, toClient, toGrant, toSession, toUser } from './rows.ts';

type Grants = Pick<
  Storage,
  | 'findAuthorizationContext'
  | 'issueCode'
  | 'approve'
  | 'findClientAndGrant'
  | 'consumeCode'
  | 'endGrant'
  | 'findTokenHolder'
  | 'revokeAccessToken'
  | 'noteGrantUses'
  | 'listConnectedApps'
  | 'removeConnectedApp'
>;

const personStands = 'u.id = g.user_id AND u.generation = g.user_generation AND u.disabled_at IS NULL';
/** Asked once more at the exchange: a code can be issued by one instance while another removes the consent. */
const consentStands =
  'k.user_id = g.user_id AND k.client_id = g.client_id AND k.client_generation = g.client_generation';
const clientStands = 'c.id = g.client_id AND c.generation = g.client_generation AND c.revoked_at IS NULL';

export function sqlGrants(driver: Driver): Grants {
  return {
    async findAuthorizationContext(clientId, sessionDigest) {
      const sql = `SELECT ${columns.client}, ${columns.session}, ${columns.user}, k.scopes AS k_scopes FROM clients c
        LEFT JOIN sessions s ON s.digest = $2
        LEFT JOIN users u ON u.id = s.user_id AND u.generation = s.user_generation AND u.disabled_at IS NULL
        LEFT JOIN consents k ON k.user_id = u.id AND k.client_id = c.id AND k.client_generation = c.generation
        WHERE c.id = $1`;
      const [row] = await driver.read(sql, [clientId, sessionDigest ?? '']);
      if (row === undefined) return undefined;
      return {
        client: toClient(row),
        signedIn: row.u_id === null ? undefined : { session: toSession(row), user: toUser(row) },
        consentedScopes: row.k_scopes === null ? undefined : parseScopes(row.k_scopes as string),
      };
    },

    async issueCode(grant) {
      return (await driver.write([insertGrant(grant)])) !== undefined;
    },

    async approve(grant, scopes, now, event) {
      // Person and client as they are in `grant`: what was stopped meanwhile gets neither consent nor code.
      const remember = {
        sql: `INSERT INTO consents (user_id, client_id, client_generation, scopes, granted_at, last_used_at)
          SELECT u.id, c.id, c.generation, $5, CAST($6 AS BIGINT), CAST($6 AS BIGINT) FROM users u, clients c
          WHERE u.id = $1 AND u.generation = $2 AND u.disabled_at IS NULL
            AND c.id = $3 AND c.generation = $4 AND c.revoked_at IS NULL
          ON CONFLICT (user_id, client_id) DO UPDATE SET scopes = excluded.scopes,
            client_generation = excluded.client_generation, last_used_at = excluded.last_used_at, granted_at =
            CASE WHEN consents.client_generation = excluded.client_generation
              THEN consents.granted_at ELSE excluded.granted_at END
          RETURNING user_id`,
        params: [
          ...[grant.userId, grant.userGeneration, grant.clientId, grant.clientGeneration],
          ...[formatScopes(scopes), now],
        ],
        mustReturn: true,
      };
      return (await driver.write([remember, insertGrant(grant), insertEvent(event)])) !== undefined;
    },

    async findClientAndGrant(clientId, grantId) {
      const sql = `SELECT ${columns.client}, ${columns.grant},
          CASE WHEN u.id IS NOT NULL AND (g.client_id <> c.id OR (${clientStands})) THEN 1 ELSE 0 END AS parties_stand
        FROM clients c
        LEFT JOIN grants g ON g.id = $2
        LEFT JOIN users u ON ${personStands}
        WHERE c.id = $1`;
      const [row] = await driver.read(sql, [clientId, grantId ?? '']);
      return row && { client: toClient(row), grant: row.g_id === null ? undefined : toGrant(row) };
    },

    async consumeCode(consumption) {
      const sql = `UPDATE grants AS g SET exchanged_at = $3, last_used_at = $3, refresh_digest = $4, expires_at = $5,
          delete_after = $6
        WHERE g.id = $1 AND g.code_digest = $2 AND g.exchanged_at IS NULL AND g.ended_at IS NULL
          AND g.code_expires_at > $3
          AND EXISTS (SELECT 1 FROM users u WHERE ${personStands})
          AND EXISTS (SELECT 1 FROM clients c WHERE ${clientStands})
          AND EXISTS (SELECT 1 FROM consents k WHERE ${consentStands})
        RETURNING id`;
      const { grantId, codeDigest, now, refreshDigest, expiresAt, deleteAfter } = consumption;
      const params = [grantId, codeDigest, now, refreshDigest, expiresAt, deleteAfter];
      return (await driver.write([{ sql, params, mustReturn: true }])) !== undefined;
    },

    async endGrant(grantId, now, event) {
      const sql = `UPDATE grants SET ended_at = $2, delete_after = $3
        WHERE id = $1 AND ended_at IS NULL RETURNING id`;
      const end = { sql, params: [grantId, now, now + lifetimes.afterlife], mustReturn: true };
      return (await driver.write([end, insertEvent(event)])) !== undefined;
    },

    async findTokenHolder(grantId, tokenId) {
      const sql = `SELECT ${columns.person}, c.scopes AS c_scopes, g.last_used_at AS g_last_used_at FROM grants g
        JOIN users u ON ${personStands}
        JOIN clients c ON ${clientStands}
        WHERE g.id = $1 AND g.ended_at IS NULL AND g.exchanged_at IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM revoked_tokens r WHERE r.token_id = $2)`;
      const [row] = await driver.read(sql, [grantId, tokenId]);
      if (row === undefined) return undefined;
      const clientScopes = parseScopes(row.c_scopes as string);
      return { user: toClaimsSubject(row), clientScopes, lastUsedAt: row.g_last_used_at as number | null };
    },

    async revokeAccessToken(tokenId, deleteAfter, event) {
      const sql = `INSERT INTO revoked_tokens (token_id, delete_after) VALUES ($1, $2)
        ON CONFLICT (token_id) DO NOTHING RETURNING token_id`;
      await driver.write([{ sql, params: [tokenId, deleteAfter], mustReturn: true }, insertEvent(event)]);
    },

    async noteGrantUses(uses) {
      const noteGrant = `UPDATE grants SET last_used_at = $2
        WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)`;
      const noteConsent = `UPDATE consents SET last_used_at = $3
        WHERE user_id = $1 AND client_id = $2 AND last_used_at < $3`;
      const noteActive = `UPDATE users SET last_active_at = $2
        WHERE id = $1 AND (last_active_at IS NULL OR last_active_at < $2)`;
      // Row after row in one order everywhere, so that two instances noting the same never wait for each other.
      const by = (key: (use: GrantUse) => string) => uses.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
      await driver.write([
        ...by((use) => use.grantId).map((use) => ({ sql: noteGrant, params: [use.grantId, use.at] })),
        ...by((use) => `${use.userId} ${use.clientId}`).map((use) => ({
          sql: noteConsent,
          params: [use.userId, use.clientId, use.at],
        })),
        ...by((use) => use.userId).map((use) => ({ sql: noteActive, params: [use.userId, use.at] })),
      ]);
    },

    async listConnectedApps(userId) {
      const sql = `SELECT ${columns.client}, k.scopes AS k_scopes, k.granted_at, k.last_used_at FROM consents k
        JOIN clients c ON c.id = k.client_id AND c.generation = k.client_generation AND c.revoked_at IS NULL
        WHERE k.user_id = $1 ORDER BY k.last_used_at DESC, c.id`;
      const rows = await driver.read(sql, [userId]);
      return rows.map((row) => ({
        client: toClient(row),
        scopes: parseScopes(row.k_scopes as string),
        grantedAt: row.granted_at as number,
        lastUsedAt: row.last_used_at as number,
      }));
    },

    async removeConnectedApp(userId, clientId, now, event) {
      const forget = {
        sql: 'DELETE FROM consents WHERE user_id = $1 AND client_id = $2 RETURNING client_id',
        params: [userId, clientId],
        mustReturn: true,
      };
      const end = {
        sql: `UPDATE grants SET ended_at = $3, delete_after = $4
          WHERE user_id = $1 AND client_id = $2 AND ended_at IS NULL`,
        params: [userId, clientId, now, now + lifetimes.afterlife],
      };
      return (await driver.write([forget, end, insertEvent(event)])) !== undefined;
    },
  };
}

/** A grant can begin only under a remembered consent of a person and client that stand: no code outlives a removal. */
function insertGrant(grant: NewGrant): Statement {
  const sql = `
    INSERT INTO grants (id, user_id, user_generation, client_id, client_generation, scopes, redirect_uri, code_challenge,
      nonce, auth_time, amr, code_digest, code_expires_at, delete_after)
    SELECT $1, u.id, u.generation, c.id, k.client_generation, $6, $7, $8, $9, CAST($10 AS BIGINT),
      $11, $12, CAST($13 AS BIGINT), CAST($14 AS BIGINT)
    FROM consents k
    JOIN users u ON u.id = k.user_id AND u.generation = $3 AND u.disabled_at IS NULL
    JOIN clients c ON c.id = k.client_id AND c.generation = k.client_generation AND c.revoked_at IS NULL
    WHERE k.user_id = $2 AND k.client_id = $4 AND k.client_generation = $5
    RETURNING id`;
  const params = [
    ...[grant.id, grant.userId, grant.userGeneration, grant.clientId, grant.clientGeneration],
    ...[formatScopes(grant.scopes), grant.redirectUri, grant.codeChallenge, grant.nonce, grant.authTime],
    ...[
      grant.amr.join(' '),
      grant.codeDigest,
      grant.codeExpiresAt,
      grant.codeExpiresAt + lifetimes.unusedCodeAfterlife,
    ],
  ];
  return { sql, params, mustReturn: true };
}
