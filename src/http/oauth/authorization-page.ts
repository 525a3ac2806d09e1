// The authorization page: where applications send people, and where people answer.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  type AuthorizationRefusal,
  type AuthorizeOutcome,
  authorize,
  chooseAccount,
  decide,
} from '../../operations/oauth/authorize.ts';
import { currentSession, signOut } from '../../operations/sign-in/sessions.ts';
import type { AppIdentity } from '../../pages/layout/app-icon.ts';
import type { ErrorTopic } from '../../pages/messages/messages.ts';
import { consentPage } from '../../pages/oauth/consent.ts';
import { chooseAccountPage } from '../../pages/sign-in/choose-account.ts';
import { signInPage } from '../../pages/sign-in/sign-in.ts';
import { claimsFor } from '../../protocol/oauth/claims.ts';
import { displayHost, formActionSource } from '../../protocol/oauth/redirect-uri.ts';
import type { HttpContext } from '../context.ts';
import { browserMark, clearSessionCookie, readCookie } from '../cookies.ts';
import { makeTicket, readTicket, receiveForm } from '../forms.ts';
import { logoUrl } from '../logos.ts';
import { originOf } from '../origin.ts';
import { frameOf, redirect, sendErrorPage, sendPage } from '../send-page.ts';

export const authorizePath = '/oauth-authorize';

export function authorizeRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;

  app.get('/oauth-authorize.php', (request, reply) => redirect(reply, 301, authorizePath + rawSearch(request)));

  // Without HEAD: an answer is a code, and asking about one must not make one.
  app.get(authorizePath, { exposeHeadRoute: false }, async (request, reply) => {
    const query = rawSearch(request).slice(1);
    const outcome = await authorize(services, query, readCookie(context, request, 'session'), originOf(request));
    return sendOutcome(context, request, reply, query, outcome);
  });

  app.post('/oauth-authorize/decision', async (request, reply) => {
    const fields = receiveForm(context, request, reply);
    if (fields === undefined) return reply;
    const session = readCookie(context, request, 'session');
    const query = readTicket(context, 'decision', session, fields.get('request'));
    const decision = fields.get('decision');
    if (session === undefined || query === undefined) {
      return sendErrorPage(context, request, reply, 403, 'formExpired');
    }
    if (decision !== 'approve' && decision !== 'cancel') {
      return sendErrorPage(context, request, reply, 400, 'badRequest');
    }
    const outcome = await decide(services, query, session, decision, originOf(request));
    return sendOutcome(context, request, reply, query, outcome);
  });

  app.post('/oauth-authorize/account', async (request, reply) => {
    const fields = receiveForm(context, request, reply);
    if (fields === undefined) return reply;
    const session = readCookie(context, request, 'session');
    const ticket = fields.get('request');
    // The consent page leads here too ("not you?"); the way back, from a choice of account to consent, is closed.
    const query =
      readTicket(context, 'account-choice', session, ticket) ?? readTicket(context, 'decision', session, ticket);
    const account = fields.get('account');
    if (query === undefined) return sendErrorPage(context, request, reply, 403, 'formExpired');
    if (account !== 'current' && account !== 'other') {
      return sendErrorPage(context, request, reply, 400, 'badRequest');
    }
    const signedIn = await currentSession(services, session);
    if (signedIn !== undefined && account === 'current') await chooseAccount(services, query, signedIn);
    if (signedIn !== undefined && account === 'other') {
      await signOut(services, signedIn, originOf(request));
      clearSessionCookie(context, reply);
    }
    return redirect(reply, 303, `${authorizePath}?${query}`);
  });
}

const refusals: Record<AuthorizationRefusal, ErrorTopic> = {
  unknown_client: 'unknownClient',
  redirect_uri_mismatch: 'redirectUri',
  client_revoked: 'clientRevoked',
};

function sendOutcome(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  query: string,
  outcome: AuthorizeOutcome,
): FastifyReply {
  switch (outcome.kind) {
    case 'refused':
      return sendErrorPage(context, request, reply, 400, refusals[outcome.reason]);
    case 'denied':
    case 'approved':
      return redirect(reply, request.method === 'POST' ? 303 : 302, outcome.location);
    case 'sign_in':
      return sendSignIn(context, request, reply, query, outcome, {});
    case 'choose_account':
    case 'ask_consent':
      return sendQuestion(context, request, reply, query, outcome);
  }
}

/** The sign-in page of a pending request, bound to this browser; also shown again when an attempt has failed. */
export function sendSignIn(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  query: string,
  outcome: Extract<AuthorizeOutcome, { kind: 'sign_in' }>,
  attempt: { status?: number; email?: string; problem?: string },
): FastifyReply {
  const page = signInPage(frameOf(context), {
    app: appIdentity(outcome.client),
    email: attempt.email ?? outcome.request.loginHint?.slice(0, 254) ?? '',
    ticket: makeTicket(context, 'sign-in', browserMark(context, request, reply), `${authorizePath}?${query}`),
    problem: attempt.problem,
    signUp: context.signUp === 'open',
  });
  const formAction = formActionSource(outcome.request.redirectUri);
  return sendPage(reply, attempt.status ?? 200, page, { formAction, script: true });
}

function sendQuestion(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  query: string,
  outcome: Extract<AuthorizeOutcome, { kind: 'choose_account' | 'ask_consent' }>,
): FastifyReply {
  const { user } = outcome.signedIn;
  const session = readCookie(context, request, 'session') ?? '';
  const app = appIdentity(outcome.client);
  const page =
    outcome.kind === 'choose_account'
      ? chooseAccountPage(frameOf(context), {
          app,
          account: user,
          ticket: makeTicket(context, 'account-choice', session, query),
        })
      : consentPage(frameOf(context), {
          app,
          host: displayHost(outcome.request.redirectUri),
          account: user,
          shared: outcome.request.scopes.map((scope) => ({ scope, claims: claimsFor(user, [scope]) })),
          ticket: makeTicket(context, 'decision', session, query),
        });
  return sendPage(reply, 200, page, { formAction: formActionSource(outcome.request.redirectUri) });
}

export function appIdentity(client: { id: string; name: string; logoVersion: string | null }): AppIdentity {
  return { name: client.name, logoUrl: logoUrl(client) };
}

/** The query as it came, byte for byte, with its question mark. */
function rawSearch(request: FastifyRequest): string {
  const url = request.raw.url ?? '';
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start);
}
