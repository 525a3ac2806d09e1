// An administrator decides whether a user can sign in, whether they are an administrator, and whether their email address
// counts as verified.

import { hasRole, rolesOf } from '../../protocol/account/roles.ts';
import { standingOf } from '../../protocol/account/standing.ts';
import type { Role } from '../../protocol/admin/rights.ts';
import type { EmailMessage, EmailTemplates } from '../../protocol/emails.ts';
import type { EventDetail, EventRecord, Requester } from '../../protocol/event.ts';
import type { EventKind } from '../../protocol/events/kinds.ts';
import type { SignedIn, User } from '../../storage/storage.ts';
import { guarded, takeoverRefusal } from '../admin/authority.ts';
import { type Outcome, type Refused, refused } from '../admin/outcome.ts';
import { eventsOfEndedRights } from '../api-keys/api-keys.ts';
import { isRevocationCause } from '../meters.ts';
import type { Mailing, Metering, Recording, Timing } from '../services.ts';
import { findInvitedRefusal } from './given-roles.ts';
import { isLastAdministrator, lastAdministrator } from './last-administrator.ts';
import { changeRoles } from './set-roles.ts';
import { findChangeable, type NamedUser } from './users.ts';

type Changed = Outcome<{ user: User }>;

export const disableUser = userChange('user_disabled', async ({ storage, clock }, { id }, event, endEvents) =>
  storage.disableUser(id, clock.now(), event, await endEvents()),
);

export const enableUser = userChange('user_enabled', ({ storage, clock }, { id }, event) =>
  storage.enableUser(id, clock.now(), event),
);

export const deleteUser = userChange('user_deleted', async ({ storage }, { id }, event, endEvents) =>
  storage.deleteUser(id, event, await endEvents()),
);

/** Signs the user out everywhere. Clients keep their access. */
export const endSessions = userChange('sessions_ended', ({ storage }, { id }, event) => storage.endSessions(id, event));

/** Applications are told that the address is verified, and may rely on it. */
export const verifyEmail = userChange('user_email_verified', ({ storage, clock }, { id, email }, event) =>
  storage.verifyEmail(id, email, clock.now(), event),
);

export const makeAdministrator = roleChange((held) => [...held, 'administrator'], 'is an administrator already');

export const removeAdministrator = roleChange(
  (held) => held.filter((role) => role !== 'administrator'),
  'is not an administrator',
);

const hasExpired = 'no longer has access, because it has ended. Set a new end, or none, first';

/** What is of no use to someone whose access has ended. */
const needsAccess: readonly EventKind[] = ['user_enabled', 'user_reset_sent', 'user_recovery_link_made'];

const notWaiting = 'is not waiting for approval';

/** Why a change made no difference. Each completes a sentence that starts with the user's email address. */
const unchanged: Partial<Record<EventKind, string>> = {
  user_reset_sent: 'is disabled',
  user_recovery_link_made: 'is disabled',
  user_disabled: 'is disabled already',
  user_enabled: 'is not disabled',
  user_approved: notWaiting,
  user_declined: notWaiting,
  second_factors_removed: 'has no second factor',
  user_email_verified: 'has a verified email address already',
};

/**
 * With these, the requester can sign in as the person; so can the owner of an address that isn't theirs once it counts as
 * verified. An email with a link to the person's own address isn't among them.
 */
const takingOver: readonly EventKind[] = [
  'user_recovery_link_made',
  'user_password_set',
  'second_factors_removed',
  'user_email_verified',
];

/**
 * The one way administrators change a user: find them, write the change together with its event, and explain it when
 * nothing could be changed. The result is the user after the change, or as they were when the change has deleted
 * them.
 */
export async function changeUser(
  services: Recording & Metering,
  named: NamedUser,
  kind: EventKind,
  requester: Requester,
  apply: (user: User, event: EventRecord) => Promise<boolean>,
): Changed {
  const found = await findChangeable(services, named, requester);
  if (found.kind === 'refused') return found;
  const { user } = found;
  const takesOver = takingOver.includes(kind);
  const refusal = takesOver ? await takeoverRefusal(services, requester, user) : undefined;
  if (refusal !== undefined) return refusal;
  const detail = kind === 'user_deleted' ? rolesLost(user) : {};
  const event = guarded(services.journal.event({ kind, userId: user.id, detail }, requester), requester);
  const done = await apply(user, takesOver ? { ...event, takesOver } : event);
  if (!done) return whyRefused(services, user, kind, requester);
  if (isRevocationCause(kind)) services.meters.revocations.add({ cause: kind });
  return { kind: 'done', user: (await services.storage.findUser(user.id)) ?? user };
}

