// What signing up and resetting a password have in common: both send an email with a link, and both are finished by
// opening it.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { EmailRequestOutcome } from '../../operations/mail/request-email.ts';
import { emailSentPage, linkExpiredPage } from '../../pages/sign-in/sign-up.ts';
import type { HttpContext } from '../context.ts';
import { frameOf, sendPage } from '../send-page.ts';
import { throttledAttempt } from './throttled.ts';

/** Says where to look for the email, or shows the form again, by `again`, with what was wrong. */
export function sendEmailOutcome(
  context: HttpContext,
  reply: FastifyReply,
  outcome: EmailRequestOutcome,
  email: string,
  again: (attempt: { status: number; email: string; problem: string }) => FastifyReply | Promise<FastifyReply>,
): FastifyReply | Promise<FastifyReply> {
  const frame = frameOf(context);
  const m = frame.messages.account;
  switch (outcome.kind) {
    case 'invalid_email':
      return again({ status: 400, email, problem: m.invalidEmail });
    case 'throttled':
      return again({ ...throttledAttempt(reply, outcome, m.throttled), email });
    case 'sent': {
      const outbox = context.services.emailQueue.kind === 'outbox';
      return sendPage(reply, 200, emailSentPage(frame, { email: email.trim(), outbox }));
    }
  }
}

/** The `link` parameter of the request's URL. */
export function linkSecret(request: FastifyRequest): string | undefined {
  return new URLSearchParams(request.raw.url?.split('?')[1]).get('link') ?? undefined;
}

/** `again` is where another link can be requested; without it, the page says to ask an administrator. */
export function sendLinkExpired(context: HttpContext, reply: FastifyReply, again?: string): FastifyReply {
  return sendPage(reply, 410, linkExpiredPage(frameOf(context), again));
}
