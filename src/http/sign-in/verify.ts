// A second factor for a session that was started without one, because a policy or an application asks for it now: proves
// the one that the person has, or sets one up. The session goes on with it, and what was started continues.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { signInMethods } from '../../operations/account/sign-in-methods.ts';
import { currentSession } from '../../operations/sessions/sessions.ts';
import { askForOwnPasskey } from '../../operations/sign-in/prove-identity.ts';
import { raiseSession } from '../../operations/sign-in/raise-session.ts';
import { lacksSecondFactor } from '../../operations/sign-in/second-factor-need.ts';
import { needsPassword, type OfferedKey, offerKey, setUpInSession } from '../../operations/sign-in/set-up-factor.ts';
import {
  proofBeforeSetUpPage,
  savedCodesPage,
  setUpFactorPage,
  verifyPage,
} from '../../pages/sign-in/set-up-factor.ts';
import { accountPage, type Destination, formatDestination, parsePage } from '../../protocol/sign-in/destination.ts';
import { hasPassword } from '../../protocol/sign-in/password-hashes.ts';
import type { SignedIn } from '../../storage/storage.ts';
import { provingUpstreams } from '../account/linked-identities.ts';
import type { HttpContext } from '../context.ts';
import { readCookie, readMarks, setSessionCookie } from '../cookies.ts';
import { formRoutes, formToken, sendFormExpired } from '../forms.ts';
import { queryOf } from '../query.ts';
import { requesterOf } from '../requester.ts';
import { frameOf, redirect, sendPage } from '../send-page.ts';
import { throttledAttempt } from '../throttled.ts';
import { makeTicket, readTicket } from '../tickets.ts';
import { sendToUpstream } from '../upstreams/send-to-upstream.ts';
import { clientFormAction, destinationApp } from './destination.ts';
import { proofIn, sendChallenge } from './passkey-challenge.ts';
import { shownKey } from './set-up-factor.ts';
import { sessionSetUpTicket, verifyTicket } from './sign-in-tickets.ts';

const path = '/sign-in/verify';
const setUpPath = `${path}/set-up`;
const proofPath = `${path}/proof`;

/** Where a page sends somebody whose session lacks a second factor. `back` is the page's own path. */
export function verifyUrl(back: string): string {
  return `${path}?to=${encodeURIComponent(back).replaceAll('%2F', '/')}`;
}

interface Attempt {
  readonly status?: number;
  readonly problem?: string;
  readonly passwordProblem?: string;
  /** The key that the app has already. */
  readonly key?: OfferedKey;
}

