// The security pages: password, authenticator app, passkeys and recovery codes.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { changePassword } from '../../operations/account/passwords.ts';
import {
  addAuthenticator,
  addPasskey,
  newAuthenticatorSecret,
  offerPasskey,
  removeAuthenticator,
  removePasskey,
  replaceRecoveryCodes,
  type SecondFactorOutcome,
} from '../../operations/account/second-factors.ts';
import { signInMethods } from '../../operations/account/sign-in-methods.ts';
import { sealSecret, unsealSecret } from '../../operations/sign-in/authenticator-secret.ts';
import { askForOwnPasskey } from '../../operations/sign-in/confirm-second-factor.ts';
import { authenticatorPage, recoveryCodesPage, securityPage } from '../../pages/account/security.ts';
import { base32, totpUri } from '../../protocol/sign-in/totp.ts';
import type { HttpContext } from '../context.ts';
import { readMarks, setSessionCookie } from '../cookies.ts';
import { redirect, sendPage } from '../send-page.ts';
import { challengeTicket, sendChallenge } from '../sign-in/passkey-challenge.ts';
import { readTicket } from '../tickets.ts';
import { type AccountForm, type AccountRequest, accountPages } from './account-pages.ts';
import { confirmationIn } from './factor-confirmation.ts';
import { noticeOf, refusalOf } from './notices.ts';
import { decideOnPaused, pausedMethod } from './review-routes.ts';

const securityPath = '/account/security';

