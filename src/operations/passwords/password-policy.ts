// The settings about passwords, as they are for one person now.

import { hasRole, type RoleHolder } from '../../protocol/account/roles.ts';
import {
  canHavePassword,
  hasPassword,
  type PasswordStanding,
  passwordStanding,
} from '../../protocol/sign-in/password-policy.ts';
import { countedAtMost, type User } from '../../storage/storage.ts';
import type { Mailing, Services, Storing } from '../services.ts';

/** Whether they can set a password. */
export async function maySetPassword(services: Pick<Services, 'settings'>, owner: RoleHolder): Promise<boolean> {
  return canHavePassword(await services.settings.read(), hasRole(owner));
}

/** Whether nobody can set one. */
export async function passwordsAreOff({ settings }: Pick<Services, 'settings'>): Promise<boolean> {
  return (await settings.read()).passwords === 'off';
}

/** Of the password that they have. */
export async function standingOfPassword(
  services: Pick<Services, 'settings' | 'clock'>,
  owner: RoleHolder,
): Promise<PasswordStanding> {
  return passwordStanding(await services.settings.read(), hasRole(owner), services.clock.now());
}

/** Whether a password is a way to sign in, if they have one. */
export async function passwordCounts(
  services: Pick<Services, 'settings' | 'clock'>,
  owner: RoleHolder,
): Promise<boolean> {
  return (await standingOfPassword(services, owner)).kind !== 'over';
}

/** Whether they have a password, and can sign in with it. */
export async function passwordSignsIn(
  services: Pick<Services, 'settings' | 'clock'>,
  user: RoleHolder & Pick<User, 'passwordHash'>,
): Promise<boolean> {
  return hasPassword(user) && (await passwordCounts(services, user));
}

/** How many people can't sign in without their password, counted up to `most`. */
export interface PasswordOnlyPeople {
  readonly everyone: number;
  readonly administrators: number;
  readonly most: number;
}

/** With a code by email, those don't count who could sign in with one. */
export async function countPasswordOnly(
  services: Storing & Pick<Mailing, 'emailQueue'> & Pick<Services, 'settings'>,
): Promise<PasswordOnlyPeople> {
  const { storage, settings, emailQueue } = services;
  const { email_codes } = await settings.readFresh();
  const codes = emailQueue.works ? email_codes : 'off';
  if (codes === 'everyone') return { everyone: 0, administrators: 0, most: countedAtMost };
  const suffix = codes === 'off' ? '' : '_with_factor';
  const [everyone, administrators] = await Promise.all([
    storage.countPasswordOnly(`everyone${suffix}`),
    storage.countPasswordOnly(`administrators${suffix}`),
  ]);
  return { everyone, administrators, most: countedAtMost };
}
