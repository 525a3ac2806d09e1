// Creating one's own account: after asking for it by email, by an invitation, or with the link that sets the service up.
// The request for an account takes only an email address; name and passkey or password come from the person who opens the email. So
// nobody can prepare an account for another person's address, and nobody learns whether an address has an account.

import { isEmail } from '../../protocol/account/email-address.ts';
import { cleanName, nameProblem } from '../../protocol/account/names.ts';
import { invitedRoles } from '../../protocol/account/roles.ts';
import type { Role } from '../../protocol/admin/rights.ts';
import { digestOf } from '../../protocol/digest.ts';
import type { Actor, Requester } from '../../protocol/event.ts';
import { newId } from '../../protocol/identifiers.ts';
import {
  accountPage,
  consolePage,
  type Destination,
  formatDestination,
  parseDestination,
  withoutLink,
} from '../../protocol/sign-in/destination.ts';
import { canHavePassword } from '../../protocol/sign-in/password-policy.ts';
import type { PasswordProblem } from '../../protocol/sign-in/password-rules.ts';
import {
  judgeSignUp,
  type SignUpAttempt,
  type SignUpLinkEnd,
  type SignUpVerdict,
} from '../../protocol/sign-in/sign-up-rules.ts';
import type { NewMember, SignUpLink as SharedLink } from '../../storage/storage.ts';
import { unlessTaken } from '../admin/outcome.ts';
import { findLink, linkLifetimes } from '../email-links/links.ts';
import { type EmailRequestOutcome, requestEmail } from '../email-links/request-email.ts';
import { defaultGroups, joinedGroups, openSince } from '../groups/joining.ts';
import { newPasswordProblem } from '../passwords/passwords.ts';
import {
  type CreatedPasskey,
  offerFirstPasskey,
  type PasskeyOffered,
  readFirstPasskey,
} from '../second-factors/first-passkey.ts';
import { newRecoveryCodes } from '../second-factors/second-factors.ts';
import type { Metering, PasswordRules, Recording, Services, Storing, Timing } from '../services.ts';
import { needsApproval, waitingSince } from '../users/approval.ts';
import { changesOf } from '../users/set-roles.ts';
import { findSharedLink } from '../users/sign-up-links.ts';
import { newUser } from '../users/users.ts';
import { type Advanced, type AdvanceServices, advance, type Browser, noFacts, type ProvenPerson } from './advance.ts';
import type { NewCodes } from './set-up-factor.ts';

/** Whether an account can be created: in general, with this link to sign up with, or with this email address. */
export async function signUpVerdict(
  { settings, emailQueue }: Pick<Services, 'settings' | 'emailQueue'>,
  attempt: Pick<SignUpAttempt, 'email' | 'hasLink'>,
): Promise<SignUpVerdict> {
  return judgeSignUp({ ...(await settings.read()), ...attempt, canSendEmail: emailQueue.works });
}

/**
 * `destination` is where the user was going when they chose to create an account, `signUpLink` the ID of the link to sign up
 * with that they have. Another domain is refused before anyone looks whether the address has an account.
 */
export async function requestSignUp(
  services: Timing & Metering & Pick<Services, 'emailQueue' | 'settings'>,
  { email, destination, signUpLink }: { email: string; destination: Destination; signUpLink: string | undefined },
  requester: Requester,
): Promise<EmailRequestOutcome | { kind: 'refused'; verdict: Exclude<SignUpVerdict, 'allowed'> }> {
  const verdict = await signUpVerdict(services, { email: email.trim(), hasLink: signUpLink !== undefined });
  // Text that is no address has no domain: the page says what is wrong with it.
  if (verdict !== 'allowed' && (verdict !== 'other_domain' || isEmail(email.trim())))
    return { kind: 'refused', verdict };
  const wish = { kind: 'sign_up', target: formatDestination(withoutLink(destination)), signUpLink } as const;
  return requestEmail(services, email, wish, requester);
}

export type SignUpPurpose = 'sign_up' | 'invite' | 'set_up';

/** A link that creates an account when it is used. */
export interface SignUpLink {
  readonly purpose: SignUpPurpose;
  readonly digest: string;
  /** The address that the account is for; undefined for a set-up link, whose user names their own. */
  readonly email: string | undefined;
  /** The name that an invitation suggests. */
  readonly name: string | undefined;
  /** Whether the link was sent to the address, so that using it proves the address. */
  readonly emailed: boolean;
  readonly destination: Destination;
  /** Whether a link to sign up with has led to it: then the account needs no approval. */
  readonly viaLink: boolean;
  /** Its ID. */
  readonly signUpLink: string | undefined;
  /** By ID, without the default groups. */
  readonly groupIds: readonly string[];
  /** When someone chose these groups. */
  readonly groupsChosenAt: number;
  /** When the account's access ends; null for never. */
  readonly accountExpiresAt: number | null;
  /** Those that the account gets. */
  readonly roles: readonly Role[];
  /** Of an invitation that gives a role: who sent it. */
  readonly role: { readonly inviter: Actor | undefined } | undefined;
}

