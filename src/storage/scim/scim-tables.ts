// What directories have, and what they own. Part of the tables in schema.ts.

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
