// Authorization, grants and connected apps. Whether a grant is valid is always asked of the grant, its user and its
// client together, so that disabling a user or revoking a client is a change to one row.

import type { EventRecord } from '../../protocol/event.ts';
import { lifetimes } from '../../protocol/oauth/grant.ts';
import type { Scope } from '../../protocol/oauth/scope.ts';
import { formatScopes, parseScopes } from '../../protocol/oauth/scope.ts';
import type { Engine, Statement } from '../driver.ts';
import { access, isInForce, lastChange } from '../groups/access-conditions.ts';
import type { CodeConsumption, GrantUse, NewGrant } from '../records.ts';
import { clients, consents, grants, revokedTokens, sessions, users } from '../schema.ts';
import { grantHasEnded, grantsOfPairEnd } from '../webhooks/ended-grants.ts';
import { insertEvent } from '../webhooks/outbox-sql.ts';
import { claimFacts, idTokenClaimFacts, toGrantClaims } from './claim-facts.ts';
import type { Database } from './database.ts';
import {
  batchOf,
  columns,
  computed,
  type InsertSource,
  insertInto,
  insertNew,
  insertWhere,
  optional,
  perEngine,
  required,
  type Selection,
  select,
} from './query.ts';
import { pickedColumns, recordColumns } from './record-columns.ts';
import {
  claimsColumns,
  clientColumns,
  grantColumns,
  refreshableColumns,
  sessionColumns,
  toClaimsSubject,
  toClient,
  toGrant,
  tokenClientColumns,
  toRefreshable,
  toSession,
  toTokenClient,
  toUser,
  userColumns,
} from './rows.ts';

/** Someone who can sign in at a time, which is given as an expression. */
const isActive = (at: string) => `u.disabled_at IS NULL AND ${isInForce('u', at)}`;
const userIsActive = (at: string) => `u.id = g.user_id AND u.generation = g.user_generation AND ${isActive(at)}`;
const clientIsActive = 'c.id = g.client_id AND c.generation = g.client_generation AND c.revoked_at IS NULL';
/** The sum keeps a server that knows nothing about its tables yet from looking a consent up by its client, which has many. */
const consentIsActive =
  'k.user_id = g.user_id AND k.client_id = g.client_id AND k.client_generation + 0 = g.client_generation';
/** The offset keeps a server from reading all rows, and from beginning with them. */
const lookedUp = 'LIMIT 1 OFFSET 0';

/** Who is signed in and what they have consented to, with so many columns of the client, the session and the user. */
function contextOf<C extends object, S extends object, U extends object>(
  client: Selection<C>,
  session: Selection<S>,
  user: Selection<U>,
) {
  return perEngine((engine) =>
    select(
      [
        client,
        optional(session),
        optional(user),
        optional(columns(consents, 'scopes', 'claims')),
        computed<{ has_access: number }>(
          `CASE WHEN ${access[engine].hasAccess('u.id', '$3')} THEN 1 ELSE 0 END AS has_access`,
        ),
      ],
      `FROM clients c
    LEFT JOIN sessions s ON s.digest = $2
    LEFT JOIN users u ON u.id = s.user_id AND u.generation = s.user_generation AND ${isActive('$3')}
    LEFT JOIN consents k ON k.user_id = u.id AND k.client_id = c.id AND k.client_generation + 0 = c.generation
    WHERE c.id = $1`,
    ),
  );
}

const authorizationContext = contextOf(clientColumns, sessionColumns, userColumns);

/** What an approval that was given before is judged by. */
const approvedClient = pickedColumns(
  clients,
  'id',
  'is_public',
  'redirect_uris',
  'scopes',
  'second_factor',
  'revoked_at',
  'generation',
  'claims',
  'backchannel_logout_uri',
);
const approvedSession = pickedColumns(
  sessions,
  'digest',
  'created_at',
  'last_seen_at',
  'auth_time',
  'amr',
  'answered',
  'kept',
  'trusted',
  'id',
);
const approvedUser = pickedColumns(users, 'id', 'generation', 'admin_since', 'roles', 'is_owner', 'review_since');
const rememberedApproval = contextOf(approvedClient.columns, approvedSession.columns, approvedUser.columns);

const partiesActive = (engine: Engine) =>
  computed<{ parties_active: number }>(
    `CASE WHEN u.id IS NOT NULL AND (g.client_id <> c.id OR (${clientIsActive} AND ${access[engine].isUnbroken('$3')}))
      THEN 1 ELSE 0 END AS parties_active`,
  );
