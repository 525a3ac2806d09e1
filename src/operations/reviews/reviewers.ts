// Who sees a review, and who decides: the owners of its applications, and administrators.

import type { Reviewer } from '../../protocol/admin/reviews.ts';
import { may, ownedOnly, owns } from '../../protocol/admin/rights.ts';
import type { Requester } from '../../protocol/event.ts';

/** The applications whose part of a review the requester sees; undefined for all of it. */
export function seenBy({ authority }: Requester): ReadonlySet<string> | undefined {
  return ownedOnly(authority, 'reviews.read');
}

/** Undefined for programs and the command line: people decide. */
export function reviewerBehind({ authority, actor }: Requester): Reviewer | undefined {
  if (actor?.kind !== 'administrator' || authority === undefined) return undefined;
  const isAdministrator = may(authority, 'reviews.change');
  return { id: actor.id, isAdministrator, owns: (clientId) => owns(authority, clientId) };
}
