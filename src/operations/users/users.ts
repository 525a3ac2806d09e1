// An administrator creates users, finds them and looks at one. Without a password, a new person gets a link to choose one.
// Changing a user is in edit-user.ts and disable-user.ts,
// helping them back in in user-recovery.ts, inviting someone in invitations.ts.

import { emailKey } from '../../protocol/account/email-address.ts';
import { isUserId, usernameProblem } from '../../protocol/account/names.ts';
import { hasRole, holderOf, type RoleHolder, rolesOf } from '../../protocol/account/roles.ts';
import { newAccount } from '../../protocol/account/standing.ts';
import {
  type PeopleFilters,
  readPeopleFilters,
  type WrittenPeopleFilters,
} from '../../protocol/admin/people-filters.ts';
import { isRole } from '../../protocol/admin/rights.ts';
import type { Actor, Requester } from '../../protocol/event.ts';
import { newId } from '../../protocol/identifiers.ts';
import { problemWith } from '../../protocol/problem.ts';
import { readNew, recordedValues } from '../../protocol/resources/resource.ts';
import { type UserInput, userFields } from '../../protocol/resources/user.ts';
import { canHavePassword, noPassword } from '../../protocol/sign-in/password-policy.ts';
import { type PasswordProblem, passwordLength } from '../../protocol/sign-in/password-rules.ts';
import type { ListedUser, User, UserQuery } from '../../storage/storage.ts';
import { guarded, personRefusal, sessionsRefusal } from '../admin/authority.ts';
import { endingSoonDays } from '../admin/ends.ts';
import {
  type AdminOutcome,
  type Outcome,
  problemsAt,
  type Refused,
  refused,
  refusedFields,
  unlessTaken,
  wholeOrRefused,
} from '../admin/outcome.ts';
import { type ListPage, type ListRequest, readPage } from '../admin/paging.ts';
import { initialValues, readGivenAttributes } from '../attributes/person-attributes.ts';
import { linkLifetimes, newLink } from '../email-links/links.ts';
import { newPasswordProblem } from '../passwords/passwords.ts';
import type { Linking, Mailing, PasswordRules, Recording, Services, Storing, Timing } from '../services.ts';
import { type ActiveSession, listActiveSessions } from '../sessions/sessions.ts';
import { findInvitedRefusal, readGivenRoles } from './given-roles.ts';
import { isLastAdministrator, onlyAdministrator } from './last-administrator.ts';

const mostDirectories = 10;

type CreateServices = Recording & PasswordRules & Pick<Services, 'random' | 'passwords'>;

export async function createUser(
  services: CreateServices,
  input: NewUserInput,
  requester: Requester,
): Outcome<{ user: User }> {
  const { storage, journal } = services;
  const given = await readGivenAttributes(services, {}, input.attributes, requester);
  const held = readGivenRoles(input, requester);
  if (held.kind === 'refused') return held;
  const email = (input.email ?? '').trim();
  const notOurs = await findInvitedRefusal(services, email, requester);
  if (notOurs !== undefined) return notOurs;
  const refusal = given.refusal ?? refusedFields(given.problems);
  const outcome = refusal ?? (await newUser(services, { ...input, roles: held.roles }));
  if (outcome.kind === 'refused') return outcome;
  const user = { ...outcome.user, attributes: initialValues(given.change) };
  const detail = {
    admin: user.adminSince === null ? 'no' : 'yes',
    ...(user.roles !== null && { roles: rolesOf(user) }),
    ...recordedValues(userFields, user),
  };
  const event = guarded(journal.event({ kind: 'user_created', userId: user.id, detail }, requester), requester);
  const created = await unlessTaken(storage.createUser(user, event, given.change?.checkedBy));
  if (created === 'taken') return emailTaken(user.email);
  if (created) return { kind: 'done', user };
  if (user.expiresAt !== null && (await isLastAdministrator(services, { ...user, expiresAt: null }))) {
    return refused({ subject: user.email, says: onlyAdministrator }, 'conflict');
  }
  const invitedNow = await findInvitedRefusal(services, email, requester);
  return invitedNow ?? refused('an attribute is being changed by someone else; try again', 'conflict');
}

