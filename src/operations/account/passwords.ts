// A person changes their password, or gets a new one by mail.

import { digestOf } from '../../protocol/digest.ts';
import type { Origin } from '../../protocol/event.ts';
import { newSecret } from '../../protocol/identifiers.ts';
import { type Guessable, type PasswordProblem, passwordProblem } from '../../protocol/sign-in/password-rules.ts';
import type { SignedIn, User } from '../../storage/storage.ts';
import { findLink, newLink } from '../mail/links.ts';
import { type EmailRequestOutcome, requestEmail } from '../mail/request-email.ts';
import type { Services } from '../services.ts';
import { type Confirmation, confirmPassword } from '../sign-in/confirm-password.ts';

export type PasswordChangeOutcome =
  | Exclude<Confirmation, { kind: 'confirmed' }>
  | { kind: 'invalid_password'; problem: PasswordProblem }
  /** The session goes on under a new secret: a copy of the old one is worth nothing. */
  | { kind: 'changed'; sessionSecret: string };

export async function changePassword(
  services: Services,
  signedIn: SignedIn,
  input: { currentPassword: string; newPassword: string; device: string | undefined },
  origin: Origin,
): Promise<PasswordChangeOutcome> {
  const { storage, clock, passwords, random, journal, emailQueue, emailTemplates, issuer } = services;
  const { user, session } = signedIn;
  const problem = passwordProblem(input.newPassword, guessableFor(services, user));
  if (problem !== undefined) return { kind: 'invalid_password', problem };
  const confirmation = await confirmPassword(services, user, input.currentPassword, origin);
  if (confirmation.kind !== 'confirmed') return confirmation;
  const sessionSecret = newSecret('lks_', random);
  const change = {
    passwordHash: await passwords.hash(input.newPassword),
    proof: { kind: 'password', currentHash: user.passwordHash },
    session: { ...session, digest: digestOf(sessionSecret) },
    keptDevice: input.device && digestOf(input.device),
  } as const;
  const event = journal.event({ kind: 'password_changed', userId: user.id }, origin);
  if (!(await storage.changePassword(user.id, change, clock.now(), event))) return { kind: 'wrong_password' };
  await emailQueue.notify(emailTemplates.passwordChanged({ to: user.email, url: `${issuer}/reset-password` }));
  return { kind: 'changed', sessionSecret };
}

/** `target` is where the person was on the way to. */
export async function requestReset(
  services: Services,
  email: string,
  target: string,
  origin: Origin,
): Promise<EmailRequestOutcome> {
  const { storage, emailQueue, emailTemplates, journal, issuer } = services;
  return requestEmail(services, email, origin, async (to) => {
    const user = await storage.findUserByEmail(to);
    if (user === undefined) {
      await emailQueue.queue(emailTemplates.noAccount({ to, url: `${issuer}/reset-password` }));
    } else if (user.disabledAt === null) {
      const { link, url } = newLink(services, 'reset_password', user.id, { target });
      // To the address as it is kept: another spelling of it might be another's mailbox.
      await emailQueue.queue(emailTemplates.resetPassword({ to: user.email, url }), link);
    }
    journal.noteFromStranger({ kind: 'password_reset_requested', ...(user && { userId: user.id }) }, origin);
  });
}

export type ResetOutcome =
  | { kind: 'link_expired' }
  | { kind: 'invalid_password'; problem: PasswordProblem }
  | { kind: 'changed'; target: string };

/** By a link from a mail, or one that an administrator has handed over. Ends every session of the person. */
export async function resetPassword(
  services: Services,
  purpose: 'reset_password' | 'recover',
  secret: string | undefined,
  newPassword: string,
  origin: Origin,
): Promise<ResetOutcome> {
  const { storage, clock, passwords, journal, emailQueue, emailTemplates, issuer } = services;
  const link = await findLink(services, purpose, secret);
  const user = link?.userId == null ? undefined : await storage.findUser(link.userId);
  if (link === undefined || user === undefined) return { kind: 'link_expired' };
  const problem = passwordProblem(newPassword, guessableFor(services, user));
  if (problem !== undefined) return { kind: 'invalid_password', problem };
  const change = {
    passwordHash: await passwords.hash(newPassword),
    proof: { kind: 'link', digest: link.digest, purpose },
  } as const;
  const event = journal.event({ kind: 'password_reset', userId: user.id }, origin);
  if (!(await storage.changePassword(user.id, change, clock.now(), event))) return { kind: 'link_expired' };
  await emailQueue.notify(emailTemplates.passwordChanged({ to: user.email, url: `${issuer}/reset-password` }));
  return { kind: 'changed', target: link.data.target ?? '/account' };
}

function guessableFor(services: Services, user: User): Guessable {
  return { isCommon: services.isCommonPassword, personal: [user.email, user.name, user.givenName, user.familyName] };
}
