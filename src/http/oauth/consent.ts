// Shows the consent page. Its form is answered in decision.ts.

import type { FastifyReply } from 'fastify';
import type { AuthorizeOutcome } from '../../operations/oauth/authorize.ts';
import { consentPage } from '../../pages/oauth/consent.ts';
import { claimsFor } from '../../protocol/oauth/claims.ts';
import { displayHost, formActionSource } from '../../protocol/oauth/redirect-uri.ts';
import { appIdentity } from '../logos.ts';
import { requestDestination } from '../sign-in/destination.ts';
import type { Visit } from '../visit.ts';
import { decisionTicket } from './request-tickets.ts';

export function sendConsent(
  visit: Visit,
  query: string,
  outcome: Extract<AuthorizeOutcome, { kind: 'ask_consent' }>,
): FastifyReply {
  const { user } = outcome.signedIn;
  const { redirectUri, scopes } = outcome.request;
  const reader = { ...outcome.signedIn, destination: requestDestination(query, outcome) };
  const page = consentPage(visit.frame(reader), {
    app: appIdentity(outcome.client),
    host: displayHost(redirectUri),
    account: user,
    shared: scopes.map((scope) => ({ scope, claims: claimsFor(user, [scope]) })),
    changed: outcome.changed === true,
    ticket: visit.makeTicket(decisionTicket, { query, shown: scopes }),
  });
  return visit.sendPage(200, page, { formAction: formActionSource(redirectUri) });
}
