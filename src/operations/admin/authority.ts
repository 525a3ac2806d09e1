// What depends on whom or what a change is about: people with a role and protected groups are for administrators alone.

import { hasRole } from '../../protocol/account/roles.ts';
import { may } from '../../protocol/admin/rights.ts';
import type { Requester } from '../../protocol/event.ts';
import type { Group, User } from '../../storage/storage.ts';
import { type Refused, refused } from './outcome.ts';

/** Undefined if the requester may change the person. */
export function personRefusal({ authority }: Requester, user: Pick<User, 'adminSince' | 'roles'>): Refused | undefined {
  if (!hasRole(user) || may(authority, 'roles.change')) return undefined;
  return refused('only an administrator can change a person with a role', 'forbidden');
}

/** Undefined if the requester may decide which groups are protected. */
export function protectionRefusal({ authority }: Requester): Refused | undefined {
  if (may(authority, 'roles.change')) return undefined;
  return refused('only an administrator can decide whether a group is protected', 'forbidden');
}

/** Undefined if the requester may change the group, or who is in it. */
export function groupRefusal(
  { authority }: Requester,
  group: Pick<Group, 'name' | 'protectedSince'>,
): Refused | undefined {
  if (group.protectedSince === null || may(authority, 'roles.change')) return undefined;
  return refused(`the group "${group.name}" is protected: only an administrator can change it`, 'forbidden');
}
