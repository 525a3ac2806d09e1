// Groups that a new user joins, in the write that creates them.

import type { Statement } from '../driver.ts';
import type { ListedChange } from '../records.ts';
import { insertEventIf } from '../webhooks/outbox-sql.ts';
import { lastChange, lasting, nextChange } from './access-conditions.ts';

const join = `INSERT INTO group_members (group_id, user_id, began_with, ended_by, began_at)
  SELECT gr.id, CAST($2 AS TEXT), ${lastChange}, ${lasting}, CAST($3 AS BIGINT) FROM groups gr WHERE gr.id = $1 AND gr.ended_by = ${lasting}`;
const touch = `UPDATE groups SET updated_at = $2 WHERE id = $1 AND ended_by = ${lasting}`;
const noteJoined = insertEventIf(
  (place) => `EXISTS (SELECT 1 FROM group_members gm WHERE gm.group_id = ${place(0)} AND gm.user_id = ${place(1)})`,
);

/** What a write begins with that ends with `joinGroups`. */
export function beforeJoining(groups: readonly ListedChange[]): Statement[] {
  return groups.length === 0 ? [] : [nextChange];
}

/** A group that was deleted meanwhile is left out, with its event. */
export function joinGroups(userId: string, groups: readonly ListedChange[], now: number): Statement[] {
  return groups.flatMap(({ id, event }) => [
    { sql: join, params: [id, userId, now] },
    { sql: touch, params: [id, now] },
    ...noteJoined(event, id, userId),
  ]);
}
