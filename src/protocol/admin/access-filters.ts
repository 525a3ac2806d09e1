// What a list of the people who can use an application can be limited to: for the console, the API and the command line.

import { dayRule, daysIn } from './people-filters.ts';

export const reasonKinds = ['everyone', 'person', 'group'] as const;
export type ReasonKind = (typeof reasonKinds)[number];

/** What gives a person access. */
export interface AccessReason {
  readonly kind: ReasonKind;
  /** Null for every other kind. */
  readonly group: { readonly id: string; readonly name: string } | null;
  /** Null if it began before that was noted. */
  readonly since: number | null;
  /** The membership's end or the entry's, whichever is earlier; null for never. */
  readonly expiresAt: number | null;
}

/** `about` completes "only those …". */
export const accessFilters = {
  reason: { values: reasonKinds, about: 'who have access because everyone does, directly, or through a group' },
  group: { value: 'NAME', about: 'who have access through this group' },
  expires_within: { value: 'DAYS', about: 'whose access ends within this many days, such as 30d' },
  unused: {
    value: 'DAYS',
    about: "who have had access for longer than this many days and haven't used it since, such as 90d",
  },
} as const;

export type AccessFilterName = keyof typeof accessFilters;
export const accessFilterNames = Object.keys(accessFilters) as AccessFilterName[];

/** As they are written in a URL. An empty text is no filter. */
export type WrittenAccessFilters = { readonly [Name in AccessFilterName]?: string | undefined };

export interface AccessFilters {
  readonly reason?: ReasonKind;
  /** Its ID. */
  readonly group?: string;
  /** In days. */
  readonly expiresWithin?: number;
  /** In days. */
  readonly unused?: number;
}

/** The filters without the group, which is looked up; or what is wrong with the first that can't be read, worded to follow its name. */
export function readAccessFilters(
  written: WrittenAccessFilters,
): AccessFilters | { readonly name: AccessFilterName; readonly problem: string } {
  const reason = reasonKinds.find((kind) => kind === written.reason);
  if (written.reason && reason === undefined) {
    return { name: 'reason', problem: `must be one of: ${reasonKinds.join(', ')}` };
  }
  for (const name of ['expires_within', 'unused'] as const) {
    if (written[name] && daysIn(written[name]) === undefined) return { name, problem: `must be ${dayRule}` };
  }
  const [expiresWithin, unused] = [daysIn(written.expires_within ?? ''), daysIn(written.unused ?? '')];
  return {
    ...(reason && { reason }),
    ...(expiresWithin !== undefined && { expiresWithin }),
    ...(unused !== undefined && { unused }),
  };
}
