// A user changes their email address. The old address stays until the link sent to the new one is confirmed.

import { emailKey, isEmail } from '../../protocol/account/email-address.ts';
import { digestOf } from '../../protocol/digest.ts';
import type { Origin } from '../../protocol/event.ts';
import type { SignedIn } from '../../storage/storage.ts';
import { StorageConflict } from '../../storage/storage.ts';
import { findLink } from '../mail/links.ts';
import { requestEmail } from '../mail/request-email.ts';
import type { Services } from '../services.ts';
import { type Confirmation, confirmPassword } from '../sign-in/confirm-password.ts';

export type EmailChangeOutcome =
  | Exclude<Confirmation, { kind: 'confirmed' }>
  | { kind: 'invalid_email' }
  | { kind: 'same_email' }
  | { kind: 'sent' };

export async function requestEmailChange(
  services: Services,
  { user }: SignedIn,
  input: { email: string; currentPassword: string },
  origin: Origin,
): Promise<EmailChangeOutcome> {
  const { emailQueue, emailTemplates, journal } = services;
  const to = input.email.trim();
  if (!isEmail(to)) return { kind: 'invalid_email' };
  if (to === user.email && user.emailVerifiedAt !== null) return { kind: 'same_email' };
  const confirmation = await confirmPassword(services, user, input.currentPassword, origin);
  if (confirmation.kind !== 'confirmed') return confirmation;
  const wish = { kind: 'change_email', userId: user.id, passwordMark: digestOf(user.passwordHash) } as const;
  const outcome = await requestEmail(services, to, wish, origin);
  if (outcome.kind !== 'sent') return outcome;
  if (emailKey(to) !== emailKey(user.email)) {
    await emailQueue.notify(emailTemplates.addressChangeAsked({ to: user.email, newAddress: to }));
  }
  journal.note({ kind: 'email_change_requested', userId: user.id }, origin);
  return { kind: 'sent' };
}

export interface RequestedEmailChange {
  readonly newEmail: string;
  readonly currentEmail: string;
}

/** What a link would change, without using it up; undefined when the link no longer works. */
export async function findEmailChange(
  services: Services,
  secret: string | undefined,
): Promise<RequestedEmailChange | undefined> {
  const found = await findChange(services, secret);
  return found && { newEmail: found.newEmail, currentEmail: found.user.email };
}

export async function confirmEmailChange(
  services: Services,
  secret: string | undefined,
  origin: Origin,
): Promise<{ kind: 'changed'; email: string } | { kind: 'link_expired' }> {
  const { storage, clock, journal, emailQueue, emailTemplates } = services;
  const found = await findChange(services, secret);
  if (found === undefined) return { kind: 'link_expired' };
  const { user, newEmail, linkDigest } = found;
  const event = journal.event({ kind: 'email_changed', userId: user.id }, origin);
  try {
    const changed = await storage.changeEmail(user.id, newEmail, linkDigest, clock.now(), event);
    if (!changed) return { kind: 'link_expired' };
  } catch (error) {
    // Somebody else has taken the address since the link was sent.
    if (error instanceof StorageConflict) return { kind: 'link_expired' };
    throw error;
  }
  if (emailKey(newEmail) !== emailKey(user.email)) {
    await emailQueue.notify(emailTemplates.addressChanged({ to: user.email, newAddress: newEmail }));
  }
  return { kind: 'changed', email: newEmail };
}

async function findChange(services: Services, secret: string | undefined) {
  const link = await findLink(services, 'change_email', secret);
  const user = link?.userId == null ? undefined : await services.storage.findUser(link.userId);
  const newEmail = link?.data.email;
  if (link === undefined || user === undefined || newEmail === undefined) return undefined;
  return { user, newEmail, linkDigest: link.digest };
}
