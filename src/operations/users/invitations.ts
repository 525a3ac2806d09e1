// An administrator invites a person, who then creates the account themselves (sign-in/sign-up.ts), and looks after the
// invitations that nobody has accepted yet.

import { rolesInLink, storedRoles } from '../../protocol/account/roles.ts';
import type { Role } from '../../protocol/admin/rights.ts';
import type { Actor, Requester } from '../../protocol/event.ts';
import type { EventKind } from '../../protocol/events/kinds.ts';
import {
  type InvitationInput,
  newInvitationFields,
  type PendingInvitationValues,
  type SentInvitation,
} from '../../protocol/resources/invitation.ts';
import { type NewOf, readNew, recordedValues } from '../../protocol/resources/resource.ts';
import type { Group, PendingInvitation } from '../../storage/storage.ts';
import { groupContentRefusal, guarded, invitedRefusal } from '../admin/authority.ts';
import { type Maker, makerNames } from '../admin/makers.ts';
import { findJoinableGroups } from '../admin/named-groups.ts';
import { type Outcome, refused, wholeOrRefused } from '../admin/outcome.ts';
import { findEach, type ListPage, type ListRequest, namesById, readPage } from '../admin/paging.ts';
import { linkLifetimes, newLink } from '../email-links/links.ts';
import type { Linking, Mailing, Recording, Storing, Timing } from '../services.ts';
import { findInvitedRefusal, readGivenRoles } from './given-roles.ts';
import { hasLastingAdministrator, onlyAdministrator } from './last-administrator.ts';
import { emailTaken, nameOfActor, namesOfActors } from './users.ts';

type InvitationServices = Recording & Linking & Mailing;

export async function inviteUser(
  services: InvitationServices,
  input: InvitationInput,
  requester: Requester,
): Outcome<SentInvitation> {
  const given = readGivenRoles(input, requester);
  if (given.kind === 'refused') return given;
  const { roles } = given;
  const read = wholeOrRefused(readNew(newInvitationFields, input, services.clock.now()));
  if (read.kind === 'refused') return read;
  const { email, accountExpiresAt } = read.values;
  const found = await findJoinableGroups(services, read.values.groups, requester);
  if (found.kind === 'refused') return found;
  // Otherwise the person who accepts it would be told that the link has expired.
  if (roles.includes('administrator') && accountExpiresAt !== null && !(await hasLastingAdministrator(services))) {
    return refused({ subject: email, says: onlyAdministrator }, 'conflict');
  }
  return sendInvitation(services, { ...read.values, groups: found.groups, roles }, requester, 'user_invited');
}

async function sendInvitation(
  services: InvitationServices,
  invited: Pick<NewOf<typeof newInvitationFields>, 'email' | 'name' | 'accountExpiresAt'> & {
    readonly groups: readonly Group[];
    readonly roles: readonly Role[];
  },
  requester: Requester,
  kind: Extract<EventKind, 'user_invited' | 'invitation_resent'>,
): Outcome<SentInvitation> {
  const { storage, emailQueue, emailsFor, journal } = services;
  const { email, name, groups, accountExpiresAt } = invited;
  // A new invitation takes the place of the one before.
  const refusal = await findInvitedRefusal(services, email, requester);
  if (refusal !== undefined) return refusal;
  if ((await storage.findUserByEmail(email)) !== undefined) return emailTaken(email);
  const mailed = emailQueue.works ? 'yes' : 'no';
  const { actor } = requester;
  // The person who finds a link that is handed over would have them.
  const roles = emailQueue.works ? invited.roles : [];
  const { link, url } = newLink(services, 'invite', null, {
    email,
    name,
    mailed,
    ...(actor && { invitedBy: actor }),
    ...(groups.length > 0 && { groups: groups.map(({ id }) => id) }),
    ...(accountExpiresAt !== null && { accountExpiresAt }),
    ...rolesInLink(roles),
  });
  const names = groups.map((group) => group.name);
  const detail = {
    email,
    mailed,
    ...(names.length > 0 && { groups: names }),
    ...(roles.includes('administrator') && { admin: 'yes' }),
    ...(storedRoles(roles) !== null && { roles }),
    ...recordedValues(newInvitationFields, { accountExpiresAt }),
  };
  const event = guarded(journal.event({ kind, detail }, requester), requester);
  const inviter = await nameOfActor(services, actor);
  const sent = emailQueue.works
    ? await emailQueue.queue(emailsFor(undefined).invitation({ to: email, url, inviter }), link, event)
    : await storage.storeLink(link, event);
  const meanwhile = invitedRefusal(requester, email, !sent);
  if (meanwhile !== undefined) return meanwhile;
  const rolesLeftOut = roles.length < invited.roles.length;
  const account = { groups: names, roles, rolesLeftOut, accountExpiresAt };
  return { kind: 'done', email, url: emailQueue.works ? undefined : url, expiresAt: link.expiresAt, ...account };
}

