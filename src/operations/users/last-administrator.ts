// Some administrator has to be left who can let others in: the last administrator can't be disabled, deleted or lose admin access,
// and their access doesn't end by itself. Storage holds the rule; this says why it has refused something.

import type { User } from '../../storage/storage.ts';
import type { Storing } from '../services.ts';

/** Completes a sentence that starts with the user's email address. */
export const lastAdministrator = 'is the last administrator. Make someone else an administrator first';

/** Those whose access ends by itself don't count. */
export async function isLastAdministrator(
  { storage }: Storing,
  { id, adminSince, disabledAt, expiresAt }: User,
): Promise<boolean> {
  if (adminSince === null || disabledAt !== null || expiresAt !== null) return false;
  const administrators = await storage.listAdministrators();
  return !administrators.some((other) => other.id !== id && other.expiresAt === null);
}

/** Of a new administrator whose access ends, while there's none whose doesn't. Completes a sentence like the above. */
export const onlyAdministrator = "would be the only administrator, so their access can't end";

/** Whether there's an administrator whose access doesn't end. */
export async function hasLastingAdministrator({ storage }: Storing): Promise<boolean> {
  return (await storage.listAdministrators()).some(({ expiresAt }) => expiresAt === null);
}
