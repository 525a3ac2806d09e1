// Which language a page is in: what the application asked for, then the person's own choice, then that of the browser,
// then what the browser says it prefers.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type LanguageTag, matchLanguage, readAcceptLanguage, readUiLocales } from '../protocol/languages.ts';
import { soleParameter } from '../protocol/oauth/authorization-request.ts';
import { logoutPath } from '../protocol/oauth/logout.ts';
import { readQuery } from '../protocol/reading/parameters.ts';
import { authorizationPath, type Destination, formatDestination } from '../protocol/sign-in/destination.ts';
import type { HttpContext } from './context.ts';
import { readLanguageCookie, setLanguageCookie } from './cookies.ts';

/** What is known about the reader of a page. */
export interface Reader {
  readonly user?: { readonly locale: string | null } | undefined;
  readonly destination?: Destination | undefined;
  /** What the application asked for, when neither the URL nor the destination says it. */
  readonly uiLocales?: string | undefined;
  /** Where the form that the page answers can be opened again. */
  readonly formUrl?: string | undefined;
}

/** The language that the reader has picked with this request. */
const picked = new WeakMap<FastifyRequest, LanguageTag>();

/** Who has sent a request, once its session was looked up. Error pages are sent from places that don't know. */
const senders = new WeakMap<FastifyRequest, NonNullable<Reader['user']>>();

export function languageOf(context: HttpContext, request: FastifyRequest, reader: Reader): LanguageTag {
  return (
    picked.get(request) ??
    matchLanguage(readUiLocales(reader.uiLocales ?? uiLocales(request, reader.destination))) ??
    languageOfUser(reader.user ?? senders.get(request)) ??
    readLanguageCookie(context, request) ??
    matchLanguage(readAcceptLanguage(request.headers['accept-language'] ?? '')) ??
    'en'
  );
}

function uiLocales(request: FastifyRequest, destination: Destination | undefined): string {
  const query = destination?.kind === 'authorization' ? destination.query : clientQuery(request.raw.url ?? '');
  return query.includes('ui_locales=') ? (soleParameter(readQuery(query), 'ui_locales') ?? '') : '';
}

/** The query of a page that applications send the browser to. */
function clientQuery(url: string): string {
  const [path = '', ...query] = url.split('?');
  return [authorizationPath, logoutPath].includes(path) ? query.join('?') : '';
}

/** Where the page is shown again in another language; undefined when what a form was answered with can't be asked for again. */
export function returnPath(request: FastifyRequest, { destination, formUrl }: Reader): string | undefined {
  // A request can also name a whole URL, or a path that browsers take for a host.
  const url = request.raw.url ?? '/';
  if (request.method === 'GET') return /^\/(?![/\\])/.test(url) ? url : undefined;
  if (formUrl !== undefined || destination === undefined) return formUrl;
  return destination.kind === 'authorization' ? formatDestination(destination) : `/sign-in?to=${destination.path}`;
}

/** From now on, and in the answer to this request. */
export function pickLanguage(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  language: LanguageTag,
): void {
  picked.set(request, language);
  setLanguageCookie(context, reply, language);
}

/** The last choice counts, so what the application asked for is dropped. */
export function withoutUiLocales(url: string): string {
  return url.replace(/([?&])ui_locales=[^&]*&?/g, '$1').replace(/[?&]$/, '');
}

/**
 * The rest of the answer is in the person's language, and so is what the browser opens later without anybody looking up its
 * session: the cookie follows a profile that has changed elsewhere.
 */
export function noteSender(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  user: { readonly locale: string | null },
): void {
  senders.set(request, user);
  const language = languageOfUser(user);
  if (language !== undefined && language !== readLanguageCookie(context, request)) {
    setLanguageCookie(context, reply, language);
  }
}

/** From now on the browser shows pages in the person's language, also those that need no sign-in. */
export function rememberLanguage(context: HttpContext, reply: FastifyReply, locale: string | null): void {
  const language = languageOfUser({ locale });
  if (language !== undefined) setLanguageCookie(context, reply, language);
}

function languageOfUser(user: Reader['user']): LanguageTag | undefined {
  return user?.locale == null ? undefined : matchLanguage([user.locale]);
}
