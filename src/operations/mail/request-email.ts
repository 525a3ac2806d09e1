// Emails that anyone can request for any address. Neither the answer nor the work done reveals who has an account.

import { isEmail } from '../../protocol/account/email-address.ts';
import type { Origin } from '../../protocol/event.ts';
import { emailNetworkCounters, recipientCounters } from '../../protocol/sign-in/throttle-rules.ts';
import type { Services } from '../services.ts';
import { startAttempt } from '../throttle.ts';

export type EmailRequestOutcome =
  | { kind: 'sent' }
  | { kind: 'invalid_email' }
  | { kind: 'throttled'; retryAfterSeconds: number };

/** Calls `send` if the address is well-formed and nobody has asked too often. */
export async function requestEmail(
  services: Services,
  address: string,
  origin: Origin,
  send: (to: string) => Promise<void>,
): Promise<EmailRequestOutcome> {
  const to = address.trim();
  if (!isEmail(to)) return { kind: 'invalid_email' };
  const attempt = await startAttempt(services, emailNetworkCounters(origin.address));
  if (attempt.kind === 'throttled') return attempt;
  // Over the limit, send nothing but respond the same, so that the response reveals nothing. The owner already has the
  // earlier emails.
  const share = await startAttempt(services, recipientCounters(to));
  if (share.kind === 'allowed') await send(to);
  return { kind: 'sent' };
}
