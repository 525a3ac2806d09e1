// Signing in with an upstream: the form that sends people there, the URL that it sends them back to, and the second factor of
// a person who has proved there who they are. Their rules are loaded with the first of them: many services have no upstream.

import type { FastifyInstance } from 'fastify';
import { findOpenRequest } from '../../operations/oauth/open-request.ts';
import type { HttpContext } from '../context.ts';
import { readCookie } from '../cookies.ts';
import { visitRoutes } from '../forms.ts';
import { rawQueryOf } from '../requests.ts';
import { answerStep, continueSignIn } from '../sign-in/dispatch.ts';
import { keepIn, provenTicket, signInTicket } from '../sign-in/sign-in-tickets.ts';
import type { Visit } from '../visit.ts';
import { clearPendingCookie, readPendingCookie } from './pending-cookie.ts';
import { sendToUpstream } from './send-to-upstream.ts';

/** The console's page that looks into the response. */
const tryUrl = ({ name, query }: { readonly name: string; readonly query: string }) =>
  `/admin/providers/${name}/try?${query}`;

const nameOf = ({ request }: Visit) => (request.params as { name: string }).name;

export function upstreamRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const { get, ticketForm } = visitRoutes(app, context);

  ticketForm('/sign-in/with/:name', signInTicket, async (visit, destination, fields) => {
    const [email, keep] = [fields.get('email') ?? '', keepIn(fields)];
    const loginHint = email === '' ? undefined : email;
    const open = destination.kind === 'authorization' ? await findOpenRequest(services, destination.query) : undefined;
    const request = open && { request: open.request };
    const start = { purpose: 'sign_in', name: nameOf(visit), destination, keep, loginHint, ...request } as const;
    if (await sendToUpstream(visit, start)) return visit.reply;
    return answerStep(visit, { page: 'sign_in', destination, email, keep }, { kind: 'unavailable' });
  });

  // No HEAD: looking into a response uses it up.
  const options = { config: { rawQuery: true }, exposeHeadRoute: false } as const;
  const callback = async (visit: Visit) => {
    const { request, reply } = visit;
    const signedIn = await visit.signedIn();
    if (signedIn !== undefined) visit.noteSender(signedIn.user);
    const response = {
      name: nameOf(visit),
      query: rawQueryOf(request),
      sealed: readPendingCookie(context, request),
      browserSecret: readCookie(context, request, 'browser'),
      browser: visit.browser,
      signedIn,
    };
    const { finishUpstream } = await import('../../operations/sign-in/upstreams/callback.ts');
    const { tryingAt } = await import('../../operations/sign-in/upstreams/try-upstream.ts');
    // The console's own checks come first there; the cookies go along.
    if (tryingAt(services, response)) return visit.redirect(303, tryUrl(response));
    const outcome = await finishUpstream(services, response, visit.requesterReading({}));
    if (outcome.kind !== 'refused' || outcome.reason !== 'upstream_expired')
      clearPendingCookie(context, request, reply);
    return continueSignIn(visit, outcome, outcome);
  };
  get('/sign-in/with/:name/callback', callback, options);

  ticketForm('/sign-in/proof', provenTicket, async (visit, step, fields) => {
    const signedIn = await visit.signedIn();
    if (signedIn === undefined) return visit.sendFormExpired();
    visit.noteSender(signedIn.user);
    const proof = { code: fields.get('code') ?? '', marks: visit.browser.marks };
    const { proveSecondAfterUpstream } = await import('../../operations/sign-in/upstreams/link-and-prove.ts');
    const outcome = await proveSecondAfterUpstream(services, signedIn, step.proven, proof, visit.requester);
    return answerStep(visit, { page: 'upstream_proof', ...step }, outcome);
  });
}
