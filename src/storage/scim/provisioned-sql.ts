// People whom a directory has created, and who sign in at its identity provider for the first time.

import type { EventRecord } from '../../protocol/event.ts';
import type { Identity, User } from '../records.ts';
import { identities } from '../schema.ts';
import type { Database } from '../sql/database.ts';
import { withoutRole } from '../sql/guards.ts';
import { insertWhere, required, select } from '../sql/query.ts';
import { recordColumns } from '../sql/record-columns.ts';
import { toUser, userColumns } from '../sql/rows.ts';
import { isOpen } from '../upstreams/ways-in-sql.ts';
import { tokenStands } from './scim-tokens-sql.ts';

/** Someone who has no role, and no identity there yet. */
const isNew = (alias: string, issuer: string) => `${withoutRole(alias)}
  AND NOT EXISTS (SELECT 1 FROM identities id WHERE id.user_id = ${alias}.id AND id.issuer = ${issuer})`;

const byExternalId = select(
  [userColumns],
  `FROM scim_tokens st JOIN users u ON u.managed_by = st.source
      AND u.external_id = CASE WHEN st.subject_claim = 'oid' THEN $4 ELSE $3 END
    WHERE st.upstream = $1 AND ${tokenStands('CAST($5 AS BIGINT)')} AND ${isNew('u', '$2')}`,
);

/** Rolls back if the identity is taken, or the upstream is disabled. */
const insertIfOpen = insertWhere(
  identities,
  (place) => `WHERE ${isOpen(place.issuer)} ON CONFLICT (issuer, subject) DO NOTHING`,
);
const { encode: fromIdentity } = recordColumns(identities);

export interface ProvisionedKey {
  /** The name of the upstream. */
  readonly upstream: string;
  readonly issuer: string;
  readonly subject: string;
  readonly objectId: string | null;
}

export function sqlProvisioned(database: Database) {
  return {
    /** Those whom directories with this upstream call so, also while they're disabled. */
    async findProvisioned({ upstream, issuer, subject, objectId }: ProvisionedKey, now: number): Promise<User[]> {
      const found = await database.list(byExternalId, [upstream, issuer, subject, objectId, now], toUser);
      // A directory can have several tokens.
      return [...new Map(found.map((user) => [user.id, user])).values()];
    },

    /**
     * False if the person isn't the directory's any more, is disabled, has a role or an identity there meanwhile, or the identity is
     * taken.
     */
    linkProvisioned({ id, managedBy, externalId }: User, identity: Identity, event: EventRecord) {
      const person = `UPDATE users SET updated_at = updated_at WHERE id = $1 AND managed_by = $2 AND external_id = $3
        AND disabled_at IS NULL AND ${isNew('users', '$4')} RETURNING id`;
      return database.writeWith(event, [
        required(person, [id, managedBy, externalId, identity.issuer]),
        insertIfOpen(fromIdentity(identity)),
      ]);
    },
  };
}
