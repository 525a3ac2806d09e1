// What signing up, resetting a password and changing the email address have in common: each sends an email with a link,
// and each is finished by opening it.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { EmailRequestOutcome } from '../operations/mail/request-email.ts';
import { emailSentPage, linkExpiredPage } from '../pages/sign-in/sign-up.ts';
import type { HttpContext } from './context.ts';
import { queryOf } from './query.ts';
import { frameOf, sendPage } from './send-page.ts';
import { throttledAttempt } from './throttled.ts';

/** Says where to look for the email, or shows the form again, by `again`, with what was wrong. */
export function sendEmailOutcome(
  context: HttpContext,
  reply: FastifyReply,
  outcome: EmailRequestOutcome,
  email: string,
  again: (attempt: { status: number; email: string; problem: string }) => FastifyReply | Promise<FastifyReply>,
): FastifyReply | Promise<FastifyReply> {
  const m = frameOf(context, reply.request).messages.account;
  switch (outcome.kind) {
    case 'invalid_email':
      return again({ status: 400, email, problem: m.invalidEmail });
    case 'throttled':
      return again({ ...throttledAttempt(reply, outcome, m.throttled), email });
    case 'sent':
      return sendEmailSent(context, reply, email);
  }
}

export function sendEmailSent(context: HttpContext, reply: FastifyReply, email: string): FastifyReply {
  const outbox = context.services.emailQueue.kind === 'outbox';
  return sendPage(reply, 200, emailSentPage(frameOf(context, reply.request), { email: email.trim(), outbox }));
}

/** The `link` parameter of the request's URL. */
export function linkSecret(request: FastifyRequest): string | undefined {
  return queryOf(request).get('link') ?? undefined;
}

/** Where a form that a link has opened can be opened again. */
export function linkUrl(path: string, secret: string): string {
  return `${path}?link=${encodeURIComponent(secret)}`;
}

/** `again` is where another link can be requested; without it, the page says to ask an administrator. */
export function sendLinkExpired(context: HttpContext, reply: FastifyReply, again?: string): FastifyReply {
  return sendPage(reply, 410, linkExpiredPage(frameOf(context, reply.request), again));
}
