// The service's cookies. `session` is the secret of a session. `browser` lasts until the browser is closed, and binds
// the forms of a sign-in to it. `device` lasts longest: it holds a mark for each user who has signed in with the browser,
// which recognises it the next time. `language` is the language that was chosen in the browser,
// and `upstream` a round trip to an upstream, with `held` for what waits for it. `remembered` is the account of a person who
// chose "Keep me signed in", sealed.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { sealAccount, unsealAccount } from '../operations/sign-in/remembered.ts';
import { newSecret } from '../protocol/identifiers.ts';
import { isLanguageTag, type LanguageTag } from '../protocol/languages.ts';
import { deviceMemory, marksPerBrowser } from '../protocol/sign-in/session-limits.ts';
import type { HttpContext } from './context.ts';

const names = {
  session: 'latchkey_session',
  browser: 'latchkey_browser',
  device: 'latchkey_device',
  language: 'latchkey_language',
  held: 'latchkey_held',
  upstream: 'latchkey_upstream',
  upstream2: 'latchkey_upstream2',
  upstream3: 'latchkey_upstream3',
  upstream4: 'latchkey_upstream4',
  remembered: 'latchkey_remembered',
} as const;
export type CookieName = keyof typeof names;
const secretForm = /^lk[a-z]_[A-Za-z0-9_-]{43}$/;
const markSeparator = '.';

/** The cookie's value, or undefined when it does not look like one that this service has set. */
export function readCookie(
  context: HttpContext,
  request: Pick<FastifyRequest, 'headers'>,
  cookie: 'session' | 'browser',
): string | undefined {
  return valuesOf(context, request, cookie).find((value) => secretForm.test(value));
}

/** The marks in the `device` cookie, newest first; none when it does not look like one that this service has set. */
export function readMarks(context: HttpContext, request: FastifyRequest): string[] {
  const areMarks = (marks: readonly string[]) =>
    marks.length <= marksPerBrowser && marks.every((mark) => secretForm.test(mark));
  return (
    valuesOf(context, request, 'device')
      .map((value) => value.split(markSeparator))
      .find(areMarks) ?? []
  );
}

/** The ID of the account that the browser remembers. */
export function readRemembered(context: HttpContext, request: FastifyRequest, marks: readonly string[]) {
  const [sealed] = valuesOf(context, request, 'remembered');
  return sealed === undefined ? undefined : unsealAccount(context.services, sealed, marks);
}

export function readLanguageCookie(context: HttpContext, request: FastifyRequest): LanguageTag | undefined {
  return valuesOf(context, request, 'language').find(isLanguageTag);
}

export function setLanguageCookie(context: HttpContext, reply: FastifyReply, language: LanguageTag): void {
  setCookie(context, reply, 'language', language, deviceMemory / 1000);
}

/** Every value that the browser has sent under the cookie's name. */
export function valuesOf(context: HttpContext, request: Pick<FastifyRequest, 'headers'>, cookie: CookieName): string[] {
  const prefix = `${cookieName(context, cookie)}=`;
  const values: string[] = [];
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const pair = part.trim();
    if (pair.startsWith(prefix)) values.push(pair.slice(prefix.length));
  }
  return values;
}

export function setSignInCookies(
  context: HttpContext,
  reply: FastifyReply,
  started: { userId: string; sessionSecret: string; kept: boolean; marks: readonly string[] },
): void {
  const { userId, kept, marks } = started;
  setSessionCookie(context, reply, started.sessionSecret, kept);
  if (kept)
    setCookie(context, reply, 'remembered', sealAccount(context.services, userId, marks[0] ?? ''), deviceMemory / 1000);
  else forgetAccount(context, reply);
  setCookie(context, reply, 'device', started.marks.join(markSeparator), deviceMemory / 1000);
}

/** The cookie of a session that isn't kept goes with the browser. */
export function setSessionCookie(context: HttpContext, reply: FastifyReply, secret: string, kept: boolean): void {
  setCookie(context, reply, 'session', secret, kept ? context.services.settings.sessionLimits.kept / 1000 : undefined);
}

/** For every way to sign out: the account isn't offered the next time. */
export function clearSessionCookie(context: HttpContext, reply: FastifyReply): void {
  setCookie(context, reply, 'session', '', 0);
  forgetAccount(context, reply);
}

/** If the browser has sent it. It doesn't with what another site loads here, so no site can take it away behind a page. */
export function forgetAccount(context: HttpContext, reply: FastifyReply): void {
  if (valuesOf(context, reply.request, 'remembered').length > 0) setCookie(context, reply, 'remembered', '', 0);
}

/** The value of the `browser` cookie, which is set now if the browser has none. */
export function ensureBrowserCookie(context: HttpContext, request: FastifyRequest, reply: FastifyReply): string {
  const existing = readCookie(context, request, 'browser');
  if (existing !== undefined) return existing;
  const made = newSecret('lkb_', context.services.random);
  setCookie(context, reply, 'browser', made, undefined);
  return made;
}

export function setCookie(
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
