// An administrator invites somebody, who then creates the account themselves (sign-in/sign-up.ts).

import { cleanName, nameProblem } from '../../protocol/account/display-name.ts';
import { isEmail } from '../../protocol/account/email-address.ts';
import type { Origin } from '../../protocol/event.ts';
import { newLink } from '../mail/links.ts';
import type { Services } from '../services.ts';
import { type AdminOutcome, refused } from './outcome.ts';
import { emailTaken, notAnEmail } from './users.ts';

export interface Invitation {
  readonly email: string;
  /** To be handed over; undefined when it was sent by email. */
  readonly url: string | undefined;
  readonly expiresAt: number;
}

export async function inviteUser(
  services: Services,
  input: { email: string; name: string },
  origin: Origin,
): Promise<AdminOutcome<Invitation>> {
  const { storage, emailQueue, emailsFor, journal } = services;
  const email = input.email.trim();
  if (!isEmail(email)) return notAnEmail(input.email);
  const name = cleanName(input.name);
  const problem = name === '' ? undefined : nameProblem(name);
  if (problem !== undefined) return refused(`the name ${problem}`);
  if ((await storage.findUserByEmail(email)) !== undefined) return emailTaken(email);
  const mailed = emailQueue.works ? 'yes' : 'no';
  const { link, url } = newLink(services, 'invite', null, { email, name, mailed });
  const event = journal.event({ kind: 'user_invited', detail: { email, mailed } }, origin);
  if (emailQueue.works)
    await emailQueue.queue((await emailsFor(undefined)).invitation({ to: email, url }), link, event);
  else await storage.storeLink(link, event);
  return { kind: 'done', email, url: emailQueue.works ? undefined : url, expiresAt: link.expiresAt };
}
