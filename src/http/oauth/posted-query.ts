// Requests that browsers may post to a page that has to know who is signed in. A form on another site arrives without the
// session cookie, so the browser is sent on to the same page with the same parameters in the query.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { readText } from '../../protocol/reading/body.ts';
import type { HttpContext } from '../context.ts';
import { failures, sendFailure } from '../failures.ts';
import { bodyOf } from '../forms.ts';
import { urlLimit } from '../limits.ts';
import { rawQueryOf } from '../requests.ts';
import { redirect, sendErrorPage } from '../send-page.ts';

/** What can't stand in a URL as it is, although a form may be sent with it. */
const notInUrl = /[^\x21-\x7e]|["#<>\\^`{|}]/gu;

/** The query's and the form's parameters as they came; undefined when the body isn't a form. */
function postedQuery(request: FastifyRequest): string | undefined {
  const body = bodyOf(request);
  if (body.length === 0) return rawQueryOf(request);
  const reading = readText(request.headers['content-type'], body, ['application/x-www-form-urlencoded']);
  if (reading.kind === 'invalid') return undefined;
  const form = reading.text.replace(notInUrl, encodeURIComponent);
  return [rawQueryOf(request), form].filter(Boolean).join('&');
}

/** `isValid` says whether the page would take the query; if it wouldn't, there is no need to go there. */
export function redirectToPage(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
  isValid: (query: string) => boolean = () => true,
): FastifyReply {
  const query = postedQuery(request);
  if (query === undefined || !isValid(query))
    return sendErrorPage(context, request, reply, { status: 400, topic: 'badRequest' });
  const url = query === '' ? path : `${path}?${query}`;
  return url.length > urlLimit ? sendFailure(context, request, reply, failures.urlTooLong) : redirect(reply, 303, url);
}
