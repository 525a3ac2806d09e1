// An administrator corrects someone's name or email address, of which the person is notified, or sets their attributes and
// when their access ends.

import { emailKey } from '../../protocol/account/email-address.ts';
import { standingOf } from '../../protocol/account/standing.ts';
import type { Requester } from '../../protocol/event.ts';
import { changeDetail, differing, readFields } from '../../protocol/resources/resource.ts';
import { type UserInput, userFields } from '../../protocol/resources/user.ts';
import type { User, UserIdentity } from '../../storage/storage.ts';
import { guarded, identityRefusal, takeoverRefusal } from '../admin/authority.ts';
import { beingChanged, type Outcome, refused, refusedFields, unlessTaken } from '../admin/outcome.ts';
import { eventsOfEndedRights } from '../api-keys/api-keys.ts';
import { readGivenAttributes } from '../attributes/person-attributes.ts';
import type { Mailing, Metering, Recording } from '../services.ts';
import { findInvitedRefusal } from './given-roles.ts';
import { isLastAdministrator, lastAdministrator } from './last-administrator.ts';
import { emailTaken, findChangeable, findUser, type NamedUser } from './users.ts';

/** More than the number of people who change one account at the same moment. */
const attempts = 10;

/** The result says whether anything was changed, and whether the person is told. */
export async function editUser(
  services: Recording & Mailing & Metering,
  named: NamedUser,
  given: UserInput,
  requester: Requester,
): Outcome<{ user: User; changed: boolean; notified: boolean }> {
  const { storage, clock, journal } = services;
  const first = await findUser(services, named);
  if (first.kind === 'refused') return first;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const found = await findChangeable(services, { id: first.user.id }, requester);
    if (found.kind === 'refused') return found;
    const { user } = found;
    const { values, problems } = readFields(userFields, given, user, clock.now());
    const attributes = await readGivenAttributes(services, user.attributes, given.attributes, requester);
    if (attributes.refusal !== undefined) return attributes.refusal;
    const refusal = refusedFields([...problems, ...attributes.problems]);
    if (refusal !== undefined) return refusal;
    const change = differing(userFields, user, values);
    const { expiresAt, ...identityChange } = change;
    const isSame = Object.keys(identityChange).length === 0;
    const notOurs = isSame ? undefined : identityRefusal(requester, user);
    if (notOurs !== undefined) return notOurs;
    const invited =
      change.email === undefined ? undefined : await findInvitedRefusal(services, change.email, requester);
    if (invited !== undefined) return invited;
    const takesOver = change.email !== undefined;
    const outOfReach = takesOver ? await takeoverRefusal(services, requester, user) : undefined;
    if (outOfReach !== undefined) return outOfReach;
    if (isSame && attributes.change === undefined && expiresAt === undefined) {
      return { ...found, changed: false, notified: false };
    }
    const { name, givenName, familyName, email } = { ...user, ...change };
    const identity = { name, givenName, familyName, email };
    const fields = changeDetail(userFields, change);
    const detail = { ...fields, changed: [fields.changed ?? [], attributes.changed].flat().map(String) };
    const event = guarded(journal.event({ kind: 'user_edited', userId: user.id, detail }, requester), requester);
    const marked = takesOver ? { ...event, takesOver } : event;
    const edit = storage.editUser(user.id, user, identity, clock.now(), marked, attributes.change, expiresAt);
    const done = await unlessTaken(edit);
    if (done === 'taken') return emailTaken(identity.email);
    if (!done && typeof expiresAt === 'number' && (await isLastAdministrator(services, user))) {
      return refused({ subject: user.email, says: lastAdministrator }, 'conflict');
    }
    if (!done) {
      // The person or an attribute has changed meanwhile, or an end that has come isn't written yet, so it's looked at again.
      if (expiresAt !== undefined && standingOf(user, clock.now()) === 'expired') await endExpiredUsers(services);
      continue;
    }
    const notified = !isSame && (await notify(services, user, identity));
    const edited = await findUser(services, { id: user.id });
    return edited.kind === 'refused' ? edited : { ...edited, changed: true, notified };
  }
  return beingChanged(first.user.email);
}

/** A new email address is told to both addresses: the old one may be all that the person looks at. */
async function notify({ emailQueue, emailsFor }: Mailing, user: User, identity: UserIdentity): Promise<boolean> {
  const { email, name } = identity;
  const emails = emailsFor(user.locale);
  if (emailKey(email) === emailKey(user.email)) {
    return emailQueue.notify(emails.profileEdited({ to: email, name }));
  }
  const toOld = await emailQueue.notify(emails.emailEdited({ to: user.email, email }));
  const toNew = await emailQueue.notify(emails.emailEdited({ to: email, email }));
  return toOld && toNew;
}

const noRequester = { address: '', requestId: '' };
const batchSize = 100;

/** People whose access has ended by itself: refused from that moment on. This writes it, with what follows from it. */
export async function endExpiredUsers(services: Recording & Metering): Promise<void> {
  const { storage, clock, journal, meters } = services;
  const now = clock.now();
  let ended: number;
  do {
    ended = 0;
    for (const userId of await storage.listExpiredUsers(now, batchSize)) {
      const event = journal.event({ kind: 'user_expired', userId }, noRequester);
      const keyEvents = await eventsOfEndedRights(services, userId, noRequester);
      if (!(await storage.expireUser(userId, now, event, keyEvents))) continue;
      meters.revocations.add({ cause: 'user_expired' });
      ended++;
    }
  } while (ended === batchSize);
}
