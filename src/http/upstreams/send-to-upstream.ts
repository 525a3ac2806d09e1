// Sends the browser to another provider, with a cookie that ties the response to it.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type StartOutcome, startUpstream, type UpstreamStart } from '../../operations/sign-in/upstreams/start.ts';
import { leavingPage, type UpstreamButton } from '../../pages/sign-in/upstreams.ts';
import type { Upstream } from '../../storage/storage.ts';
import type { HttpContext } from '../context.ts';
import { ensureBrowserCookie } from '../cookies.ts';
import { frameOf, redirect, sendPage } from '../send-page.ts';
import { upstreamIdentity } from './icons.ts';
import { setPendingCookie } from './pending-cookie.ts';

/** An Omit that keeps the members of a union apart. */
type Without<Union, Name extends PropertyKey> = Union extends unknown ? Omit<Union, Name> : never;

/** Undefined when that isn't possible: the upstream is gone or disabled, or the destination too long to carry. */
export async function sendToUpstream(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  start: Without<UpstreamStart, 'browser'>,
): Promise<FastifyReply | undefined> {
  const browser = ensureBrowserCookie(context, request, reply);
  const outcome: StartOutcome = await startUpstream(context.services, { ...start, browser });
  if (outcome.kind === 'unavailable') return undefined;
  if (!setPendingCookie(context, request, reply, outcome.sealed)) return undefined;
  if (request.method === 'GET') return redirect(reply, 302, outcome.url);
  // A redirect would belong to the form: browsers hold every stop on the way, at the provider and at the application, against
  // the content security policy of the page that the form stood on.
  reply.header('Refresh', `0;url=${outcome.url}`);
  const frame = { ...frameOf(context, request, { destination: start.destination }), returnTo: undefined };
  return sendPage(reply, 200, leavingPage(frame, outcome));
}

/** The buttons of a sign-in page. */
export async function upstreamButtonsFor({ services }: HttpContext): Promise<UpstreamButton[]> {
  return (await services.upstreamDirectory.open()).map(upstreamButton);
}

export function upstreamButton(upstream: Upstream): UpstreamButton {
  return { name: upstream.name, label: upstream.label, iconUrl: upstreamIdentity(upstream).logoUrl };
}
