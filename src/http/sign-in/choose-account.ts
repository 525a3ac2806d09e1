// Which account to continue with: asked when a client sends `prompt=select_account`, and answered here from the consent
// page ("not you?") and from the page for someone without access as well.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { type AuthorizeOutcome, chooseAccount } from '../../operations/oauth/authorize.ts';
import { signOut } from '../../operations/sessions/sessions.ts';
import { chooseAccountPage } from '../../pages/oauth/account-question.ts';
import { formActionSource } from '../../protocol/oauth/redirect-uri.ts';
import { authorizationUrl } from '../../protocol/sign-in/destination.ts';
import type { HttpContext } from '../context.ts';
import { clearSessionCookie } from '../cookies.ts';
import { visitRoutes } from '../forms.ts';
import { appIdentity } from '../logos.ts';
import { accountChoiceTicket, decisionTicket } from '../oauth/request-tickets.ts';
import type { Visit } from '../visit.ts';
import { requestDestination } from './destination.ts';

export function chooseAccountRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const { form } = visitRoutes(app, context);

  form('/oauth-authorize/account', async (visit, fields) => {
    // The consent page's ticket is accepted here, but this page's ticket is not accepted as a consent.
    const carried = visit.readTicket(accountChoiceTicket, fields) ?? visit.readTicket(decisionTicket, fields);
    if (carried === undefined) return visit.sendFormExpired();
    const { query } = carried;
    const account = fields.get('account');
    if (account !== 'current' && account !== 'other') return visit.sendErrorPage(400, 'badRequest');
    const signedIn = await visit.signedIn();
    if (signedIn !== undefined && account === 'current') await chooseAccount(services, query, signedIn);
    if (signedIn !== undefined && account === 'other') {
      await signOut(services, signedIn, visit.requester);
      clearSessionCookie(context, visit.reply);
    }
    return visit.redirect(303, authorizationUrl(query));
  });
}

export function sendChooseAccount(
  visit: Visit,
  query: string,
  outcome: Extract<AuthorizeOutcome, { kind: 'choose_account' }>,
): FastifyReply {
  const reader = { ...outcome.signedIn, destination: requestDestination(query, outcome) };
  const page = chooseAccountPage(visit.frame(reader), {
    app: appIdentity(outcome.client),
    account: outcome.signedIn.user,
    ticket: visit.makeTicket(accountChoiceTicket, { query }),
  });
  return visit.sendPage(200, page, { formAction: formActionSource(outcome.request.redirectUri) });
}
