// Creating one's own account: after asking for it by email, by an invitation, or with the link that sets the service up.
// The request for an account takes only an email address; name and password come from whoever opens the email. So nobody
// can prepare an account for somebody else's address, and nobody learns whether an address has an account.

import { cleanName, nameProblem } from '../../protocol/account/display-name.ts';
import { isEmail } from '../../protocol/account/email-address.ts';
import type { Requester } from '../../protocol/event.ts';
import {
  accountPage,
  consolePage,
  type Destination,
  formatDestination,
  parseDestination,
  withoutLink,
} from '../../protocol/sign-in/destination.ts';
import type { PasswordProblem } from '../../protocol/sign-in/password-rules.ts';
import { unlessTaken } from '../admin/outcome.ts';
import { findLink } from '../mail/links.ts';
import { type EmailRequestOutcome, requestEmail } from '../mail/request-email.ts';
import { newPasswordProblem } from '../passwords/passwords.ts';
import type { Metering, PasswordRules, Services, Timing } from '../services.ts';
import { needsApproval, waitingSince } from '../users/approval.ts';
import { newUser } from '../users/users.ts';
import { type Advanced, type AdvanceServices, advance, type Browser, noFacts, type ProvenPerson } from './advance.ts';

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
  Advanced | { kind: 'link_expired' } | { kind: 'invalid'; problems: SignUpProblems } | { kind: 'email_taken' };

/** Everything that is wrong with what was typed, so that a page can show it all at once. */
export interface SignUpProblems {
  readonly email: boolean;
  readonly name: boolean;
  readonly password: PasswordProblem | undefined;
}

/** Creates the account that the link is for, and signs its user in. */
export async function signUp(
  services: AdvanceServices & PasswordRules & Pick<Services, 'passwords'>,
  link: SignUpLink,
  input: { email: string; name: string; password: string },
  browser: Browser,
  requester: Requester,
): Promise<SignUpOutcome> {
  const { storage, clock, journal } = services;
  const { purpose, destination } = link;
  const email = link.email ?? input.email;
  const outcome = await newUser(services, {
    email,
    name: input.name,
    password: input.password,
    emailVerified: link.emailed,
    admin: purpose === 'set_up',
    // They have just read the page in it, and emails to them will be in it too.
    locale: requester.language,
  });
  if (outcome.kind === 'refused') return { kind: 'invalid', problems: await problemsIn(services, { ...input, email }) };
  // An invitation and a set-up link come from an administrator.
  const waits = purpose === 'sign_up' && (await needsApproval(services));
  const user = waits ? waitingSince(outcome.user, clock.now()) : outcome.user;
  const kind = purpose === 'set_up' ? 'first_administrator_created' : 'signed_up';
  const detail = waits ? { approval: 'waiting' } : {};
  const event = journal.event({ kind, userId: user.id, detail }, requester);
  const usedLink = { digest: link.digest, purpose };
  const person: ProvenPerson = {
    user,
    facts: noFacts,
    factors: { first: 'sign_up', second: 'none' },
    browser,
    destination,
    // Nobody was asked, so the session isn't kept.
    keep: false,
    create: (start) => storage.signUp(user, usedLink, clock.now(), event, start),
  };
  const advanced = await unlessTaken(advance(services, person, requester));
  // An account with this address was created after the link was.
  if (advanced === 'taken') return { kind: purpose === 'set_up' ? 'email_taken' : 'link_expired' };
  return advanced ?? { kind: 'link_expired' };
}

async function problemsIn(
  services: PasswordRules,
  input: { email: string; name: string; password: string },
): Promise<SignUpProblems> {
  const email = input.email.trim();
  const name = cleanName(input.name);
  return {
    email: !isEmail(email),
    name: nameProblem(name) !== undefined,
    password: await newPasswordProblem(services, input.password, [email, name]),
  };
}
