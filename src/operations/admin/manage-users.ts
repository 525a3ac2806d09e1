// An administrator creates people and invites them, helps them back in, and stops a person at once.

import { cleanName, nameProblem } from '../../protocol/account/display-name.ts';
import { emailKey, isEmail } from '../../protocol/account/email-address.ts';
import type { EventKind, Origin } from '../../protocol/event.ts';
import { type PasswordProblem, passwordLength, passwordProblem } from '../../protocol/sign-in/password-rules.ts';
import { StorageConflict, type User } from '../../storage/storage.ts';
import { type NewUserInput, newUser } from '../account/new-user.ts';
import { newLink } from '../mail/links.ts';
import type { Services } from '../services.ts';
import { type AdminOutcome, refused } from './outcome.ts';

const passwordProblems: Record<PasswordProblem, string> = {
  too_short: `must have at least ${passwordLength.least} characters`,
  too_long: `must have at most ${passwordLength.most} characters`,
  not_text: 'has characters that are not allowed',
  common: 'is one of the first that are guessed',
  personal: "is the person's own name or address",
};

export async function createUser(
  services: Services,
  input: NewUserInput,
  origin: Origin,
): Promise<AdminOutcome<{ user: User }>> {
  const { storage, journal } = services;
  const outcome = await newUser(services, input);
  switch (outcome.kind) {
    case 'invalid_email':
      return refused(`"${input.email}" is not an e-mail address`);
    case 'invalid_name':
      return refused(`the name ${outcome.problem}`);
    case 'invalid_password':
      return refused(`the password ${passwordProblems[outcome.problem]}`);
    case 'valid':
      break;
  }
  const { user } = outcome;
  const detail = { admin: input.admin ? 'yes' : 'no' };
  const event = journal.event({ kind: 'user_created', userId: user.id, detail }, origin);
  try {
    await storage.createUser(user, event);
  } catch (error) {
    if (!(error instanceof StorageConflict)) throw error;
    return refused(`there is a person with the address ${emailKey(user.email)} already`, 'conflict');
  }
  return { kind: 'done', user };
}

/** A person is named by e-mail address or id. */
export async function findUser(services: Services, name: string): Promise<AdminOutcome<{ user: User }>> {
  const { storage } = services;
  const user = name.includes('@') ? await storage.findUserByEmail(name) : await storage.findUser(name);
  return user === undefined ? refused(`there is no person "${name}"`, 'not_found') : { kind: 'done', user };
}

export async function setPassword(
  services: Services,
  name: string,
  password: string,
  origin: Origin,
): Promise<AdminOutcome<{ user: User }>> {
  const { storage, clock, passwords } = services;
  const problem = passwordProblem(password, { isCommon: services.isCommonPassword, personal: [] });
  if (problem !== undefined) return refused(`the password ${passwordProblems[problem]}`);
  const hash = await passwords.hash(password);
  return changeUser(services, name, 'user_password_set', origin, (user, event) =>
    storage.setPasswordHash(user.id, hash, clock.now(), event),
  );
}

export async function disableUser(
  services: Services,
  name: string,
  origin: Origin,
): Promise<AdminOutcome<{ user: User }>> {
  const { storage, clock } = services;
  return changeUser(services, name, 'user_disabled', origin, (user, event) =>
    storage.disableUser(user.id, clock.now(), event),
  );
}

export async function enableUser(
  services: Services,
  name: string,
  origin: Origin,
): Promise<AdminOutcome<{ user: User }>> {
  const { storage, clock } = services;
  return changeUser(services, name, 'user_enabled', origin, (user, event) =>
    storage.enableUser(user.id, clock.now(), event),
  );
}

export async function deleteUser(
  services: Services,
  name: string,
  origin: Origin,
): Promise<AdminOutcome<{ user: User }>> {
  const { storage } = services;
  return changeUser(services, name, 'user_deleted', origin, (user, event) => storage.deleteUser(user.id, event));
}

/** The way back for somebody who has lost their devices and their recovery codes. */
export async function removeSecondFactors(
  services: Services,
  name: string,
  origin: Origin,
): Promise<AdminOutcome<{ user: User }>> {
  const { storage, emailQueue, emailTemplates } = services;
  const outcome = await changeUser(services, name, 'second_factors_removed', origin, (user, event) =>
    storage.removeSecondFactors(user.id, event),
  );
  if (outcome.kind === 'done') {
    await emailQueue.notify(
      emailTemplates.secondFactorChanged({ to: outcome.user.email, change: 'second_factors_removed' }),
    );
  }
  return outcome;
}

export async function setAdministrator(
  services: Services,
  name: string,
  administrator: boolean,
  origin: Origin,
): Promise<AdminOutcome<{ user: User }>> {
  const { storage, clock } = services;
  const kind = administrator ? 'user_made_administrator' : 'user_administrator_removed';
  return changeUser(services, name, kind, origin, (user, event) =>
    storage.setAdministrator(user.id, administrator ? clock.now() : null, event),
  );
}

