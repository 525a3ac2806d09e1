// Sends pages, error pages and redirects, with the headers that all of them have. The content security policy allows
// nothing but what the page needs.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorTopic, english, messagesIn } from '../pages/languages/languages.ts';
import { errorPage } from '../pages/layout/error-page.ts';
import type { Frame } from '../pages/layout/layout.ts';
import type { Client } from '../storage/storage.ts';
import type { HttpContext } from './context.ts';
import { languageOf, type Reader, returnPath } from './language.ts';
import { appIdentity } from './logos.ts';

export function frameOf(context: HttpContext, request: FastifyRequest, reader: Reader = {}): Frame {
  const messages = messagesIn(languageOf(context, request, reader));
  return {
    messages,
    brand: context.services.settings.brand,
    assets: context.assets,
    returnTo: returnPath(request, reader),
  };
}

/** The console and the documentation are in English, whatever language the reader has chosen. */
export function englishFrame(context: HttpContext): Frame {
  return { messages: english, brand: context.services.settings.brand, assets: context.assets };
}

export interface PageNeeds {
  /** The origin of a client, to which the answer to the page's form may redirect. */
  readonly formAction?: string | undefined;
}

export function sendPage(reply: FastifyReply, status: number, page: string, needs: PageNeeds = {}): FastifyReply {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    ...(page.includes('<script src=') ? ["script-src 'self'", "connect-src 'self'"] : []),
    ...(page.includes('<iframe src="/') ? ["frame-src 'self'"] : []),
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

/** A page in a frame of the service's own pages, whose styles may be inline. Nothing in it works, except for what is `allowed`. */
export function sendPreview(reply: FastifyReply, page: string, allowed = ''): FastifyReply {
  const policy = [
    "default-src 'none'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    "base-uri 'none'",
    `sandbox${allowed}`,
  ];
  return reply
    .header('Content-Type', 'text/html; charset=utf-8')
    .header('Content-Security-Policy', policy.join('; '))
    .header('X-Frame-Options', 'SAMEORIGIN')
    .header('Cache-Control', 'no-store')
    .send(page);
}

export function sendErrorPage(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  {
    status,
    topic,
    client,
  }: { readonly status: number; readonly topic: ErrorTopic; readonly client?: Client | undefined },
): FastifyReply {
  const app = client && appIdentity(client);
  const page = errorPage(frameOf(context, request), { topic, reference: request.id, app, baseUrl: context.baseUrl });
  return sendPage(reply, status, page);
}

/** Sends the location byte for byte as it is given: the framework's own redirect would re-encode it. */
export function redirect(reply: FastifyReply, status: 301 | 302 | 303, location: string): FastifyReply {
  return reply.code(status).header('Location', location).header('Cache-Control', 'no-store').send();
}
