// Shows the consent page. Its form is answered in decision.ts.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AuthorizeOutcome } from '../../operations/oauth/authorize.ts';
import { consentPage } from '../../pages/oauth/consent.ts';
import { claimsFor } from '../../protocol/oauth/claims.ts';
import { displayHost, formActionSource } from '../../protocol/oauth/redirect-uri.ts';
import type { HttpContext } from '../context.ts';
import { appIdentity } from '../logos.ts';
import { frameOf, sendPage } from '../send-page.ts';
import { requestDestination } from '../sign-in/destination.ts';
import { makeTicket } from '../tickets.ts';
import { decisionTicket } from './request-tickets.ts';

export function sendConsent(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  query: string,
  outcome: Extract<AuthorizeOutcome, { kind: 'ask_consent' }>,
): FastifyReply {
  const { user } = outcome.signedIn;
  const { redirectUri, scopes } = outcome.request;
  const reader = { ...outcome.signedIn, destination: requestDestination(query, outcome) };
  const page = consentPage(frameOf(context, request, reader), {
    app: appIdentity(outcome.client),
    host: displayHost(redirectUri),
    account: user,
    shared: scopes.map((scope) => ({ scope, claims: claimsFor(user, [scope]) })),
    changed: outcome.changed === true,
    ticket: makeTicket(context, request, reply, decisionTicket, { query, shown: scopes }),
  });
  return sendPage(reply, 200, page, { formAction: formActionSource(redirectUri) });
}
