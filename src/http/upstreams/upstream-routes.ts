// Signing in with another provider: the form that sends people there, the address that it sends them back to, and the
// icons of the buttons.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { authorize } from '../../operations/oauth/authorize.ts';
import { currentSession } from '../../operations/sessions/sessions.ts';
import { type CallbackOutcome, finishUpstream } from '../../operations/sign-in/upstreams/callback.ts';
import { proveSecondAfterUpstream } from '../../operations/sign-in/upstreams/link-and-prove.ts';
import { upstreamEndPage } from '../../pages/sign-in/upstreams.ts';
import { formatDestination } from '../../protocol/sign-in/destination.ts';
import type { SignInRefusal } from '../../protocol/sign-in/outcomes.ts';
import type { HttpContext } from '../context.ts';
import { readCookie, readMarks } from '../cookies.ts';
import { formRoutes, sendFormExpired } from '../forms.ts';
import { noteSender, pageRequester } from '../language.ts';
import { rawQueryOf } from '../query.ts';
import { requesterOf } from '../requester.ts';
import { frameOf, redirect, sendErrorPage, sendPage } from '../send-page.ts';
import { clientFormAction, destinationApp, passwordSignInUrl } from '../sign-in/destination.ts';
import { sendSecondStep } from '../sign-in/second-step.ts';
import { sendSetUp } from '../sign-in/set-up-factor.ts';
import { sendSignInPage } from '../sign-in/sign-in-page.ts';
import { signInTicket } from '../sign-in/sign-in-tickets.ts';
import { browserOf, sendSignedIn } from '../sign-in/signed-in.ts';
import { throttledAttempt } from '../throttled.ts';
import { makeTicket } from '../tickets.ts';
import { clearPendingCookie, readPendingCookie } from './pending-cookie.ts';
import { provenTicket, sendProofStep } from './proof-step.ts';
import { sendToUpstream } from './send-to-upstream.ts';

type NameParam = { Params: { name: string } };

export function upstreamRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const { ticketForm } = formRoutes(app, context);

  ticketForm('/sign-in/with/:name', signInTicket, async ({ request, reply, fields }, destination) => {
    const { name } = request.params as NameParam['Params'];
    const [email, keep] = [fields.get('email') ?? '', fields.has('keep')];
    const loginHint = email === '' ? undefined : email;
    const open =
      destination.kind === 'authorization'
        ? await authorize(services, destination.query, undefined, requesterOf(request))
        : undefined;
    const sent = await sendToUpstream(context, request, reply, {
      purpose: 'sign_in',
      name,
      destination,
      keep,
      loginHint,
      ...(open?.kind === 'sign_in' && { request: open.request }),
    });
    if (sent !== undefined) return sent;
    // The page shows the providers that there are now.
    return sendSignInPage(context, request, reply, destination, { status: 404, email, keep });
  });

  const config = { rawQuery: true } as const;
  // No HEAD: looking into a response uses it up.
  app.get<NameParam>('/sign-in/with/:name/callback', { config, exposeHeadRoute: false }, async (request, reply) => {
    const signedIn = await currentSession(services, readCookie(context, request, 'session'));
    if (signedIn !== undefined) noteSender(context, request, reply, signedIn.user);
    const response = {
      name: request.params.name,
      query: rawQueryOf(request),
      sealed: readPendingCookie(context, request),
      browserSecret: readCookie(context, request, 'browser'),
      browser: browserOf(context, request),
      signedIn,
    };
    const outcome = await finishUpstream(services, response, pageRequester(context, request, {}));
    if (outcome.kind !== 'refused' || outcome.reason !== 'upstream_expired')
      clearPendingCookie(context, request, reply);
    return sendOutcome(context, request, reply, outcome);
  });

  ticketForm('/sign-in/proof', provenTicket, async (received, step) => {
    const { request, reply, fields } = received;
    const signedIn = await currentSession(services, readCookie(context, request, 'session'));
    if (signedIn === undefined) return sendFormExpired(context, received);
    noteSender(context, request, reply, signedIn.user);
    const proof = { code: fields.get('code') ?? '', marks: readMarks(context, request) };
    const outcome = await proveSecondAfterUpstream(services, signedIn, step.proven, proof, requesterOf(request));
    const m = frameOf(context, request, signedIn).messages.account;
    switch (outcome.kind) {
      case 'proven':
        return redirect(reply, 303, formatDestination(step.destination));
      case 'expired':
        return sendFormExpired(context, received);
      case 'refused':
        return sendProofStep(context, request, reply, step, { status: 400, problem: m.secondStep.failed });
      case 'throttled':
        return sendProofStep(context, request, reply, step, throttledAttempt(reply, outcome, m.throttled));
      case 'codes_throttled': {
        const attempt = throttledAttempt(reply, outcome, m.secondStep.tooManyCodes);
        return sendProofStep(context, request, reply, step, attempt);
      }
    }
  });
}

