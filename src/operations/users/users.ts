// An administrator creates users, finds them and looks at one. Changing a user is in edit-user.ts and disable-user.ts,
// helping them back in in user-recovery.ts, inviting someone in invitations.ts.

import { emailKey } from '../../protocol/account/email-address.ts';
import { isUserId } from '../../protocol/account/user-id.ts';
import type { Requester } from '../../protocol/event.ts';
import {
  type ConnectedApp,
  type ImportOrigin,
  type ListedUser,
  type SignInFacts,
  StorageConflict,
  type User,
} from '../../storage/storage.ts';
import { type AdminOutcome, type Refused, refused } from '../admin/outcome.ts';
import { type ListPage, type ListRequest, readPage } from '../admin/paging.ts';
import type { Services } from '../services.ts';
import { type ActiveSession, listActiveSessions } from '../sessions/active-sessions.ts';
import { type NewUserInput, newUser } from './new-user.ts';

type CreateServices = Pick<
  Services,
  'storage' | 'clock' | 'random' | 'passwords' | 'isCommonPassword' | 'isBreachedPassword' | 'journal'
>;

export async function createUser(
  services: CreateServices,
  input: NewUserInput,
  requester: Requester,
): Promise<AdminOutcome<{ user: User }>> {
  const { storage, journal } = services;
  const outcome = await newUser(services, input);
  if (outcome.kind === 'refused') return outcome;
  const { user } = outcome;
  const detail = { admin: input.admin ? 'yes' : 'no' };
  const event = journal.event({ kind: 'user_created', userId: user.id, detail }, requester);
  try {
    await storage.createUser(user, event);
  } catch (error) {
    if (!(error instanceof StorageConflict)) throw error;
    return emailTaken(user.email);
  }
  return { kind: 'done', user };
}

export function emailTaken(email: string): Refused {
  return refused(`there is already a person with the email address ${emailKey(email)}`, 'conflict');
}

/** A text is an email address or an ID, whichever is known. */
export type NamedUser = string | { readonly id: string } | { readonly email: string };

/** An ID from another service can be the email address of somebody else. Then a text alone means neither of them. */
export async function findUser(
  { storage }: Pick<Services, 'storage'>,
  named: NamedUser,
): Promise<AdminOutcome<{ user: User }>> {
  const { id, email } = typeof named === 'string' ? { id: named, email: named } : { id: '', email: '', ...named };
  const [byId, byEmail] = await Promise.all([
    isUserId(id) ? storage.findUser(id) : undefined,
    email.includes('@') ? storage.findUserByEmail(email) : undefined,
  ]);
  if (byId !== undefined && byEmail !== undefined && byId.id !== byEmail.id) {
    return refused(
      `"${named}" is the ID of one person and the email address of another: say ${byId.email} for the one with this ID, or ${byEmail.id} for the one with this email address`,
      'conflict',
    );
  }
  const user = byId ?? byEmail;
  return user === undefined ? refused(`there is no person "${id || email}"`, 'not_found') : { kind: 'done', user };
}

/** Where somebody came from; undefined for those who have always been here. */
export function findImportOrigin(services: Pick<Services, 'storage'>, user: User): Promise<ImportOrigin | undefined> {
  return services.storage.findImportOrigin(user.id);
}

/** Every user, oldest first. */
export function listAllUsers(services: Pick<Services, 'storage'>): Promise<User[]> {
  return services.storage.listUsers();
}

export const userSorts = ['name', 'last_sign_in', 'created'] as const;

export async function listUsers(
  services: Pick<Services, 'storage'>,
  request: ListRequest,
): Promise<AdminOutcome<ListPage<ListedUser>>> {
  const { storage } = services;
  const page = await readPage(request, (query) => storage.pageUsers(query), userSorts);
  if (page.kind === 'refused' || page.items.length > 0 || request.search === undefined) return page;
  const byId = await storage.findListedUser(request.search.trim());
  return byId === undefined ? page : { ...page, items: [byId] };
}

/** What an administrator wants to know about a user before acting. */
export interface UserDetails {
  readonly user: User;
  readonly sessions: readonly ActiveSession[];
  readonly apps: readonly ConnectedApp[];
  readonly signIn: SignInFacts;
  readonly lastSignInAt: number | null;
}

export async function userDetails(
  services: Pick<Services, 'storage' | 'settings' | 'clock'>,
  named: NamedUser,
): Promise<AdminOutcome<UserDetails>> {
  const found = await findUser(services, named);
  if (found.kind === 'refused') return found;
  const { id } = found.user;
  const [sessions, apps, signIn, listed] = await Promise.all([
    listActiveSessions(services, id),
    services.storage.listConnectedApps(id),
    services.storage.findSignInFacts(id, undefined),
    services.storage.findListedUser(id),
  ]);
  return { ...found, sessions, apps, signIn, lastSignInAt: listed?.lastSignInAt ?? null };
}

/** Email addresses, except where one is also the ID of somebody who came from another service. */
export async function namesOf({ storage }: Pick<Services, 'storage'>, people: readonly User[]): Promise<string[]> {
  const holders = await Promise.all(people.map(({ email }) => (isUserId(email) ? storage.findUser(email) : undefined)));
  return people.map(({ id, email }, index) => ((holders[index]?.id ?? id) === id ? email : id));
}
