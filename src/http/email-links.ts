// What signing up, resetting a password and changing the email address have in common: each sends an email with a link,
// and each is finished by opening it.

import type { FastifyInstance, FastifyReply } from 'fastify';
import type { EmailRequestOutcome } from '../operations/email-links/request-email.ts';
import { emailSentPage, linkExpiredPage } from '../pages/sign-in/emailed-links.ts';
import { emailLimit } from '../protocol/account/email-address.ts';
import type { Destination } from '../protocol/sign-in/destination.ts';
import type { HttpContext } from './context.ts';
import { formToken, visitRoutes } from './forms.ts';
import { chooseLanguage, inPickedLanguage } from './language-routes.ts';
import { signInTicket } from './sign-in/sign-in-tickets.ts';
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
  sent: SentEmail,
  again: (attempt: EmailAttempt) => FastifyReply | Promise<FastifyReply>,
): FastifyReply | Promise<FastifyReply> {
  const m = visit.frame({ destination: sent.destination }).messages.account;
  const { email } = sent;
  switch (outcome.kind) {
    case 'invalid_email':
      return again({ status: 400, email, problem: m.invalidEmail });
    case 'throttled':
      return again({ ...visit.throttled(outcome, m.throttled), email });
    case 'sent':
      return sendEmailSent(visit, sent);
  }
}

/** An email with a link that somebody has requested. */
export interface SentEmail {
  readonly form: keyof typeof forms;
  readonly email: string;
  readonly destination: Destination;
  /** The secret of the link to sign up with that they have brought. */
  readonly link?: string | undefined;
}

/** Where such an email is requested, and where the form for another address is. Only people who are signed in need no ticket. */
const forms = {
  reset_password: { again: '/reset-password', other: '/reset-password/start' },
  sign_up: { again: '/sign-up', other: '/sign-up/start' },
  change_email: { again: '/account/email', other: undefined },
} as const;

export function sendEmailSent(visit: Visit, sent: SentEmail): FastifyReply {
  const { form, destination, link } = sent;
  const email = sent.email.trim();
  const outbox = visit.services.emailQueue.kind === 'outbox';
  const ticket = visit.makeTicket(signInTicket, destination);
  const { again, other } = forms[form];
  const carried = { [signInTicket.field]: ticket, email, ...(link && { link }) };
  const fields = other === undefined ? { form_token: formToken(visit.context, visit.session ?? ''), email } : carried;
  const frame = {
    ...visit.frame({ destination }),
    returnTo: { action: emailSentPath, fields: { form, ...carried } },
  };
  const elsewhere = link === undefined ? other : undefined;
  const href = link === undefined ? again : linkUrl(again, link);
  const page = { email, outbox, action: again, fields, other: elsewhere ? { action: elsewhere } : { href } };
  return visit.sendPage(200, emailSentPage(frame, page));
}

const emailSentPath = '/email-sent';

/** Shows in another language where to look for the email. Nothing is sent. */
export function emailSentRoutes(app: FastifyInstance, context: HttpContext): void {
  const { ticketForm } = visitRoutes(app, context);
  ticketForm(emailSentPath, signInTicket, async (visit, destination, fields) => {
    const form = fields.get('form') ?? '';
    if (!isForm(form) || !(await chooseLanguage(visit, fields))) return visit.sendErrorPage(400, 'badRequest');
    const email = (fields.get('email') ?? '').slice(0, emailLimit);
    const sent = { form, email, destination: inPickedLanguage(destination), link: fields.get('link') };
    return sendEmailSent(visit, sent);
  });
}

function isForm(text: string): text is SentEmail['form'] {
  return Object.hasOwn(forms, text);
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
