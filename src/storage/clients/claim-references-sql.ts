// What the claims of clients refer to: attributes by name, and the statements that let a client's claims be stored only while
// everything that they refer to is as it was found.

import type { ApplicationClaim } from '../../protocol/oauth/application-claims.ts';
import { newClaims, referencesOf } from '../../protocol/oauth/claim-references.ts';
import type { Statement } from '../driver.ts';
import { lasting } from '../groups/access-conditions.ts';
import { attributes } from '../schema.ts';
import type { Database } from '../sql/database.ts';
import { required, select } from '../sql/query.ts';
import { pickedColumns } from '../sql/record-columns.ts';

const { columns: sourceColumns, decode: toSource } = pickedColumns(attributes, 'name', 'created_at', 'editable_by');
const sources = select([sourceColumns], 'FROM attributes at WHERE at.deleted_at IS NULL');

const groupStays = `UPDATE groups SET updated_at = updated_at
  WHERE id = $1 AND name = $2 AND ended_by = ${lasting} RETURNING id`;
const attributeStays = `UPDATE attributes SET updated_at = updated_at
  WHERE name = $1 AND created_at = $2 AND deleted_at IS NULL RETURNING name`;
const protectedAttributeStays = attributeStays.replace('RETURNING', "AND editable_by = 'administrator' RETURNING");

export function sqlClaimReferences(database: Database) {
  return {
    /** What a claim can be made from. There are few attributes. */
    listClaimAttributes: () => database.list(sources, [], toSource),
  };
}

/**
 * For a write that changes claims, before anything else that locks a client's row: it waits for a change of these groups and
 * attributes that is under way, and such a change waits for it. What the client had before in the same form isn't looked at.
 */
export function referencesStay(
  claims: readonly ApplicationClaim[] = [],
  before: readonly ApplicationClaim[] = [],
): Statement[] {
  const references = referencesOf(newClaims(claims, before));
  // In a fixed order, so that two of these don't deadlock.
  const groups = references.groups
    .filter(({ deleted }) => !deleted)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, name }) => required(groupStays, [id, name]));
  const named = references.attributes
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, since, selfAsserted }) =>
      required(selfAsserted ? attributeStays : protectedAttributeStays, [name, since]),
    );
  return [...groups, ...named];
}
