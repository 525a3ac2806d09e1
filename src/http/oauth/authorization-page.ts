// The authorization page: where a client sends the browser, and where the answer to an authorization request is written.
// What a request needs is decided in operations/oauth/authorize.ts.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  type AuthorizationRefusal,
  type AuthorizeOutcome,
  authorize,
  type OpenRequest,
} from '../../operations/oauth/authorize.ts';
import type { ErrorTopic } from '../../pages/languages/languages.ts';
import { authorizationPath } from '../../protocol/sign-in/destination.ts';
import type { HttpContext } from '../context.ts';
import { readCookie } from '../cookies.ts';
import { noteSender } from '../language.ts';
import { rawQueryOf } from '../query.ts';
import { requesterOf } from '../requester.ts';
import { redirect, sendErrorPage } from '../send-page.ts';
import { sendChooseAccount } from '../sign-in/choose-account.ts';
import { requestDestination } from '../sign-in/destination.ts';
import { sendClientSignIn } from '../sign-in/sign-in-page.ts';
import { sendVerify } from '../sign-in/verify.ts';
import { sendToDefault } from '../upstreams/default-upstream.ts';
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

  // No HEAD: answering a request can issue a code, which a HEAD request must not do.
  app.get(authorizationPath, { config, exposeHeadRoute: false }, async (request, reply) => {
    const query = rawQueryOf(request);
    const session = readCookie(context, request, 'session');
    const outcome = await authorize(context.services, query, session, requesterOf(request));
    return sendAuthorizeOutcome(context, request, reply, query, outcome);
  });
}

const refusalTopics: Record<AuthorizationRefusal, ErrorTopic> = {
  unknown_client: 'unknownClient',
  redirect_uri_mismatch: 'redirectUri',
  client_revoked: 'clientRevoked',
};

export function sendAuthorizeOutcome(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  query: string,
  outcome: AuthorizeOutcome,
): FastifyReply | Promise<FastifyReply> {
  if ('signedIn' in outcome && outcome.signedIn) noteSender(context, request, reply, outcome.signedIn.user);
  switch (outcome.kind) {
    case 'refused':
      return sendErrorPage(context, request, reply, 400, refusalTopics[outcome.reason]);
    case 'denied':
    case 'approved':
      return redirect(reply, request.method === 'POST' ? 303 : 302, outcome.location);
    case 'throttled':
      reply.header('Retry-After', outcome.retryAfterSeconds);
      return sendErrorPage(context, request, reply, 429, 'tooManyApprovals');
    case 'sign_in':
      return sendSignIn(context, request, reply, query, outcome);
    case 'choose_account':
      return sendChooseAccount(context, request, reply, query, outcome);
    case 'no_access':
      return sendNoAccess(context, request, reply, query, outcome);
    case 'second_factor':
      return sendVerify(context, request, reply, requestDestination(query, outcome), outcome.signedIn);
    case 'ask_consent':
      return sendConsent(context, request, reply, query, outcome);
  }
}

async function sendSignIn(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  query: string,
  open: OpenRequest,
): Promise<FastifyReply> {
  const sent = await sendToDefault(context, request, reply, requestDestination(query, open), open);
  return sent ?? sendClientSignIn(context, request, reply, query, open);
}

/** The query as it came, byte for byte, with its question mark. */
function rawSearch(request: FastifyRequest): string {
  const url = request.raw.url ?? '';
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start);
}
