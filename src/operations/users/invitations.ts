// An administrator invites somebody, who then creates the account themselves (sign-in/sign-up.ts), and looks after the
// invitations that nobody has accepted yet.

import { cleanName, nameProblem } from '../../protocol/account/display-name.ts';
import { isEmail } from '../../protocol/account/email-address.ts';
import { readEnd } from '../../protocol/ends.ts';
import type { EventKind, Requester } from '../../protocol/event.ts';
import { isoTime } from '../../protocol/iso-time.ts';
import type { Group, PendingInvitation } from '../../storage/storage.ts';
import { roleRefusal } from '../admin/authority.ts';
import { findGroups } from '../admin/named-groups.ts';
import { type Outcome, refused } from '../admin/outcome.ts';
import { findEach, type ListPage, type ListRequest, namesById, readPage } from '../admin/paging.ts';
import { linkLifetimes, newLink } from '../mail/links.ts';
import type { Linking, Mailing, Recording, Timing } from '../services.ts';
import { hasLastingAdministrator, onlyAdministrator } from './last-administrator.ts';
import { emailTaken, nameOfActor, namesOfActors } from './users.ts';

const mostGroups = 20;

type InvitationServices = Recording & Linking & Mailing;

export interface Invitation {
  readonly email: string;
  /** To be handed over; undefined when it was sent by email. */
  readonly url: string | undefined;
  readonly expiresAt: number;
  /** The names of the groups that the account joins. */
  readonly groups: readonly string[];
  /** Never with a link that is handed over: whoever finds it would be an administrator. */
  readonly admin: boolean;
  readonly accountExpiresAt: number | null;
}

export interface InvitationInput {
  readonly email: string;
  readonly name: string;
  /** By name or ID. */
  readonly groups?: readonly string[];
  readonly admin?: boolean;
  /** When the account's access ends, as people write it (protocol/ends.ts); empty for never. */
  readonly accountExpiresAt?: string;
}

export async function inviteUser(
  services: InvitationServices,
  input: InvitationInput,
  requester: Requester,
): Outcome<Invitation> {
  const { groups: names = [], admin = false, accountExpiresAt: end = '' } = input;
  const found = await findGroups(services, names);
  if (found.kind === 'refused') return found;
  if (found.groups.length > mostGroups) return refused(`an invitation can have at most ${mostGroups} groups`);
  const accountExpiresAt = end === '' ? null : readEnd(end, services.clock.now());
  if (typeof accountExpiresAt === 'object' && accountExpiresAt !== null) {
    return refused(`the end ${accountExpiresAt.problem}`);
  }
  // Otherwise whoever accepts it would be told that the link has expired.
  if (admin && accountExpiresAt !== null && !(await hasLastingAdministrator(services))) {
    return refused(`${input.email.trim()} ${onlyAdministrator}`, 'conflict');
  }
  const account = { groups: found.groups, admin, accountExpiresAt };
  return sendInvitation(services, { ...input, ...account }, requester, 'user_invited');
}

async function sendInvitation(
  services: InvitationServices,
  invited: Pick<InvitationInput, 'email' | 'name'> & {
    readonly groups: readonly Group[];
    readonly admin: boolean;
    readonly accountExpiresAt: number | null;
  },
  requester: Requester,
  kind: Extract<EventKind, 'user_invited' | 'invitation_resent'>,
): Outcome<Invitation> {
  const { storage, emailQueue, emailsFor, journal } = services;
  const refusal = roleRefusal(requester, invited.admin);
  if (refusal !== undefined) return refusal;
  const email = invited.email.trim();
  if (!isEmail(email)) return refused(`"${invited.email}" is not an email address`);
  const name = cleanName(invited.name);
  const problem = name === '' ? undefined : nameProblem(name);
  if (problem !== undefined) return refused(`the name ${problem}`);
  if ((await storage.findUserByEmail(email)) !== undefined) return emailTaken(email);
  const mailed = emailQueue.works ? 'yes' : 'no';
  const { actor } = requester;
  const { groups, accountExpiresAt } = invited;
  const admin = invited.admin && emailQueue.works;
  const { link, url } = newLink(services, 'invite', null, {
    email,
    name,
    mailed,
    ...(actor && { invitedBy: actor }),
    ...(groups.length > 0 && { groups: groups.map(({ id }) => id) }),
    ...(accountExpiresAt !== null && { accountExpiresAt }),
    ...(admin && { admin: 'yes' }),
  });
  const names = groups.map((group) => group.name);
  const detail = {
    email,
    mailed,
    ...(names.length > 0 && { groups: names }),
    ...(admin && { admin: 'yes' }),
    ...(accountExpiresAt !== null && { account_expires_at: isoTime(accountExpiresAt) }),
  };
  const event = journal.event({ kind, detail }, requester);
  if (emailQueue.works) {
    const inviter = await nameOfActor(services, actor);
    const emails = emailsFor(undefined);
    await emailQueue.queue(emails.invitation({ to: email, url, inviter }), link, event);
  } else {
    await storage.storeLink(link, event);
  }
  const account = { groups: names, admin, accountExpiresAt };
  return { kind: 'done', email, url: emailQueue.works ? undefined : url, expiresAt: link.expiresAt, ...account };
}

/** Whether sending the invitation for this address again gives admin access. */
export async function invitesAdministrator({ storage, clock }: Timing, email: string): Promise<boolean> {
  return (await storage.findInvitation(email, clock.now()))?.admin ?? false;
}

/** Replaces the link in the invitation: the earlier one stops working. Whoever sends it again is the inviter from then on. */
export async function resendInvitation(
  services: InvitationServices,
  email: string,
  requester: Requester,
): Outcome<Invitation> {
  const pending = await services.storage.findInvitation(email, services.clock.now());
  if (pending === undefined) return noInvitation(email);
  const { accountExpiresAt: end } = pending;
  if (end !== null && end <= services.clock.now()) {
    return refused(`the access that ${email} was invited to has ended. Invite them again with another end`, 'conflict');
  }
  const groups = await findEach(pending.groupIds, (id) => services.storage.findGroupById(id));
  return sendInvitation(services, { ...pending, groups }, requester, 'invitation_resent');
}

export async function withdrawInvitation(
  { storage, clock, journal }: Recording,
  email: string,
  requester: Requester,
): Outcome<{ email: string }> {
  const refusal = roleRefusal(requester, (await storage.findInvitation(email, clock.now()))?.admin ?? false);
  if (refusal !== undefined) return refusal;
  const event = journal.event({ kind: 'invitation_withdrawn', detail: { email } }, requester);
  const withdrawn = await storage.withdrawInvitation(email, clock.now(), event);
  return withdrawn ? { kind: 'done', email } : noInvitation(email);
}

export interface ListedInvitation extends PendingInvitation {
  readonly invitedAt: number;
  /** Undefined for the command line, and for whoever is gone. */
  readonly inviter: string | undefined;
  /** The names of its groups that still exist. */
  readonly groups: readonly string[];
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
  const groupIds = page.items.flatMap((invitation) => invitation.groupIds);
  const groupNames = namesById(await findEach(groupIds, (id) => storage.findGroupById(id)));
  const items = page.items.map((invitation) => ({
    ...invitation,
    groups: invitation.groupIds.flatMap((id) => groupNames.get(id) ?? []),
    invitedAt: invitation.expiresAt - linkLifetimes.invite,
    inviter: invitation.invitedBy && names.get(invitation.invitedBy.id),
  }));
  return { ...page, items };
}

function noInvitation(email: string) {
  return refused(`there is no pending invitation for ${email}`, 'not_found');
}
