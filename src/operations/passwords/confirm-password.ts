// Asks a signed-in user for their password again before a change that matters, so that an unattended browser is not
// enough to make it.

import type { Requester } from '../../protocol/event.ts';
import { isTooLong } from '../../protocol/sign-in/password-rules.ts';
import { confirmationCounters } from '../../protocol/sign-in/throttle-rules.ts';
import type { User } from '../../storage/storage.ts';
import type { Metering, Recording, Services } from '../services.ts';
import { noteRefusedSignIn, startAttempt } from '../throttle.ts';

export type Confirmation =
  | { kind: 'confirmed' }
  | { kind: 'wrong_password' }
  | { kind: 'throttled'; retryAfterSeconds: number };

export async function confirmPassword(
  services: Recording & Metering & Pick<Services, 'passwords'>,
  user: User,
  password: string,
  requester: Requester,
): Promise<Confirmation> {
  const attempt = await startAttempt(services, 'confirmation', confirmationCounters(user.id));
  if (attempt.kind === 'throttled') return attempt;
  if (isTooLong(password)) return { kind: 'wrong_password' };
  const place = { owner: user.id, urgent: true };
  const verified = await services.passwords.verify(password, user.passwordHash, place).catch(async (error) => {
    await attempt.takeBack();
    throw error;
  });
  if (!verified) {
    noteRefusedSignIn(services, { userId: user.id }, 'wrong_password_in_account', requester);
    return { kind: 'wrong_password' };
  }
  await attempt.takeBack();
  return { kind: 'confirmed' };
}
