// The tokens of directories.

import type { EventRecord } from '../../protocol/event.ts';
import { type RecordOf, scimTokens } from '../schema.ts';
import type { Database } from '../sql/database.ts';
import { insertInto, required, select } from '../sql/query.ts';
import { recordColumns } from '../sql/record-columns.ts';

export type ScimToken = RecordOf<typeof scimTokens>;

const tokenRows = recordColumns(scimTokens);
const byDigest = select(
  [tokenRows.columns],
  'FROM scim_tokens st WHERE st.digest = $1 AND (st.expires_at IS NULL OR st.expires_at > $2)',
);
const newestFirst = select([tokenRows.columns], 'FROM scim_tokens st ORDER BY st.created_at DESC, st.id');
const insertRow = insertInto(scimTokens);
/** How exact the time of the last use is. */
const MINUTE = 60 * 1000;

export function sqlScimTokens(database: Database) {
  return {
    createScimToken: (token: ScimToken, events: EventRecord | readonly EventRecord[]) =>
      database.writeWith(events, [insertRow(tokenRows.encode(token))]),

    /** Undefined for one that has expired. */
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
      await database.write([{ sql, params: [id, now, now - MINUTE] }]);
    },
  };
}
