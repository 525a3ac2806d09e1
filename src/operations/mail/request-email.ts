// Emails that anyone can request for any address. Neither the response nor the work that is done before it reveals who has
// an account: the request is stored as it is, and answer-request.ts finds out later whose address it is.

import { isEmail } from '../../protocol/account/email-address.ts';
import type { Requester } from '../../protocol/event.ts';
import { emailNetworkCounters, recipientCounters } from '../../protocol/sign-in/throttle-rules.ts';
import type { Services } from '../services.ts';
import { startAttempt } from '../throttle.ts';
import type { EmailRequest } from './email-queue.ts';

export type EmailRequestOutcome =
  | { kind: 'sent' }
  | { kind: 'invalid_email' }
  | { kind: 'throttled'; retryAfterSeconds: number };

type Wish<Request> = Request extends EmailRequest ? Omit<Request, 'to' | 'requester'> : never;

/** Queues the request if the address is well-formed and nobody has asked too often. */
export async function requestEmail(
  services: Pick<Services, 'storage' | 'clock' | 'emailQueue' | 'meters'>,
  address: string,
  wish: Wish<EmailRequest>,
  requester: Requester,
): Promise<EmailRequestOutcome> {
  const to = address.trim();
  if (!isEmail(to)) return { kind: 'invalid_email' };
  const attempt = await startAttempt(services, 'email_network', emailNetworkCounters(requester.address));
  if (attempt.kind === 'throttled') return attempt;
  // Over the limit, send nothing but respond the same, so that the response reveals nothing. The owner already has the
  // earlier emails.
  const share = await startAttempt(services, 'email_recipient', recipientCounters(to));
  if (share.kind === 'allowed') await services.emailQueue.queueRequest({ ...wish, to, requester });
  return { kind: 'sent' };
}
