// Emails that anyone can request for any address. Neither the response nor the work that is done before it reveals who has
// an account: the request is stored as it is, and `answerRequest` finds out later whose address it is.

import { isEmail, mayBeEmail } from '../../protocol/account/email-address.ts';
import { standingOf } from '../../protocol/account/standing.ts';
import type { Requester } from '../../protocol/event.ts';
import { hasSecondFactor } from '../../protocol/sign-in/second-factor-policy.ts';
import { emailNetworkCounters, recipientCounters } from '../../protocol/sign-in/throttle-rules.ts';
import { emailCodeDigest, emailCodeLifetime, newEmailCode } from '../../protocol/sign-in/typed-codes.ts';
import type { CodePurpose, Link, User } from '../../storage/storage.ts';
import type { EmailAnswer, EmailRequest } from '../mail/email-queue.ts';
import { maySetPassword } from '../passwords/password-policy.ts';
import type { Linking, Metering, Services, Timing } from '../services.ts';
import { startAttempt } from '../throttle.ts';
import { newLink } from './links.ts';

export type EmailRequestOutcome =
  | { kind: 'sent' }
  | { kind: 'invalid_email' }
  | { kind: 'throttled'; retryAfterSeconds: number };

type Wish<Request> = Request extends EmailRequest ? Omit<Request, 'to' | 'requester'> : never;

/** Queues the request if the address is well-formed and there weren't too many. */
export async function requestEmail(
  services: Timing & Metering & Pick<Services, 'emailQueue'>,
  address: string,
  wish: Wish<EmailRequest>,
  requester: Requester,
): Promise<EmailRequestOutcome> {
  const to = address.trim();
  // An account may have an address that's no longer accepted for new ones.
  const isValid = wish.kind === 'reset_password' ? mayBeEmail(to) : isEmail(to);
  if (!isValid) return { kind: 'invalid_email' };
  const attempt = await startAttempt(services, 'email_network', emailNetworkCounters(requester.address));
  if (attempt.kind === 'throttled') return attempt;
  // Over the limit, send nothing but respond the same, so that the response reveals nothing. The owner already has the
  // earlier emails.
  const share = await startAttempt(services, 'email_recipient', recipientCounters(to));
  if (share.kind === 'allowed') await services.emailQueue.queueRequest({ ...wish, to, requester });
  return { kind: 'sent' };
}

/** Composes the email, some time after the page was sent. Storing and sending it is left to email-queue.ts. */
export async function answerRequest(
  services: Linking & Timing & Pick<Services, 'emailsFor' | 'settings'>,
  request: EmailRequest,
): Promise<EmailAnswer> {
  const { storage, issuer } = services;
  const { to } = request;
  const owner = await storage.findUserByEmail(to);
  const emails = services.emailsFor(owner?.locale ?? request.requester.language);
  const addressHasAccount = (email: string) => emails.addressHasAccount({ to: email, url: `${issuer}/sign-in` });
  const ownerId = owner === undefined ? {} : { userId: owner.id };
  switch (request.kind) {
    case 'reset_password': {
      const event = { kind: 'password_reset_requested', ...ownerId } as const;
      if (owner === undefined) {
        const email = isEmail(to) ? emails.noAccount({ to, url: `${issuer}/reset-password` }) : undefined;
        return { email, event };
      }
      if (standingOf(owner, services.clock.now()) !== 'active') return { email: undefined, event };
      const { link, url } = newLink(services, 'reset_password', owner.id, {
        email: owner.email,
        target: request.target,
      });
      // To the address as it is stored: what was typed may be another spelling, and so another person's mailbox.
      const compose = (await maySetPassword(services, owner)) ? emails.resetPassword : emails.passkeyLink;
      return { email: compose({ to: owner.email, url }), link, event };
    }
    case 'sign_up': {
      const event = { kind: 'sign_up_requested', ...ownerId } as const;
      if (owner !== undefined) return { email: addressHasAccount(owner.email), event };
      const { target, signUpLink } = request;
      const { link, url } = newLink(services, 'sign_up', null, {
        email: to,
        target,
        ...(signUpLink && { signUpLink }),
      });
      return { email: emails.finishSignUp({ to, url }), link, event };
    }
    case 'email_code': {
      const event = { kind: 'email_code_requested', ...ownerId } as const;
      const { device = '', address } = request.requester;
      if (owner === undefined) {
        return { email: isEmail(to) ? emails.noAccountForCode({ to, device, address }) : undefined, event };
      }
      const standing = standingOf(owner, services.clock.now());
      const { email_codes: policy } = await services.settings.read();
      if (policy === 'off' || standing === 'disabled' || standing === 'expired') return { email: undefined, event };
      const recipient = { to: owner.email, device, address };
      const excluded = policy === 'without_second_factor' && hasSecondFactor(await storage.findSignInFacts(owner.id));
      if (excluded) return { email: emails.codeNotForYou(recipient), event };
      const { mark, purpose } = request;
      const { code, link } = newCode(services, owner, mark, purpose);
      return { email: emails.emailCode({ ...recipient, code, use: 'sign_in' }), link, event };
    }
    case 'change_email': {
      const user = await storage.findUser(request.userId);
      // What ends the user's links ends this one, too, which doesn't exist yet.
      if (user === undefined || user.sessionGeneration !== request.sessionGeneration) {
        return { email: undefined };
      }
      // The owner of the address hears of it; the user who asked must not learn that the account exists.
      if (owner !== undefined && owner.id !== user.id) return { email: addressHasAccount(owner.email) };
      const { link, url } = newLink(services, 'change_email', user.id, { email: to });
      return {
        email: services.emailsFor(user.locale ?? request.requester.language).confirmAddress({ to, url }),
        link,
      };
    }
  }
}

/** A code for an email, and what is stored of it. `mark` stands for the browser or session that it works in. */
export function newCode(
  { random, clock }: Pick<Services, 'random' | 'clock'>,
  user: User,
  mark: string,
  purpose: CodePurpose,
): { code: string; link: Link } {
  const code = newEmailCode(random);
  const expiresAt = clock.now() + emailCodeLifetime;
  return { code, link: { digest: emailCodeDigest(mark, code), purpose, userId: user.id, data: {}, expiresAt } };
}
