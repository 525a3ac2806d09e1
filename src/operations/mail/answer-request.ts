// Answers a request for an email, some time after the page that took it was sent: finds out whose address it is, and
// composes the email for that case. Storing and sending it is left to email-queue.ts.

import { digestOf, sameText } from '../../protocol/digest.ts';
import type { Services } from '../services.ts';
import type { EmailAnswer, EmailRequest } from './email-queue.ts';
import { newLink } from './links.ts';

export async function answerRequest(
  services: Pick<Services, 'issuer' | 'storage' | 'clock' | 'random' | 'emailsFor'>,
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
        return { email: emails.noAccount({ to, url: `${issuer}/reset-password` }), event };
      }
      if (owner.disabledAt !== null) return { email: undefined, event };
      const { link, url } = newLink(services, 'reset_password', owner.id, { target: request.target });
      // To the address as it is stored: what was typed may be another spelling, and so somebody else's mailbox.
      return { email: emails.resetPassword({ to: owner.email, url }), link, event };
    }
    case 'sign_up': {
      const event = { kind: 'sign_up_requested', ...ownerId } as const;
      if (owner !== undefined) return { email: addressHasAccount(owner.email), event };
      const { link, url } = newLink(services, 'sign_up', null, { email: to, target: request.target });
      return { email: emails.finishSignUp({ to, url }), link, event };
    }
    case 'change_email': {
      const user = await storage.findUser(request.userId);
      // A change of password ends the user's links, and so also this one, which doesn't exist yet.
      if (user === undefined || !sameText(digestOf(user.passwordHash), request.passwordMark)) {
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
