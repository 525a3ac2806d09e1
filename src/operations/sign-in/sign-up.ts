// Somebody makes an account: because they ask for one, are invited, or set the service up. Who asks gives the address first;
// everything else is asked of whoever opens the mail, so that nobody can prepare an account for an address that is not
// theirs, and nobody learns whether an address has one.

import { cleanName, nameProblem } from '../../protocol/account/display-name.ts';
import { isEmail } from '../../protocol/account/email-address.ts';
import type { Origin } from '../../protocol/event.ts';
import { newId } from '../../protocol/identifiers.ts';
import { type PasswordProblem, passwordProblem } from '../../protocol/sign-in/password-rules.ts';
import { StorageConflict, type User } from '../../storage/storage.ts';
import { findLink, newLink } from '../mail/links.ts';
import { type EmailRequestOutcome, requestEmail } from '../mail/request-email.ts';
import type { Services } from '../services.ts';
import { type SignInContext, type StartedSession, startSession } from './start-session.ts';

/** `target` is where the person was on the way to. */
export async function requestSignUp(
  services: Services,
  email: string,
  target: string,
  origin: Origin,
): Promise<EmailRequestOutcome> {
  const { storage, emailQueue, emailTemplates, journal, issuer } = services;
  return requestEmail(services, email, origin, async (to) => {
    const existing = await storage.findUserByEmail(to);
    if (existing === undefined) {
      const { link, url } = newLink(services, 'sign_up', null, { email: to, target });
      await emailQueue.queue(emailTemplates.finishSignUp({ to, url }), link);
    } else {
      await emailQueue.queue(emailTemplates.addressHasAccount({ to: existing.email, url: `${issuer}/sign-in` }));
    }
    journal.noteFromStranger({ kind: 'sign_up_requested', ...(existing && { userId: existing.id }) }, origin);
  });
}

export type SignUpOutcome =
  | ({ kind: 'signed_up'; target: string } & StartedSession)
  | { kind: 'link_expired' }
  | { kind: 'invalid_email' }
  | { kind: 'email_taken' }
  | { kind: 'invalid_name' }
  | { kind: 'invalid_password'; problem: PasswordProblem };

export type SignUpPurpose = 'sign_up' | 'invite' | 'set_up';

/** Where each of them begins, when the person was on no other way. */
const homes: Record<SignUpPurpose, string> = { sign_up: '/account', invite: '/account', set_up: '/admin' };

/** The account that a link stands for. Whoever sets the service up says who they are; the others have been asked. */
export async function signUp(
  services: Services,
  purpose: SignUpPurpose,
  secret: string | undefined,
  input: { email: string; name: string; password: string },
  contextFor: (target: string) => SignInContext,
  origin: Origin,
): Promise<SignUpOutcome> {
  const { storage, clock, passwords, random, journal } = services;
  const link = await findLink(services, purpose, secret);
  if (link === undefined) return { kind: 'link_expired' };
  const { target = homes[purpose] } = link.data;
  const email = purpose === 'set_up' ? input.email.trim() : (link.data.email ?? '');
  if (!isEmail(email)) return { kind: 'invalid_email' };
  const name = cleanName(input.name);
  if (nameProblem(name) !== undefined) return { kind: 'invalid_name' };
  const problem = passwordProblem(input.password, { isCommon: services.isCommonPassword, personal: [email, name] });
  if (problem !== undefined) return { kind: 'invalid_password', problem };

  const now = clock.now();
  // Only a link that has come by mail proves the address.
  const mailed = purpose === 'sign_up' || (purpose === 'invite' && link.data.mailed === 'yes');
  const user: User = {
    id: newId(random),
    email,
    emailVerifiedAt: mailed ? now : null,
    name,
    givenName: null,
    familyName: null,
    preferredUsername: null,
    picture: null,
    locale: null,
    passwordHash: await passwords.hash(input.password),
    adminSince: purpose === 'set_up' ? now : null,
    disabledAt: null,
    generation: 0,
    createdAt: now,
    updatedAt: now,
  };
  const kind = purpose === 'set_up' ? 'first_administrator_created' : 'signed_up';
  const event = journal.event({ kind, userId: user.id }, origin);
  try {
    if (!(await storage.signUp(user, { digest: link.digest, purpose }, now, event))) return { kind: 'link_expired' };
  } catch (error) {
    // Somebody has made an account for this address since the link was made.
    if (error instanceof StorageConflict) return { kind: purpose === 'set_up' ? 'email_taken' : 'link_expired' };
    throw error;
  }
  const facts = { knownDevice: false };
  const started = await startSession(services, user, facts, 'sign_up', contextFor(target), origin);
  return started === undefined ? { kind: 'link_expired' } : { kind: 'signed_up', target, ...started };
}
