// Receives forms. A form is read only when it comes from a page of this service, and it changes something only with a
// ticket (visit.ts) or with the token of the session that its page was made for.

import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import { digestOf } from '../protocol/digest.ts';
import { type Parameters, readBody } from '../protocol/reading/parameters.ts';
import type { HttpContext } from './context.ts';
import { sendErrorPage } from './send-page.ts';
import { type TicketKind, Visit } from './visit.ts';

type Sent = FastifyReply | Promise<FastifyReply>;

/** Routes that work without being signed in. */
export function visitRoutes(app: FastifyInstance, context: HttpContext) {
  function get(path: string, answer: (visit: Visit) => Sent, options: RouteShorthandOptions = {}): void {
    app.get(path, options, (request, reply) => answer(new Visit(context, request, reply)));
  }

  function form(
    path: string,
    answer: (visit: Visit, fields: Parameters) => Sent,
    multiline: readonly string[] = [],
  ): void {
    app.post(path, async (request, reply) => {
      const fields = receiveForm(context, request, reply, multiline);
      return fields === undefined ? reply : answer(new Visit(context, request, reply), fields);
    });
  }

  /** Without a valid ticket the form has expired, and isn't answered. */
  function ticketForm<Content>(
    path: string,
    ticket: TicketKind<Content>,
    answer: (visit: Visit, content: Content, fields: Parameters) => Sent,
    multiline: readonly string[] = [],
  ): void {
    const answerTicket = (visit: Visit, fields: Parameters) => {
      const content = visit.readTicket(ticket, fields);
      return content === undefined ? visit.sendFormExpired() : answer(visit, content, fields);
    };
    form(path, answerTicket, multiline);
  }

  return { get, form, ticketForm };
}

/** The token that every form on a signed-in user's pages carries. */
export function formToken(context: HttpContext, sessionSecret: string): string {
  return context.services.keys.stamp('account', digestOf(sessionSecret));
}

export function isFormToken(context: HttpContext, sessionSecret: string, token: string | undefined): boolean {
  return token !== undefined && context.services.keys.verifyStamp(token, 'account', digestOf(sessionSecret));
}

/** The fields of the form, or undefined when an error page has been sent instead. */
export function receiveForm(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  multiline: readonly string[] = [],
): Parameters | undefined {
  const reading = readBody(request.headers['content-type'], bodyOf(request), multiline);
  if (!isSameOrigin(context, request)) sendErrorPage(context, request, reply, { status: 403, topic: 'foreignForm' });
  else if (reading.kind === 'invalid') sendErrorPage(context, request, reply, { status: 400, topic: 'badRequest' });
  else return reading.parameters;
  return undefined;
}

/** False when the browser says that another site's page has sent the request. */
export function isSameOrigin(context: HttpContext, request: FastifyRequest): boolean {
  const { origin } = request.headers;
  if (origin !== undefined && origin !== context.baseUrl) return false;
  const site = request.headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none';
}

export function bodyOf(request: FastifyRequest): Uint8Array {
  return request.body instanceof Uint8Array ? request.body : new Uint8Array();
}

/** The fields of a form with a file, or undefined when the body is not one. */
export async function readUpload(contentType: string | undefined, body: Uint8Array): Promise<FormData | undefined> {
  if (!/^multipart\/form-data\s*;/i.test(contentType ?? '')) return undefined;
  // Such a form has three fields; reading thousands of them would take its time.
  const parts = Buffer.from(body)
    .toString('latin1')
    .split(/content-disposition:/i, 12);
  if (parts.length > 10) return undefined;
  try {
    return await new Response(Buffer.from(body), { headers: { 'Content-Type': contentType ?? '' } }).formData();
  } catch {
    return undefined;
  }
}