/**
 * Replaces the link in the invitation: the earlier one stops working. The person who sends it again is the inviter from then on.
 */
export async function resendInvitation(
  services: InvitationServices,
  email: string,
  requester: Requester,
): Outcome<SentInvitation> {
  const pending = await services.storage.findInvitation(email, services.clock.now());
  if (pending === undefined) return noInvitation(email);
  const { accountExpiresAt: end } = pending;
  const given = readGivenRoles(pending, requester);
  if (given.kind === 'refused') return given;
  if (end !== null && end <= services.clock.now()) {
    return refused(`the access that ${email} was invited to has ended. Invite them again with another end`, 'conflict');
  }
  const groups = await findEach(pending.groupIds, (id) => services.storage.findGroupById(id));
  const refusal = groups.map((group) => groupContentRefusal(requester, group)).find((each) => each !== undefined);
  if (refusal !== undefined) return refusal;
  return sendInvitation(services, { ...pending, groups }, requester, 'invitation_resent');
}

export async function withdrawInvitation(
  services: Recording,
  email: string,
  requester: Requester,
): Outcome<{ email: string }> {
  const { storage, clock, journal } = services;
  const refusal = await findInvitedRefusal(services, email, requester);
  if (refusal !== undefined) return refusal;
  const event = guarded(journal.event({ kind: 'invitation_withdrawn', detail: { email } }, requester), requester);
  const withdrawn = await storage.withdrawInvitation(email, clock.now(), event);
  if (withdrawn) return { kind: 'done', email };
  return (await findInvitedRefusal(services, email, requester)) ?? noInvitation(email);
}

/** With who sent it. */
export interface ShownInvitation extends PendingInvitationValues {
  readonly maker: Maker;
}

/** Those that can still be accepted, the newest first. */
export async function listInvitations(services: Timing, request: ListRequest): Outcome<ListPage<ShownInvitation>> {
  const page = await readPage(request, (part) => services.storage.pageInvitations(part, services.clock.now()));
  return page.kind === 'refused' ? page : { ...page, items: await withNames(services, page.items) };
}

export async function findPending(services: Timing, email: string): Promise<ShownInvitation | undefined> {
  const invitation = await services.storage.findInvitation(email, services.clock.now());
  return invitation && (await withNames(services, [invitation]))[0];
}

/** Of inviters and groups. */
async function withNames(services: Storing, pending: readonly PendingInvitation[]): Promise<ShownInvitation[]> {
  const inviters = pending.flatMap(({ invitedBy }) => invitedBy ?? []);
  const [names, nameOf] = await Promise.all([namesOfActors(services, inviters), makerNames(services, inviters)]);
  const groupIds = pending.flatMap((invitation) => invitation.groupIds);
  const groupNames = namesById(await findEach(groupIds, (id) => services.storage.findGroupById(id)));
  return pending.map((invitation) => ({
    ...invitation,
    groups: invitation.groupIds.flatMap((id) => groupNames.get(id) ?? []),
    invitedAt: invitation.expiresAt - linkLifetimes.invite,
    inviter: invitation.invitedBy && names.get(invitation.invitedBy.id),
    ...madeBy(nameOf(invitation.invitedBy), invitation.invitedBy),
  }));
}

function madeBy(maker: Maker, noted: Actor | undefined) {
  return { maker, inviterKey: maker.kind === 'api_key' ? (maker.name ?? noted?.id) : undefined };
}

function noInvitation(email: string) {
  return refused(`there is no pending invitation for ${email}`, 'not_found');
}
