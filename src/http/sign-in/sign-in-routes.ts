// Signing in, with one step or two, and out.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { newChallenge, proofByPasskey } from '../../operations/account/second-factors.ts';
import { answeredBySignIn, authorize } from '../../operations/oauth/authorize.ts';
import { currentSession, signOut } from '../../operations/sign-in/sessions.ts';
import {
  completeSecondStep,
  findPendingSignIn,
  type PendingSignIn,
  proofByCode,
  type SecondStepOutcome,
  type SignInOutcome,
  signIn,
} from '../../operations/sign-in/sign-in.ts';
import { signInWithPasskey } from '../../operations/sign-in/sign-in-with-passkey.ts';
import type { SignInContext } from '../../operations/sign-in/start-session.ts';
import { secondStepPage } from '../../pages/sign-in/second-step.ts';
import { signInPage } from '../../pages/sign-in/sign-in.ts';
import { signedOutPage } from '../../pages/sign-in/signed-out.ts';
import { formActionSource } from '../../protocol/oauth/redirect-uri.ts';
import { readQuery } from '../../protocol/reading/parameters.ts';
import type { HttpContext } from '../context.ts';
import { browserMark, clearSessionCookie, readCookie, setSignInCookies } from '../cookies.ts';
import { isFormToken, makeTicket, readTicket, receiveForm } from '../forms.ts';
import { appIdentity, authorizePath, sendSignIn } from '../oauth/authorization-page.ts';
import { originOf } from '../origin.ts';
import { frameOf, redirect, sendErrorPage, sendPage } from '../send-page.ts';
import { readChallenge, sendChallenge } from './passkey-challenge.ts';

export const home = '/account';
/** Pages of one's own, and of the console, that a sign-in may lead back to. */
const ownPage = /^\/(account|admin)(\/[a-z0-9_-]+)*(\?[\w.~%&=+@-]*)?$/;

interface Attempt {
  readonly status?: number;
  readonly email?: string;
  readonly problem?: string;
}

