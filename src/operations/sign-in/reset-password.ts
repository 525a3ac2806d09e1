// Setting a new password without the old one: with a link that was requested by email, or with one that an administrator
// has handed over. A signed-in user changes their password in account/passwords.ts.

import type { Requester } from '../../protocol/event.ts';
import {
  accountPage,
  type Destination,
  formatDestination,
  parseDestination,
  withoutLink,
} from '../../protocol/sign-in/destination.ts';
import type { PasswordProblem } from '../../protocol/sign-in/password-rules.ts';
import type { User } from '../../storage/storage.ts';
import { findLink } from '../mail/links.ts';
import { type EmailRequestOutcome, requestEmail } from '../mail/request-email.ts';
import { newPasswordProblem, personalOf } from '../passwords/passwords.ts';
import type { Mailing, Metering, PasswordRules, Recording, Services, Timing } from '../services.ts';
import { listIdentities, noteUnlinked } from '../users/identities.ts';

/** `destination` is where the user was going when they noticed that they had forgotten their password. */
export async function requestReset(
  services: Timing & Metering & Pick<Services, 'emailQueue'>,
  email: string,
  destination: Destination,
  requester: Requester,
): Promise<EmailRequestOutcome> {
  const wish = { kind: 'reset_password', target: formatDestination(withoutLink(destination)) } as const;
  return requestEmail(services, email, wish, requester);
}

/** `recover` is a link from an administrator. */
export type ResetPurpose = 'reset_password' | 'recover';

/** A link that sets a new password when it is used. */
export interface ResetLink {
  readonly purpose: ResetPurpose;
  readonly digest: string;
  readonly user: User;
  readonly destination: Destination;
}

/** The link, if it can still be used. */
export async function findResetLink(
  services: Timing,
  purpose: ResetPurpose,
  secret: string | undefined,
): Promise<ResetLink | undefined> {
  const link = await findLink(services, purpose, secret);
  const user = link?.userId == null ? undefined : await services.storage.findUser(link.userId);
  if (link === undefined || user === undefined) return undefined;
  const destination = parseDestination(link.data.target ?? '') ?? accountPage;
  return { purpose, digest: link.digest, user, destination };
}

export type ResetOutcome =
  | { kind: 'link_expired' }
  | { kind: 'invalid_password'; problem: PasswordProblem }
  | { kind: 'changed' };

/** Ends every session of the user. */
export async function resetPassword(
  services: Recording & Mailing & PasswordRules & Pick<Services, 'issuer' | 'passwords'>,
  { purpose, digest, user }: ResetLink,
  newPassword: string,
  requester: Requester,
): Promise<ResetOutcome> {
  const { storage, clock, passwords, journal, emailQueue, emailsFor, issuer } = services;
  const problem = await newPasswordProblem(services, newPassword, personalOf(user));
  if (problem !== undefined) return { kind: 'invalid_password', problem };
  const change = {
    passwordHash: await passwords.hash(newPassword),
    proof: { kind: 'link', digest, purpose },
  } as const;
  const identities = await listIdentities(services, user);
  const event = journal.event({ kind: 'password_reset', userId: user.id }, requester);
  if (!(await storage.changePassword(user.id, change, clock.now(), event))) return { kind: 'link_expired' };
  await noteUnlinked(services, user, identities, requester);
  await emailQueue.notify(emailsFor(user.locale).passwordChanged({ to: user.email, url: `${issuer}/reset-password` }));
  return { kind: 'changed' };
}
