// An administrator corrects somebody's name or email address, or vouches for the address. The person is told.

import { cleanName, nameProblem } from '../../protocol/account/display-name.ts';
import { emailKey, isEmail } from '../../protocol/account/email-address.ts';
import type { Requester } from '../../protocol/event.ts';
import { StorageConflict, type User, type UserIdentity } from '../../storage/storage.ts';
import { type AdminOutcome, type Refused, refused } from '../admin/outcome.ts';
import type { Services } from '../services.ts';
import { changeUser } from './change-user.ts';
import { emailTaken, findUser, type NamedUser, notAnEmail } from './users.ts';

/** What is not given stays as it is. An empty given or family name removes it. */
export interface PersonEdit {
  readonly name?: string | undefined;
  readonly givenName?: string | null | undefined;
  readonly familyName?: string | null | undefined;
  readonly email?: string | undefined;
}

type Changed = Promise<AdminOutcome<{ user: User }>>;

/** Whether anything was changed, and whether the person is told. */
export interface EditResult {
  readonly user: User;
  readonly changed: boolean;
  readonly notified: boolean;
}

/** More than the number of people who change one account at the same moment. */
const attempts = 10;

export async function editPerson(
  services: Pick<Services, 'storage' | 'clock' | 'journal' | 'emailQueue' | 'emailsFor'>,
  named: NamedUser,
  edit: PersonEdit,
  requester: Requester,
): Promise<AdminOutcome<EditResult>> {
  const { storage, clock, journal } = services;
  const first = await findUser(services, named);
  if (first.kind === 'refused') return first;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const found = await findUser(services, { id: first.user.id });
    if (found.kind === 'refused') return found;
    const { user } = found;
    const identity = identityAfter(user, edit);
    if ('kind' in identity) return identity;
    const changed = changesIn(user, identity);
    if (changed.length === 0) return { ...found, changed: false, notified: false };
    const event = journal.event({ kind: 'user_edited', userId: user.id, detail: { changed } }, requester);
    try {
      // False when the person has changed meanwhile; then it's looked at again.
      if (!(await storage.editUser(user.id, user, identity, clock.now(), event))) continue;
    } catch (error) {
      if (error instanceof StorageConflict) return emailTaken(identity.email);
      throw error;
    }
    const notified = await notify(services, user, identity);
    const edited = await findUser(services, { id: user.id });
    return edited.kind === 'refused' ? edited : { ...edited, changed: true, notified };
  }
  return refused(`${first.user.email} is being changed by someone else; try again`, 'conflict');
}

/** Applications are told that the address is verified, and may rely on it. */
export function verifyEmail(
  services: Pick<Services, 'storage' | 'clock' | 'journal' | 'meters'>,
  named: NamedUser,
  requester: Requester,
): Changed {
  const { storage, clock } = services;
  return changeUser(services, named, 'user_email_verified', requester, (user, event) =>
    storage.verifyEmail(user.id, user.email, clock.now(), event),
  );
}

function identityAfter(user: User, edit: PersonEdit): UserIdentity | Refused {
  const email = edit.email === undefined ? user.email : edit.email.trim();
  if (email !== user.email && !isEmail(email)) return notAnEmail(email);
  const name = edit.name === undefined ? user.name : cleanName(edit.name);
  const part = (given: string | null | undefined, current: string | null) =>
    given === undefined ? current : cleanName(given ?? '') || null;
  const givenName = part(edit.givenName, user.givenName);
  const familyName = part(edit.familyName, user.familyName);
  for (const [after, before] of [
    [name, user.name],
    [givenName, user.givenName],
    [familyName, user.familyName],
  ]) {
    const problem = after === null || after === undefined || after === before ? undefined : nameProblem(after);
    if (problem !== undefined) return refused(`the name ${problem}`);
  }
  return { name, givenName, familyName, email };
}

function changesIn(user: User, identity: UserIdentity): string[] {
  const columns = { name: 'name', givenName: 'given_name', familyName: 'family_name', email: 'email' } as const;
  const names = Object.keys(columns) as (keyof UserIdentity)[];
  return names.filter((name) => identity[name] !== user[name]).map((name) => columns[name]);
}

/** A new email address is told to both addresses: the old one may be all that the person looks at. */
async function notify(
  { emailQueue, emailsFor }: Pick<Services, 'emailQueue' | 'emailsFor'>,
  user: User,
  identity: UserIdentity,
): Promise<boolean> {
  const { email, name } = identity;
  const emails = emailsFor(user.locale);
  if (emailKey(email) === emailKey(user.email)) {
    return emailQueue.notify(emails.profileEdited({ to: email, name }));
  }
  const toOld = await emailQueue.notify(emails.emailEdited({ to: user.email, email }));
  const toNew = await emailQueue.notify(emails.emailEdited({ to: email, email }));
  return toOld && toNew;
}