async function sendOutcome(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  outcome: CallbackOutcome,
): Promise<FastifyReply> {
  const { destination } = outcome;
  switch (outcome.kind) {
    case 'signed_in':
      return sendSignedIn(context, reply, outcome, destination);
    case 'second_step':
      return sendSecondStep(context, request, reply, outcome);
    case 'set_up':
      return sendSetUp(context, request, reply, outcome);
    case 'linked':
    case 'proven':
      return redirect(reply, 303, formatDestination(destination));
    case 'second_factor_asked':
      return sendProofStep(context, request, reply, outcome);
    case 'link_needed':
    case 'no_account':
      return sendEnd(context, request, reply, outcome, { status: 403, ending: outcome });
    case 'refused': {
      const { status, problem } = endings[outcome.reason] ?? { status: 400, problem: 'refused' };
      return sendEnd(context, request, reply, outcome, { status, problem });
    }
    case 'throttled': {
      const { throttled } = frameOf(context, request, { destination }).messages.signIn;
      const { status, problem } = throttledAttempt(reply, outcome, throttled);
      return sendEnd(context, request, reply, outcome, { status, ending: { kind: 'problem', text: problem } });
    }
  }
}

type Problem =
  | 'expired'
  | 'canceled'
  | 'unavailable'
  | 'unreachable'
  | 'invalid'
  | 'notFresh'
  | 'identityTaken'
  | 'otherPerson'
  | 'refused';

/** How a page says why somebody wasn't let in. What exactly was wrong with a response is in the event. */
const endings: Partial<Record<SignInRefusal, { readonly status: number; readonly problem: Problem }>> = {
  upstream_expired: { status: 400, problem: 'expired' },
  upstream_replayed: { status: 400, problem: 'expired' },
  upstream_disabled: { status: 404, problem: 'unavailable' },
  upstream_denied: { status: 403, problem: 'canceled' },
  upstream_error: { status: 502, problem: 'invalid' },
  upstream_unreachable: { status: 502, problem: 'unreachable' },
  upstream_invalid_response: { status: 502, problem: 'invalid' },
  upstream_not_fresh: { status: 403, problem: 'notFresh' },
  upstream_identity_taken: { status: 409, problem: 'identityTaken' },
  upstream_other_person: { status: 403, problem: 'otherPerson' },
  disabled: { status: 403, problem: 'refused' },
  upstream_domain_not_allowed: { status: 403, problem: 'refused' },
};

async function sendEnd(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { upstream, purpose, destination }: CallbackOutcome,
  end: { readonly status: number } & (
    | { readonly ending: Parameters<typeof upstreamEndPage>[1]['ending'] }
    | { readonly problem: Problem }
  ),
): Promise<FastifyReply> {
  if (upstream === undefined) return sendErrorPage(context, request, reply, 404, 'notFound');
  const frame = { ...frameOf(context, request, { destination }), returnTo: undefined };
  const { upstreams: m, account } = frame.messages;
  const { name, label } = upstream;
  const isSignIn = purpose === 'sign_in';
  const ending = 'ending' in end ? end.ending : { kind: 'problem' as const, text: m.problems[end.problem](label) };
  const again = isSignIn && 'problem' in end && end.problem !== 'unavailable';
  const page = upstreamEndPage(frame, {
    app: await destinationApp(context, destination),
    label,
    ending,
    again: again ? { name, ticket: makeTicket(context, request, reply, signInTicket, destination) } : undefined,
    leave: isSignIn
      ? { href: passwordSignInUrl(destination), label: m.otherWay }
      : { href: formatDestination(destination), label: account.proof.cancel },
  });
  return sendPage(reply, end.status, page, clientFormAction(destination));
}
