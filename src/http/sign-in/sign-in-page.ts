// The sign-in page, shown by an authorization request, by /sign-in, and again after a sign-in that did not succeed.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { authorize, type OpenRequest } from '../../operations/oauth/authorize.ts';
import { signInPage } from '../../pages/sign-in/sign-in.ts';
import { formActionSource } from '../../protocol/oauth/redirect-uri.ts';
import type { Parameters } from '../../protocol/reading/parameters.ts';
import type { Destination } from '../../protocol/sign-in/destination.ts';
import type { HttpContext } from '../context.ts';
import { appIdentity } from '../logos.ts';
import { requesterOf } from '../requester.ts';
import { frameOf, sendPage } from '../send-page.ts';
import { makeTicket } from '../tickets.ts';
import { upstreamButtonsFor } from '../upstreams/send-to-upstream.ts';
import { requestDestination } from './destination.ts';
import { signInTicket } from './sign-in-tickets.ts';

/** What a page says after an attempt: its status, what was typed, and what was wrong with it. */
export interface Attempt {
  readonly status?: number;
  readonly email?: string;
  readonly keep?: boolean;
  readonly problem?: string;
}

/** What the sign-in form has brought to another page. */
export function typedEmail(fields: Parameters): Attempt {
  return { email: fields.get('email')?.slice(0, emailLimit) ?? '' };
}

const emailLimit = 254;

export async function sendSignInPage(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  destination: Destination,
  attempt: Attempt = {},
): Promise<FastifyReply> {
  if (destination.kind === 'authorization') {
    const outcome = await authorize(context.services, destination.query, undefined, requesterOf(request));
    if (outcome.kind === 'sign_in')
      return sendClientSignIn(context, request, reply, destination.query, outcome, attempt);
  }
  const page = signInPage(frameOf(context, request, { destination }), {
    app: undefined,
    email: attempt.email ?? '',
    keep: attempt.keep ?? false,
    ticket: makeTicket(context, request, reply, signInTicket, destination),
    problem: attempt.problem,
    signUp: context.signUp === 'open',
    upstreams: await upstreamButtonsFor(context),
  });
  return sendPage(reply, attempt.status ?? 200, page);
}

/** The page for an authorization request that `authorize` has just found to need a sign-in. */
export async function sendClientSignIn(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  query: string,
  open: OpenRequest,
  attempt: Attempt = {},
): Promise<FastifyReply> {
  const { redirectUri, loginHint } = open.request;
  const destination = requestDestination(query, open);
  const page = signInPage(frameOf(context, request, { destination }), {
    app: appIdentity(open.client),
    email: attempt.email ?? loginHint?.slice(0, emailLimit) ?? '',
    keep: attempt.keep ?? false,
    ticket: makeTicket(context, request, reply, signInTicket, destination),
    problem: attempt.problem,
    signUp: context.signUp === 'open',
    upstreams: await upstreamButtonsFor(context),
  });
  return sendPage(reply, attempt.status ?? 200, page, { formAction: formActionSource(redirectUri) });
}
