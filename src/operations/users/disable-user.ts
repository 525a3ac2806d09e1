// An administrator decides whether a user can sign in, and whether they are an administrator.

import type { Requester } from '../../protocol/event.ts';
import type { User } from '../../storage/storage.ts';
import type { AdminOutcome } from '../admin/outcome.ts';
import { eventsOfEndedKeys } from '../api-keys/api-keys.ts';
import type { Services } from '../services.ts';
import { changeUser } from './change-user.ts';
import type { NamedUser } from './users.ts';

type AccessServices = Pick<Services, 'storage' | 'clock' | 'journal' | 'meters'>;
type RemovalServices = Pick<Services, 'storage' | 'journal' | 'meters'>;

type Changed = Promise<AdminOutcome<{ user: User }>>;

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

export function deleteUser(services: RemovalServices, named: NamedUser, requester: Requester): Changed {
  const { storage } = services;
  return changeUser(services, named, 'user_deleted', requester, async (user, event) =>
    storage.deleteUser(user.id, event, await eventsOfEndedKeys(services, user.id, requester)),
  );
}

export async function makeAdministrator(
  services: Pick<Services, 'storage' | 'clock' | 'journal' | 'emailQueue' | 'meters' | 'emailsFor'>,
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
  services: Pick<Services, 'storage' | 'journal' | 'emailQueue' | 'meters' | 'emailsFor'>,
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
async function notified(
  services: Pick<Services, 'emailQueue' | 'emailsFor'>,
  outcome: Awaited<Changed>,
  change: 'given' | 'removed',
): Changed {
  const { emailQueue, emailsFor } = services;
  if (outcome.kind === 'done') {
    const { email, locale } = outcome.user;
    await emailQueue.notify(emailsFor(locale).adminAccessChanged({ to: email, change }));
  }
  return outcome;
}

/** Signs the user out everywhere. Clients keep their access. */
export function endSessions(services: RemovalServices, named: NamedUser, requester: Requester): Changed {
  const { storage } = services;
  return changeUser(services, named, 'sessions_ended', requester, (user, event) => storage.endSessions(user.id, event));
}
