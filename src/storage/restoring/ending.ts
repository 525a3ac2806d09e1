// What a restore does to the store that it has made of a backup, before anybody uses it.

import type { Driver, SnapshotReader, Statement } from '../driver.ts';
import * as schema from '../schema.ts';
import { insertInto } from '../sql/query.ts';
import { pagesOf } from './reading.ts';

/**
 * Ends all sessions, grants, links, waiting sign-ins and known browsers: some were ended after the backup, and nobody may know which.
 * Waiting emails go with them, because they were sent long ago, or carry such a link. The number that waiting sign-ins and forms are
 * bound to becomes one that the replaced store can't have reached.
 */
export function endEverything(now: number): Statement[] {
  const emptied = ['sessions', 'grants', 'links', 'known_devices', 'spent_tickets', 'mails'];
  return [
    ...emptied.map((table) => ({ sql: `DELETE FROM ${table}`, params: [] })),
    {
      sql: 'UPDATE sign_up_links SET revoked_at = $1 WHERE revoked_at IS NULL AND expires_at > $1',
      params: [now],
    },
    {
      sql: `UPDATE users SET session_generation = CASE WHEN session_generation < CAST($1 AS BIGINT) THEN CAST($1 AS BIGINT)
        ELSE session_generation + 1 END`,
      params: [now],
    },
  ];
}

/** Removes what a copy says about processes that used the original: none of them runs on the copy. */
export const forgetProcesses: readonly Statement[] = [
  { sql: 'DELETE FROM instances', params: [] },
  { sql: "DELETE FROM leases WHERE name <> 'administrators'", params: [] },
  { sql: "DELETE FROM service_facts WHERE name = 'backup'", params: [] },
];

const insertDigest = insertInto(schema.deletedIds, 'ON CONFLICT (digest) DO NOTHING');
const insertKey = insertInto(schema.deletedIdKeys, 'ON CONFLICT (number) DO NOTHING');
const insertToken = insertInto(schema.revokedTokens, 'ON CONFLICT (token_id) DO NOTHING');
const pageSize = 500;

/** Access tokens that were revoked one by one: they're signed, so nothing else says that they don't count. */
export async function carryRevokedTokens(restored: Driver, present: SnapshotReader): Promise<void> {
  for await (const page of pagesOf(present, 'revoked_tokens', ['token_id'], 't.delete_after')) {
    await restored.write(
      page.map((row) => insertToken({ token_id: String(row.token_id), delete_after: Number(row.delete_after) })),
    );
  }
}

/** What people had begun before they signed out everywhere, or changed their password, doesn't go on. */
export async function carrySignInNumbers(restored: Driver, present: SnapshotReader): Promise<void> {
  const raise = 'UPDATE users SET session_generation = $2 WHERE id = $1 AND session_generation < $2';
  for await (const page of pagesOf(present, 'users', ['id'], 't.session_generation', 't.session_generation > 0')) {
    await restored.write(
      page.map(({ id = null, session_generation = null }) => ({ sql: raise, params: [id, session_generation] })),
    );
  }
}

/** The IDs of people who were deleted stay refused. */
export async function carryDeletedIds(restored: Driver, present: SnapshotReader): Promise<void> {
  const keys = await present.read('SELECT number, sealed FROM deleted_id_keys', []);
  await restored.write(keys.map(({ number, sealed }) => insertKey({ number: String(number), sealed: String(sealed) })));
  for (let after = ''; ; ) {
    const sql = 'SELECT digest FROM deleted_ids WHERE digest > $1 ORDER BY digest LIMIT $2';
    const digests = (await present.read(sql, [after, pageSize])).map(({ digest }) => String(digest));
    await restored.write(digests.map((digest) => insertDigest({ digest })));
    const last = digests.at(-1);
    if (last === undefined) return;
    after = last;
  }
}
