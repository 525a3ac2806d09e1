// Asking for an account: the page that takes an email address, and the form that has the link sent there.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requestSignUp } from '../../operations/sign-in/sign-up.ts';
import { signUpPage } from '../../pages/sign-in/sign-up.ts';
import { accountPage, type Destination } from '../../protocol/sign-in/destination.ts';
import type { HttpContext } from '../context.ts';
import { sendEmailOutcome } from '../email-links.ts';
import { formRoutes } from '../forms.ts';
import { pageRequester } from '../language.ts';
import { frameOf, sendPage } from '../send-page.ts';
import { makeTicket } from '../tickets.ts';
import { destinationApp, signInUrl } from './destination.ts';
import { type Attempt, typedEmail } from './sign-in-page.ts';
import { signInTicket } from './sign-in-tickets.ts';

export function signUpRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const { ticketForm } = formRoutes(app, context);

  app.get('/sign-up', (request, reply) => sendSignUp(request, reply, accountPage));

  // The button of the sign-in page: it leads here without losing where the user is going, or what they have typed.
  ticketForm('/sign-up/start', signInTicket, ({ request, reply, fields }, destination) =>
    sendSignUp(request, reply, destination, typedEmail(fields)),
  );

  ticketForm('/sign-up', signInTicket, async ({ request, reply, fields }, destination) => {
    if (availability() !== 'open') return sendSignUp(request, reply, destination, { status: 403 });
    const email = fields.get('email') ?? '';
    const outcome = await requestSignUp(services, email, destination, pageRequester(context, request, { destination }));
    const again = (attempt: Attempt) => sendSignUp(request, reply, destination, attempt);
    return sendEmailOutcome(context, reply, outcome, email, again);
  });

  function availability(): 'open' | 'closed' | 'no_mail' {
    if (context.signUp === 'closed') return 'closed';
    return services.emailQueue.works ? 'open' : 'no_mail';
  }

  async function sendSignUp(
    request: FastifyRequest,
    reply: FastifyReply,
    destination: Destination,
    attempt: Attempt = {},
  ): Promise<FastifyReply> {
    const page = signUpPage(frameOf(context, request, { destination }), {
      app: await destinationApp(context, destination),
      email: attempt.email ?? '',
      ticket: makeTicket(context, request, reply, signInTicket, destination),
      problem: attempt.problem,
      state: availability(),
      signInUrl: signInUrl(destination),
    });
    return sendPage(reply, attempt.status ?? 200, page);
  }
}
