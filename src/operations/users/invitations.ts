// An administrator invites somebody, who then creates the account themselves (sign-in/sign-up.ts), and looks after the
// invitations that nobody has accepted yet.

import { cleanName, nameProblem } from '../../protocol/account/display-name.ts';
import { isEmail } from '../../protocol/account/email-address.ts';
import type { EventKind, Requester } from '../../protocol/event.ts';
import type { PendingInvitation } from '../../storage/storage.ts';
import { type Outcome, refused } from '../admin/outcome.ts';
import { type ListPage, type ListRequest, readPage } from '../admin/paging.ts';
import { linkLifetimes, newLink } from '../mail/links.ts';
import type { Linking, Mailing, Recording, Timing } from '../services.ts';
import { emailTaken, nameOfActor, namesOfActors } from './users.ts';

type InvitationServices = Recording & Linking & Mailing;

export interface Invitation {
  readonly email: string;
  /** To be handed over; undefined when it was sent by email. */
  readonly url: string | undefined;
  readonly expiresAt: number;
}

export async function inviteUser(
  services: InvitationServices,
  input: { email: string; name: string },
  requester: Requester,
  kind: Extract<EventKind, 'user_invited' | 'invitation_resent'> = 'user_invited',
): Outcome<Invitation> {
  const { storage, emailQueue, emailsFor, journal } = services;
  const email = input.email.trim();
  if (!isEmail(email)) return refused(`"${input.email}" is not an email address`);
  const name = cleanName(input.name);
  const problem = name === '' ? undefined : nameProblem(name);
  if (problem !== undefined) return refused(`the name ${problem}`);
  if ((await storage.findUserByEmail(email)) !== undefined) return emailTaken(email);
  const mailed = emailQueue.works ? 'yes' : 'no';
  const { actor } = requester;
  const { link, url } = newLink(services, 'invite', null, { email, name, mailed, ...(actor && { invitedBy: actor }) });
  const event = journal.event({ kind, detail: { email, mailed } }, requester);
  if (emailQueue.works) {
    const inviter = await nameOfActor(services, actor);
    const emails = emailsFor(undefined);
    await emailQueue.queue(emails.invitation({ to: email, url, inviter }), link, event);
  } else {
    await storage.storeLink(link, event);
  }
  return { kind: 'done', email, url: emailQueue.works ? undefined : url, expiresAt: link.expiresAt };
}

/** Replaces the link in the invitation: the earlier one stops working. */
export async function resendInvitation(
  services: InvitationServices,
  email: string,
  requester: Requester,
): Outcome<Invitation> {
  const pending = await services.storage.findInvitation(email, services.clock.now());
  if (pending === undefined) return noInvitation(email);
  return inviteUser(services, pending, requester, 'invitation_resent');
}

export async function withdrawInvitation(
  { storage, clock, journal }: Recording,
  email: string,
  requester: Requester,
): Outcome<{ email: string }> {
  const event = journal.event({ kind: 'invitation_withdrawn', detail: { email } }, requester);
  const withdrawn = await storage.withdrawInvitation(email, clock.now(), event);
  return withdrawn ? { kind: 'done', email } : noInvitation(email);
}

export interface ListedInvitation extends PendingInvitation {
  readonly invitedAt: number;
  /** Undefined for the command line, and for whoever is gone. */
  readonly inviter: string | undefined;
}

/** Those that can still be accepted, the newest first. */
export async function listInvitations(services: Timing, request: ListRequest): Outcome<ListPage<ListedInvitation>> {
  const { storage, clock } = services;
  const page = await readPage(request, (part) => storage.pageInvitations(part, clock.now()));
  if (page.kind === 'refused') return page;
  const names = await namesOfActors(
    services,
    page.items.flatMap(({ invitedBy }) => invitedBy ?? []),
  );
  const items = page.items.map((invitation) => ({
    ...invitation,
    invitedAt: invitation.expiresAt - linkLifetimes.invite,
    inviter: invitation.invitedBy && names.get(invitation.invitedBy.id),
  }));
  return { ...page, items };
}

function noInvitation(email: string) {
  return refused(`there is no pending invitation for ${email}`, 'not_found');
}
