// Somebody has to be left who can let others in: the last administrator can't be disabled, deleted or lose admin access,
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
