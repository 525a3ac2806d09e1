// The tokens of directories.

import { MINUTE } from '../../protocol/durations.ts';
import type { EventRecord } from '../../protocol/event.ts';
import type { Statement } from '../driver.ts';
import { type RecordOf, scimTokens } from '../schema.ts';
import type { Database } from '../sql/database.ts';
import { lockAdministrator } from '../sql/guards.ts';
import { insertInto, required, select } from '../sql/query.ts';
import { recordColumns } from '../sql/record-columns.ts';

export type ScimToken = RecordOf<typeof scimTokens>;

const tokenRows = recordColumns(scimTokens);
/** Whether it hasn't expired, and the person who created it is an administrator still. The time is an expression. */
export const tokenStands = (now: string) => `(st.expires_at IS NULL OR st.expires_at > ${now})
  AND NOT EXISTS (SELECT 1 FROM users o WHERE o.id = st.created_by
    AND (o.admin_since IS NULL OR o.disabled_at IS NOT NULL OR o.expires_at <= ${now}))`;
const byDigest = select(
  [tokenRows.columns],
  `FROM scim_tokens st WHERE st.digest = $1 AND ${tokenStands('CAST($2 AS BIGINT)')}`,
);
const newestFirst = select([tokenRows.columns], 'FROM scim_tokens st ORDER BY st.created_at DESC, st.id');
const insertRow = insertInto(scimTokens);

export function sqlScimTokens(database: Database) {
  return {
    /** With `maker`, false if that person isn't an administrator. */
    createScimToken: (token: ScimToken, events: EventRecord | readonly EventRecord[], maker?: string) =>
      database.writeWith(events, [
        ...(maker === undefined ? [] : [lockAdministrator(maker, token.createdAt)]),
        insertRow(tokenRows.encode(token)),
      ]),

    /** Undefined for one that has ended. */
    findScimToken: (digest: string, now: number) => database.first(byDigest, [digest, now], tokenRows.decode),

    /** Newest first, with those that have expired. */
    listScimTokens: () => database.list(newestFirst, [], tokenRows.decode),

    /** False if there is none with this ID. */
    revokeScimToken(id: string, event: EventRecord) {
      return database.writeWith(event, [required('DELETE FROM scim_tokens WHERE id = $1 RETURNING id', [id])]);
    },

    async noteScimTokenUse({ id }: Pick<ScimToken, 'id'>, now: number) {
      const sql = `UPDATE scim_tokens SET last_used_at = $2
        WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < CAST($3 AS BIGINT))`;
      // Good to the minute, so that a directory's many requests are few writes.
      await database.write([{ sql, params: [id, now, now - MINUTE] }]);
    },
  };
}

export function endScimTokens(userId: string): Statement {
  return { sql: 'DELETE FROM scim_tokens WHERE created_by = $1', params: [userId] };
}
