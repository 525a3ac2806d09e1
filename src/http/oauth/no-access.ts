// Shows the page for someone who may not use the client. Its form, which leads to another account, is answered in
// sign-in/choose-account.ts.

import type { FastifyReply } from 'fastify';
import type { AuthorizeOutcome } from '../../operations/oauth/authorize.ts';
import { noAccessPage } from '../../pages/oauth/account-question.ts';
import { formActionSource } from '../../protocol/oauth/redirect-uri.ts';
import { appIdentity } from '../logos.ts';
import { requestDestination } from '../sign-in/destination.ts';
import type { Visit } from '../visit.ts';
import { accountChoiceTicket } from './request-tickets.ts';

export function sendNoAccess(
  visit: Visit,
  query: string,
  outcome: Extract<AuthorizeOutcome, { kind: 'no_access' }>,
): FastifyReply {
  const reader = { ...outcome.signedIn, destination: requestDestination(query, outcome) };
  const page = noAccessPage(visit.frame(reader), {
    app: appIdentity(outcome.client),
    account: outcome.signedIn.user,
    ticket: visit.makeTicket(accountChoiceTicket, { query }),
    location: outcome.location,
  });
  return visit.sendPage(403, page, { formAction: formActionSource(outcome.request.redirectUri) });
}
