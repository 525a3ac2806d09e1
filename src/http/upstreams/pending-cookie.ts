// The cookies that carry a round trip to an upstream. Where the user is going may be long, so there are several; a browser
// has one round trip at a time, so that they can't fill it up.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { pendingLifetime } from '../../operations/sign-in/upstreams/start.ts';
import type { HttpContext } from '../context.ts';
import { type CookieName, setCookie, valuesOf } from '../cookies.ts';

const cookies: readonly CookieName[] = ['upstream', 'upstream2', 'upstream3', 'upstream4'];
/** Browsers take 4096 bytes with the name and the attributes. */
const partSize = 3800;
const partForm = /^[A-Za-z0-9_-]+$/;

export function readPendingCookie(context: HttpContext, request: FastifyRequest): string | undefined {
  const parts: string[] = [];
  for (const cookie of cookies) {
    const part = valuesOf(context, request, cookie).find((value) => partForm.test(value));
    if (part === undefined) break;
    parts.push(part);
  }
  return parts.length === 0 ? undefined : parts.join('');
}

/** False when it is too long for a browser to keep. */
export function setPendingCookie(context: HttpContext, request: FastifyRequest, reply: FastifyReply, sealed: string) {
  if (sealed.length > partSize * cookies.length) return false;
  for (const [index, cookie] of cookies.entries()) {
    const part = sealed.slice(index * partSize, (index + 1) * partSize);
    if (part !== '') setCookie(context, reply, cookie, part, pendingLifetime / 1000);
    else if (valuesOf(context, request, cookie).length > 0) setCookie(context, reply, cookie, '', 0);
  }
  return true;
}

export function clearPendingCookie(context: HttpContext, request: FastifyRequest, reply: FastifyReply): void {
  for (const cookie of cookies) {
    if (valuesOf(context, request, cookie).length > 0) setCookie(context, reply, cookie, '', 0);
  }
}
