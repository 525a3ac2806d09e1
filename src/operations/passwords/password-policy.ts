// The settings about passwords, as they are for one person now.

import { hasPassword } from '../../protocol/sign-in/password-hashes.ts';
import { canHavePassword, type PasswordStanding, passwordStanding } from '../../protocol/sign-in/password-policy.ts';
import type { User } from '../../storage/storage.ts';
import type { Mailing, Services, Storing } from '../services.ts';

type Owner = Pick<User, 'adminSince'>;

/** Whether they can set a password. */
export async function maySetPassword(services: Pick<Services, 'settings'>, { adminSince }: Owner): Promise<boolean> {
  return canHavePassword(await services.settings.read(), adminSince !== null);
}

/** Of the password that they have. */
export async function standingOfPassword(
  services: Pick<Services, 'settings' | 'clock'>,
  { adminSince }: Owner,
): Promise<PasswordStanding> {
  return passwordStanding(await services.settings.read(), adminSince !== null, services.clock.now());
}

/** Whether they have a password, and can sign in with it. */
export async function passwordSignsIn(
  services: Pick<Services, 'settings' | 'clock'>,
  user: Owner & Pick<User, 'passwordHash'>,
): Promise<boolean> {
  return hasPassword(user) && (await standingOfPassword(services, user)).kind !== 'over';
}

/** How many people can't sign in without their password, with the settings as they are in the store. */
export interface PasswordOnlyPeople {
  readonly everyone: number;
  readonly administrators: number;
}

/** With a code by email, those don't count who could sign in with one. */
export async function countPasswordOnly(
  services: Storing & Pick<Mailing, 'emailQueue'> & Pick<Services, 'settings'>,
): Promise<PasswordOnlyPeople> {
  const { storage, settings, emailQueue } = services;
  const { email_codes } = await settings.readFresh();
  const codes = emailQueue.works ? email_codes : 'off';
  if (codes === 'everyone') return { everyone: 0, administrators: 0 };
  const suffix = codes === 'off' ? '' : '_with_factor';
  const [everyone, administrators] = await Promise.all([
    storage.countPasswordOnly(`everyone${suffix}`),
    storage.countPasswordOnly(`administrators${suffix}`),
  ]);
  return { everyone, administrators };
}
