// What signing up, resetting a password and changing the email address have in common: each sends an email with a link,
// and each is finished by opening it.

import type { FastifyReply } from 'fastify';
import type { EmailRequestOutcome } from '../operations/email-links/request-email.ts';
import { emailSentPage, linkExpiredPage } from '../pages/sign-in/emailed-links.ts';
import type { Visit } from './visit.ts';

/** What a page says after an attempt: its status, what was typed, and what was wrong with it. */
export interface EmailAttempt {
  readonly status?: number;
  readonly email?: string;
  readonly problem?: string;
}

/** Says where to look for the email, or shows the form again, by `again`, with what was wrong. */
export function sendEmailOutcome(
  visit: Visit,
  outcome: EmailRequestOutcome,
  email: string,
  again: (attempt: EmailAttempt) => FastifyReply | Promise<FastifyReply>,
): FastifyReply | Promise<FastifyReply> {
  const m = visit.frame().messages.account;
  switch (outcome.kind) {
    case 'invalid_email':
      return again({ status: 400, email, problem: m.invalidEmail });
    case 'throttled':
      return again({ ...visit.throttled(outcome, m.throttled), email });
    case 'sent':
      return sendEmailSent(visit, email);
  }
}

export function sendEmailSent(visit: Visit, email: string): FastifyReply {
  const outbox = visit.services.emailQueue.kind === 'outbox';
  return visit.sendPage(200, emailSentPage(visit.frame(), { email: email.trim(), outbox }));
}

/** The `link` parameter of the request's URL. */
export function linkSecret({ query }: Pick<Visit, 'query'>): string | undefined {
  return query.get('link') ?? undefined;
}

/** Where a form that a link has opened can be opened again. */
export function linkUrl(path: string, secret: string): string {
  return `${path}?link=${encodeURIComponent(secret)}`;
}

/** `again` is where another link can be requested; without it, the page says to ask an administrator. */
export function sendLinkExpired(visit: Visit, again?: string): FastifyReply {
  return visit.sendPage(410, linkExpiredPage(visit.frame(), again));
}
