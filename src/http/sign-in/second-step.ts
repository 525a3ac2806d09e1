// The second step of a sign-in: the page that asks for a code or a passkey, and the form that brings it.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  askForSecondStepPasskey,
  completeSecondStep,
  findPendingSignIn,
} from '../../operations/sign-in/second-step.ts';
import { secondStepPage } from '../../pages/sign-in/second-step.ts';
import type { HttpContext } from '../context.ts';
import { formRoutes, sendFormExpired } from '../forms.ts';
import { requesterOf } from '../requester.ts';
import { frameOf, sendPage } from '../send-page.ts';
import { throttledAttempt } from '../throttled.ts';
import { makeTicket, readTicket } from '../tickets.ts';
import { clientFormAction, destinationApp, signInUrl } from './destination.ts';
import { proofIn, sendChallenge } from './passkey-challenge.ts';
import { type SecondStep, secondStepTicket } from './sign-in-tickets.ts';
import { browserOf, sendSignedIn } from './signed-in.ts';

export function secondStepRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const { form, ticketForm } = formRoutes(app, context);

  // Answers a script, which can do nothing with an error page.
  form('/sign-in/second-step/options', async ({ request, reply, fields }) => {
    const step = readTicket(context, request, secondStepTicket, fields);
    const asked = step && (await askForSecondStepPasskey(services, step.pending));
    if (asked === undefined) return reply.code(403).header('Cache-Control', 'no-store').send({});
    return sendChallenge(context, request, reply, asked.challenge, asked.options);
  });

  ticketForm('/sign-in/second-step', secondStepTicket, async (received, step) => {
    const { request, reply } = received;
    const { pending, destination, keep } = step;
    const trust = received.fields.has('trust');
    const signInContext = { destination, browser: browserOf(context, request), keep, trust };
    const proof = proofIn(context, request, received.fields);
    const outcome = await completeSecondStep(services, pending, proof, signInContext, requesterOf(request));
    const m = frameOf(context, request, { destination }).messages.account;
    switch (outcome.kind) {
      case 'signed_in':
        return sendSignedIn(context, reply, outcome, destination);
      case 'expired':
        return sendFormExpired(context, received);
      case 'refused':
        return sendSecondStep(context, request, reply, step, { status: 400, trust, problem: m.secondStep.failed });
      case 'throttled':
        return sendSecondStep(context, request, reply, step, {
          ...throttledAttempt(reply, outcome, m.throttled),
          trust,
        });
      case 'codes_throttled': {
        const attempt = { ...throttledAttempt(reply, outcome, m.secondStep.tooManyCodes), trust };
        return sendSecondStep(context, request, reply, step, attempt);
      }
    }
  });
}

export async function sendSecondStep(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  step: SecondStep,
  attempt: { status?: number; problem?: string; trust?: boolean } = {},
): Promise<FastifyReply> {
  const { pending, destination } = step;
  const found = await findPendingSignIn(context.services, pending);
  if (found === undefined) return sendFormExpired(context, { request, reply });
  const { authenticator, passkeys } = found.facts;
  const page = secondStepPage(frameOf(context, request, { ...found, destination }), {
    app: await destinationApp(context, destination),
    ticket: makeTicket(context, request, reply, secondStepTicket, step),
    authenticator: authenticator !== undefined,
    passkeys: passkeys.length > 0,
    trust: attempt.trust ?? false,
    problem: attempt.problem,
    signInUrl: signInUrl(destination),
  });
  const needs = clientFormAction(destination);
  return sendPage(reply, attempt.status ?? 200, page, needs);
}
