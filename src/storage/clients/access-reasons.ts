// Why a person can use a client: reasons as they are read and put in order.

import type { AccessReason } from '../../protocol/admin/access-filters.ts';
import { lasting } from '../groups/access-conditions.ts';
import type { User } from '../records.ts';

export type { AccessReason };

export interface ReasonRow {
  readonly user_id: string;
  readonly group_id: string | null;
  readonly group_name: string | null;
  readonly since: number | null;
  readonly expires_at: number | null;
}

/** Since when a person has access by a membership `gm` in a group on a list, `ca`. What has no time began before those that have one. */
export const latestSince = `CASE WHEN ca.began_at IS NULL OR gm.began_at > ca.began_at THEN gm.began_at ELSE ca.began_at END`;
/** The end of a membership `gm` in a group on a list, `ca`. */
export const earliestEnd = `CASE WHEN ca.expires_at IS NULL OR gm.expires_at < ca.expires_at THEN gm.expires_at ELSE ca.expires_at END`;
/** Since when everyone can use the client `c`; null if that wasn't noted. */
export const openSinceOf = `CASE WHEN c.was_listed = 0 THEN c.created_at ELSE
      (SELECT MAX(ca.began_at) FROM client_access ca WHERE ca.client_id = c.id AND ca.kind = 'everyone'
        AND ca.ended_by = ${lasting}) END`;

export function forEveryone(since: number | null, { createdAt }: Pick<User, 'createdAt'>): AccessReason {
  return { kind: 'everyone', group: null, since: since === null ? null : Math.max(since, createdAt), expiresAt: null };
}

export function toReason(row: Omit<ReasonRow, 'user_id'>): AccessReason {
  const { group_id: id, group_name: name, since, expires_at: expiresAt } = row;
  return {
    kind: id === null ? 'person' : 'group',
    group: id === null ? null : { id, name: name ?? '' },
    since,
    expiresAt,
  };
}

/** The person's own entry first. */
export function byGroup(a: AccessReason, b: AccessReason): number {
  const [one, other] = [a.group?.name ?? '', b.group?.name ?? ''];
  return one < other ? -1 : one > other ? 1 : 0;
}

/** The latest of the ends; null if one reason has none. */
export function latestEnd(reasons: readonly AccessReason[]): number | null {
  const ends = reasons.map(({ expiresAt }) => expiresAt);
  return ends.reduce(
    (latest, end) => (latest === null || end === null ? null : Math.max(latest, end)),
    ends[0] ?? null,
  );
}
