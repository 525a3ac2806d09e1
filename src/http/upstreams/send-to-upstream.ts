// Sends the browser to an upstream, with a cookie that ties the response to it.

import type { OpenRequest } from '../../operations/oauth/open-request.ts';
import { startUpstream, type UpstreamStart } from '../../operations/sign-in/upstreams/start.ts';
import { defaultUpstream } from '../../operations/upstreams/upstreams.ts';
import { leavingPage } from '../../pages/sign-in/upstreams.ts';
import type { Destination } from '../../protocol/sign-in/destination.ts';
import { ensureBrowserCookie } from '../cookies.ts';
import type { Visit } from '../visit.ts';
import { setPendingCookie } from './pending-cookie.ts';

/** An Omit that keeps the members of a union apart. */
type Without<Union, Name extends PropertyKey> = Union extends unknown ? Omit<Union, Name> : never;

/**
 * False when that isn't possible: the upstream is gone or disabled, or the destination too long to carry. Not the reply itself,
 * because waiting for a reply always gives undefined.
 */
export async function sendToUpstream(visit: Visit, start: Without<UpstreamStart, 'browser'>): Promise<boolean> {
  const { context, request, reply } = visit;
  const browser = ensureBrowserCookie(context, request, reply);
  const outcome = await startUpstream(visit.services, { ...start, browser });
  if (outcome.kind === 'unavailable') return false;
  if (!setPendingCookie(context, request, reply, outcome.sealed)) return false;
  if (request.method === 'GET') {
    visit.redirect(302, outcome.url);
    return true;
  }
  // A redirect would belong to the form: browsers check every stop on the way, at the upstream and at the application,
  // against the content security policy of the page with the form.
  reply.header('Refresh', `0;url=${outcome.url}`);
  visit.sendPage(200, leavingPage(visit.fixedFrame({ destination: start.destination }), outcome));
  return true;
}

/**
 * Sends people straight to the upstream that they are meant to use, so that they never see a password field. False when
 * they choose for themselves, or it can't be used. `open` is the request of an application.
 */
export async function sendToDefault(
  visit: Visit,
  destination: Destination,
  open: OpenRequest | undefined,
): Promise<boolean> {
  const loginHint = open?.request.loginHint;
  const upstream = await defaultUpstream(visit.services, { clientUpstream: open?.client.upstream ?? null, loginHint });
  if (upstream === undefined) return false;
  const { name } = upstream;
  const request = open && { request: open.request };
  return sendToUpstream(visit, { purpose: 'sign_in', name, destination, keep: false, loginHint, ...request });
}