export function emailTaken(email: string): Refused {
  return refused(`there is already a person with the email address ${emailKey(email)}`, 'conflict');
}

/** A text is an ID or an email address. If it's the ID of one person and the email address of another, it's the ID. */
export type NamedUser = string | { readonly id: string } | { readonly email: string };

export async function findUser({ storage }: Storing, named: NamedUser): Outcome<{ user: User }> {
  const { id, email } = typeof named === 'string' ? { id: named, email: named } : { id: '', email: '', ...named };
  const byId = isUserId(id) ? await storage.findUser(id) : undefined;
  const user = byId ?? (email.includes('@') ? await storage.findUserByEmail(email) : undefined);
  return user === undefined ? refused(`there is no person "${id || email}"`, 'not_found') : { kind: 'done', user };
}

/** A text that someone has typed: also a username, if it's nobody's ID or email address. */
export async function findUserCalled(services: Storing, text: string): Outcome<{ user: User }> {
  const found = await findUser(services, text);
  if (found.kind === 'done') return found;
  const user = usernameProblem(text) === undefined ? await services.storage.findUserByUsername(text) : undefined;
  if (user !== undefined) return { kind: 'done', user };
  return refused(nobodyCalled(text), 'not_found');
}

export function nobodyCalled(text: string): string {
  return `there is no person with the email address, username or ID "${text}"`;
}

/** The person, if the requester may change them. */
export async function findChangeable(
  services: Storing,
  named: NamedUser,
  requester: Requester,
): Outcome<{ user: User }> {
  const found = await findUser(services, named);
  return found.kind === 'refused' ? found : (personRefusal(requester, found.user) ?? found);
}

export const userSorts = ['name', 'last_sign_in', 'last_active', 'created'] as const;

export interface UsersRequest extends ListRequest, WrittenPeopleFilters {
  /** `expires_within` with what counts as soon. */
  readonly ending?: boolean | undefined;
}

export async function listUsers(services: Timing, request: UsersRequest): Outcome<ListPage<ListedUser>> {
  const { storage, clock } = services;
  const read = filtersIn(request);
  if (read.kind === 'refused') return read;
  const { by } = read;
  const filter = { by, now: clock.now() };
  const page = await readPage(
    request,
    (query) => storage.pageUsers({ ...query, order: query.order ?? ownOrder(by), filter }),
    userSorts,
  );
  if (page.kind === 'refused' || page.items.length > 0 || request.search === undefined) return page;
  if (Object.keys(by).length > 0) return page;
  const byId = await storage.findListedUser(request.search.trim());
  if (byId === undefined) return page;
  return { ...page, items: [byId], ...(page.total && { total: { count: 1, more: false } }) };
}

/** Without an explicit order: what ends first, or who has been inactive the longest. */
function ownOrder({ expiresWithin, inactive }: PeopleFilters): UserQuery['order'] {
  if (expiresWithin !== undefined) return { by: 'expires', descending: false };
  return inactive === undefined ? undefined : { by: 'last_active', descending: false };
}

/** The directories that a list can be limited to, as far as they're worth showing. */
export function listDirectories({ storage }: Storing): Promise<readonly string[]> {
  return storage.listDirectories(mostDirectories);
}

function filtersIn(request: UsersRequest): AdminOutcome<{ readonly by: PeopleFilters }> {
  const { ending, expires_within = ending ? `${endingSoonDays}d` : undefined } = request;
  if (ending && request.expires_within)
    return refused({ subject: 'ending', says: "and expires_within can't be combined" });
  const by = readPeopleFilters({ ...request, expires_within });
  if (!('problem' in by)) return { kind: 'done', by };
  return refused({ field: by.name, says: `"${by.name}" ${by.problem}` });
}

/** What an administrator wants to know about a user before acting. */
export async function userDetails(services: Timing & Pick<Services, 'settings'>, named: NamedUser) {
  const found = await findUser(services, named);
  if (found.kind === 'refused') return found;
  const { id } = found.user;
  const [sessions, apps, signIn, listed] = await Promise.all([
    listActiveSessions(services, id),
    services.storage.listConnectedApps(id),
    services.storage.findSignInFacts(id, undefined),
    services.storage.findListedUser(id),
  ]);
  return {
    ...found,
    sessions,
    apps,
    signIn,
    lastSignInAt: listed?.lastSignInAt ?? null,
    lastActiveAt: listed?.lastActiveAt ?? null,
  };
}