/** Who sees the events of someone who is gone depends on it. */
function rolesLost(user: User): EventDetail {
  return hasRole(user) ? { roles: rolesOf(user) } : {};
}

/** An operation that makes one change. `endEvents` are about the API keys and links to sign up with that end with it. */
export function userChange(
  kind: EventKind,
  apply: (
    services: Recording,
    user: User,
    event: EventRecord,
    endEvents: () => Promise<EventRecord[]>,
  ) => Promise<boolean>,
) {
  return (services: Recording & Metering, named: NamedUser, requester: Requester): Changed =>
    changeUser(services, named, kind, requester, (user, event) =>
      apply(services, user, event, () => eventsOfEndedRights(services, user.id, requester)),
    );
}

/** Other roles stay as they are. `unchangedWords` completes a sentence like those above. */
function roleChange(next: (held: readonly Role[]) => readonly Role[], unchangedWords: string) {
  return async (services: Recording & Mailing, named: NamedUser, requester: Requester): Changed => {
    const outcome = await changeRoles(services, named, next, requester);
    if (outcome.kind === 'refused' || outcome.changed) return outcome;
    return refused({ subject: outcome.user.email, says: unchangedWords }, 'conflict');
  };
}

/** The change, of which the user is told by email. */
export function withEmail(
  change: ReturnType<typeof userChange>,
  compose: (emails: EmailTemplates, to: string) => EmailMessage,
) {
  return async (services: Recording & Mailing & Metering, named: NamedUser, requester: Requester): Changed => {
    const outcome = await change(services, named, requester);
    if (outcome.kind === 'refused') return outcome;
    const { email, locale } = outcome.user;
    await services.emailQueue.notify(compose(services.emailsFor(locale), email));
    return outcome;
  };
}

/** The person may be gone by now, have a role, or have an email address that is invited to one. */
async function whyRefused(services: Timing, { id }: User, kind: EventKind, requester: Requester): Promise<Refused> {
  const found = await findChangeable(services, { id }, requester);
  if (found.kind === 'refused') return found;
  const { user } = found;
  const deletes = kind === 'user_deleted' || kind === 'user_declined';
  const refusal =
    (takingOver.includes(kind) ? await takeoverRefusal(services, requester, user) : undefined) ??
    (deletes ? await findInvitedRefusal(services, user.email, requester) : undefined);
  return refusal ?? refused({ subject: user.email, says: await whyUnchanged(services, user, kind) }, 'conflict');
}

async function whyUnchanged(services: Timing, user: User, kind: EventKind): Promise<string> {
  const guarded = kind === 'user_disabled' || kind === 'user_deleted';
  if (guarded && (await isLastAdministrator(services, user))) return lastAdministrator;
  const standing = standingOf(user, services.clock.now());
  if (needsAccess.includes(kind) && standing === 'expired') return hasExpired;
  const isDisabling = kind === 'user_disabled' || kind === 'user_enabled';
  if (isDisabling && standing === 'waiting') return 'is waiting for approval. Approve or decline them instead';
  return unchanged[kind] ?? 'could not be changed';
}

export type DeleteAccountOutcome = { kind: 'last_administrator' } | { kind: 'deleted' };

/** A user deletes their own account. */
export async function deleteAccount(
  services: Recording & Mailing & Metering,
  { user }: SignedIn,
  requester: Requester,
): Promise<DeleteAccountOutcome> {
  const { storage, journal, meters, emailQueue, emailsFor } = services;
  const event = journal.event({ kind: 'account_deleted', userId: user.id, detail: rolesLost(user) }, requester);
  const endEvents = await eventsOfEndedRights(services, user.id, requester);
  const deleted = await storage.deleteUser(user.id, event, endEvents);
  // Storage refuses only the last administrator. An account that is gone was deleted by another request meanwhile.
  if (!deleted && (await storage.findUser(user.id)) !== undefined) return { kind: 'last_administrator' };
  if (deleted) meters.revocations.add({ cause: 'account_deleted' });
  await emailQueue.notify(emailsFor(user.locale).accountDeleted({ to: user.email }));
  return { kind: 'deleted' };
}
