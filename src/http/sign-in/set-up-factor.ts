// Setting up an authenticator app on the way in: the page with its key, and the form that brings the first code. There is no
// session before that.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { authenticatorIssuer } from '../../operations/second-factors/authenticator-secret.ts';
import { hasSecondFactor } from '../../operations/second-factors/prove-second-factor.ts';
import { findPendingSignIn } from '../../operations/sign-in/second-step.ts';
import { finishSetUp, type OfferedKey, offeredSecret, offerKey } from '../../operations/sign-in/set-up-factor.ts';
import { type SetUpFactorPage, savedCodesPage, setUpFactorPage } from '../../pages/sign-in/set-up-factor.ts';
import { base32, totpUri } from '../../protocol/sign-in/totp.ts';
import type { User } from '../../storage/storage.ts';
import type { HttpContext } from '../context.ts';
import { setSignInCookies } from '../cookies.ts';
import { formRoutes, sendFormExpired } from '../forms.ts';
import { rememberLanguage } from '../language.ts';
import { requesterOf } from '../requester.ts';
import { frameOf, sendPage } from '../send-page.ts';
import { throttledAttempt } from '../throttled.ts';
import { makeTicket } from '../tickets.ts';
import { destinationApp, signInUrl } from './destination.ts';
import { sendSecondStep } from './second-step.ts';
import { type SecondStep, setUpTicket } from './sign-in-tickets.ts';
import { browserOf, urlAfterSignIn } from './signed-in.ts';

const path = '/sign-in/set-up';

export function setUpFactorRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const { ticketForm } = formRoutes(app, context);

  ticketForm(path, setUpTicket, async (received, step) => {
    const { request, reply, fields } = received;
    const { pending, key, destination, keep } = step;
    const signInContext = { destination, keep, browser: browserOf(context, request) };
    const code = fields.get('code') ?? '';
    const outcome = await finishSetUp(services, pending, key, code, signInContext, requesterOf(request));
    const frame = frameOf(context, request, step);
    switch (outcome.kind) {
      case 'signed_in': {
        setSignInCookies(context, reply, outcome);
        rememberLanguage(context, reply, outcome.locale);
        const { recoveryCodes: codes, email } = outcome;
        const continueTo = urlAfterSignIn(outcome, destination);
        return sendPage(reply, 200, savedCodesPage(frame, { codes, email, continueTo }));
      }
      case 'expired':
        return sendFormExpired(context, received);
      case 'has_second_factor':
        return sendSecondStep(context, request, reply, step);
      case 'wrong_code': {
        const attempt = { status: 400, problem: frame.messages.secondFactor.wrongCode };
        return sendSetUp(context, request, reply, step, { ...attempt, key });
      }
      case 'throttled': {
        const attempt = throttledAttempt(reply, outcome, frame.messages.account.throttled);
        return sendSetUp(context, request, reply, step, { ...attempt, key });
      }
    }
  });
}

/** After an attempt the page has the same key, because the app has it already. */
export async function sendSetUp(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  step: SecondStep,
  attempt: { status?: number; problem?: string; key?: OfferedKey } = {},
): Promise<FastifyReply> {
  const { pending, destination } = step;
  const found = await findPendingSignIn(context.services, pending);
  if (found === undefined) return sendFormExpired(context, { request, reply });
  if (hasSecondFactor(found.facts)) return sendSecondStep(context, request, reply, step);
  const key = attempt.key ?? offerKey(context.services, found.user);
  const shown = shownKey(context, found.user, key);
  if (shown === undefined) return sendFormExpired(context, { request, reply });
  const frame = frameOf(context, request, { ...found, destination });
  // Without the language picker after a wrong code: the page would come back with another key than the app has.
  const page = setUpFactorPage(attempt.key === undefined ? frame : { ...frame, returnTo: undefined }, {
    app: await destinationApp(context, destination),
    ...shown,
    action: path,
    ticket: makeTicket(context, request, reply, setUpTicket, { pending, key, destination, keep: step.keep }),
    needsPassword: false,
    problem: attempt.problem,
    leave: { signInUrl: signInUrl(destination) },
  });
  return sendPage(reply, attempt.status ?? 200, page);
}

/** The key as the page shows it; undefined when it was offered too long ago. */
export function shownKey(
  context: HttpContext,
  user: User,
  key: OfferedKey,
): Pick<SetUpFactorPage, 'email' | 'uri' | 'key'> | undefined {
  const secret = offeredSecret(context.services, user, key);
  if (secret === undefined) return undefined;
  const issuer = authenticatorIssuer(context.services);
  return { email: user.email, uri: totpUri({ issuer, account: user.email, secret }), key: base32(secret) };
}
