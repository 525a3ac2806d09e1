// What the bridge holds for applications: grants, which are what Latchkey has given it for a sign-in, and the codes and tokens
// that are names for them here. Rows are found by digests, and sealed (database.ts).

import { randomBytes } from 'node:crypto';
import { type Database, durably } from '../platform/relying-party/database.ts';
import { digestOf } from '../protocol/digest.ts';
import { DAY, HOUR } from '../protocol/durations.ts';
import type { Claims } from '../protocol/oauth/jwt.ts';
import type { BridgeKeys } from './database.ts';

/** Times are in milliseconds. */
export interface GrantFacts {
  readonly clientId: string;
  readonly sub: string;
  readonly sid: string;
  /** Those that Latchkey has granted. */
  readonly scope: string;
  /** Of the first access token. */
  readonly accessToken: string;
  readonly accessUntil: number;
  readonly refreshToken: string;
  /** Latchkey's, by which it recognizes the sign-in when someone signs out. */
  readonly idToken: string;
  /** Of the ID token. */
  readonly claims: Claims;
  readonly expiresAt: number;
}

export type TokenKind = 'AuthorizationCode' | 'AccessToken' | 'RefreshToken';

export interface FoundToken {
  readonly payload: object;
  readonly consumedAt: number | undefined;
}

/** Latchkey ends grants after this time. */
export const grantLifetime = 30 * DAY;
/** How long a sign-in may take, and how long it's remembered that it's finished or over. */
export const signInLifetime = HOUR;

export type Grants = ReturnType<typeof openGrants>;

export function openGrants(database: Database, keys: BridgeKeys, now: () => number) {
  const insertGrant = database.prepare(
    `INSERT INTO grants (digest, sid_mark, sealed, expires_at)
     SELECT ?1, ?2, ?3, ?4 WHERE NOT EXISTS (SELECT 1 FROM spent WHERE mark = ?2)`,
  );
  const spend = database.prepare('INSERT INTO spent (mark, ends_at) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const isSpent = database.prepare('SELECT 1 FROM spent WHERE mark = ?');
  const readGrant = database.prepare('SELECT sealed FROM grants WHERE digest = ?');
  const removeGrant = database.prepare('DELETE FROM grants WHERE digest = ?');
  const removeOfSid = database.prepare('DELETE FROM grants WHERE sid_mark = ? RETURNING sealed');
  const insertToken = database.prepare(
    `INSERT INTO tokens (digest, grant_digest, sealed, expires_at)
     SELECT ?1, digest, ?3, ?4 FROM grants WHERE digest = ?2`,
  );
  const readToken = database.prepare('SELECT sealed, consumed_at FROM tokens WHERE digest = ?');
  // What tells a replay from an unknown code stays as long as the grant does.
  const consumeToken = database.prepare(
    `UPDATE tokens SET consumed_at = ?2, expires_at = (SELECT expires_at FROM grants WHERE digest = grant_digest)
     WHERE digest = ?1 AND consumed_at IS NULL`,
  );
  const count = database.prepare('SELECT COUNT(*) AS n FROM grants WHERE expires_at > ?');
  const sweeps = ['grants WHERE expires_at', 'tokens WHERE expires_at', 'spent WHERE ends_at'].map((rows) =>
    database.prepare(`DELETE FROM ${rows} < ?`),
  );

  const openGrant = (sid: string, sealed: unknown) => {
    const text = keys.unseal('grant', sid, '', sealed as Uint8Array);
    return text === undefined ? undefined : (JSON.parse(text) as GrantFacts);
  };
  /** A grant's ID has the `sid` in it, which opens the row and isn't in the file. */
  const sidIn = (grantId: string) => grantId.slice(grantId.indexOf('.') + 1);

  return {
    /** The grant's ID; undefined if the sign-in has one already, or has ended in the meantime. */
    add(facts: GrantFacts, signIn: string): string | undefined {
      const grantId = `${randomBytes(16).toString('base64url')}.${facts.sid}`;
      const sealed = keys.seal('grant', facts.sid, '', JSON.stringify(facts));
      const mark = keys.sidMark(facts.clientId, facts.sid);
      const added = durably(
        database,
        () =>
          spend.run(digestOf(signIn), now() + signInLifetime).changes === 1 &&
          insertGrant.run(digestOf(grantId), mark, sealed, facts.expiresAt).changes === 1,
      );
      return added ? grantId : undefined;
    },
    /** Whether a sign-in has a grant already. */
    hasFinished: (signIn: string) => isSpent.get(digestOf(signIn)) !== undefined,
    find(grantId: string): GrantFacts | undefined {
      const row = readGrant.get(digestOf(grantId));
      const facts = row && openGrant(sidIn(grantId), row.sealed);
      return facts !== undefined && now() < facts.expiresAt ? facts : undefined;
    },
    /** What ended, which is the caller's to revoke; undefined if another was faster. */
    end(grantId: string): GrantFacts | undefined {
      const facts = this.find(grantId);
      const removed = durably(database, () => removeGrant.run(digestOf(grantId)).changes);
      return removed === 1 ? facts : undefined;
    },
    /** Ends the grants of a sign-in. With `keepEnded`, no later grant can come from it: a logout may overtake its callback. */
    endSession(clientId: string, sid: string, { keepEnded }: { readonly keepEnded: boolean }): readonly GrantFacts[] {
      const mark = keys.sidMark(clientId, sid);
      const rows = durably(database, () => {
        if (keepEnded) spend.run(mark, now() + signInLifetime);
        return removeOfSid.all(mark);
      });
      return rows.map(({ sealed }) => openGrant(sid, sealed)).filter((facts) => facts !== undefined);
    },
    /** False if the grant is over. */
    addToken(kind: TokenKind, value: string, grantId: string, payload: object, lifetime: number): boolean {
      const sealed = keys.seal('token', value, kind, JSON.stringify(payload));
      return insertToken.run(digestOf(value), digestOf(grantId), sealed, now() + lifetime).changes === 1;
    },
    findToken(kind: TokenKind, value: string): FoundToken | undefined {
      const row = readToken.get(digestOf(value));
      const text = row && keys.unseal('token', value, kind, row.sealed as Uint8Array);
      if (row === undefined || text === undefined) return undefined;
      const consumedAt = typeof row.consumed_at === 'number' ? row.consumed_at : undefined;
      return { payload: JSON.parse(text) as object, consumedAt };
    },
    /** Once, in all processes; false if it was before, or its grant is over. */
    consume: (value: string) => consumeToken.run(digestOf(value), now()).changes === 1,
    count: () => Number(count.get(now())?.n),
    sweep() {
      for (const statement of sweeps) statement.run(now());
    },
  };
}
