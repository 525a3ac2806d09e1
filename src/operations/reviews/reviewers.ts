// Who sees a review, and who decides: the owners of its applications, and administrators.

import type { Reviewer } from '../../protocol/admin/reviews.ts';
import { type Authority, may } from '../../protocol/admin/rights.ts';
import type { Requester } from '../../protocol/event.ts';

const none: ReadonlySet<string> = new Set();

/** What the requester owns. */
export function ownedBy(authority: Authority | undefined): ReadonlySet<string> {
  return (authority !== undefined && 'owns' in authority ? (authority.owns as ReadonlySet<string>) : undefined) ?? none;
}

/** The applications whose part of a review the requester sees; undefined for all of it. */
export function seenBy({ authority }: Requester): ReadonlySet<string> | undefined {
  return may(authority, 'reviews.read') ? undefined : ownedBy(authority);
}

/** Undefined for programs and the command line: people decide. */
export function reviewerBehind({ authority, actor }: Requester): Reviewer | undefined {
  if (actor?.kind !== 'administrator' || authority === undefined) return undefined;
  return { id: actor.id, isAdministrator: may(authority, 'reviews.change'), owns: ownedBy(authority) };
}