export function verifyRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const { form, ticketForm } = formRoutes(app, context);
  const sessionOf = (request: FastifyRequest) => currentSession(services, readCookie(context, request, 'session'));

  app.get(path, async (request, reply) => {
    const destination = parsePage(queryOf(request).get('to') ?? '') ?? accountPage;
    const signedIn = await sessionOf(request);
    // Without a session the page asks for a sign-in, and without a need it simply opens.
    if (signedIn === undefined || !(await lacksSecondFactor(services, signedIn))) {
      return redirect(reply, 302, formatDestination(destination));
    }
    return sendVerify(context, request, reply, destination, signedIn);
  });

  // Answers a script, which can do nothing with an error page.
  form(`${path}/options`, async ({ request, reply, fields }) => {
    const signedIn = readTicket(context, request, verifyTicket, fields) && (await sessionOf(request));
    if (signedIn === undefined) return reply.code(403).header('Cache-Control', 'no-store').send({});
    const { challenge, options } = await askForOwnPasskey(services, signedIn.user);
    return sendChallenge(context, request, reply, challenge, options);
  });

  ticketForm(path, verifyTicket, async (received, destination) => {
    const { request, reply, fields } = received;
    const signedIn = await sessionOf(request);
    if (signedIn === undefined) return sendFormExpired(context, received);
    const proof = proofIn(context, request, fields);
    const outcome = await raiseSession(services, signedIn, proof, readMarks(context, request), requesterOf(request));
    const m = frameOf(context, request, { ...signedIn, destination }).messages.account;
    const again = (attempt: Attempt) => sendVerify(context, request, reply, destination, signedIn, attempt);
    switch (outcome.kind) {
      case 'raised':
        setSessionCookie(context, reply, outcome.sessionSecret, signedIn.session.kept);
        return redirect(reply, 303, formatDestination(destination));
      case 'expired':
        return sendFormExpired(context, received);
      case 'refused':
        return again({ status: 400, problem: m.secondStep.failed });
      case 'throttled':
        return again(throttledAttempt(reply, outcome, m.throttled));
      case 'codes_throttled':
        return again(throttledAttempt(reply, outcome, m.secondStep.tooManyCodes));
    }
  });

  ticketForm(proofPath, verifyTicket, async (received, destination) => {
    const { request, reply, fields } = received;
    const signedIn = await sessionOf(request);
    if (signedIn === undefined) return sendFormExpired(context, received);
    // Whoever comes back there still lacks a second factor, and gets here again.
    const start = { purpose: 'prove', name: fields.get('upstream') ?? '', destination, signedIn } as const;
    const sent = await sendToUpstream(context, request, reply, start);
    return sent ?? sendVerify(context, request, reply, destination, signedIn, { status: 404 });
  });

  ticketForm(setUpPath, sessionSetUpTicket, async (received, { key, destination }) => {
    const { request, reply, fields } = received;
    const signedIn = await sessionOf(request);
    if (signedIn === undefined) return sendFormExpired(context, received);
    const input = { code: fields.get('code') ?? '', currentPassword: fields.get('current_password') ?? '' };
    const outcome = await setUpInSession(services, signedIn, key, input, requesterOf(request));
    const frame = frameOf(context, request, { ...signedIn, destination });
    const { account: m, secondFactor } = frame.messages;
    const again = (attempt: Attempt) => sendVerify(context, request, reply, destination, signedIn, { ...attempt, key });
    switch (outcome.kind) {
      case 'raised': {
        setSessionCookie(context, reply, outcome.sessionSecret, signedIn.session.kept);
        const { email } = signedIn.user;
        const page = { codes: outcome.recoveryCodes, email, continueTo: formatDestination(destination) };
        return sendPage(reply, 200, savedCodesPage(frame, page));
      }
      case 'expired':
        return sendFormExpired(context, received);
      case 'has_second_factor':
        return sendVerify(context, request, reply, destination, signedIn);
      case 'wrong_code':
        return again({ status: 400, problem: secondFactor.wrongCode });
      case 'wrong_password':
        return again({ status: 400, passwordProblem: m.proof.wrongPassword });
      case 'throttled':
        return again(throttledAttempt(reply, outcome, m.throttled));
    }
  });
}

/** The page that asks for a second factor, or sets one up for those who have none, after proof of identity. */
export async function sendVerify(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  destination: Destination,
  signedIn: SignedIn,
  attempt: Attempt = {},
): Promise<FastifyReply> {
  const { services } = context;
  const { user } = signedIn;
  const { hasAuthenticator, passkeys } = await signInMethods(services, user);
  const shared = {
    app: await destinationApp(context, destination),
    problem: attempt.problem,
    leave: { formToken: formToken(context, readCookie(context, request, 'session') ?? '') },
  };
  const status = attempt.status ?? 200;
  if (hasAuthenticator || passkeys.length > 0) {
    const page = verifyPage(frameOf(context, request, { user, destination }), {
      ...shared,
      email: user.email,
      authenticator: hasAuthenticator,
      passkeys: passkeys.length > 0,
      action: path,
      ticketField: verifyTicket.field,
      ticket: makeTicket(context, request, reply, verifyTicket, destination),
    });
    return sendPage(reply, status, page, clientFormAction(destination));
  }
  if (needsPassword(services, signedIn) && !hasPassword(user)) {
    const page = proofBeforeSetUpPage(frameOf(context, request, { user, destination }), {
      ...shared,
      email: user.email,
      action: proofPath,
      upstreams: await provingUpstreams(context, user),
      ticketField: verifyTicket.field,
      ticket: makeTicket(context, request, reply, verifyTicket, destination),
    });
    return sendPage(reply, status, page);
  }
  const key = attempt.key ?? offerKey(services, user);
  const shown = shownKey(context, user, key);
  if (shown === undefined) return sendFormExpired(context, { request, reply });
  const frame = frameOf(context, request, { user, destination });
  const page = setUpFactorPage(attempt.key === undefined ? frame : { ...frame, returnTo: undefined }, {
    ...shared,
    ...shown,
    action: setUpPath,
    ticket: makeTicket(context, request, reply, sessionSetUpTicket, { key, destination }),
    needsPassword: needsPassword(services, signedIn),
    passwordProblem: attempt.passwordProblem,
  });
  return sendPage(reply, status, page, clientFormAction(destination));
}
