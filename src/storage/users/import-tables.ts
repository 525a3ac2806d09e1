// What is known of IDs: those that people had elsewhere, and those of people who were deleted. Part of the tables in schema.ts.

import { integer, table, text } from '../table.ts';

export const importedPeople = table('imported_people', 'ip', ['source', 'old_id'], {
  source: text(),
  old_id: text(),
  user_id: text(),
  imported_at: integer(),
});

/** Of people, so that nobody else gets one (deleted-ids-sql.ts). */
export const deletedIds = table('deleted_ids', 'd', ['digest'], { digest: text() });

export const deletedIdKeys = table('deleted_id_keys', 'dk', ['number'], { number: text(), sealed: text() });