/** Where the person is signed in, if the requester may see that. */
export async function sessionsOf(
  services: Timing & Pick<Services, 'settings'>,
  named: NamedUser,
  requester: Requester,
): Outcome<{ sessions: readonly ActiveSession[] }> {
  const found = await findUser(services, named);
  if (found.kind === 'refused') return found;
  const refusal = sessionsRefusal(requester, found.user);
  return refusal ?? { kind: 'done', sessions: await listActiveSessions(services, found.user.id) };
}

/** Email addresses, except where one is also the ID of a person who came from another service. */
export async function namesOf({ storage }: Storing, people: readonly Pick<User, 'id' | 'email'>[]): Promise<string[]> {
  const holders = await Promise.all(people.map(({ email }) => (isUserId(email) ? storage.findUser(email) : undefined)));
  return people.map(({ id, email }, index) => ((holders[index]?.id ?? id) === id ? email : id));
}

/** Of the person who acts, or has made the API key. Undefined for the command line, and for an administrator who is gone. */
export async function nameOfActor(services: Storing, actor: Actor | undefined): Promise<string | undefined> {
  return actor && (await namesOfActors(services, [actor])).get(actor.id);
}

/** Whose rights an action depends on: the person who acts, or has made the API key. Null for the command line. */
export async function administratorBehind({ storage }: Storing, actor: Actor | undefined): Promise<string | null> {
  if (actor === undefined || actor.kind === 'administrator') return actor?.id ?? null;
  const key = (await storage.listApiKeys()).find(({ id }) => id === actor.id);
  // One that was revoked at this moment has nobody behind it, who can't be an administrator.
  return key === undefined ? actor.id : key.createdBy;
}

/** By the ID of the administrator or of the key. */
export async function namesOfActors(
  { storage }: Storing,
  actors: readonly Actor[],
): Promise<ReadonlyMap<string, string>> {
  const keys = actors.some(({ kind }) => kind === 'api_key') ? await storage.listApiKeys() : [];
  const administrators = new Map(
    actors.map(({ kind, id }) => [id, kind === 'administrator' ? id : keys.find((key) => key.id === id)?.createdBy]),
  );
  const found = await Promise.all(
    [...administrators].map(async ([id, userId]) => {
      const user = userId == null ? undefined : await storage.findUser(userId);
      return user === undefined ? [] : [[id, user.name] as const];
    }),
  );
  return new Map(found.flat());
}

export interface NewUserInput extends UserInput {
  /** Undefined for an unknown one, which no sign-in can use; null for none. */
  readonly password: string | undefined | null;
  /** Where it was chosen before; otherwise a new one. */
  readonly id?: string | undefined;
  readonly locale?: string | undefined;
}

/** Each completes a sentence that starts with "the password". */
export const passwordProblems: Record<PasswordProblem, string> = {
  too_short: `must have at least ${passwordLength.least} characters`,
  too_long: `must have at most ${passwordLength.most} characters`,
  not_text: 'has characters that are not allowed',
  common: 'is too common',
  personal: "is the person's own name or email address",
  breached: 'is known from a data breach: choose one that is used nowhere else',
  not_allowed: 'is not allowed: the setting "passwords" turns passwords off for this person',
};

/** The fields, or everything that is wrong with the input, so that it can be corrected at once. */
async function readNewUser(services: PasswordRules & Pick<Services, 'clock'>, input: NewUserInput) {
  const read = readNew(userFields, input, services.clock.now());
  const { password, email = '', name = '', givenName = null, familyName = null } = { ...input, ...read.values };
  const owner = { personal: [email, name, givenName, familyName], hasRole: hasRole(rolesIn(input, 0)) };
  const problem = password == null ? undefined : await newPasswordProblem(services, password, owner);
  return wholeOrRefused(read, problemWith('password', problem && `the password ${passwordProblems[problem]}`));
}

