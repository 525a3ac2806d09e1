// The first step of a sign-in: the page that asks for an email address and a password, and the form that brings them.

import type { FastifyInstance } from 'fastify';
import { currentSession } from '../../operations/sessions/sessions.ts';
import { signIn } from '../../operations/sign-in/sign-in.ts';
import { accountPage, formatDestination, parseDestination, parsePage } from '../../protocol/sign-in/destination.ts';
import type { HttpContext } from '../context.ts';
import { readCookie } from '../cookies.ts';
import { formRoutes } from '../forms.ts';
import { queryOf } from '../query.ts';
import { requesterOf } from '../requester.ts';
import { frameOf, redirect } from '../send-page.ts';
import { throttledAttempt } from '../throttled.ts';
import { sendToDefault } from '../upstreams/default-upstream.ts';
import { sendSecondStep } from './second-step.ts';
import { sendSetUp } from './set-up-factor.ts';
import { sendSignInPage } from './sign-in-page.ts';
import { signInTicket } from './sign-in-tickets.ts';
import { browserOf, sendSignedIn } from './signed-in.ts';

export function signInFormRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const { ticketForm } = formRoutes(app, context);

  app.get('/sign-in', async (request, reply) => {
    const query = queryOf(request);
    const wanted = query.get('to') ?? '';
    // For administrators, and for whoever can't use the provider that people are sent to by default.
    if (query.has('password')) {
      return sendSignInPage(context, request, reply, parseDestination(wanted) ?? accountPage);
    }
    const destination = parsePage(wanted) ?? accountPage;
    const signedIn = await currentSession(services, readCookie(context, request, 'session'));
    if (signedIn) return redirect(reply, 302, formatDestination(destination));
    const sent = await sendToDefault(context, request, reply, destination);
    return sent ?? sendSignInPage(context, request, reply, destination);
  });

  ticketForm('/sign-in', signInTicket, async ({ request, reply, fields }, destination) => {
    const m = frameOf(context, request, { destination }).messages.signIn;
    const email = fields.get('email') ?? '';
    const password = fields.get('password') ?? '';
    const keep = fields.has('keep');
    const typed = { email, keep };
    if (email === '' || password === '') {
      return sendSignInPage(context, request, reply, destination, { status: 400, ...typed, problem: m.incomplete });
    }
    const signInContext = { destination, browser: browserOf(context, request), keep };
    const outcome = await signIn(services, { email, password }, signInContext, requesterOf(request));
    switch (outcome.kind) {
      case 'signed_in':
        return sendSignedIn(context, reply, outcome, destination);
      case 'second_step':
        return sendSecondStep(context, request, reply, { pending: outcome.pending, destination, keep });
      case 'set_up':
        return sendSetUp(context, request, reply, { pending: outcome.pending, destination, keep });
      case 'refused':
        return sendSignInPage(context, request, reply, destination, { status: 400, ...typed, problem: m.failed });
      case 'throttled': {
        const attempt = throttledAttempt(reply, outcome, m.throttled);
        return sendSignInPage(context, request, reply, destination, { ...attempt, ...typed });
      }
    }
  });
}
