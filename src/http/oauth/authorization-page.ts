// The authorization page: where a client sends the browser, and where the answer to an authorization request is written.
// What a request needs is decided in operations/oauth/authorize.ts.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type AuthorizeOutcome, authorize } from '../../operations/oauth/authorize.ts';
import type { AuthorizationRefusal } from '../../operations/oauth/open-request.ts';
import type { ErrorTopic } from '../../pages/languages/languages.ts';
import { authorizationPath } from '../../protocol/sign-in/destination.ts';
import type { HttpContext } from '../context.ts';
import { visitRoutes } from '../forms.ts';
import { rawQueryOf } from '../query.ts';
import { redirect } from '../send-page.ts';
import { sendChooseAccount } from '../sign-in/choose-account.ts';
import { requestDestination } from '../sign-in/destination.ts';
import { askToSignIn } from '../sign-in/dispatch.ts';
import { showStep } from '../sign-in/step-pages.ts';
import type { Visit } from '../visit.ts';
import { sendConsent } from './consent.ts';
import { sendNoAccess } from './no-access.ts';
import { redirectToPage } from './posted-query.ts';

export function authorizationRoutes(app: FastifyInstance, context: HttpContext): void {
  // What's wrong with a request goes back to the client, and parameters that mean nothing here are ignored.
  const config = { rawQuery: true } as const;
  app.get('/oauth-authorize.php', { config }, (request, reply) =>
    redirect(reply, 301, authorizationPath + rawSearch(request)),
  );

  for (const path of ['/oauth-authorize.php', authorizationPath]) {
    app.post(path, { config }, (request, reply) => redirectToPage(context, request, reply, authorizationPath));
  }

  const { get } = visitRoutes(app, context);
  const answer = async (visit: Visit) => {
    const query = rawQueryOf(visit.request);
    return sendAuthorizeOutcome(visit, query, await authorize(context.services, query, visit.session, visit.requester));
  };
  // No HEAD: answering a request can issue a code, which a HEAD request must not do.
  get(authorizationPath, answer, { config, exposeHeadRoute: false });
}

const refusalTopics: Record<AuthorizationRefusal, ErrorTopic> = {
  unknown_client: 'unknownClient',
  redirect_uri_mismatch: 'redirectUri',
  client_revoked: 'clientRevoked',
};

export function sendAuthorizeOutcome(
  visit: Visit,
  query: string,
  outcome: AuthorizeOutcome,
): FastifyReply | Promise<FastifyReply> {
  if ('signedIn' in outcome && outcome.signedIn) visit.noteSender(outcome.signedIn.user);
  switch (outcome.kind) {
    case 'refused':
      return visit.sendErrorPage(400, refusalTopics[outcome.reason], outcome.client);
    case 'denied':
    case 'approved':
      return visit.redirect(visit.request.method === 'POST' ? 303 : 302, outcome.location);
    case 'throttled':
      visit.reply.header('Retry-After', outcome.retryAfterSeconds);
      return visit.sendErrorPage(429, 'tooManyApprovals', outcome.client);
    case 'sign_in':
      return askToSignIn(visit, requestDestination(query, outcome), outcome);
    case 'choose_account':
      return sendChooseAccount(visit, query, outcome);
    case 'no_access':
      return sendNoAccess(visit, query, outcome);
    case 'second_factor': {
      const { signedIn } = outcome;
      return showStep(visit, { page: 'verify', signedIn, destination: requestDestination(query, outcome) });
    }
    case 'ask_consent':
      return sendConsent(visit, query, outcome);
  }
}

/** The query as it came, byte for byte, with its question mark. */
function rawSearch(request: FastifyRequest): string {
  const url = request.raw.url ?? '';
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start);
}
