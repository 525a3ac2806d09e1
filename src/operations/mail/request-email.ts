// Mails that anyone can ask for, for any address. The answer never depends on who has an account, and neither does the work.

import { isEmail } from '../../protocol/account/email-address.ts';
import type { Origin } from '../../protocol/event.ts';
import { mailboxCounters, mailNetworkCounters } from '../../protocol/sign-in/throttle-rules.ts';
import { admit } from '../sign-in/throttle.ts';
import type { Services } from '../services.ts';

export type MailRequestOutcome =
  | { kind: 'sent' }
  | { kind: 'invalid_address' }
  | { kind: 'throttled'; retryAfterSeconds: number };

/** Has `send` done for a plausible address, unless too much was asked for. */
export async function requestMail(
  services: Services,
  address: string,
  origin: Origin,
  send: (to: string) => Promise<void>,
): Promise<MailRequestOutcome> {
  const to = address.trim();
  if (!isEmail(to)) return { kind: 'invalid_address' };
  const admission = await admit(services, mailNetworkCounters(origin.address));
  if (admission.kind === 'throttled') return admission;
  // A mailbox that has had its share gets no more, and nobody is told: others may have asked, and its owner has the mails.
  const share = await admit(services, mailboxCounters(to));
  if (share.kind === 'admitted') await send(to);
  return { kind: 'sent' };
}