const clientWithGrant = `FROM clients c
    LEFT JOIN grants g ON g.id = $2
    LEFT JOIN users u ON ${userIsActive('$3')}
    WHERE c.id = $1`;
const clientAndGrant = perEngine((engine) =>
  select(
    [tokenClientColumns, optional(grantColumns), partiesActive(engine), idTokenClaimFacts(engine, '$3')],
    clientWithGrant,
  ),
);
const clientAndRefreshable = perEngine((engine) =>
  select(
    [tokenClientColumns, optional(refreshableColumns), partiesActive(engine), idTokenClaimFacts(engine, '$3')],
    clientWithGrant,
  ),
);

const tokenHolder = perEngine((engine) =>
  select(
    [claimsColumns, columns(clients, 'scopes'), columns(grants, 'scopes', 'last_used_at'), claimFacts(engine, '$3')],
    `FROM grants g
    JOIN users u ON ${userIsActive('$3')}
    JOIN clients c ON ${clientIsActive}
    WHERE g.id = $1 AND g.ended_at IS NULL AND g.exchanged_at IS NOT NULL
      AND ${access[engine].isUnbroken('$3')}
      AND NOT EXISTS (SELECT 1 FROM revoked_tokens r WHERE r.token_id = $2 ${lookedUp})`,
  ),
);

const consentRows = recordColumns(consents, 'user_id', 'client_id', 'client_generation');
const connectedApps = select(
  [clientColumns, consentRows.columns],
  `FROM consents k
    JOIN clients c ON c.id = k.client_id AND c.generation = k.client_generation AND c.revoked_at IS NULL
    WHERE k.user_id = $1 ORDER BY k.last_used_at DESC, c.id`,
);

/**
 * Inserts a grant only while its consent, session, user and client are active and the user has access, so that no code
 * survives their removal. The same statement notes after which change of access that was. A removal of the consent at the
 * same time waits for the grant, and then ends it; otherwise, the grant would be valid again after the next approval.
 */
const underConsent =
  (engine: Engine): InsertSource<typeof grants> =>
  (place, further) => {
    // A server must find the consent by its user: a client has very many.
    const ofClient = engine === 'server' ? "k.client_id || ''" : 'k.client_id';
    return `FROM consents k
    JOIN users u ON u.id = k.user_id AND u.generation = ${place.user_generation} AND ${isActive(further(1))}
    JOIN clients c ON c.id = ${place.client_id} AND c.generation = k.client_generation + 0 AND c.revoked_at IS NULL
    WHERE k.user_id = ${place.user_id} AND ${ofClient} = ${place.client_id}
      AND k.client_generation + 0 = ${place.client_generation} AND ${access[engine].hasAccess('u.id', further(1))}
      AND (CAST(${further(0)} AS TEXT) IS NULL
        OR EXISTS (SELECT 1 FROM sessions s WHERE s.digest = ${further(0)} ${lookedUp}))`;
  };
const insertUnderConsent = insertWhere(
  grants,
  underConsent('embedded'),
  { access_change: lastChange },
  {
    source: underConsent('server'),
    kept: 'k',
    further: ['TEXT', 'BIGINT'],
    keys: (all) => `k.user_id = ANY(${all.user_id}) AND u.id = ANY(${all.user_id}) AND c.id = ANY(${all.client_id})`,
  },
);

/** Consent that is given again keeps its first time, unless the client was revoked in between. */
const rememberConsent = insertInto(
  consents,
  `ON CONFLICT (user_id, client_id) DO UPDATE SET scopes = excluded.scopes, claims = COALESCE(excluded.claims,
      CASE WHEN consents.client_generation = excluded.client_generation THEN consents.claims END),
    client_generation = excluded.client_generation, last_used_at = excluded.last_used_at, granted_at =
    CASE WHEN consents.client_generation = excluded.client_generation
      THEN consents.granted_at ELSE excluded.granted_at END`,
);

/** Checks the consent again: one instance may issue a code while another removes the consent. */
const consumeCode = (engine: Engine, from = '', keys = 'true') => `UPDATE grants AS g SET exchanged_at = $3,
    last_used_at = $3, refresh_digest = $4, expires_at = $5, delete_after = $6 ${from}
  WHERE g.id = $1 AND g.code_digest = $2 AND g.exchanged_at IS NULL AND g.ended_at IS NULL
    AND g.code_expires_at > $3 AND ${keys}
    AND EXISTS (SELECT 1 FROM users u WHERE ${userIsActive('$3')} ${lookedUp})
    AND EXISTS (SELECT 1 FROM clients c WHERE ${clientIsActive} AND ${access[engine].isUnbroken('$3')} ${lookedUp})
    AND EXISTS (SELECT 1 FROM consents k WHERE ${consentIsActive} ${lookedUp})
  ${engine === 'server' ? 'RETURNING id' : ''}`;
