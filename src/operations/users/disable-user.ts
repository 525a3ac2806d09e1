// An administrator decides whether a user can sign in, and whether they are an administrator.

import type { EventKind, EventRecord, Requester } from '../../protocol/event.ts';
import type { User } from '../../storage/storage.ts';
import { type Outcome, refused } from '../admin/outcome.ts';
import { eventsOfEndedKeys } from '../api-keys/api-keys.ts';
import { isRevocationCause } from '../meters.ts';
import type { Mailing, Metering, Recording, Storing } from '../services.ts';
import { findUser, type NamedUser } from './users.ts';

type AccessServices = Recording & Metering;

type Changed = Outcome<{ user: User }>;

export function disableUser(services: AccessServices, named: NamedUser, requester: Requester): Changed {
  const { storage, clock } = services;
  return changeUser(services, named, 'user_disabled', requester, async (user, event) =>
    storage.disableUser(user.id, clock.now(), event, await eventsOfEndedKeys(services, user.id, requester)),
  );
}

export function enableUser(services: AccessServices, named: NamedUser, requester: Requester): Changed {
  const { storage, clock } = services;
  return changeUser(services, named, 'user_enabled', requester, (user, event) =>
    storage.enableUser(user.id, clock.now(), event),
  );
}

export function deleteUser(services: AccessServices, named: NamedUser, requester: Requester): Changed {
  const { storage } = services;
  return changeUser(services, named, 'user_deleted', requester, async (user, event) =>
    storage.deleteUser(user.id, event, await eventsOfEndedKeys(services, user.id, requester)),
  );
}

export async function makeAdministrator(
  services: Recording & Mailing & Metering,
  named: NamedUser,
  requester: Requester,
): Changed {
  const { storage, clock } = services;
  const outcome = await changeUser(services, named, 'user_made_administrator', requester, (user, event) =>
    storage.setAdministrator(user.id, clock.now(), event),
  );
  return notified(services, outcome, 'given');
}

export async function removeAdministrator(
  services: Recording & Mailing & Metering,
  named: NamedUser,
  requester: Requester,
): Changed {
  const { storage } = services;
  const outcome = await changeUser(services, named, 'user_administrator_removed', requester, async (user, event) =>
    storage.setAdministrator(user.id, null, event, await eventsOfEndedKeys(services, user.id, requester)),
  );
  return notified(services, outcome, 'removed');
}

/** Tells the user about their admin access, if it has changed. */
async function notified(services: Mailing, outcome: Awaited<Changed>, change: 'given' | 'removed'): Changed {
  const { emailQueue, emailsFor } = services;
  if (outcome.kind === 'done') {
    const { email, locale } = outcome.user;
    await emailQueue.notify(emailsFor(locale).adminAccessChanged({ to: email, change }));
  }
  return outcome;
}

/** Signs the user out everywhere. Clients keep their access. */
export function endSessions(services: AccessServices, named: NamedUser, requester: Requester): Changed {
  const { storage } = services;
  return changeUser(services, named, 'sessions_ended', requester, (user, event) => storage.endSessions(user.id, event));
}

const lastAdministrator = 'is the last administrator. Make someone else an administrator first';

/** Why a change made no difference. Each completes a sentence that starts with the user's email address. */
const unchanged: Partial<Record<EventKind, string>> = {
  user_made_administrator: 'is an administrator already, or disabled',
  user_administrator_removed: 'is not an administrator',
  user_reset_sent: 'is disabled',
  user_recovery_link_made: 'is disabled',
  user_disabled: 'is disabled already',
  user_enabled: 'is not disabled',
  second_factors_removed: 'has no second factor',
  user_email_verified: 'has a verified email address already',
};

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
): Outcome<{ user: User }> {
  const found = await findUser(services, named);
  if (found.kind === 'refused') return found;
  const { user } = found;
  const done = await apply(user, services.journal.event({ kind, userId: user.id }, requester));
  if (!done) return refused(`${user.email} ${await whyUnchanged(services, user, kind)}`, 'conflict');
  if (isRevocationCause(kind)) services.meters.revocations.add({ cause: kind });
  return { kind: 'done', user: (await services.storage.findUser(user.id)) ?? user };
}

async function whyUnchanged(services: Storing, user: User, kind: EventKind): Promise<string> {
  const guarded = kind === 'user_disabled' || kind === 'user_deleted' || kind === 'user_administrator_removed';
  const isAdministrator = user.adminSince !== null && user.disabledAt === null;
  if (guarded && isAdministrator && (await services.storage.countAdministrators()) <= 1) return lastAdministrator;
  return unchanged[kind] ?? 'could not be changed';
}
