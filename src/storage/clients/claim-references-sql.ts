// The statements that let a client's claims be stored only while everything that they refer to is as it was found.

import type { ApplicationClaim } from '../../protocol/oauth/application-claims.ts';
import { groupsIn, newClaims } from '../../protocol/oauth/claim-references.ts';
import { useInClaims } from '../attributes/attributes-sql.ts';
import type { Statement } from '../driver.ts';
import { lasting } from '../groups/access-conditions.ts';
import { required } from '../sql/query.ts';

const groupStays = `UPDATE groups SET updated_at = updated_at
  WHERE id = $1 AND name = $2 AND ended_by = ${lasting} RETURNING id`;

/**
 * For a write that changes claims, before anything that locks a client's row: it waits for a change of these groups and
 * attributes that is under way, and such a change waits for it. What the client had before in the same form isn't looked at.
 */
export function referencesStay(
  claims: readonly ApplicationClaim[] = [],
  before: readonly ApplicationClaim[] = [],
): Statement[] {
  const added = newClaims(claims, before);
  // In a fixed order, so that two of these don't deadlock.
  return [
    ...groupsIn(added)
      .filter(({ deleted }) => !deleted)
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .map(({ id, name }) => required(groupStays, [id, name])),
    ...useInClaims(added),
  ];
}
