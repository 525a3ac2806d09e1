// Signing in and out.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answeredBySignIn, authorize } from '../operations/authorize.ts';
import { currentSession, signOut } from '../operations/sessions.ts';
import { signIn } from '../operations/sign-in.ts';
import { signInPage } from '../pages/sign-in.ts';
import { signedOutPage } from '../pages/signed-out.ts';
import { readQuery } from '../protocol/parameters.ts';
import { authorizePath, sendSignIn } from './authorize-routes.ts';
import type { HttpContext } from './context.ts';
import { browserMark, clearSessionCookie, readCookie, setSessionCookie } from './cookies.ts';
import { isFormToken, makeTicket, readTicket, receiveForm } from './forms.ts';
import { originOf } from './origin.ts';
import { frameOf, redirect, sendErrorPage, sendPage } from './pages.ts';

const home = '/account/apps';

interface Attempt {
  readonly status?: number;
  readonly email?: string;
  readonly problem?: string;
}

export function signInRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;

  app.get('/', (_request, reply) => redirect(reply, 302, home));

  app.get('/sign-in', async (request, reply) => {
    const signedIn = await currentSession(services, readCookie(context, request, 'session'));
    return signedIn ? redirect(reply, 302, home) : sendForm(request, reply, home, {});
  });

  app.post('/sign-in', async (request, reply) => {
    const fields = receiveForm(context, request, reply);
    if (fields === undefined) return reply;
    const browser = readCookie(context, request, 'browser');
    const target = readTicket(context, 'sign-in', browser, fields.get('continue'));
    if (target === undefined) return sendErrorPage(context, request, reply, 403, 'formExpired');

    const m = frameOf(context).messages.signIn;
    const email = fields.get('email') ?? '';
    const password = fields.get('password') ?? '';
    if (email === '' || password === '') {
      return sendForm(request, reply, target, { status: 400, email, problem: m.incomplete });
    }
    const query = pendingQuery(target);
    const attempt = {
      email,
      password,
      answered: query === undefined ? null : answeredBySignIn(query),
      // The request was judged before its ticket was made: its client is there.
      clientId: query === undefined ? undefined : readQuery(query).parameters.get('client_id'),
      replacedSession: readCookie(context, request, 'session'),
    };
    const outcome = await signIn(services, attempt, originOf(request));
    switch (outcome.kind) {
      case 'signed_in':
        setSessionCookie(context, reply, outcome.sessionSecret);
        return redirect(reply, 303, target);
      case 'failed':
        return sendForm(request, reply, target, { status: 400, email, problem: m.failed });
      case 'throttled': {
        reply.header('Retry-After', outcome.retryAfterSeconds);
        const problem = m.throttled(Math.ceil(outcome.retryAfterSeconds / 60));
        return sendForm(request, reply, target, { status: 429, email, problem });
      }
    }
  });

  app.post('/sign-out', async (request, reply) => {
    const fields = receiveForm(context, request, reply);
    if (fields === undefined) return reply;
    const session = readCookie(context, request, 'session');
    if (session !== undefined && !isFormToken(context, session, fields.get('form_token'))) {
      return sendErrorPage(context, request, reply, 403, 'formExpired');
    }
    const signedIn = await currentSession(services, session);
    if (signedIn !== undefined) await signOut(services, signedIn, originOf(request));
    clearSessionCookie(context, reply);
    return redirect(reply, 303, '/signed-out');
  });

  app.get('/signed-out', (_request, reply) => sendPage(reply, 200, signedOutPage(frameOf(context))));

  /** The sign-in form on the way to `target`: an authorization request, or a page of the service. */
  async function sendForm(
    request: FastifyRequest,
    reply: FastifyReply,
    target: string,
    attempt: Attempt,
  ): Promise<FastifyReply> {
    const query = pendingQuery(target);
    if (query !== undefined) {
      const outcome = await authorize(services, query, undefined, originOf(request));
      if (outcome.kind === 'sign_in') return sendSignIn(context, request, reply, query, outcome, attempt);
    }
    const page = signInPage(frameOf(context), {
      app: undefined,
      email: attempt.email ?? '',
      ticket: makeTicket(context, 'sign-in', browserMark(context, request, reply), target),
      problem: attempt.problem,
    });
    return sendPage(reply, attempt.status ?? 200, page);
  }
}

/** The query of the authorization request that a return address stands for, if it does. */
function pendingQuery(target: string): string | undefined {
  const prefix = `${authorizePath}?`;
  return target.startsWith(prefix) ? target.slice(prefix.length) : undefined;
}
