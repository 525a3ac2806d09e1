// An administrator creates an account for somebody else. Without a password, the person gets a link to choose one.

import type { Requester } from '../../protocol/event.ts';
import type { User } from '../../storage/storage.ts';
import { type AdminOutcome, type Refused, refused } from '../admin/outcome.ts';
import { linkLifetimes, newLink } from '../mail/links.ts';
import type { Services } from '../services.ts';
import { nameOfActor } from './actors.ts';
import { type NewUserInput, type NewUserProblems, newUserProblems } from './new-user.ts';
import { createUser, emailTaken, notAnEmail, passwordProblems } from './users.ts';

type CreateServices = Pick<
  Services,
  | 'issuer'
  | 'storage'
  | 'clock'
  | 'random'
  | 'passwords'
  | 'isCommonPassword'
  | 'isBreachedPassword'
  | 'journal'
  | 'emailQueue'
  | 'emailsFor'
>;

/** A link with which the new person chooses a password. */
export interface FirstLink {
  /** To be handed over; undefined when it was sent by email. */
  readonly url: string | undefined;
  readonly expiresAt: number;
}

export async function createPerson(
  services: CreateServices,
  input: NewUserInput,
  requester: Requester,
): Promise<AdminOutcome<{ user: User; link: FirstLink | undefined }>> {
  const outcome = await createUser(services, input, requester);
  if (outcome.kind === 'refused') return outcome;
  const link = input.password === undefined ? await sendFirstLink(services, outcome.user, requester) : undefined;
  return { ...outcome, link };
}

export type PersonProblems = Readonly<Partial<Record<keyof NewUserProblems, Refused>>>;

/** Everything that keeps this person from being created, by field, so that it can be corrected at once. */
export async function newPersonProblems(
  services: Pick<Services, 'storage' | 'isCommonPassword' | 'isBreachedPassword'>,
  input: NewUserInput,
): Promise<PersonProblems> {
  const found = await newUserProblems(services, input);
  const taken = found.email === undefined && (await services.storage.findUserByEmail(input.email.trim())) !== undefined;
  return {
    ...(found.name !== undefined && { name: refused(`the name ${found.name}`) }),
    ...(found.givenName !== undefined && { givenName: refused(`the given name ${found.givenName}`) }),
    ...(found.familyName !== undefined && { familyName: refused(`the family name ${found.familyName}`) }),
    ...(found.email !== undefined && { email: notAnEmail(input.email) }),
    ...(taken && { email: emailTaken(input.email.trim()) }),
    ...(found.password !== undefined && { password: refused(`the password ${passwordProblems[found.password]}`) }),
  };
}

async function sendFirstLink(
  services: Pick<Services, 'issuer' | 'storage' | 'clock' | 'random' | 'journal' | 'emailQueue' | 'emailsFor'>,
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
