// Creating one's own account: after asking for it by email, by an invitation, or with the link that sets the service up.
// The request for an account takes only an email address; name and passkey or password come from whoever opens the email. So
// nobody can prepare an account for somebody else's address, and nobody learns whether an address has an account.

import { cleanName, nameProblem } from '../../protocol/account/display-name.ts';
import { isEmail } from '../../protocol/account/email-address.ts';
import { digestOf } from '../../protocol/digest.ts';
import type { Requester } from '../../protocol/event.ts';
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
import { unlessTaken } from '../admin/outcome.ts';
import { findLink } from '../mail/links.ts';
import { type EmailRequestOutcome, requestEmail } from '../mail/request-email.ts';
import { newPasswordProblem } from '../passwords/passwords.ts';
import {
  type CreatedPasskey,
  offerFirstPasskey,
  type PasskeyOffered,
  readFirstPasskey,
} from '../second-factors/first-passkey.ts';
import { newRecoveryCodes } from '../second-factors/second-factors.ts';
import type { Metering, PasswordRules, Services, Storing, Timing } from '../services.ts';
import { needsApproval, waitingSince } from '../users/approval.ts';
import { newUser } from '../users/users.ts';
import { type Advanced, type AdvanceServices, advance, type Browser, noFacts, type ProvenPerson } from './advance.ts';
import type { NewCodes } from './set-up-factor.ts';

/** `destination` is where the user was going when they chose to create an account. */
export async function requestSignUp(
  services: Timing & Metering & Pick<Services, 'emailQueue'>,
  email: string,
  destination: Destination,
  requester: Requester,
): Promise<EmailRequestOutcome> {
  const wish = { kind: 'sign_up', target: formatDestination(withoutLink(destination)) } as const;
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
}

/** Where a link leads when its user was not going anywhere else. */
const defaultDestinations: Record<SignUpPurpose, Destination> = {
  sign_up: accountPage,
  invite: accountPage,
  set_up: consolePage,
};

/** The link, if it can still be used. A set-up link works only while there is no administrator. */
export async function findSignUpLink(
  services: Timing,
  purpose: SignUpPurpose,
  secret: string | undefined,
): Promise<SignUpLink | undefined> {
  const link = await findLink(services, purpose, secret);
  if (link === undefined) return undefined;
  const { data, digest } = link;
  const isSetUp = purpose === 'set_up';
  if (isSetUp && (await services.storage.countAdministrators()) > 0) return undefined;
  return {
    purpose,
    digest,
    email: isSetUp ? undefined : (data.email ?? ''),
    name: data.name,
    emailed: purpose === 'sign_up' || (purpose === 'invite' && data.mailed === 'yes'),
    destination: parseDestination(data.target ?? '') ?? defaultDestinations[purpose],
  };
}

export type SignUpOutcome =
  /** There is an account now, which may need a second factor before it can be used. */
  | (Advanced & { readonly newCodes?: NewCodes })
  | { kind: 'link_expired' }
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
    admin: isForAdministrator(link),
    // They have just read the page in it, and emails to them will be in it too.
    locale: requester.language,
  });
  if (outcome.kind === 'refused') {
    return { kind: 'invalid', problems: await problemsIn(services, link, input, password) };
  }
  // An invitation and a set-up link come from an administrator.
  const waits = purpose === 'sign_up' && (await needsApproval(services));
  const user = waits ? waitingSince(outcome.user, clock.now()) : outcome.user;
  const passkey = 'passkey' in input && (await readFirstPasskey(services, input.passkey, link.digest, requester));
  if (passkey === undefined) return { kind: 'wrong_passkey' };
  const codes = passkey ? newRecoveryCodes(services) : [];
  const kind = purpose === 'set_up' ? 'first_administrator_created' : 'signed_up';
  const events = [journal.event({ kind, userId: user.id, detail: waits ? { approval: 'waiting' } : {} }, requester)];
  if (passkey) {
    const detail = { name: passkey.name };
    events.push(journal.event({ kind: 'passkey_added', userId: user.id, detail }, requester));
  }
  const added = passkey ? { passkey, codeDigests: codes.map(digestOf) } : undefined;
  const usedLink = { digest: link.digest, purpose };
  const person: ProvenPerson = {
    user,
    facts: noFacts,
    factors: { first: passkey ? 'passkey' : 'sign_up', second: 'none' },
    browser,
    destination,
    // Nobody was asked, so the session isn't kept.
    keep: false,
    create: (start) => storage.signUp(user, usedLink, clock.now(), events, start, added),
  };
  const advanced = await unlessTaken(advance(services, person, requester));
  // An account with this address was created after the link was.
  if (advanced === 'taken') return { kind: purpose === 'set_up' ? 'email_taken' : 'link_expired' };
  if (advanced !== undefined) return passkey ? { ...advanced, newCodes: { codes, email } } : advanced;
  // The link still works if the passkey is someone's already.
  const isUnused = (await storage.findLink(link.digest, purpose, clock.now())) !== undefined;
  return { kind: isUnused ? 'wrong_passkey' : 'link_expired' };
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
  return canHavePassword(await services.settings.read(), isForAdministrator(link));
}

function isForAdministrator({ purpose }: SignUpLink): boolean {
  return purpose === 'set_up';
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
  const owner = { personal: [email, name], isAdministrator: isForAdministrator(link) };
  return {
    email: !isEmail(email),
    name: nameProblem(name) !== undefined,
    password: password === null ? undefined : await newPasswordProblem(services, password, owner),
  };
}