export async function endSessions(
  services: Services,
  name: string,
  origin: Origin,
): Promise<AdminOutcome<{ user: User }>> {
  const { storage } = services;
  return changeUser(services, name, 'sessions_ended', origin, async (user, event) => {
    await storage.endOtherSessions(user.id, '', event);
    return true;
  });
}

/** The mail that the person could have asked for themselves. */
export async function sendReset(
  services: Services,
  name: string,
  origin: Origin,
): Promise<AdminOutcome<{ user: User }>> {
  const { emailQueue, emailTemplates } = services;
  if (!emailQueue.works) return refused('mail is not set up: hand over a recovery link instead', 'conflict');
  return changeUser(services, name, 'user_reset_sent', origin, async (user, event) => {
    if (user.disabledAt !== null) return false;
    const { link, url } = newLink(services, 'reset_password', user.id, {});
    await emailQueue.queue(emailTemplates.resetPassword({ to: user.email, url }), link, event);
    return true;
  });
}

/** For somebody whom no mail reaches: an address, to be handed over, at which they choose a new password once. */
export async function makeRecoveryLink(
  services: Services,
  name: string,
  origin: Origin,
): Promise<AdminOutcome<{ user: User; url: string; expiresAt: number }>> {
  const found = await findUser(services, name);
  if (found.kind === 'refused') return found;
  const { link, url } = newLink(services, 'recover', found.user.id, {});
  const outcome = await changeUser(services, found.user.id, 'user_recovery_link_made', origin, async (user, event) =>
    user.disabledAt === null ? services.storage.keepLink(link, event) : false,
  );
  return outcome.kind === 'done' ? { ...outcome, url, expiresAt: link.expiresAt } : outcome;
}

/** By mail; without mail the address is given back, to be handed over. */
export async function inviteUser(
  services: Services,
  input: { email: string; name: string },
  origin: Origin,
): Promise<AdminOutcome<{ email: string; url: string | undefined; expiresAt: number }>> {
  const { storage, emailQueue, emailTemplates, journal } = services;
  const email = input.email.trim();
  if (!isEmail(email)) return refused(`"${input.email}" is not an e-mail address`);
  const name = cleanName(input.name);
  const problem = name === '' ? undefined : nameProblem(name);
  if (problem !== undefined) return refused(`the name ${problem}`);
  if ((await storage.findUserByEmail(email)) !== undefined) {
    return refused(`there is a person with the address ${emailKey(email)} already`, 'conflict');
  }
  const mailed = emailQueue.works ? 'yes' : 'no';
  const { link, url } = newLink(services, 'invite', null, { email, name, mailed });
  const event = journal.event({ kind: 'user_invited', detail: { email, mailed } }, origin);
  if (emailQueue.works) await emailQueue.queue(emailTemplates.invitation({ to: email, url }), link, event);
  else await storage.keepLink(link, event);
  return { kind: 'done', email, url: emailQueue.works ? undefined : url, expiresAt: link.expiresAt };
}

const lastAdministrator = 'is the last administrator: make another one first';

const unchanged: Partial<Record<EventKind, string>> = {
  user_made_administrator: 'is an administrator already, or disabled',
  user_administrator_removed: 'is not an administrator',
  user_reset_sent: 'is disabled',
  user_recovery_link_made: 'is disabled',
  user_disabled: 'is disabled already',
  user_enabled: 'is not disabled',
  second_factors_removed: 'has no second factor',
};

/** Changes a person and tells of them as they are afterwards (or were, when they are gone). */
async function changeUser(
  services: Services,
  name: string,
  kind: EventKind,
  origin: Origin,
  apply: (user: User, event: ReturnType<Services['journal']['event']>) => Promise<boolean>,
): Promise<AdminOutcome<{ user: User }>> {
  const found = await findUser(services, name);
  if (found.kind === 'refused') return found;
  const { user } = found;
  const done = await apply(user, services.journal.event({ kind, userId: user.id }, origin));
  if (!done) return refused(`${user.email} ${await whyUnchanged(services, user, kind)}`, 'conflict');
  return { kind: 'done', user: (await services.storage.findUser(user.id)) ?? user };
}

async function whyUnchanged(services: Services, user: User, kind: EventKind): Promise<string> {
  const guarded = kind === 'user_disabled' || kind === 'user_deleted' || kind === 'user_administrator_removed';
  const isAdministrator = user.adminSince !== null && user.disabledAt === null;
  if (guarded && isAdministrator && (await services.storage.countAdministrators()) <= 1) return lastAdministrator;
  return unchanged[kind] ?? 'could not be changed';
}