export function signInRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const messages = () => frameOf(context).messages;

  app.get('/', (_request, reply) => redirect(reply, 302, home));

  app.get('/sign-in', async (request, reply) => {
    const wanted = new URLSearchParams(request.raw.url?.split('?')[1]).get('to') ?? '';
    const target = ownPage.test(wanted) ? wanted : home;
    const signedIn = await currentSession(services, readCookie(context, request, 'session'));
    return signedIn ? redirect(reply, 302, target) : sendForm(request, reply, target, {});
  });

  app.post('/sign-in', async (request, reply) => {
    const fields = receiveForm(context, request, reply);
    if (fields === undefined) return reply;
    const target = readTicket(context, 'sign-in', readCookie(context, request, 'browser'), fields.get('continue'));
    if (target === undefined) return sendErrorPage(context, request, reply, 403, 'formExpired');

    const email = fields.get('email') ?? '';
    const password = fields.get('password') ?? '';
    if (email === '' || password === '') {
      return sendForm(request, reply, target, { status: 400, email, problem: messages().signIn.incomplete });
    }
    const attempt = { email, password, ...contextOf(context, request, target) };
    const outcome = await signIn(services, attempt, originOf(request));
    if (outcome.kind === 'second_step') return sendSecondStep(request, reply, target, outcome.pending, {});
    return sendSignInOutcome(request, reply, target, outcome, email, messages().signIn.failed);
  });

  app.post('/sign-in/passkey/options', async (request, reply) => {
    const fields = receiveForm(context, request, reply);
    if (fields === undefined) return reply;
    const challenge = newChallenge(services);
    const options = await services.webauthn.requestOptions(challenge, []);
    return sendChallenge(context, request, reply, challenge, options);
  });

  app.post('/sign-in/passkey', async (request, reply) => {
    const fields = receiveForm(context, request, reply);
    if (fields === undefined) return reply;
    const target = readTicket(context, 'sign-in', readCookie(context, request, 'browser'), fields.get('continue'));
    if (target === undefined) return sendErrorPage(context, request, reply, 403, 'formExpired');
    const problem = messages().signIn.passkeyFailed;
    const challenge = readChallenge(context, request, fields.get('challenge'));
    if (challenge === undefined) return sendForm(request, reply, target, { status: 400, problem });
    const answer = fields.get('answer') ?? '';
    const signInContext = contextOf(context, request, target);
    const outcome = await signInWithPasskey(services, answer, challenge, signInContext, originOf(request));
    return sendSignInOutcome(request, reply, target, outcome, undefined, problem);
  });

  app.post('/sign-in/second-step/options', async (request, reply) => {
    const fields = receiveForm(context, request, reply);
    if (fields === undefined) return reply;
    const step = readStep(request, fields.get('pending'));
    const found = step && (await findPendingSignIn(services, step.pending, undefined));
    if (found === undefined) return reply.code(403).header('Cache-Control', 'no-store').send({});
    const challenge = newChallenge(services);
    const options = await services.webauthn.requestOptions(challenge, found.facts.passkeys);
    return sendChallenge(context, request, reply, challenge, options);
  });

  app.post('/sign-in/second-step', async (request, reply) => {
    const fields = receiveForm(context, request, reply);
    if (fields === undefined) return reply;
    const step = readStep(request, fields.get('pending'));
    if (step === undefined) return sendErrorPage(context, request, reply, 403, 'formExpired');
    const { pending, target } = step;
    const origin = originOf(request);
    const challenge = readChallenge(context, request, fields.get('challenge'));
    const proof =
      challenge === undefined
        ? proofByCode(services, fields.get('code') ?? '', origin)
        : proofByPasskey(services, fields.get('answer') ?? '', challenge);
    const outcome = await completeSecondStep(services, pending, proof, contextOf(context, request, target), origin);
    const m = messages().account;
    switch (outcome.kind) {
      case 'refused':
        return sendSecondStep(request, reply, target, pending, { status: 400, problem: m.secondStep.failed });
      case 'throttled':
        reply.header('Retry-After', outcome.retryAfterSeconds);
        return sendSecondStep(request, reply, target, pending, {
          status: 429,
          problem: m.throttled(Math.ceil(outcome.retryAfterSeconds / 60)),
        });
      case 'expired':
      case 'signed_in':
        return sendSignInOutcome(request, reply, target, outcome, undefined, '');
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

  function sendSignInOutcome(
    request: FastifyRequest,
    reply: FastifyReply,
    target: string,
    outcome: Exclude<SignInOutcome, { kind: 'second_step' }> | SecondStepOutcome,
    email: string | undefined,
    failure: string,
  ): FastifyReply | Promise<FastifyReply> {
    const typed = email === undefined ? {} : { email };
    switch (outcome.kind) {
      case 'signed_in':
        setSignInCookies(context, reply, outcome);
        return redirect(reply, 303, target);
      case 'refused':
        return sendForm(request, reply, target, { status: 400, ...typed, problem: failure });
      case 'expired':
        return sendErrorPage(context, request, reply, 403, 'formExpired');
      case 'throttled': {
        reply.header('Retry-After', outcome.retryAfterSeconds);
        const problem = messages().signIn.throttled(Math.ceil(outcome.retryAfterSeconds / 60));
        return sendForm(request, reply, target, { status: 429, ...typed, problem });
      }
    }
  }

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
      signUp: context.signUp === 'open',
    });
    return sendPage(reply, attempt.status ?? 200, page, { script: true });
  }

  async function sendSecondStep(
    request: FastifyRequest,
    reply: FastifyReply,
    target: string,
    pending: PendingSignIn,
    attempt: Attempt,
  ): Promise<FastifyReply> {
    const found = await findPendingSignIn(services, pending, undefined);
    if (found === undefined) return sendErrorPage(context, request, reply, 403, 'formExpired');
    const text = JSON.stringify({ pending, target });
    const client = await clientOf(context, target);
    const page = secondStepPage(frameOf(context), {
      app: client && appIdentity(client),
      ticket: makeTicket(context, 'second-step', browserMark(context, request, reply), text),
      authenticator: found.facts.authenticator !== undefined,
      passkeys: found.facts.passkeys.length > 0,
      problem: attempt.problem,
      signInUrl: signInUrlFor(target),
    });
    const script = found.facts.passkeys.length > 0;
    return sendPage(reply, attempt.status ?? 200, page, { script, ...formActionFor(target) });
  }

  function readStep(
    request: FastifyRequest,
    ticket: string | undefined,
  ): { pending: PendingSignIn; target: string } | undefined {
    const text = readTicket(context, 'second-step', readCookie(context, request, 'browser'), ticket);
    return text === undefined ? undefined : JSON.parse(text);
  }
}

/** What a browser brings along on the way to `target`. */
export function contextOf(context: HttpContext, request: FastifyRequest, target: string): SignInContext {
  const query = pendingQuery(target);
  return {
    answered: query === undefined ? null : answeredBySignIn(query),
    // The request was judged before its ticket was made: its client is there.
    clientId: query === undefined ? undefined : readQuery(query).parameters.get('client_id'),
    replacedSession: readCookie(context, request, 'session'),
    device: readCookie(context, request, 'device'),
  };
}

/** Where somebody who is not signed in is asked to sign in on the way to `target`. */
export function signInUrlFor(target: string): string {
  return pendingQuery(target) === undefined ? '/sign-in' : target;
}

/** A form on the way to an application may be redirected to it, when nothing more has to be asked. */
export function formActionFor(target: string): { formAction?: string } {
  const query = pendingQuery(target);
  const redirectUri = query === undefined ? undefined : readQuery(query).parameters.get('redirect_uri');
  return redirectUri === undefined ? {} : { formAction: formActionSource(redirectUri) };
}

/** The application that a return address leads to, if it does. */
export async function clientOf(context: HttpContext, target: string) {
  const query = pendingQuery(target);
  const clientId = query === undefined ? undefined : readQuery(query).parameters.get('client_id');
  return clientId === undefined ? undefined : context.services.storage.findClient(clientId);
}

/** The query of the authorization request that a return address stands for, if it does. */
function pendingQuery(target: string): string | undefined {
  const prefix = `${authorizePath}?`;
  return target.startsWith(prefix) ? target.slice(prefix.length) : undefined;
}