/** The roles of a new person; names that are none are refused elsewhere. */
function rolesIn({ admin = false, roles = [] }: NewUserInput, now: number): RoleHolder {
  return holderOf([...roles.filter(isRole), ...(admin ? (['administrator'] as const) : [])], now);
}

/** For every way an account is created. Storing it, and finding that the email address is taken, is left to the caller. */
export async function newUser(
  services: PasswordRules & Pick<Services, 'clock' | 'random' | 'passwords'>,
  input: NewUserInput,
): Outcome<{ user: User }> {
  const { clock, random, passwords } = services;
  const read = await readNewUser(services, input);
  if (read.kind === 'refused') return read;
  const { email, name, givenName, familyName, expiresAt } = read.values;
  const now = clock.now();
  const user: User = {
    ...newAccount(now),
    id: input.id ?? newId(random),
    email,
    emailVerifiedAt: input.emailVerified ? now : null,
    name,
    givenName,
    familyName,
    locale: input.locale ?? null,
    passwordHash: input.password == null ? noPassword : await passwords.hash(input.password),
    expiresAt,
    ...rolesIn(input, now),
  };
  return { kind: 'done', user };
}

/**
 * Whether the person who creates or invites someone could sign in as them: with the password that they choose, or the link that
 * isn't emailed.
 */
export function creatorCanSignIn({ emailQueue }: Pick<Mailing, 'emailQueue'>, password?: string): boolean {
  return password !== undefined || !emailQueue.works;
}

/** A link with which the new user creates a passkey or chooses a password. */
export interface FirstLink {
  /** To share; undefined if it was sent by email. */
  readonly url: string | undefined;
  readonly expiresAt: number;
}

/** Without a password, the new user gets a link, by email unless it's to be shared. */
export async function createUserWithLink(
  services: CreateServices & Linking & Mailing,
  input: NewUserInput,
  requester: Requester,
  share = !services.emailQueue.works,
): Outcome<{ user: User; link: FirstLink | undefined }> {
  const isAllowed = canHavePassword(await services.settings.read(), hasRole(rolesIn(input, 0)));
  const password = input.password ?? (isAllowed ? undefined : null);
  const outcome = await createUser(services, { ...input, password }, requester);
  if (outcome.kind === 'refused') return outcome;
  const link = password == null ? await makeFirstLink(services, outcome.user, share, requester) : undefined;
  return { ...outcome, link };
}

/** What keeps this user from being created, with everything that is wrong. */
export async function newUserRefusal(
  services: PasswordRules & Timing,
  input: NewUserInput,
): Promise<Refused | undefined> {
  const { email = '' } = input;
  const isTaken = (await services.storage.findUserByEmail(email.trim())) !== undefined;
  const read = await readNewUser(services, input);
  const problems = read.kind === 'refused' ? read.problems : [];
  return refusedFields(isTaken ? [...problems, ...problemsAt('email', emailTaken(email.trim()))] : problems);
}

/** Undefined if the person was disabled or given a role meanwhile, is gone, or could be taken over as a member of a protected group. */
async function makeFirstLink(
  services: Recording & Linking & Mailing,
  user: User,
  share: boolean,
  requester: Requester,
): Promise<FirstLink | undefined> {
  const { emailQueue, emailsFor, storage, journal } = services;
  const mailed = !share;
  // As long as an invitation: the person doesn't expect it. A link that was emailed proves the address.
  const { link, url } = newLink(services, mailed ? 'reset_password' : 'recover', user.id, {}, linkLifetimes.invite);
  const kind = mailed ? 'user_reset_sent' : 'user_recovery_link_made';
  const allowed = guarded(journal.event({ kind, userId: user.id }, requester), requester);
  const event = mailed ? allowed : { ...allowed, takesOver: true as const };
  const inviter = await nameOfActor(services, requester.actor);
  const email = emailsFor(user.locale).accountCreated({ to: user.email, url, inviter });
  const made = mailed ? await emailQueue.queue(email, link, event) : await storage.storeLink(link, event);
  return made ? { url: mailed ? undefined : url, expiresAt: link.expiresAt } : undefined;
}
