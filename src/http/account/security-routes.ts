// Password, authenticator app, passkeys and recovery codes of the signed-in person.

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
import { sealSecret, unsealSecret } from '../../operations/sign-in/authenticator-secret.ts';
import { authenticatorPage, recoveryCodesPage, securityPage } from '../../pages/account/security.ts';
import { base32, totpUri } from '../../protocol/sign-in/totp.ts';
import type { HttpContext } from '../context.ts';
import { readCookie, setSessionCookie } from '../cookies.ts';
import { originOf } from '../origin.ts';
import { redirect, sendPage } from '../send-page.ts';
import { challengeTicket, sendChallenge } from '../sign-in/passkey-challenge.ts';
import { readTicket } from '../tickets.ts';
import { type AccountFormRequest, type AccountRequest, accountPages } from './account-pages.ts';
import { noticeOf, refusalOf } from './notices.ts';

const here = '/account/security';

export function securityRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const { page, form } = accountPages(app, context);

  page(here, (own) => sendSecurity(own, 200, undefined));

  form('/account/password', here, async (own) => {
    const { fields, signedIn, frame, reply } = own;
    const input = {
      currentPassword: fields.get('current_password') ?? '',
      newPassword: fields.get('new_password') ?? '',
      device: readCookie(context, own.request, 'device'),
    };
    const outcome = await changePassword(services, signedIn, input, originOf(own.request));
    if (outcome.kind === 'changed') {
      setSessionCookie(context, reply, outcome.sessionSecret);
      return redirect(reply, 303, `${here}?done=password`);
    }
    if (outcome.kind === 'invalid_password') {
      return sendSecurity(own, 400, frame.messages.account.passwordProblems[outcome.problem]);
    }
    const refusal = refusalOf(own, outcome);
    return sendSecurity(own, refusal.status, refusal.problem);
  });

  page('/account/authenticator', async (own) => {
    const { user } = own.signedIn;
    const { authenticator } = await services.storage.findSignInFacts(user.id, undefined);
    if (authenticator !== undefined) return redirect(own.reply, 302, here);
    return sendAuthenticator(own, 200, newAuthenticatorSecret(services), undefined);
  });

  form('/account/authenticator', '/account/authenticator', async (own) => {
    const { fields, signedIn, frame } = own;
    const sealedSecret = fields.get('secret') ?? '';
    const input = {
      sealedSecret,
      code: fields.get('code') ?? '',
      currentPassword: fields.get('current_password') ?? '',
    };
    const outcome = await addAuthenticator(services, signedIn, input, originOf(own.request));
    const secret = unsealSecret(services, signedIn.user.id, sealedSecret);
    if (secret === undefined || outcome.kind === 'changed' || outcome.kind === 'not_possible') {
      return sendOutcome(own, outcome, 'authenticator');
    }
    const m = frame.messages.account;
    // The same key again: it is in the app already.
    if (outcome.kind === 'wrong_code') return sendAuthenticator(own, 400, secret, m.authenticator.wrongCode);
    if (outcome.kind === 'invalid_name') return sendAuthenticator(own, 400, secret, m.invalidName);
    const refusal = refusalOf(own, outcome);
    return sendAuthenticator(own, refusal.status, secret, refusal.problem);
  });

  form('/account/authenticator/remove', here, async (own) => {
    const password = own.fields.get('current_password') ?? '';
    const outcome = await removeAuthenticator(services, own.signedIn, password, originOf(own.request));
    return sendOutcome(own, outcome, 'authenticator');
  });

  form('/account/recovery-codes', here, async (own) => {
    const password = own.fields.get('current_password') ?? '';
    const outcome = await replaceRecoveryCodes(services, own.signedIn, password, originOf(own.request));
    return sendOutcome(own, outcome, 'not-possible');
  });

  // For the script of the form, which shows the sentence when it is refused.
  form('/account/passkeys/options', here, async (own) => {
    const { fields, request, reply } = own;
    const input = { name: fields.get('name') ?? '', currentPassword: fields.get('current_password') ?? '' };
    const offer = await offerPasskey(services, own.signedIn, input, originOf(request));
    if (offer.kind === 'offered') return sendChallenge(context, request, reply, offer.challenge, offer.options);
    const { status, problem } =
      offer.kind === 'invalid_name'
        ? { status: 400, problem: own.frame.messages.account.invalidName }
        : refusalOf(own, offer);
    return reply.code(status).header('Cache-Control', 'no-store').send({ problem });
  });

  form('/account/passkeys', here, async (own) => {
    const { fields, frame } = own;
    const challenge = readTicket(context, own.request, challengeTicket, fields);
    if (challenge === undefined) return sendSecurity(own, 400, frame.messages.account.security.passkeyFailed);
    const input = {
      answer: fields.get('answer') ?? '',
      challenge,
      name: fields.get('name') ?? '',
      currentPassword: fields.get('current_password') ?? '',
    };
    const outcome = await addPasskey(services, own.signedIn, input, originOf(own.request));
    return sendOutcome(own, outcome, 'passkey-added');
  });

  form('/account/passkeys/remove', here, async (own) => {
    const input = {
      passkeyId: own.fields.get('remove') ?? '',
      currentPassword: own.fields.get('current_password') ?? '',
    };
    return sendOutcome(own, await removePasskey(services, own.signedIn, input, originOf(own.request)), 'passkey');
  });

  function sendOutcome(
    own: AccountFormRequest,
    outcome: SecondFactorOutcome,
    done: string,
  ): FastifyReply | Promise<FastifyReply> {
    const m = own.frame.messages.account;
    switch (outcome.kind) {
      case 'changed':
        return outcome.recoveryCodes === undefined
          ? redirect(own.reply, 303, `${here}?done=${done}`)
          : sendPage(own.reply, 200, recoveryCodesPage(own.frame, outcome.recoveryCodes));
      case 'not_possible':
        return redirect(own.reply, 303, `${here}?done=not-possible`);
      case 'wrong_code':
        return sendSecurity(own, 400, m.authenticator.wrongCode);
      case 'invalid_name':
        return sendSecurity(own, 400, m.invalidName);
      default: {
        const refusal = refusalOf(own, outcome);
        return sendSecurity(own, refusal.status, refusal.problem);
      }
    }
  }

  async function sendSecurity(own: AccountRequest, status: number, problem: string | undefined): Promise<FastifyReply> {
    const facts = await services.storage.findSignInFacts(own.signedIn.user.id, undefined);
    const body = securityPage(own.frame, {
      authenticator: facts.authenticator !== undefined,
      recoveryCodes: facts.recoveryCodes,
      passkeys: facts.passkeys,
      notice: status === 200 ? noticeOf(own) : undefined,
      problem,
      now: services.clock.now(),
    });
    return sendPage(own.reply, status, body, { script: true });
  }

  function sendAuthenticator(
    own: AccountRequest,
    status: number,
    secret: Uint8Array,
    problem: string | undefined,
  ): FastifyReply {
    const { user } = own.signedIn;
    const issuer = new URL(context.baseUrl).hostname;
    const body = authenticatorPage(own.frame, {
      uri: totpUri({ issuer: `Latchkey (${issuer})`, account: user.email, secret }),
      key: base32(secret),
      sealedSecret: sealSecret(services, user.id, secret),
      problem,
    });
    return sendPage(own.reply, status, body);
  }
}
