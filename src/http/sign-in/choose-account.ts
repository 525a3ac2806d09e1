// Which account to continue with: asked when a client sends `prompt=select_account`, and answered here from the consent
// page ("not you?") and from the page for someone without access as well.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type AuthorizeOutcome, chooseAccount } from '../../operations/oauth/authorize.ts';
import { currentSession, signOut } from '../../operations/sessions/sessions.ts';
import { chooseAccountPage } from '../../pages/sign-in/choose-account.ts';
import { formActionSource } from '../../protocol/oauth/redirect-uri.ts';
import { authorizationUrl } from '../../protocol/sign-in/destination.ts';
import type { HttpContext } from '../context.ts';
import { clearSessionCookie, readCookie } from '../cookies.ts';
import { formRoutes, sendFormExpired } from '../forms.ts';
import { appIdentity } from '../logos.ts';
import { accountChoiceTicket, decisionTicket } from '../oauth/request-tickets.ts';
import { requesterOf } from '../requester.ts';
import { frameOf, redirect, sendErrorPage, sendPage } from '../send-page.ts';
import { makeTicket, readTicket } from '../tickets.ts';
import { requestDestination } from './destination.ts';

export function chooseAccountRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const { form } = formRoutes(app, context);

  form('/oauth-authorize/account', async (received) => {
    const { request, reply, fields } = received;
    // The consent page's ticket is accepted here, but this page's ticket is not accepted as a consent.
    const carried =
      readTicket(context, request, accountChoiceTicket, fields) ?? readTicket(context, request, decisionTicket, fields);
    if (carried === undefined) return sendFormExpired(context, received);
    const { query } = carried;
    const account = fields.get('account');
    if (account !== 'current' && account !== 'other') {
      return sendErrorPage(context, request, reply, 400, 'badRequest');
    }
    const signedIn = await currentSession(services, readCookie(context, request, 'session'));
    if (signedIn !== undefined && account === 'current') await chooseAccount(services, query, signedIn);
    if (signedIn !== undefined && account === 'other') {
      await signOut(services, signedIn, requesterOf(request));
      clearSessionCookie(context, reply);
    }
    return redirect(reply, 303, authorizationUrl(query));
  });
}

export function sendChooseAccount(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  query: string,
  outcome: Extract<AuthorizeOutcome, { kind: 'choose_account' }>,
): FastifyReply {
  const reader = { ...outcome.signedIn, destination: requestDestination(query, outcome) };
  const page = chooseAccountPage(frameOf(context, request, reader), {
    app: appIdentity(outcome.client),
    account: outcome.signedIn.user,
    ticket: makeTicket(context, request, reply, accountChoiceTicket, { query }),
  });
  return sendPage(reply, 200, page, { formAction: formActionSource(outcome.request.redirectUri) });
}
