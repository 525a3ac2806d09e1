// A forgotten password: the page that takes an email address, and the form that has the link sent there.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requestReset } from '../../operations/sign-in/reset-password.ts';
import { resetPasswordPage } from '../../pages/sign-in/reset-password.ts';
import { accountPage, type Destination } from '../../protocol/sign-in/destination.ts';
import type { HttpContext } from '../context.ts';
import { sendEmailOutcome } from '../email-links.ts';
import { formRoutes } from '../forms.ts';
import { pageRequester } from '../language.ts';
import { frameOf, sendPage } from '../send-page.ts';
import { makeTicket, readTicket } from '../tickets.ts';
import { signInUrl } from './destination.ts';
import { type Attempt, typedEmail } from './sign-in-page.ts';
import { signInTicket } from './sign-in-tickets.ts';

export function resetPasswordRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const { form, ticketForm } = formRoutes(app, context);

  app.get('/reset-password', (request, reply) => sendReset(request, reply, accountPage));

  // The button of the sign-in page: it leads here without losing where the user is going, or what they have typed.
  ticketForm('/reset-password/start', signInTicket, ({ request, reply, fields }, destination) =>
    sendReset(request, reply, destination, typedEmail(fields)),
  );

  form('/reset-password', async ({ request, reply, fields }) => {
    // A form from another browser or an earlier visit is good enough to have the email sent; it leads to the account page.
    const destination = readTicket(context, request, signInTicket, fields) ?? accountPage;
    if (!services.emailQueue.works) return sendReset(request, reply, destination, { status: 403 });
    const email = fields.get('email') ?? '';
    const outcome = await requestReset(services, email, destination, pageRequester(context, request, { destination }));
    const again = (attempt: Attempt) => sendReset(request, reply, destination, attempt);
    return sendEmailOutcome(context, reply, outcome, email, again);
  });

  function sendReset(
    request: FastifyRequest,
    reply: FastifyReply,
    destination: Destination,
    attempt: Attempt = {},
  ): FastifyReply {
    const page = resetPasswordPage(frameOf(context, request, { destination }), {
      email: attempt.email ?? '',
      problem: attempt.problem,
      available: services.emailQueue.works,
      ticket: makeTicket(context, request, reply, signInTicket, destination),
      signInUrl: signInUrl(destination),
    });
    return sendPage(reply, attempt.status ?? 200, page);
  }
}