export type FoundSignUpLink =
  | { kind: 'found'; link: SignUpLink }
  /** Also when sign-up was closed since, or is for other domains now. */
  | { kind: 'link_expired' }
  /** The link to sign up with that has led to it can't be used any more. */
  | { kind: 'sign_up_link_ended'; end: SignUpLinkEnd };

/** Where a link leads when its user was not going anywhere else. */
const defaultDestinations: Record<SignUpPurpose, Destination> = {
  sign_up: accountPage,
  invite: accountPage,
  set_up: consolePage,
};

/** A set-up link works only while there is no administrator. */
export async function findSignUpLink(
  services: Timing & Pick<Services, 'settings'>,
  purpose: SignUpPurpose,
  secret: string | undefined,
): Promise<FoundSignUpLink> {
  const found = await findLink(services, purpose, secret);
  if (found === undefined) return { kind: 'link_expired' };
  const { data, digest } = found;
  const { email, name, groups = [], accountExpiresAt = null, invitedBy } = data;
  const invited = purpose === 'invite' ? invitedRoles(data) : [];
  const isSetUp = purpose === 'set_up';
  if (isSetUp && (await services.storage.countAdministrators()) > 0) return { kind: 'link_expired' };
  if (accountExpiresAt !== null && accountExpiresAt <= services.clock.now()) return { kind: 'link_expired' };
  const link: SignUpLink = {
    purpose,
    digest,
    email: isSetUp ? undefined : (email ?? ''),
    name,
    emailed: purpose === 'sign_up' || (purpose === 'invite' && data.mailed === 'yes'),
    destination: parseDestination(data.target ?? '') ?? defaultDestinations[purpose],
    viaLink: data.signUpLink !== undefined,
    signUpLink: data.signUpLink,
    groupIds: groups,
    groupsChosenAt: found.expiresAt - linkLifetimes.invite,
    accountExpiresAt,
    roles: isSetUp ? ['administrator'] : invited,
    role: invited.length > 0 ? { inviter: invitedBy } : undefined,
  };
  return purpose === 'sign_up' ? whileAllowed(services, link) : { kind: 'found', link };
}

/** The rules are those of now: they may have changed since the link was requested. */
async function whileAllowed(services: Timing & Pick<Services, 'settings'>, link: SignUpLink): Promise<FoundSignUpLink> {
  const { signUpLink, email } = link;
  const shared = signUpLink === undefined ? undefined : await findSharedLink(services, { id: signUpLink });
  // The email has arrived, so whether more can be sent doesn't matter.
  const attempt = { ...(await services.settings.read()), email, hasLink: link.viaLink, canSendEmail: true };
  if (judgeSignUp(attempt) !== 'allowed' || (link.viaLink && shared === undefined)) return { kind: 'link_expired' };
  if (shared?.end !== undefined) return { kind: 'sign_up_link_ended', end: shared.end };
  return { kind: 'found', link: { ...link, ...groupsOf(shared?.link) } };
}

function groupsOf(link: SharedLink | undefined): Pick<SignUpLink, 'groupIds' | 'groupsChosenAt'> {
  return { groupIds: link?.groupIds ?? [], groupsChosenAt: link?.createdAt ?? 0 };
}

export type SignUpOutcome =
  /** There is an account now, which may need a second factor before it can be used. */
  | (Advanced & { readonly newCodes?: NewCodes })
  | Exclude<FoundSignUpLink, { kind: 'found' }>
  | { kind: 'invalid'; problems: SignUpProblems }
  | { kind: 'email_taken' }
  | { kind: 'wrong_passkey' };

/** Everything that is wrong with what was typed, so that a page can show it all at once. */
export interface SignUpProblems {
  readonly email: boolean;
  readonly name: boolean;
  readonly password: PasswordProblem | undefined;
}

export interface SignUpInput {
  readonly email: string;
  readonly name: string;
}