const consumptionTypes = ['TEXT', 'TEXT', 'BIGINT', 'TEXT', 'BIGINT', 'BIGINT'];
const codeConsumption = {
  sql: consumeCode('embedded'),
  serverSql: consumeCode('server'),
  batchSql: batchOf(consumeCode('server', 'FROM batch', 'g.id = ANY($all1)'), consumptionTypes),
  mustReturn: true,
  countsChanges: true,
};

const refreshDigestById = select([columns(grants, 'refresh_digest')], 'FROM grants g WHERE g.id = $1');

/** A revoked token isn't revoked again, and gets no second event. */
const insertRevokedToken = insertNew(revokedTokens);

export function sqlGrants(database: Database) {
  return {
    /** Everything that decides an authorization request, in one query. */
    findAuthorizationContext: (clientId: string, sessionDigest: string | undefined, now: number) =>
      database.find(authorizationContext, [clientId, sessionDigest ?? '', now], (row) => ({
        client: toClient(row),
        signedIn:
          row.s_digest === null || row.u_id === null ? undefined : { session: toSession(row), user: toUser(row) },
        consentedScopes: row.k_scopes === null ? undefined : parseScopes(row.k_scopes),
        consentedClaims: row.k_claims,
        /** Without a user, whether everyone has access. */
        hasAccess: row.has_access === 1,
      })),

    /** Less of client, session and consent, for someone who is signed in, has access and approved the client before. */
    findRememberedApproval: (clientId: string, sessionDigest: string, now: number) =>
      database.find(rememberedApproval, [clientId, sessionDigest, now], (row) =>
        row.s_digest === null || row.u_id === null || row.k_scopes === null || row.has_access === 0
          ? undefined
          : {
              client: approvedClient.decode(row),
              signedIn: { session: approvedSession.decode(row), user: approvedUser.decode(row) },
              consentedScopes: parseScopes(row.k_scopes),
              consentedClaims: row.k_claims,
            },
      ),

    /**
     * Issues a code under the remembered consent. False when the consent, the session, the user or the client was
     * stopped meanwhile, or the user has lost access to the client.
     */
    issueCode(grant: NewGrant, now: number) {
      return database.write([insertGrant(grant, now)]);
    },

    /**
     * Remembers the consent to all of `scopes`, and to the grant's claims if it has any, and issues the code. False when the
     * session, the user or the client was stopped meanwhile, or the user has lost access to the client.
     */
    approve(grant: NewGrant, scopes: readonly Scope[], now: number, event: EventRecord) {
      const remember = rememberConsent({
        user_id: grant.userId,
        client_id: grant.clientId,
        client_generation: grant.clientGeneration,
        scopes: formatScopes(scopes),
        granted_at: now,
        last_used_at: now,
        claims: grant.claims,
      });
      // If the user or the client was stopped meanwhile, there's no grant, and so no consent either.
      return database.writeWith(event, [remember, insertGrant(grant, now)]);
    },

    /**
     * The client, and the grant if it exists, in one query, even if the grant belongs to another client.
     * `partiesAreActive` considers the client only if the grant is its own: another client's grant is of no use to it
     * either way.
     */
    findClientAndGrant: (clientId: string, grantId: string | undefined, now: number) =>
      database.find(clientAndGrant, [clientId, grantId ?? '', now], (row) => ({
        client: toTokenClient(row),
        grant: row.g_id === null ? undefined : toGrant(row),
        /** For the ID token. */
        claims: toGrantClaims(row),
      })),

    /** The client, and less of the grant, for the holder of its refresh token. */
    findClientAndRefreshable: (clientId: string, grantId: string | undefined, now: number) =>
      database.find(clientAndRefreshable, [clientId, grantId ?? '', now], (row) => ({
        client: toTokenClient(row),
        grant: row.g_id === null ? undefined : toRefreshable(row),
        claims: toGrantClaims(row),
      })),

    /** Code issued → active. However many calls race, exactly one returns true. */
    consumeCode({ grantId, codeDigest, now, refreshDigest, expiresAt, deleteAfter }: CodeConsumption) {
      const params = [grantId, codeDigest, now, refreshDigest, expiresAt, deleteAfter];
      return database.writeAndVerify([{ ...codeConsumption, params }], async () => {
        const [row] = await database.read(refreshDigestById, [grantId]);
        return row?.g_refresh_digest === refreshDigest;
      });
    },

    /** Active → ended. False when it had ended before. */
    endGrant(grantId: string, now: number, event: EventRecord) {
      const sql = 'UPDATE grants SET ended_at = $2, delete_after = $3 WHERE id = $1 AND ended_at IS NULL RETURNING id';
      const end = required(sql, [grantId, now, now + lifetimes.retention]);
      return database.write([end, ...insertEvent(event), grantHasEnded(event, grantId)]);
    },

    /** The user, client and grant of an access token, in one query; undefined if anything it depends on has ended. */
    findTokenHolder: (grantId: string, tokenId: string, now: number) =>
      database.find(tokenHolder, [grantId, tokenId, now], (row) => ({
        user: toClaimsSubject(row),
        grantScopes: parseScopes(row.g_scopes),
        /** What the client may ask for now, which is less than the token says once an administrator has removed a scope. */
        clientScopes: parseScopes(row.c_scopes),
        claims: toGrantClaims(row),
        lastUsedAt: row.g_last_used_at,
      })),

    async revokeAccessToken(tokenId: string, deleteAfter: number, event: EventRecord) {
      const revoke = insertRevokedToken({ token_id: tokenId, delete_after: deleteAfter });
      await database.writeWith(event, [revoke]);
    },

    async noteGrantUses(uses: readonly GrantUse[]) {
      const noteGrant = `UPDATE grants SET last_used_at = $2
        WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)`;
      const noteConsent = `UPDATE consents SET last_used_at = $3
        WHERE user_id = $1 AND client_id = $2 AND last_used_at < $3`;
      const noteActive = `UPDATE users SET last_active_at = $2
        WHERE id = $1 AND (last_active_at IS NULL OR last_active_at < $2)`;
      // In a fixed order, so that two instances that update the same rows don't deadlock.
      const by = (key: (use: GrantUse) => string) => uses.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
      await database.write([
        ...by((use) => use.grantId).map((use) => ({ sql: noteGrant, params: [use.grantId, use.at] })),
        ...by((use) => `${use.userId} ${use.clientId}`).map((use) => ({
          sql: noteConsent,
          params: [use.userId, use.clientId, use.at],
        })),
        ...by((use) => use.userId).map((use) => ({ sql: noteActive, params: [use.userId, use.at] })),
      ]);
    },

    /** The last used first. */
    listConnectedApps: (userId: string) =>
      database.list(connectedApps, [userId], (row) => ({
        client: toClient(row),
        ...consentRows.decode(row),
      })),

    /** Ends consent, grants and unexchanged codes of this user with this client together. */
    removeConnectedApp(userId: string, clientId: string, now: number, event: EventRecord) {
      const forget = required('DELETE FROM consents WHERE user_id = $1 AND client_id = $2 RETURNING client_id', [
        userId,
        clientId,
      ]);
      const end = {
        sql: `UPDATE grants SET ended_at = $3, delete_after = $4
          WHERE user_id = $1 AND client_id = $2 AND ended_at IS NULL`,
        params: [userId, clientId, now, now + lifetimes.retention],
      };
      return database.writeWith(event, [...grantsOfPairEnd(event, userId, clientId), forget, end]);
    },
  };
}

function insertGrant(grant: NewGrant, now: number): Statement {
  const row = {
    id: grant.id,
    user_id: grant.userId,
    user_generation: grant.userGeneration,
    client_id: grant.clientId,
    client_generation: grant.clientGeneration,
    scopes: formatScopes(grant.scopes),
    redirect_uri: grant.redirectUri,
    code_challenge: grant.codeChallenge,
    nonce: grant.nonce,
    auth_time: grant.authTime,
    amr: grant.amr.join(' '),
    code_digest: grant.codeDigest,
    code_expires_at: grant.codeExpiresAt,
    exchanged_at: null,
    refresh_digest: null,
    expires_at: null,
    ended_at: null,
    last_used_at: null,
    delete_after: grant.codeExpiresAt + lifetimes.unusedCodeRetention,
    claims: grant.claims,
    session_id: grant.sessionId,
    sid_key: grant.sidKey,
  };
  return insertUnderConsent(row, grant.sessionDigest ?? null, now);
}
