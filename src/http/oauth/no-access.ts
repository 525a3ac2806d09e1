// Shows the page for someone who may not use the client. Its form, which leads to another account, is answered in
// sign-in/choose-account.ts.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AuthorizeOutcome } from '../../operations/oauth/authorize.ts';
import { noAccessPage } from '../../pages/oauth/no-access.ts';
import { formActionSource } from '../../protocol/oauth/redirect-uri.ts';
import type { HttpContext } from '../context.ts';
import { appIdentity } from '../logos.ts';
import { frameOf, sendPage } from '../send-page.ts';
import { requestDestination } from '../sign-in/destination.ts';
import { makeTicket } from '../tickets.ts';
import { accountChoiceTicket } from './request-tickets.ts';

export function sendNoAccess(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  query: string,
  outcome: Extract<AuthorizeOutcome, { kind: 'no_access' }>,
): FastifyReply {
  const reader = { ...outcome.signedIn, destination: requestDestination(query, outcome) };
  const page = noAccessPage(frameOf(context, request, reader), {
    app: appIdentity(outcome.client),
    account: outcome.signedIn.user,
    ticket: makeTicket(context, request, reply, accountChoiceTicket, { query }),
    location: outcome.location,
  });
  return sendPage(reply, 403, page, { formAction: formActionSource(outcome.request.redirectUri) });
}
