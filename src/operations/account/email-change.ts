// A user changes their email address. The old address stays until the link sent to the new one is confirmed, in a session
// of the same account: the link alone proves the mailbox, and with a typo that is a stranger's.

import { emailKey, isEmail } from '../../protocol/account/email-address.ts';
import { digestOf } from '../../protocol/digest.ts';
import type { Requester } from '../../protocol/event.ts';
import type { SignedIn, User } from '../../storage/storage.ts';
import { isOwnedBySource } from '../admin/authority.ts';
import { unlessTaken } from '../admin/outcome.ts';
import { findLink } from '../email-links/links.ts';
import { type EmailRequestOutcome, requestEmail } from '../email-links/request-email.ts';
import type { Mailing, Metering, Recording, Timing } from '../services.ts';

export async function requestEmailChange(
  services: Recording & Mailing & Metering,
  { user }: SignedIn,
  email: string,
  requester: Requester,
): Promise<EmailRequestOutcome | { kind: 'same_email' | 'managed' }> {
  const { emailQueue, emailsFor, journal } = services;
  const to = email.trim();
  if (!isEmail(to)) return { kind: 'invalid_email' };
  if (to === user.email && user.emailVerifiedAt !== null) return { kind: 'same_email' };
  if (isOthers(user, to)) return { kind: 'managed' };
  const wish = { kind: 'change_email', userId: user.id, sessionGeneration: user.sessionGeneration } as const;
  const outcome = await requestEmail(services, to, wish, requester);
  if (outcome.kind !== 'sent') return outcome;
  if (emailKey(to) !== emailKey(user.email)) {
    await emailQueue.notify(emailsFor(user.locale).addressChangeAsked({ to: user.email, newAddress: to }));
  }
  journal.note({ kind: 'email_change_requested', userId: user.id }, requester);
  return { kind: 'sent' };
}

/** Another address of someone whom a directory finds by it. They can still verify the one they have. */
function isOthers(user: User, email: string): boolean {
  return isOwnedBySource(user) && emailKey(email) !== emailKey(user.email);
}

type UnusableLink = { kind: 'link_expired' } | { kind: 'other_account' };

/** What a link would change, without using it up. */
export async function findEmailChange(
  services: Timing,
  { user }: SignedIn,
  secret: string | undefined,
): Promise<UnusableLink | { kind: 'found'; newEmail: string; linkDigest: string }> {
  const link = await findLink(services, 'change_email', secret);
  const newEmail = link?.data.email;
  if (link === undefined || newEmail === undefined) return { kind: 'link_expired' };
  if (link.userId !== user.id) return { kind: 'other_account' };
  if (isOthers(user, newEmail)) return { kind: 'link_expired' };
  return { kind: 'found', newEmail, linkDigest: link.digest };
}

export async function confirmEmailChange(
  services: Recording & Mailing,
  signedIn: SignedIn,
  input: { readonly link: string | undefined; readonly marks: readonly string[] },
  requester: Requester,
): Promise<UnusableLink | { kind: 'changed'; email: string }> {
  const { storage, clock, journal, emailQueue, emailsFor } = services;
  const found = await findEmailChange(services, signedIn, input.link);
  if (found.kind !== 'found') return found;
  const { user, session } = signedIn;
  const { newEmail, linkDigest } = found;
  const event = journal.event({ kind: 'email_changed', userId: user.id }, requester);
  const device = await storage.findKnownDevice(user.id, input.marks.map(digestOf));
  const kept = { digest: session.digest, device };
  const changed = await unlessTaken(storage.changeEmail(user, newEmail, linkDigest, clock.now(), event, kept));
  // Another person may have taken the address since the link was sent.
  if (!changed || changed === 'taken') return { kind: 'link_expired' };
  if (emailKey(newEmail) !== emailKey(user.email)) {
    await emailQueue.notify(emailsFor(user.locale).addressChanged({ to: user.email, newAddress: newEmail }));
  }
  return { kind: 'changed', email: newEmail };
}