/** Creates the account that the link is for, and signs its user in. A passkey brings recovery codes. */
export async function signUp(
  services: AdvanceServices & PasswordRules & Pick<Services, 'passwords' | 'webauthn'>,
  link: SignUpLink,
  input: SignUpInput & ({ readonly password: string } | { readonly passkey: CreatedPasskey }),
  browser: Browser,
  requester: Requester,
): Promise<SignUpOutcome> {
  const { storage, clock, journal } = services;
  const { purpose, destination } = link;
  const email = link.email ?? input.email;
  const password = 'passkey' in input ? null : input.password;
  const outcome = await newUser(services, {
    id: 'passkey' in input ? input.passkey.challenge?.userId : undefined,
    email,
    name: input.name,
    password,
    emailVerified: link.emailed,
    roles: link.roles,
    // They have just read the page in it, and emails to them will be in it too.
    locale: requester.language,
  });
  if (outcome.kind === 'refused') {
    return { kind: 'invalid', problems: await problemsIn(services, link, input, password) };
  }
  // All other links come from an administrator.
  const waits = purpose === 'sign_up' && !link.viaLink && (await needsApproval(services));
  const created = { ...outcome.user, expiresAt: link.accountExpiresAt };
  const user = waits ? waitingSince(created, clock.now()) : created;
  const passkey = 'passkey' in input && (await readFirstPasskey(services, input.passkey, link.digest, requester));
  if (passkey === undefined) return { kind: 'wrong_passkey' };
  const codes = passkey ? newRecoveryCodes(services) : [];
  const kind = purpose === 'set_up' ? 'first_administrator_created' : 'signed_up';
  const about = { ...(waits && { approval: 'waiting' }), ...(link.signUpLink && { link: link.signUpLink }) };
  const events = [journal.event({ kind, userId: user.id, detail: about }, requester)];
  if (passkey) {
    const detail = { name: passkey.name };
    events.push(journal.event({ kind: 'passkey_added', userId: user.id, detail }, requester));
  }
  if (link.role !== undefined) events.push(...roleEvents(services, link, user.id, requester));
  // Its time says that the account was created with it.
  const { createdAt } = user;
  const added = passkey ? { passkey: { ...passkey, createdAt }, codeDigests: codes.map(digestOf) } : undefined;
  const usedLink = { digest: link.digest, purpose };
  const member = await newMember(services, link, user.id, requester);
  const person: ProvenPerson = {
    user,
    facts: noFacts,
    factors: { first: passkey ? 'passkey' : 'sign_up', second: 'none' },
    browser,
    destination,
    // The person wasn't asked, so the session isn't kept.
    keep: false,
    together: {
      kind: 'account',
      store: (start) => storage.signUp(user, usedLink, clock.now(), events, start, { ...member, passkey: added }),
    },
  };
  const advanced = await unlessTaken(advance(services, person, requester));
  // An account with this address was created after the link was.
  if (advanced === 'taken') return { kind: purpose === 'set_up' ? 'email_taken' : 'link_expired' };
  if (advanced !== undefined) return passkey ? { ...advanced, newCodes: { codes, email } } : advanced;
  const shared = link.signUpLink === undefined ? undefined : await findSharedLink(services, { id: link.signUpLink });
  if (shared?.end !== undefined) return { kind: 'sign_up_link_ended', end: shared.end };
  // The link still works if the passkey is someone's already.
  const isUnused = passkey && (await storage.findLink(link.digest, purpose, clock.now())) !== undefined;
  return { kind: isUnused ? 'wrong_passkey' : 'link_expired' };
}

/** What the account gets besides. The default groups are for people who come by themselves. */
async function newMember(
  services: Recording & Pick<Services, 'settings'>,
  { purpose, groupIds, groupsChosenAt, signUpLink, role }: SignUpLink,
  userId: string,
  requester: Requester,
): Promise<NewMember> {
  const initial = purpose === 'sign_up' ? await defaultGroups(services) : [];
  const chosen = await openSince(services, groupIds, groupsChosenAt);
  const groups = await joinedGroups(services, userId, [...initial, ...chosen], requester);
  return { groups, signUpLink, role };
}

function roleEvents({ journal }: Recording, { roles, role }: SignUpLink, userId: string, requester: Requester) {
  const actor = role?.inviter;
  return changesOf(userId, [], roles).map(({ detail, ...facts }) =>
    journal.event({ ...facts, detail: { ...detail, reason: 'invitation' } }, { ...requester, ...(actor && { actor }) }),
  );
}

export type SignUpOffer = PasskeyOffered | Extract<SignUpOutcome, { kind: 'invalid' | 'email_taken' }>;

/** What a browser needs to create the new account's passkey, once the rest of the form is right. */
export async function offerSignUpPasskey(
  services: PasswordRules & Storing & Pick<Services, 'clock' | 'random' | 'webauthn'>,
  link: SignUpLink,
  input: SignUpInput,
): Promise<SignUpOffer> {
  const problems = await problemsIn(services, link, input, null);
  if (problems.email || problems.name) return { kind: 'invalid', problems };
  const email = (link.email ?? input.email).trim();
  if ((await services.storage.findUserByEmail(email)) !== undefined) return { kind: 'email_taken' };
  const user = { id: newId(services.random), email, name: cleanName(input.name) };
  return offerFirstPasskey(services, user, link.digest);
}

/** Whether the account may have a password. */
export async function mayChoosePassword(services: Pick<Services, 'settings'>, link: SignUpLink): Promise<boolean> {
  return canHavePassword(await services.settings.read(), link.roles.length > 0);
}

/** `password` is null for none. */
async function problemsIn(
  services: PasswordRules,
  link: SignUpLink,
  input: SignUpInput,
  password: string | null,
): Promise<SignUpProblems> {
  const email = (link.email ?? input.email).trim();
  const name = cleanName(input.name);
  const owner = { personal: [email, name], hasRole: link.roles.length > 0 };
  return {
    email: !isEmail(email),
    name: nameProblem(name) !== undefined,
    password: password === null ? undefined : await newPasswordProblem(services, password, owner),
  };
}
