// Names of groups to choose from in a form.

import type { Requester } from '../../protocol/event.ts';
import { groupContentRefusal } from '../admin/authority.ts';
import type { Storing } from '../services.ts';
import { listGroups } from './groups.ts';

/** As many as someone would look through. */
const mostNames = 200;

export interface GroupNames {
  readonly names: readonly string[];
  /** Whether there are others, which a search finds. */
  readonly more: boolean;
}

/** By name, those with a text in it; with a requester, those whose members they can choose. */
export async function groupNames(services: Storing, search: string, joinableBy?: Requester): Promise<GroupNames> {
  const found = await listGroups(services, { search, limit: mostNames });
  if (found.kind === 'refused') return { names: [], more: false };
  const { items, next } = found;
  const shown =
    joinableBy === undefined ? items : items.filter((group) => groupContentRefusal(joinableBy, group) === undefined);
  return { names: shown.map(({ name }) => name), more: next !== undefined };
}
