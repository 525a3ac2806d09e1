// The settings about passwords, as they are for one person now.

import { hasRole, type RoleHolder } from '../../protocol/account/roles.ts';
import {
  canHavePassword,
  hasPassword,
  type PasswordStanding,
  passwordStanding,
} from '../../protocol/sign-in/password-policy.ts';
import type { User } from '../../storage/storage.ts';
import type { Services } from '../services.ts';

/** Whether they can set a password. */
export async function maySetPassword(services: Pick<Services, 'settings'>, owner: RoleHolder): Promise<boolean> {
  return canHavePassword(await services.settings.read(), hasRole(owner));
}

/** Whether passwords can't be set at all. */
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
