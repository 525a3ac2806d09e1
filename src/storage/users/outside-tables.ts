// What ties people and groups to other systems: directories and their tokens, and IDs that people had elsewhere; and the IDs of
// people who were deleted. Part of the tables in schema.ts.

import { flag, integer, nullable, table, text } from '../table.ts';

/** Of people and groups: the directory that they belong to, and what they're called there. */
export const managed = { managed_by: nullable(text()), external_id: nullable(text()) };

export const scimTokens = table('scim_tokens', 'st', ['digest'], {
  digest: text(),
  id: text(),
  source: text(),
  name: text(),
  /** Whether it finds people of verified domains who were there before, and takes them over. */
  adopts: flag(),
  /** Where the people of the directory sign in, and which claim there is their external ID. */
  upstream: nullable(text()),
  subject_claim: text<'sub' | 'oid'>(),
  created_by: nullable(text()),
  created_at: integer(),
  expires_at: nullable(integer()),
  last_used_at: nullable(integer()),
  last_four: nullable(text()),
});

export const importedPeople = table('imported_people', 'ip', ['source', 'old_id'], {
  source: text(),
  old_id: text(),
  user_id: text(),
  imported_at: integer(),
});

/** Of people, so that nobody else gets one (deleted-ids-sql.ts). */
export const deletedIds = table('deleted_ids', 'd', ['digest'], { digest: text() });

export const deletedIdKeys = table('deleted_id_keys', 'dk', ['number'], { number: text(), sealed: text() });
