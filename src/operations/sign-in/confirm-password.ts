// The password, asked once more before a change that matters: a browser left open is not enough.

import type { Origin } from '../../protocol/event.ts';
import { isTooLong } from '../../protocol/sign-in/password-rules.ts';
import { confirmationCounters } from '../../protocol/sign-in/throttle-rules.ts';
import type { User } from '../../storage/storage.ts';
import type { Services } from '../services.ts';
import { admit } from '../throttle.ts';

export type Confirmation =
  | { kind: 'confirmed' }
  | { kind: 'wrong_password' }
  | { kind: 'throttled'; retryAfterSeconds: number };

export async function confirmPassword(
  services: Services,
  user: User,
  password: string,
  origin: Origin,
): Promise<Confirmation> {
  const admission = await admit(services, confirmationCounters(user.id));
  if (admission.kind === 'throttled') return admission;
  if (isTooLong(password)) return { kind: 'wrong_password' };
  const place = { owner: user.id, urgent: true };
  const right = await services.passwords.verify(password, user.passwordHash, place).catch(async (error) => {
    await admission.takeBack();
    throw error;
  });
  if (!right) {
    const detail = { reason: 'wrong_password_in_account' };
    services.journal.noteFromStranger({ kind: 'sign_in_failed', userId: user.id, detail }, origin);
    return { kind: 'wrong_password' };
  }
  await admission.takeBack();
  return { kind: 'confirmed' };
}
