// What depends on whom or what a change is about: people with a role and protected groups are for administrators alone.

import { hasRole, type RoleHolder, rolesOf } from '../../protocol/account/roles.ts';
import { visibleEvents } from '../../protocol/admin/event-subjects.ts';
import { type Authority, may, mayForSome, type Right } from '../../protocol/admin/rights.ts';
import type { EventRecord, Requester } from '../../protocol/event.ts';
import type { Group, User } from '../../storage/storage.ts';
import type { Services, Timing } from '../services.ts';
import { type Refused, refused } from './outcome.ts';

/** What someone who is signed in may do. Of what they own, only those who own something are asked. */
export async function authorityOf({ storage, clock }: Timing, user: User): Promise<Authority> {
  const roles = rolesOf(user);
  return user.isOwner ? { roles, owns: new Set(await storage.ownedClients(user.id, clock.now())) } : { roles };
}

/**
 * For the application that a request is about. One that is about none of them is for those who have the right for some: the operation
 * then keeps to these.
 */
export function isAllowed(authority: Authority | undefined, right: Right, clientId: string | undefined): boolean {
  return clientId === undefined ? mayForSome(authority, right) : may(authority, right, clientId);
}

/**
 * Whether the requester lacks the right. A refusal is recorded: every one of the console and the API comes through
 * here.
 */
export function rightRefused(
  services: Pick<Services, 'journal'>,
  requester: Requester,
  right: Right,
  clientId: string | undefined,
): boolean {
  if (isAllowed(requester.authority, right, clientId)) return false;
  noteRefusal(services, requester, right);
  return true;
}

/** What was asked for isn't recorded, only the right that it needs: the request may be anybody's. */
export function noteRefusal({ journal }: Pick<Services, 'journal'>, requester: Requester, right: Right): void {
  journal.noteRateLimited({ kind: 'administration_refused', detail: { right } }, requester);
}

/** Undefined if the requester may end what was sent to an email address. */
export function invitedRefusal({ authority }: Requester, email: string, toRole: boolean): Refused | undefined {
  if (!toRole || may(authority, 'roles.change')) return undefined;
  return refused(
    { subject: email, says: 'is invited to a role: only an administrator can decide about that' },
    'forbidden',
  );
}

/** Undefined if the requester may change the person. */
export function personRefusal({ authority }: Requester, user: RoleHolder): Refused | undefined {
  if (!hasRole(user) || may(authority, 'roles.change')) return undefined;
  return refused('only an administrator can change a person with a role', 'forbidden');
}

/**
 * Undefined if the requester may see where the person is signed in: one who doesn't see the events of someone with a role may not.
 */
export function sessionsRefusal({ authority }: Requester, user: RoleHolder): Refused | undefined {
  if (!hasRole(user) || visibleEvents(authority) === undefined) return undefined;
  return refused('only administrators and auditors see where a person with a role is signed in', 'forbidden');
}

/**
 * The event of a change to a person or an email address, which `personRefusal` or `invitedRefusal` has allowed: someone may be giving
 * them a role meanwhile, or inviting them to one.
 */
export function guarded(event: EventRecord, { authority }: Requester): EventRecord {
  return may(authority, 'roles.change') ? event : { ...event, limited: true };
}

/** Undefined if the requester may make changes with which another person could sign in as the person. */
export async function takeoverRefusal(
  { storage }: Pick<Services, 'storage'>,
  { authority }: Requester,
  { id }: Pick<User, 'id'>,
): Promise<Refused | undefined> {
  if (may(authority, 'roles.change') || !(await storage.isInProtectedGroup(id))) return undefined;
  return refused('the person is in a protected group: only an administrator can change how they sign in', 'forbidden');
}

/** What a page offers about a person: what isn't among it is refused by the operations themselves. */
export interface Reach {
  /** `not_sign_in`: all but with what another person could sign in as the person. */
  readonly changes: 'all' | 'not_sign_in' | 'nothing';
  readonly seesSessions: boolean;
}

export async function reachOf(services: Pick<Services, 'storage'>, requester: Requester, user: User): Promise<Reach> {
  const seesSessions = sessionsRefusal(requester, user) === undefined;
  if (personRefusal(requester, user) !== undefined) return { changes: 'nothing', seesSessions };
  const takesOver = (await takeoverRefusal(services, requester, user)) === undefined;
  return { changes: takesOver ? 'all' : 'not_sign_in', seesSessions };
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

/**
 * Undefined if the requester may change the name of the group, or who is in it. Both are the directory's that it belongs to; the
 * command line may step in.
 */
export function groupContentRefusal(
  requester: Requester,
  group: Pick<Group, 'name' | 'protectedSince' | 'managedBy'>,
): Refused | undefined {
  const refusal = groupRefusal(requester, group);
  if (refusal !== undefined || group.managedBy === null || requester.authority === undefined) return refusal;
  return refused(
    `the group "${group.name}" is managed by ${group.managedBy}: change its name and members in that directory`,
    'conflict',
  );
}

/** Whether names and the email address are the directory's. It can't change someone with a role, so those are an administrator's. */
export function isOwnedBySource(user: RoleHolder & Pick<User, 'managedBy'>): boolean {
  return user.managedBy !== null && !hasRole(user);
}

/** Undefined if the requester may change names and the email address. */
export function identityRefusal(
  { authority }: Requester,
  user: RoleHolder & Pick<User, 'email' | 'managedBy'>,
): Refused | undefined {
  if (authority === undefined || !isOwnedBySource(user)) return undefined;
  return refused(
    {
      subject: user.email,
      says: `is managed by ${user.managedBy}: change names and the email address in that directory`,
    },
    'conflict',
  );
}
