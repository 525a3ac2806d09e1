// The service's three cookies. `session` is the secret of a session. `browser` lasts until the browser is closed, and binds
// the forms of a sign-in to it. `device` lasts longest: it recognises a browser in which the user has signed in before.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { newSecret } from '../protocol/identifiers.ts';
import { deviceMemory, sessionLimits } from '../protocol/sign-in/session-limits.ts';
import type { HttpContext } from './context.ts';

const names = { session: 'latchkey_session', browser: 'latchkey_browser', device: 'latchkey_device' } as const;
type CookieName = keyof typeof names;
const secretForm = /^lk[a-z]_[A-Za-z0-9_-]{43}$/;

/** The cookie's value, or undefined when it does not look like one that this service has set. */
export function readCookie(context: HttpContext, request: FastifyRequest, cookie: CookieName): string | undefined {
  const prefix = `${cookieName(context, cookie)}=`;
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const pair = part.trim();
    if (pair.startsWith(prefix) && secretForm.test(pair.slice(prefix.length))) return pair.slice(prefix.length);
  }
  return undefined;
}

export function setSignInCookies(
  context: HttpContext,
  reply: FastifyReply,
  started: { sessionSecret: string; deviceSecret: string },
): void {
  setSessionCookie(context, reply, started.sessionSecret);
  setCookie(context, reply, 'device', started.deviceSecret, deviceMemory / 1000);
}

export function setSessionCookie(context: HttpContext, reply: FastifyReply, secret: string): void {
  setCookie(context, reply, 'session', secret, sessionLimits.absolute / 1000);
}

export function clearSessionCookie(context: HttpContext, reply: FastifyReply): void {
  setCookie(context, reply, 'session', '', 0);
}

/** The value of the `browser` cookie, which is set now if the browser has none. */
export function ensureBrowserCookie(context: HttpContext, request: FastifyRequest, reply: FastifyReply): string {
  const existing = readCookie(context, request, 'browser');
  if (existing !== undefined) return existing;
  const made = newSecret('lkb_', context.services.random);
  setCookie(context, reply, 'browser', made, undefined);
  return made;
}

function setCookie(
  context: HttpContext,
  reply: FastifyReply,
  cookie: CookieName,
  value: string,
  maxAge: number | undefined,
): void {
  const attributes = [
    `${cookieName(context, cookie)}=${value}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
    ...(context.secure ? ['Secure'] : []),
    ...(maxAge === undefined ? [] : [`Max-Age=${maxAge}`]),
  ];
  reply.header('Set-Cookie', attributes.join('; '));
}

export function cookieName(context: HttpContext, cookie: CookieName): string {
  return context.secure ? `__Host-${names[cookie]}` : names[cookie];
}
