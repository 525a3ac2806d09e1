// An administrator decides which roles a person has. Being an administrator is one of them.

import { gainsRole, holderOf, keepsGivenRights, rolesOf, storedRoles } from '../../protocol/account/roles.ts';
import { may, type Role } from '../../protocol/admin/rights.ts';
import type { EventFacts, Requester } from '../../protocol/event.ts';
import type { UserInput } from '../../protocol/resources/user.ts';
import type { User } from '../../storage/storage.ts';
import { beingChanged, type Outcome, type Refused, refused } from '../admin/outcome.ts';
import { eventsOfEndedRights } from '../api-keys/api-keys.ts';
import type { Mailing, Metering, Recording, Storing } from '../services.ts';
import { editUser } from './edit-user.ts';
import { readGivenRoles, rolesNotAllowed } from './given-roles.ts';
import {
  hasLastingAdministrator,
  isLastAdministrator,
  lastAdministrator,
  onlyAdministrator,
} from './last-administrator.ts';
import { findUser, type NamedUser } from './users.ts';

/** More than the number of people who change one account at the same moment. */
const attempts = 10;

type Changed = Outcome<{ user: User; changed: boolean }>;

/** The person has these roles afterwards, and no others. */
export async function setRoles(
  services: Recording & Mailing,
  named: NamedUser,
  roles: readonly string[],
  requester: Requester,
): Changed {
  const given = readGivenRoles({ roles }, requester);
  return given.kind === 'refused' ? given : changeRoles(services, named, () => given.roles, requester);
}

/** `next` says what becomes of the roles that the person has. */
export async function changeRoles(
  services: Recording & Mailing,
  named: NamedUser,
  next: (held: readonly Role[]) => readonly Role[],
  requester: Requester,
): Changed {
  const { storage, clock, journal, emailQueue, emailsFor } = services;
  if (!may(requester.authority, 'roles.change')) return rolesNotAllowed;
  const first = await findUser(services, named);
  if (first.kind === 'refused') return first;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const found = await findUser(services, { id: first.user.id });
    if (found.kind === 'refused') return found;
    const { user } = found;
    const before = rolesOf(user);
    const roles = [...new Set(next(before))].toSorted();
    const [change, ...others] = changesOf(user.id, before, roles);
    if (change === undefined) return { ...found, changed: false };
    const now = clock.now();
    const event = journal.event(change, requester);
    const further = others.map((facts) => journal.event(facts, requester));
    const ended = keepsGivenRights(before, roles) ? [] : await eventsOfEndedRights(services, user.id, requester);
    const stored = holderOf(roles, user.adminSince ?? now);
    if (await storage.setRoles(user.id, user, stored, now, event, [...further, ...ended])) {
      const emailed = emailOf(before, roles);
      await emailQueue.notify(emailsFor(user.locale).adminAccessChanged({ to: user.email, change: emailed, roles }));
      return { kind: 'done', user: (await storage.findUser(user.id)) ?? user, changed: true };
    }
    const refusal = await rolesRefusal(services, user, roles);
    if (refusal !== undefined) return refusal;
  }
  return beingChanged(first.user.email);
}

/**
 * Changes a person and their roles. Roles are written apart from the rest, so what speaks against them is looked for first:
 * only someone who changes the same person at that moment can keep one of the two from being made.
 */
export async function editUserAndRoles(
  services: Recording & Mailing & Metering,
  named: NamedUser,
  { roles, ...change }: UserInput,
  requester: Requester,
): Outcome<{ user: User }> {
  if (roles === undefined) return editUser(services, named, change, requester);
  if (!may(requester.authority, 'roles.change')) return rolesNotAllowed;
  const given = readGivenRoles({ roles }, requester);
  if (given.kind === 'refused') return given;
  const found = await findUser(services, named);
  if (found.kind === 'refused') return found;
  const refusal = await rolesRefusal(services, found.user, given.roles);
  if (refusal !== undefined) return refusal;
  const target = { id: found.user.id };
  const edited = await editUser(services, target, change, requester);
  return edited.kind === 'refused' ? edited : setRoles(services, target, roles, requester);
}

/** What keeps this person from having these roles. Storage holds the rules; this says which it was. */
export async function rolesRefusal(
  services: Storing,
  user: User,
  roles: readonly Role[],
): Promise<Refused | undefined> {
  const held = rolesOf(user);
  const isAdministrator = roles.includes('administrator');
  if (!isAdministrator && (await isLastAdministrator(services, user))) {
    return refused({ subject: user.email, says: lastAdministrator }, 'conflict');
  }
  if (!gainsRole(held, roles)) return undefined;
  if (user.disabledAt !== null) return refused({ subject: user.email, says: 'is disabled' }, 'conflict');
  const staysAlone = isAdministrator && user.adminSince === null && user.expiresAt !== null;
  if (!staysAlone || (await hasLastingAdministrator(services))) return undefined;
  return refused({ subject: user.email, says: onlyAdministrator }, 'conflict');
}

/** Being an administrator has events of its own, which is what most endpoints and searches look for. */
export function changesOf(userId: string, before: readonly Role[], roles: readonly Role[]): readonly EventFacts[] {
  const [was, is] = [before.includes('administrator'), roles.includes('administrator')];
  const others = storedRoles(before) !== storedRoles(roles);
  return [
    ...(is && !was ? [{ kind: 'user_made_administrator', userId } as const] : []),
    ...(was && !is ? [{ kind: 'user_administrator_removed', userId } as const] : []),
    ...(others
      ? [{ kind: 'user_roles_changed', userId, detail: { roles: [...roles], before: [...before] } } as const]
      : []),
  ];
}

function emailOf(before: readonly Role[], roles: readonly Role[]): 'given' | 'removed' | 'changed' {
  if (roles.length === 0) return 'removed';
  return roles.includes('administrator') && !before.includes('administrator') ? 'given' : 'changed';
}
