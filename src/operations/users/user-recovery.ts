// An administrator helps a user who can't sign in: with a new password, a link to choose one, or by removing second factors.

import { hasRole } from '../../protocol/account/roles.ts';
import { standingOf } from '../../protocol/account/standing.ts';
import type { Requester } from '../../protocol/event.ts';
import { hasSecondFactor } from '../../protocol/sign-in/second-factor-policy.ts';
import type { User } from '../../storage/storage.ts';
import { takeoverRefusal } from '../admin/authority.ts';
import { type Outcome, refused } from '../admin/outcome.ts';
import { newLink } from '../email-links/links.ts';
import { maySetPassword } from '../passwords/password-policy.ts';
import { newPasswordProblem } from '../passwords/passwords.ts';
import type { Linking, Mailing, Metering, PasswordRules, Recording, Services } from '../services.ts';
import { changeUser, userChange, withEmail } from './disable-user.ts';
import { listIdentities, noteUnlinked } from './identities.ts';
import { findChangeable, findUser, type NamedUser, passwordProblems } from './users.ts';

type ResetServices = Recording & Linking & Mailing & Metering & Pick<Services, 'settings'>;

export async function setPassword(
  services: Recording & PasswordRules & Metering & Pick<Services, 'passwords'>,
  named: NamedUser,
  password: string,
  requester: Requester,
): Outcome<{ user: User }> {
  const { storage, clock, passwords } = services;
  const found = await findChangeable(services, named, requester);
  if (found.kind === 'refused') return found;
  const refusal = await takeoverRefusal(services, requester, found.user);
  if (refusal !== undefined) return refusal;
  const owner = { personal: [], hasRole: hasRole(found.user) };
  const problem = await newPasswordProblem(services, password, owner);
  if (problem !== undefined) return refused(`the password ${passwordProblems[problem]}`);
  const hash = await passwords.hash(password);
  return changeUser(services, named, 'user_password_set', requester, async (user, event) => {
    const identities = await listIdentities(services, user);
    const set = await storage.setPasswordHash(user.id, hash, clock.now(), event);
    if (set) await noteUnlinked(services, user, identities, requester);
    return set;
  });
}

/** For a user who has lost their devices and their recovery codes. Even the last way in goes: its owner gets a password by email. */
export const removeSecondFactors = withEmail(
  userChange('second_factors_removed', ({ storage }, { id }, event) => storage.removeSecondFactors(id, event)),
  (emails, to) => emails.secondFactorChanged({ to, change: 'second_factors_removed' }),
);

/** Sends the same email that the user could have requested. */
export async function sendReset(
  services: ResetServices,
  named: NamedUser,
  requester: Requester,
): Outcome<{ user: User }> {
  const { emailQueue, emailsFor } = services;
  if (!emailQueue.works) return refused('email is not set up: share a recovery link instead', 'conflict');
  return changeUser(services, named, 'user_reset_sent', requester, async (user, event) => {
    if (standingOf(user, services.clock.now()) !== 'active') return false;
    const { link, url } = newLink(services, 'reset_password', user.id, { email: user.email });
    const emails = emailsFor(user.locale);
    const compose = (await maySetPassword(services, user)) ? emails.resetPassword : emails.passkeyLink;
    return emailQueue.queue(compose({ to: user.email, url }), link, event);
  });
}

/** A one-time link to choose a new password, for the administrator to pass on. */
export async function makeRecoveryLink(
  services: ResetServices,
  named: NamedUser,
  requester: Requester,
): Outcome<{ user: User; url: string; expiresAt: number }> {
  const found = await findUser(services, named);
  if (found.kind === 'refused') return found;
  const { id, email, emailVerifiedAt } = found.user;
  if (emailVerifiedAt === null && hasSecondFactor(await services.storage.findSignInFacts(id, undefined))) {
    const why = 'was never verified, and someone else may have set up the second factors';
    return refused({ subject: email, says: `${why}: remove them first` }, 'conflict');
  }
  const { link, url } = newLink(services, 'recover', id, {});
  const outcome = await changeUser(services, { id }, 'user_recovery_link_made', requester, async (user, event) =>
    standingOf(user, services.clock.now()) === 'active' ? services.storage.storeLink(link, event) : false,
  );
  if (outcome.kind === 'refused') return outcome;
  const emails = services.emailsFor(outcome.user.locale);
  await services.emailQueue.notify(emails.recoveryLinkMade({ to: outcome.user.email }));
  return { ...outcome, url, expiresAt: link.expiresAt };
}
