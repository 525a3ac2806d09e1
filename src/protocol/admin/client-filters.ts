// What the console's list of applications can be limited to. Applications in the list meet every filter that's given.

import { dayRule, daysIn } from './people-filters.ts';

export const clientFilterNames = ['access', 'type', 'unused', 'owner'] as const;
type ClientFilterName = (typeof clientFilterNames)[number];

/** As they are written in a URL. An empty text is no filter. */
export type WrittenClientFilters = { readonly [Name in ClientFilterName]?: string | undefined };

/** Without the owner, who is found in the store. */
export interface ClientFilters {
  readonly limited: boolean;
  readonly isPublic: boolean;
  /** Nobody has used it for so many days. */
  readonly unusedDays: number | undefined;
}

/** The filters, or what is wrong with the first that can't be read, worded to follow its name. */
export function readClientFilters({
  access = '',
  type = '',
  unused = '',
}: WrittenClientFilters): ClientFilters | { readonly name: ClientFilterName; readonly problem: string } {
  if (!['', 'listed'].includes(access)) return { name: 'access', problem: 'must be listed' };
  if (!['', 'public'].includes(type)) return { name: 'type', problem: 'must be public' };
  const unusedDays = daysIn(unused);
  if (unused !== '' && unusedDays === undefined) return { name: 'unused', problem: `must be ${dayRule}` };
  return { limited: access === 'listed', isPublic: type === 'public', unusedDays };
}
