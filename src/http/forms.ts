// Forms that change something. Each carries a stamp over what it is for and whose browser or session it was made for:
// a form from another site, another browser or an earlier session has no valid stamp.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { digestOf } from '../protocol/digest.ts';
import { type Parameters, readBody } from '../protocol/reading/parameters.ts';
import type { HttpContext } from './context.ts';
import { sendErrorPage } from './send-page.ts';

export type FormPurpose = 'sign-in' | 'decision' | 'account-choice' | 'second-step' | 'challenge';

/** Text that travels through a form and back, with the stamp that proves we wrote it for this holder. */
export function makeTicket(context: HttpContext, purpose: FormPurpose, holder: string, text: string): string {
  const stamp = context.services.keys.stamp(purpose, digestOf(holder), text);
  return `${Buffer.from(text, 'latin1').toString('base64url')}.${stamp}`;
}

/** The text of a ticket that was made for this purpose and this holder, or undefined. */
export function readTicket(
  context: HttpContext,
  purpose: FormPurpose,
  holder: string | undefined,
  ticket: string | undefined,
): string | undefined {
  const [encoded, stamp] = ticket?.split('.') ?? [];
  if (holder === undefined || encoded === undefined || stamp === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64url').toString('latin1');
  return context.services.keys.verifyStamp(stamp, purpose, digestOf(holder), text) ? text : undefined;
}

/** The token of the forms on a signed-in person's own pages. */
export function formToken(context: HttpContext, sessionSecret: string): string {
  return context.services.keys.stamp('account', digestOf(sessionSecret));
}

export function isFormToken(context: HttpContext, sessionSecret: string, token: string | undefined): boolean {
  return token !== undefined && context.services.keys.verifyStamp(token, 'account', digestOf(sessionSecret));
}

/** The fields of a form that a page of this service has sent; undefined when the reply has been given already. */
export function receiveForm(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  multiline: readonly string[] = [],
): Parameters | undefined {
  const reading = readBody(request.headers['content-type'], bodyOf(request), multiline);
  if (!comesFromHere(context, request)) sendErrorPage(context, request, reply, 403, 'foreignForm');
  else if (reading.kind === 'invalid') sendErrorPage(context, request, reply, 400, 'badRequest');
  else return reading.parameters;
  return undefined;
}

/** False when a browser says that the form was sent by a page of another site. */
export function comesFromHere(context: HttpContext, request: FastifyRequest): boolean {
  const { origin } = request.headers;
  if (origin !== undefined && origin !== context.baseUrl) return false;
  const site = request.headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none';
}

export function bodyOf(request: FastifyRequest): Uint8Array {
  return request.body instanceof Uint8Array ? request.body : new Uint8Array();
}
