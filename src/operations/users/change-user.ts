// The one way administrators change a user: find them, write the change together with its event, and explain it when
// nothing could be changed.

import type { EventKind, EventRecord, Requester } from '../../protocol/event.ts';
import type { User } from '../../storage/storage.ts';
import { type AdminOutcome, refused } from '../admin/outcome.ts';
import { isRevocationCause } from '../meters.ts';
import type { Services } from '../services.ts';
import { findUser, type NamedUser } from './users.ts';

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

/** The result is the user after the change, or as they were when the change has deleted them. */
export async function changeUser(
  services: Pick<Services, 'storage' | 'journal' | 'meters'>,
  named: NamedUser,
  kind: EventKind,
  requester: Requester,
  apply: (user: User, event: EventRecord) => Promise<boolean>,
): Promise<AdminOutcome<{ user: User }>> {
  const found = await findUser(services, named);
  if (found.kind === 'refused') return found;
  const { user } = found;
  const done = await apply(user, services.journal.event({ kind, userId: user.id }, requester));
  if (!done) return refused(`${user.email} ${await whyUnchanged(services, user, kind)}`, 'conflict');
  if (isRevocationCause(kind)) services.meters.revocations.add({ cause: kind });
  return { kind: 'done', user: (await services.storage.findUser(user.id)) ?? user };
}

async function whyUnchanged(services: Pick<Services, 'storage'>, user: User, kind: EventKind): Promise<string> {
  const guarded = kind === 'user_disabled' || kind === 'user_deleted' || kind === 'user_administrator_removed';
  const isAdministrator = user.adminSince !== null && user.disabledAt === null;
  if (guarded && isAdministrator && (await services.storage.countAdministrators()) <= 1) return lastAdministrator;
  return unchanged[kind] ?? 'could not be changed';
}
