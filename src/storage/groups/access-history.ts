// Deletes what gave access once, when no grant is left from before its end. Each statement takes the number of a change
// that lies some time back and the number of rows that it may delete. A grant that is being stored may not be visible yet,
// but none is on its way for that long.

import { lasting } from './access-conditions.ts';

/** Access that ended up to this change doesn't matter to any grant. */
const forgettable = (end: string) => `${end} <= $1 AND ${end} < ${lasting}
  AND ${end} <= COALESCE((SELECT MIN(o.access_change) FROM grants o), $1)`;

const ofEndedGroup = `SELECT gr.id FROM groups gr WHERE ${forgettable('gr.ended_by')}`;

function deletion(table: string, key: string, condition: string): string {
  return `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${condition} LIMIT $2)
    RETURNING 1 AS one`;
}

const memberKey = 'group_id, user_id, began_with';
const accessKey = 'client_id, kind, subject_id, began_with';

export const forgottenAccess = [
  deletion('group_members', memberKey, forgettable('ended_by')),
  deletion('client_access', accessKey, forgettable('ended_by')),
  deletion('group_members', memberKey, `group_id IN (${ofEndedGroup})`),
  deletion('client_access', accessKey, `kind = 'group' AND subject_id IN (${ofEndedGroup})`),
  // Last, so that nothing of a group is left when the group itself is deleted.
  deletion(
    'groups',
    'id',
    `${forgettable('ended_by')} AND NOT EXISTS (SELECT 1 FROM group_members gm WHERE gm.group_id = groups.id)
      AND NOT EXISTS (SELECT 1 FROM client_access ca WHERE ca.kind = 'group' AND ca.subject_id = groups.id)`,
  ),
];
