// An administrator creates an account for someone else. Without a password, they get a link to choose one.

import type { Requester } from '../../protocol/event.ts';
import type { User } from '../../storage/storage.ts';
import { type Outcome, type Refused, refusedFields } from '../admin/outcome.ts';
import { linkLifetimes, newLink } from '../mail/links.ts';
import type { Linking, Mailing, PasswordRules, Recording, Services, Storing } from '../services.ts';
import { createUser, emailTaken, type NewUserInput, nameOfActor, newUserProblems } from './users.ts';

type CreateServices = Recording & Linking & Mailing & PasswordRules & Pick<Services, 'passwords'>;

/** A link with which the new user chooses a password. */
export interface FirstLink {
  /** To share; undefined if it was sent by email. */
  readonly url: string | undefined;
  readonly expiresAt: number;
}

export async function createUserWithLink(
  services: CreateServices,
  input: NewUserInput,
  requester: Requester,
): Outcome<{ user: User; link: FirstLink | undefined }> {
  const outcome = await createUser(services, input, requester);
  if (outcome.kind === 'refused') return outcome;
  const link = input.password === undefined ? await sendFirstLink(services, outcome.user, requester) : undefined;
  return { ...outcome, link };
}

/** What keeps this user from being created, with everything that is wrong. */
export async function newUserRefusal(
  services: PasswordRules & Storing,
  input: NewUserInput,
): Promise<Refused | undefined> {
  const { email = '' } = input;
  const isTaken = (await services.storage.findUserByEmail(email.trim())) !== undefined;
  const problems = await newUserProblems(services, input);
  return refusedFields(isTaken ? { ...problems, email: emailTaken(email.trim()).problem } : problems);
}

async function sendFirstLink(
  services: Recording & Linking & Mailing,
  user: User,
  requester: Requester,
): Promise<FirstLink> {
  const { emailQueue, emailsFor, storage, journal } = services;
  const mailed = emailQueue.works;
  // As long as an invitation: the person doesn't expect it. A link that was emailed proves the address.
  const { link, url } = newLink(services, mailed ? 'reset_password' : 'recover', user.id, {}, linkLifetimes.invite);
  if (mailed) {
    const event = journal.event({ kind: 'user_reset_sent', userId: user.id }, requester);
    const inviter = await nameOfActor(services, requester.actor);
    const emails = emailsFor(user.locale);
    await emailQueue.queue(emails.accountCreated({ to: user.email, url, inviter }), link, event);
  } else {
    await storage.storeLink(link, journal.event({ kind: 'user_recovery_link_made', userId: user.id }, requester));
  }
  return { url: mailed ? undefined : url, expiresAt: link.expiresAt };
}
