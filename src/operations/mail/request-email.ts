// Mails that anyone can ask for, for any address. The answer never depends on who has an account, and neither does the work.

import { isEmail } from '../../protocol/account/email-address.ts';
import type { Origin } from '../../protocol/event.ts';
import { emailNetworkCounters, recipientCounters } from '../../protocol/sign-in/throttle-rules.ts';
import type { Services } from '../services.ts';
import { admit } from '../throttle.ts';

export type EmailRequestOutcome =
  | { kind: 'sent' }
  | { kind: 'invalid_email' }
  | { kind: 'throttled'; retryAfterSeconds: number };

/** Has `send` done for a plausible address, unless too much was asked for. */
export async function requestEmail(
  services: Services,
  address: string,
  origin: Origin,
  send: (to: string) => Promise<void>,
): Promise<EmailRequestOutcome> {
  const to = address.trim();
  if (!isEmail(to)) return { kind: 'invalid_email' };
  const admission = await admit(services, emailNetworkCounters(origin.address));
  if (admission.kind === 'throttled') return admission;
  // A mailbox that has had its share gets no more, and nobody is told: others may have asked, and its owner has the mails.
  const share = await admit(services, recipientCounters(to));
  if (share.kind === 'admitted') await send(to);
  return { kind: 'sent' };
}