export function securityRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = accountPages(app, context);
  // Forms that stand on the security page: whoever has to sign in first returns to it.
  const forms = accountPages(app, context, securityPath);

  pages.get(securityPath, (page) => sendSecurity(page, 200, undefined));

  forms.post('/account/password', async (form) => {
    const input = {
      currentPassword: form.field('current_password'),
      newPassword: form.field('new_password'),
      marks: readMarks(context, form.request),
    };
    const outcome = await changePassword(services, form.signedIn, input, form.origin);
    if (outcome.kind === 'changed') {
      setSessionCookie(context, form.reply, outcome.sessionSecret);
      return redirect(form.reply, 303, `${securityPath}?done=password`);
    }
    if (outcome.kind === 'invalid_password') {
      return sendSecurity(form, 400, form.frame.messages.account.passwordProblems[outcome.problem]);
    }
    const refusal = refusalOf(form, outcome);
    return sendSecurity(form, refusal.status, refusal.problem);
  });

  pages.get('/account/authenticator', async (page) => {
    const { hasAuthenticator, suspended } = await signInMethods(services, page.signedIn.user);
    const paused = suspended.some(({ kind }) => kind === 'authenticator');
    if (hasAuthenticator || paused) return redirect(page.reply, 302, securityPath);
    return sendAuthenticator(page, 200, newAuthenticatorSecret(services), undefined);
  });

  pages.post('/account/authenticator', async (form) => {
    const { signedIn, frame } = form;
    const sealedSecret = form.field('secret');
    const input = { sealedSecret, code: form.field('code'), currentPassword: form.field('current_password') };
    const outcome = await addAuthenticator(services, signedIn, input, form.origin);
    const secret = unsealSecret(services, signedIn.user.id, sealedSecret);
    if (secret === undefined || outcome.kind === 'changed' || outcome.kind === 'not_possible') {
      return sendOutcome(form, outcome, 'authenticator');
    }
    const m = frame.messages.account;
    // The form comes back with the same key, because the app has it already.
    if (outcome.kind === 'wrong_code') return sendAuthenticator(form, 400, secret, m.authenticator.wrongCode);
    if (outcome.kind === 'invalid_name') return sendAuthenticator(form, 400, secret, m.invalidName);
    const refusal = refusalOf(form, outcome);
    return sendAuthenticator(form, refusal.status, secret, refusal.problem);
  });

  forms.post('/account/authenticator/remove', async (form) => {
    const outcome = await removeAuthenticator(services, form.signedIn, confirmationIn(context, form), form.origin);
    return sendOutcome(form, outcome, 'authenticator');
  });

  forms.post(`${securityPath}/paused`, async (form) => {
    const { problem, done } = await decideOnPaused(services, form);
    if (problem !== undefined) return sendSecurity(form, problem.status, problem.problem);
    return redirect(form.reply, 303, `${securityPath}?done=${done}`);
  });

  forms.post('/account/recovery-codes', async (form) => {
    const outcome = await replaceRecoveryCodes(services, form.signedIn, confirmationIn(context, form), form.origin);
    return sendOutcome(form, outcome, 'not-possible');
  });

  // Called by the script on the page, for a form that takes a passkey as the proof of a second factor.
  forms.post('/account/proof/options', async ({ request, reply, signedIn }) => {
    const { challenge, options } = await askForOwnPasskey(services, signedIn.user);
    return sendChallenge(context, request, reply, challenge, options);
  });

  // Called by the script on the page, which shows the problem next to the form.
  forms.post('/account/passkeys/options', async (form) => {
    const { request, reply } = form;
    const input = { name: form.field('name'), currentPassword: form.field('current_password') };
    const offer = await offerPasskey(services, form.signedIn, input, form.origin);
    if (offer.kind === 'offered') return sendChallenge(context, request, reply, offer.challenge, offer.options);
    const { status, problem } =
      offer.kind === 'invalid_name'
        ? { status: 400, problem: form.frame.messages.account.invalidName }
        : refusalOf(form, offer);
    return reply.code(status).header('Cache-Control', 'no-store').send({ problem });
  });

  forms.post('/account/passkeys', async (form) => {
    const challenge = readTicket(context, form.request, challengeTicket, form.fields);
    if (challenge === undefined) return sendSecurity(form, 400, form.frame.messages.account.security.passkeyFailed);
    const input = {
      answer: form.field('answer'),
      challenge,
      name: form.field('name'),
      currentPassword: form.field('current_password'),
    };
    const outcome = await addPasskey(services, form.signedIn, input, form.origin);
    return sendOutcome(form, outcome, 'passkey-added');
  });

  forms.post('/account/passkeys/remove', async (form) => {
    const input = { ...confirmationIn(context, form), passkeyId: form.field('remove') };
    return sendOutcome(form, await removePasskey(services, form.signedIn, input, form.origin), 'passkey');
  });

  function sendOutcome(
    form: AccountForm,
    outcome: SecondFactorOutcome,
    done: string,
  ): FastifyReply | Promise<FastifyReply> {
    const m = form.frame.messages.account;
    switch (outcome.kind) {
      case 'changed':
        return outcome.recoveryCodes === undefined
          ? redirect(form.reply, 303, `${securityPath}?done=${done}`)
          : sendPage(form.reply, 200, recoveryCodesPage(form.frame, outcome.recoveryCodes));
      case 'not_possible':
        return redirect(form.reply, 303, `${securityPath}?done=not-possible`);
      case 'wrong_code':
        return sendSecurity(form, 400, m.authenticator.wrongCode);
      case 'invalid_name':
        return sendSecurity(form, 400, m.invalidName);
      default: {
        const refusal = refusalOf(form, outcome);
        return sendSecurity(form, refusal.status, refusal.problem);
      }
    }
  }

  async function sendSecurity(
    page: AccountRequest,
    status: number,
    problem: string | undefined,
  ): Promise<FastifyReply> {
    const { user } = page.signedIn;
    const { hasAuthenticator, recoveryCodes, passkeys, suspended } = await signInMethods(services, user);
    const body = securityPage(page.frame, {
      authenticator: hasAuthenticator,
      recoveryCodes,
      passkeys,
      paused: suspended.map(pausedMethod),
      reviewDue: user.reviewSince !== null,
      notice: status === 200 ? noticeOf(page) : undefined,
      problem,
      now: services.clock.now(),
    });
    return sendPage(page.reply, status, body, { script: true });
  }

  function sendAuthenticator(
    page: AccountRequest,
    status: number,
    secret: Uint8Array,
    problem: string | undefined,
  ): FastifyReply {
    const { user } = page.signedIn;
    const issuer = new URL(context.baseUrl).hostname;
    const body = authenticatorPage(page.frame, {
      uri: totpUri({ issuer: `Latchkey (${issuer})`, account: user.email, secret }),
      key: base32(secret),
      sealedSecret: sealSecret(services, user.id, secret),
      problem,
    });
    return sendPage(page.reply, status, body);
  }
}
