// A user deletes their own account. An administrator deletes others in admin/user-access.ts.

import type { Requester } from '../../protocol/event.ts';
import type { SignedIn } from '../../storage/storage.ts';
import { eventsOfEndedKeys } from '../api-keys/api-keys.ts';
import type { Mailing, Metering, Recording } from '../services.ts';

export type DeleteAccountOutcome = { kind: 'last_administrator' } | { kind: 'deleted' };

export async function deleteAccount(
  services: Recording & Mailing & Metering,
  { user }: SignedIn,
  requester: Requester,
): Promise<DeleteAccountOutcome> {
  const { storage, journal, meters, emailQueue, emailsFor } = services;
  const event = journal.event({ kind: 'account_deleted', userId: user.id }, requester);
  const keyEvents = await eventsOfEndedKeys(services, user.id, requester);
  const deleted = await storage.deleteUser(user.id, event, keyEvents);
  // Storage refuses only the last administrator. An account that is gone was deleted by another request meanwhile.
  if (!deleted && (await storage.findUser(user.id)) !== undefined) return { kind: 'last_administrator' };
  if (deleted) meters.revocations.add({ cause: 'account_deleted' });
  await emailQueue.notify(emailsFor(user.locale).accountDeleted({ to: user.email }));
  return { kind: 'deleted' };
}
