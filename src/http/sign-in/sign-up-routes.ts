// Making an account, and getting back into one: both by a link, in a mail or from an administrator.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requestReset, resetPassword } from '../../operations/account/passwords.ts';
import { findLink } from '../../operations/mail/links.ts';
import type { EmailRequestOutcome } from '../../operations/mail/request-email.ts';
import { requestSignUp, type SignUpOutcome, type SignUpPurpose, signUp } from '../../operations/sign-in/sign-up.ts';
import { newPasswordPage, passwordResetPage, resetPasswordPage } from '../../pages/sign-in/reset-password.ts';
import { emailSentPage, finishSignUpPage, linkExpiredPage, signUpPage } from '../../pages/sign-in/sign-up.ts';
import type { HttpContext } from '../context.ts';
import { browserMark, readCookie, setSignInCookies } from '../cookies.ts';
import { makeTicket, readTicket, receiveForm } from '../forms.ts';
import { appIdentity } from '../oauth/authorization-page.ts';
import { originOf } from '../origin.ts';
import { frameOf, redirect, sendErrorPage, sendPage } from '../send-page.ts';
import { clientOf, contextOf, formActionFor, home, signInUrlFor } from './sign-in-routes.ts';

const joinPaths: Record<SignUpPurpose, string> = {
  sign_up: '/sign-up/finish',
  invite: '/invitation',
  set_up: '/set-up',
};

type ResetPurpose = 'reset_password' | 'recover';
const resetPaths: Record<ResetPurpose, string> = { reset_password: '/reset-password/finish', recover: '/recover' };

/** Where people get another link themselves; the others come from an administrator, or the command line. */
const linkMakers: Record<SignUpPurpose | ResetPurpose, string | undefined> = {
  sign_up: '/sign-up',
  reset_password: '/reset-password',
  invite: undefined,
  set_up: undefined,
  recover: undefined,
};

