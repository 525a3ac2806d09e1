// A forgotten password: the page that has a link sent by email, and setting a new password with such a link, or with one that
// an administrator has handed over.

import type { FastifyInstance, FastifyReply } from 'fastify';
import {
  findResetLink,
  type ResetPurpose,
  requestReset,
  resetPassword,
} from '../../operations/sign-in/reset-password.ts';
import { newPasswordPage, passwordResetPage, resetPasswordPage } from '../../pages/sign-in/emailed-links.ts';
import { accountPage, type Destination } from '../../protocol/sign-in/destination.ts';
import type { HttpContext } from '../context.ts';
import { type EmailAttempt, linkSecret, linkUrl, sendEmailOutcome, sendLinkExpired } from '../email-links.ts';
import { visitRoutes } from '../forms.ts';
import type { Visit } from '../visit.ts';
import { passwordSignInUrl, signInUrl, typedEmail } from './destination.ts';
import { signInTicket } from './sign-in-tickets.ts';

/** `again` is where people can request another link themselves; the others come from an administrator. */
const linkPages: readonly { readonly purpose: ResetPurpose; readonly path: string; readonly again?: string }[] = [
  { purpose: 'reset_password', path: '/reset-password/finish', again: '/reset-password' },
  { purpose: 'recover', path: '/recover' },
];

export function resetPasswordRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const { get, form, ticketForm } = visitRoutes(app, context);

  get('/reset-password', (visit) => sendReset(visit, accountPage));

  // The button of the sign-in page: it leads here without losing where the user is going, or what they have typed.
  ticketForm('/reset-password/start', signInTicket, (visit, destination, fields) =>
    sendReset(visit, destination, typedEmail(fields)),
  );

  form('/reset-password', async (visit, fields) => {
    // A form from another browser or an earlier visit is good enough to have the email sent; it leads to the account page.
    const destination = visit.readTicket(signInTicket, fields) ?? accountPage;
    if (!services.emailQueue.works) return sendReset(visit, destination, { status: 403 });
    const email = fields.get('email') ?? '';
    const outcome = await requestReset(services, email, destination, visit.requesterReading({ destination }));
    return sendEmailOutcome(visit, outcome, email, (attempt) => sendReset(visit, destination, attempt));
  });

  function sendReset(visit: Visit, destination: Destination, attempt: EmailAttempt = {}): FastifyReply {
    const page = resetPasswordPage(visit.frame({ destination }), {
      email: attempt.email ?? '',
      problem: attempt.problem,
      available: services.emailQueue.works,
      ticket: visit.makeTicket(signInTicket, destination),
      signInUrl: signInUrl(destination),
    });
    return visit.sendPage(attempt.status ?? 200, page);
  }

  for (const { purpose, path, again } of linkPages) {
    get(path, async (visit) => {
      const secret = linkSecret(visit);
      const link = await findResetLink(services, purpose, secret);
      if (link === undefined || secret === undefined) return sendLinkExpired(visit, again);
      const page = { action: path, link: secret, email: link.user.email, problem: undefined };
      return visit.sendPage(200, newPasswordPage(visit.frame(link), page));
    });

    form(path, async (visit, fields) => {
      const secret = fields.get('link') ?? '';
      const link = await findResetLink(services, purpose, secret);
      if (link === undefined) return sendLinkExpired(visit, again);
      const outcome = await resetPassword(services, link, fields.get('password') ?? '', visit.requester);
      const frame = visit.frame(link);
      switch (outcome.kind) {
        case 'changed': {
          // Where people are sent to an upstream, the new password would be of no use.
          const mayBeSent = (await services.upstreamDirectory.open()).length > 0;
          const url = (mayBeSent ? passwordSignInUrl : signInUrl)(link.destination);
          return visit.sendPage(200, passwordResetPage(frame, url));
        }
        case 'link_expired':
          return sendLinkExpired(visit, again);
        case 'invalid_password': {
          const problem = frame.messages.account.passwordProblems[outcome.problem];
          const page = { action: path, link: secret, email: link.user.email, problem };
          return visit.sendPage(400, newPasswordPage({ ...frame, returnTo: linkUrl(path, secret) }, page));
        }
      }
    });
  }
}
