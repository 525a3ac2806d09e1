// API keys, and whether a key's creator is still an administrator.

import type { EventRecord } from '../../protocol/event.ts';
import type { Statement } from '../driver.ts';
import { isInForce } from '../groups/access-conditions.ts';
import type { ApiKey } from '../records.ts';
import { apiKeys, type SelectedRow } from '../schema.ts';
import type { Database } from '../sql/database.ts';
import { lockAdministrator } from '../sql/guards.ts';
import { computed, insertInto, required, select } from '../sql/query.ts';
import { recordColumns } from '../sql/record-columns.ts';

const keyRows = recordColumns(apiKeys);
const selections = [
  keyRows.columns,
  computed<{ maker_is_admin: number }>(
    'CASE WHEN ak.created_by IS NULL OR u.id IS NOT NULL THEN 1 ELSE 0 END AS maker_is_admin',
  ),
] as const;
/** In lists, an administrator counts until it's written that their access has ended. */
const fromAll = `FROM api_keys ak LEFT JOIN users u ON u.id = ak.created_by AND u.admin_since IS NOT NULL
  AND u.disabled_at IS NULL`;
const byDigest = select(selections, `${fromAll} AND ${isInForce('u', '$2')} WHERE ak.digest = $1`);
const newestFirst = select(selections, `${fromAll} ORDER BY ak.created_at DESC, ak.id`);
const ofMaker = select(selections, `${fromAll} WHERE ak.created_by = $1 ORDER BY ak.created_at DESC, ak.id`);
const insertRow = insertInto(apiKeys);

export function sqlApiKeys(database: Database) {
  return {
    /** False if its creator isn't an administrator. */
    createApiKey(key: Omit<ApiKey, 'makerIsAdmin'>, event: EventRecord) {
      const maker = key.createdBy === null ? [] : [lockAdministrator(key.createdBy, event.at)];
      return database.writeWith(event, [...maker, insertRow(keyRows.encode(key))]);
    },

    findApiKey: (digest: string, now: number) => database.first(byDigest, [digest, now], toApiKey),

    /** Newest first. */
    listApiKeys: () => database.list(newestFirst, [], toApiKey),

    /** The keys that a user created. */
    listApiKeysOf: (userId: string) => database.list(ofMaker, [userId], toApiKey),

    revokeApiKey(keyId: string, event: EventRecord) {
      const end = required('DELETE FROM api_keys WHERE id = $1 RETURNING id', [keyId]);
      return database.writeWith(event, [end]);
    },

    async noteApiKeyUses(keyIds: readonly string[], now: number) {
      const noteKey = 'UPDATE api_keys SET last_used_at = $2 WHERE id = $1';
      // The one who made it has used their account.
      const noteMaker = `UPDATE users SET last_active_at = $2
        WHERE id = (SELECT ak.created_by FROM api_keys ak WHERE ak.id = $1) AND (last_active_at IS NULL OR last_active_at < $2)`;
      // In a fixed order, so that two instances that update the same keys don't deadlock.
      await database.write(keyIds.toSorted().map((id) => ({ sql: noteKey, params: [id, now] })));
      // One after the other: a write that has locked a person's row may wait for their keys.
      for (const id of keyIds) await database.write([{ sql: noteMaker, params: [id, now] }]);
    },
  };
}

/**
 * The keys that a user created. Any change to a user's rights ends them, in either direction: a key created under earlier
 * rights must not become valid again with new ones.
 */
export function endApiKeys(userId: string): Statement {
  return { sql: 'DELETE FROM api_keys WHERE created_by = $1', params: [userId] };
}

function toApiKey(row: SelectedRow<typeof apiKeys> & { readonly maker_is_admin: number }): ApiKey {
  return { ...keyRows.decode(row), makerIsAdmin: row.maker_is_admin === 1 };
}