export function signUpRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const { emailQueue } = services;
  const messages = () => frameOf(context).messages.account;

  app.get('/sign-up', (request, reply) => sendSignUp(request, reply, home, {}));

  // From the sign-in page, with where the person is on the way to.
  app.post('/sign-up/start', async (request, reply) => {
    const fields = receiveForm(context, request, reply);
    if (fields === undefined) return reply;
    const target = readTicket(context, 'sign-in', readCookie(context, request, 'browser'), fields.get('continue'));
    if (target === undefined) return sendErrorPage(context, request, reply, 403, 'formExpired');
    return sendSignUp(request, reply, target, {});
  });

  app.post('/sign-up', async (request, reply) => {
    const fields = receiveForm(context, request, reply);
    if (fields === undefined) return reply;
    const target = readTicket(context, 'sign-in', readCookie(context, request, 'browser'), fields.get('continue'));
    if (target === undefined) return sendErrorPage(context, request, reply, 403, 'formExpired');
    if (signUpState() !== 'open') return sendSignUp(request, reply, target, { status: 403 });
    const email = fields.get('email') ?? '';
    const outcome = await requestSignUp(services, email, target, originOf(request));
    return sendMailOutcome(reply, outcome, email, (attempt) => sendSignUp(request, reply, target, attempt));
  });

  for (const [purpose, path] of Object.entries(joinPaths) as [SignUpPurpose, string][]) {
    const isClosed = async () =>
      (purpose === 'sign_up' && context.signUp === 'closed') ||
      (purpose === 'set_up' && (await services.storage.countAdministrators()) > 0);

    app.get(path, async (request, reply) => {
      const secret = linkIn(request);
      const link = await findLink(services, purpose, secret);
      if (link === undefined || secret === undefined || (await isClosed()))
        return sendLinkExpired(reply, linkMakers[purpose]);
      const { email = '', name = '', target = home } = link.data;
      return sendFinish(reply, 200, { purpose, email, name, link: secret, problem: undefined }, target);
    });

    app.post(path, async (request, reply) => {
      const fields = receiveForm(context, request, reply);
      if (fields === undefined) return reply;
      const secret = fields.get('link');
      if (await isClosed()) return sendLinkExpired(reply, linkMakers[purpose]);
      const name = fields.get('name') ?? '';
      const input = { email: fields.get('email') ?? '', name, password: fields.get('password') ?? '' };
      const contextFor = (target: string) => contextOf(context, request, target);
      const outcome = await signUp(services, purpose, secret, input, contextFor, originOf(request));
      if (outcome.kind === 'link_expired') return sendLinkExpired(reply, linkMakers[purpose]);
      if (outcome.kind === 'signed_up') {
        setSignInCookies(context, reply, outcome);
        return redirect(reply, 303, outcome.target);
      }
      const link = await findLink(services, purpose, secret);
      const { email = input.email, target = home } = link?.data ?? {};
      return sendFinish(reply, 400, { purpose, email, name, link: secret ?? '', problem: faultOf(outcome) }, target);
    });
  }

  app.get('/reset-password', (request, reply) => sendReset(request, reply, home, {}));

  app.post('/reset-password/start', async (request, reply) => {
    const fields = receiveForm(context, request, reply);
    if (fields === undefined) return reply;
    const target = readTicket(context, 'sign-in', readCookie(context, request, 'browser'), fields.get('continue'));
    if (target === undefined) return sendErrorPage(context, request, reply, 403, 'formExpired');
    return sendReset(request, reply, target, {});
  });

  app.post('/reset-password', async (request, reply) => {
    const fields = receiveForm(context, request, reply);
    if (fields === undefined) return reply;
    const ticket = readTicket(context, 'sign-in', readCookie(context, request, 'browser'), fields.get('continue'));
    // Without a ticket of this browser it works as well, and leads to the person's own account.
    const target = ticket ?? home;
    if (!emailQueue.works) return sendReset(request, reply, target, { status: 403 });
    const email = fields.get('email') ?? '';
    const outcome = await requestReset(services, email, target, originOf(request));
    return sendMailOutcome(reply, outcome, email, (attempt) => sendReset(request, reply, target, attempt));
  });

  for (const [purpose, path] of Object.entries(resetPaths) as [ResetPurpose, string][]) {
    app.get(path, async (request, reply) => {
      const secret = linkIn(request);
      const link = await findLink(services, purpose, secret);
      const user = link?.userId == null ? undefined : await services.storage.findUser(link.userId);
      if (user === undefined || secret === undefined) return sendLinkExpired(reply, linkMakers[purpose]);
      const page = { action: path, link: secret, email: user.email, problem: undefined };
      return sendPage(reply, 200, newPasswordPage(frameOf(context), page));
    });

    app.post(path, async (request, reply) => {
      const fields = receiveForm(context, request, reply);
      if (fields === undefined) return reply;
      const secret = fields.get('link');
      const outcome = await resetPassword(services, purpose, secret, fields.get('password') ?? '', originOf(request));
      switch (outcome.kind) {
        case 'link_expired':
          return sendLinkExpired(reply, linkMakers[purpose]);
        case 'invalid_password': {
          const problem = messages().passwordProblems[outcome.problem];
          const page = { action: path, link: secret ?? '', email: fields.get('username') ?? '', problem };
          return sendPage(reply, 400, newPasswordPage(frameOf(context), page));
        }
        case 'changed':
          return sendPage(reply, 200, passwordResetPage(frameOf(context), signInUrlFor(outcome.target)));
      }
    });
  }

  function faultOf(outcome: Exclude<SignUpOutcome, { kind: 'link_expired' } | { kind: 'signed_up' }>): string {
    switch (outcome.kind) {
      case 'invalid_email':
        return messages().invalidEmail;
      case 'email_taken':
        return messages().signUp.emailTaken;
      case 'invalid_name':
        return messages().invalidName;
      case 'invalid_password':
        return messages().passwordProblems[outcome.problem];
    }
  }

  function signUpState(): 'open' | 'closed' | 'no_mail' {
    if (context.signUp === 'closed') return 'closed';
    return emailQueue.works ? 'open' : 'no_mail';
  }

  async function sendSignUp(
    request: FastifyRequest,
    reply: FastifyReply,
    target: string,
    attempt: { status?: number; email?: string; problem?: string },
  ): Promise<FastifyReply> {
    const client = await clientOf(context, target);
    const page = signUpPage(frameOf(context), {
      app: client && appIdentity(client),
      email: attempt.email ?? '',
      ticket: makeTicket(context, 'sign-in', browserMark(context, request, reply), target),
      problem: attempt.problem,
      state: signUpState(),
      signInUrl: signInUrlFor(target),
    });
    return sendPage(reply, attempt.status ?? 200, page);
  }

  function sendReset(
    request: FastifyRequest,
    reply: FastifyReply,
    target: string,
    attempt: { status?: number; email?: string; problem?: string },
  ): FastifyReply {
    const { email = '', problem } = attempt;
    const page = resetPasswordPage(frameOf(context), {
      ...{ email, problem, available: emailQueue.works, signInUrl: signInUrlFor(target) },
      ticket: makeTicket(context, 'sign-in', browserMark(context, request, reply), target),
    });
    return sendPage(reply, attempt.status ?? 200, page);
  }

  function sendMailOutcome(
    reply: FastifyReply,
    outcome: EmailRequestOutcome,
    email: string,
    again: (attempt: { status: number; email: string; problem: string }) => FastifyReply | Promise<FastifyReply>,
  ): FastifyReply | Promise<FastifyReply> {
    switch (outcome.kind) {
      case 'invalid_email':
        return again({ status: 400, email, problem: messages().invalidEmail });
      case 'throttled': {
        reply.header('Retry-After', outcome.retryAfterSeconds);
        return again({ status: 429, email, problem: messages().throttled(Math.ceil(outcome.retryAfterSeconds / 60)) });
      }
      case 'sent':
        return sendPage(
          reply,
          200,
          emailSentPage(frameOf(context), { email: email.trim(), outbox: emailQueue.kind === 'outbox' }),
        );
    }
  }

  function sendFinish(
    reply: FastifyReply,
    status: number,
    page: Parameters<typeof finishSignUpPage>[1],
    target: string,
  ): FastifyReply {
    return sendPage(reply, status, finishSignUpPage(frameOf(context), page), formActionFor(target));
  }

  function sendLinkExpired(reply: FastifyReply, again: string | undefined): FastifyReply {
    return sendPage(reply, 410, linkExpiredPage(frameOf(context), again));
  }
}

export function linkIn(request: FastifyRequest): string | undefined {
  return new URLSearchParams(request.raw.url?.split('?')[1]).get('link') ?? undefined;
}
