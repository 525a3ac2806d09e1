// Sends HTML with the headers that every page has. A page that leads on to an application allows its form to be
// redirected to that application's origin, and to no other.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorPage } from '../pages/layout/error-page.ts';
import type { Frame } from '../pages/layout/layout.ts';
import { type ErrorTopic, messagesFor } from '../pages/messages/messages.ts';
import type { HttpContext } from './context.ts';

export function frameOf(context: HttpContext): Frame {
  return { messages: messagesFor(), assets: context.assets };
}

/** `formAction` is the origin of an application; `script` whether the page needs the script for passkeys. */
export interface PageNeeds {
  readonly formAction?: string;
  readonly script?: boolean;
}

export function sendPage(reply: FastifyReply, status: number, page: string, needs: PageNeeds = {}): FastifyReply {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    ...(needs.script ? ["script-src 'self'", "connect-src 'self'"] : []),
    `form-action 'self'${needs.formAction === undefined ? '' : ` ${needs.formAction}`}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  return reply
    .code(status)
    .header('Content-Type', 'text/html; charset=utf-8')
    .header('Content-Security-Policy', policy.join('; '))
    .header('X-Frame-Options', 'DENY')
    .header('Cache-Control', 'no-store')
    .send(page);
}

export function sendErrorPage(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  topic: ErrorTopic,
): FastifyReply {
  const page = errorPage(frameOf(context), { topic, reference: request.id, baseUrl: context.baseUrl });
  return sendPage(reply, status, page);
}

/** Redirects with the address as it is: no re-encoding, nothing kept in a cache. */
export function redirect(reply: FastifyReply, status: 301 | 302 | 303, location: string): FastifyReply {
  return reply.code(status).header('Location', location).header('Cache-Control', 'no-store').send();
}
