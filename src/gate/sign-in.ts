// Signing in: the browser goes to Latchkey and comes back with a code. Nothing is stored in between. What the callback needs
// travels in `state`, sealed with a secret that only this browser has.

import type { IncomingMessage } from 'node:http';
import { readCookie, setCookie } from '../platform/relying-party/cookies.ts';
import type { RoundTrip } from '../platform/relying-party/issuer.ts';
import { newCookieSecret } from '../platform/relying-party/sealing.ts';
import { digestOf } from '../protocol/digest.ts';
import { type GateApplication, registrationOf } from './config-file.ts';
import { callbackPath, type GateContext, signInPath, signOutPath } from './context.ts';
import { trustedClaims } from './identity.ts';
import { cookieAt, type Place } from './original-request.ts';
import type { GatePage } from './pages/page.ts';
import { type GateResponse, pageResponse, redirectTo } from './responses.ts';
import { sealFor, unsealFor } from './sealing.ts';
import { signInLifetime } from './sessions.ts';

/** A request for one of the browser's own pages, at one of the applications. */
export interface Visit {
  readonly request: IncomingMessage;
  readonly place: Place;
  readonly application: GateApplication;
  /** With its question mark. */
  readonly query: string;
}

/** What `state` has sealed in it. */
interface Trip {
  readonly nonce: string;
  readonly verifier: string;
  /** Where the person wanted to go. */
  readonly to: string;
  readonly startedAt: number;
}

/** Latchkey takes URLs of up to 8 KB, and this one is in it, sealed and encoded. */
const longestTarget = 3000;

/** A path on the same host, as text that is safe in a Location header; `/` for everything else. */
export function safeTarget(text: string): string {
  // Bytes beyond ASCII came from the proxy as they were.
  const target = text.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
  const isPath = /^\/(?!\/|%2f|%5c)[\x21-\x7e]*$/i.test(target) && !target.includes('\\');
  return isPath && target.length <= longestTarget && !/^\/gate\//i.test(target) ? target : '/';
}

export async function beginSignIn(context: GateContext, visit: Visit): Promise<GateResponse> {
  const { request, place, application, query } = visit;
  const parameters = new URLSearchParams(query);
  const to = safeTarget(parameters.get('to') ?? '/');
  const otherAccount = parameters.get('account') === 'other';
  const current = await context.sessions.current(readCookie(request, cookieAt(place, 'session')), application);
  if (current.kind === 'signed_in' && !otherAccount) {
    // Instead of going on at once, which would be a loop if the proxy asks without the cookie.
    const { account } = current.session;
    return pageResponse(request, { kind: 'signed_in', account, to, signOut: signOutPath });
  }
  const browser = readCookie(request, cookieAt(place, 'browser')) ?? newCookieSecret();
  const trip: Trip = { nonce: newCookieSecret(), verifier: newCookieSecret(), to, startedAt: context.now() };
  const sealed = sealFor(application, JSON.stringify(trip), context.keys.keyFor('sign-in', browser));
  const url = await context.issuer.signInUrl(
    registrationOf(application),
    roundTrip(visit, trip, sealed.toString('base64url')),
    { scope: 'openid profile email', ...(otherAccount && { prompt: 'select_account' }) },
  );
  if (url.kind === 'answered') return redirectTo(url.value, setCookie(cookieAt(place, 'browser'), browser));
  const reason = url.problem;
  context.notice('endpoints', "nobody can sign in: Latchkey's endpoints aren't known", { host: place.host, reason });
  return pageResponse(request, { kind: 'unavailable', retry: retryAt(to) });
}

/** `finishing` are the sign-ins that this process is about to finish. */
export async function finishSignIn(context: GateContext, visit: Visit, finishing: Set<string>): Promise<GateResponse> {
  const { request, place, application, query } = visit;
  const state = new URLSearchParams(query).get('state') ?? '';
  const browser = readCookie(request, cookieAt(place, 'browser'));
  const trip = browser === undefined ? undefined : openTrip(context, application, browser, state);
  const to = trip?.to ?? '/';
  const failed = async (page: GatePage): Promise<GateResponse> => {
    // A callback that is loaded again, or one of several tabs: they are signed in, which is what they wanted.
    const current = await context.sessions.current(readCookie(request, cookieAt(place, 'session')), application);
    return current.kind === 'signed_in' && page.kind !== 'canceled'
      ? redirectTo(placed(place, to))
      : pageResponse(request, page);
  };
  if (browser === undefined) return failed({ kind: 'no_cookie', retry: retryAt(to) });
  // Of what is in the state, which can itself be spelled in several ways.
  const signIn = digestOf(trip?.nonce ?? '');
  if (trip === undefined || finishing.has(signIn) || context.sessions.hasFinished(signIn)) {
    return failed({ kind: 'sign_in_failed', retry: retryAt(to) });
  }
  finishing.add(signIn);
  try {
    const cookie = await signedIn(context, visit, roundTrip(visit, trip, state), signIn);
    if (typeof cookie !== 'string') return await failed({ kind: cookie.kind, retry: retryAt(to) });
    // The person who was signed in here before isn't any more.
    const before = context.sessions.remove(readCookie(request, cookieAt(place, 'session')), application);
    if (before !== undefined) void context.issuer.revoke(registrationOf(application), before.refreshToken);
    return redirectTo(placed(place, to), setCookie(cookieAt(place, 'session'), cookie));
  } finally {
    finishing.delete(signIn);
  }
}

/** The new session's cookie, or which page says why there is none. */
async function signedIn(
  { issuer, sessions, log, notice, now }: GateContext,
  { application, query }: Visit,
  trip: RoundTrip,
  signIn: string,
): Promise<string | { readonly kind: 'canceled' | 'unavailable' | 'sign_in_failed' }> {
  const { host } = application;
  const tokens = await issuer.exchange(registrationOf(application), trip, query);
  if (tokens.kind !== 'answered') {
    if (tokens.kind === 'refused' && tokens.problem === 'access_denied') return { kind: 'canceled' };
    notice('sign-in', 'a sign-in failed', { host, reason: tokens.problem });
    return { kind: tokens.kind === 'refused' || tokens.isInvalid ? 'sign_in_failed' : 'unavailable' };
  }
  const askedAt = now();
  const { accessToken, refreshToken, sub } = tokens.value;
  const claims = await issuer.claims(registrationOf(application), accessToken, sub);
  const cookie =
    claims.kind === 'answered'
      ? sessions.add(application, tokens.value, trustedClaims(claims.value), askedAt, signIn)
      : undefined;
  if (cookie !== undefined) {
    log.info({ host, sub }, 'signed in');
    return cookie;
  }
  void issuer.revoke(registrationOf(application), refreshToken);
  const reason = claims.kind === 'answered' ? 'it was finished or ended before' : claims.problem;
  notice('sign-in', 'a sign-in failed', { host, reason });
  return { kind: claims.kind === 'unanswered' && !claims.isInvalid ? 'unavailable' : 'sign_in_failed' };
}

function openTrip(
  { keys, now }: GateContext,
  application: GateApplication,
  browser: string,
  state: string,
): Trip | undefined {
  const text = unsealFor(application, Buffer.from(state, 'base64url'), keys.keyFor('sign-in', browser));
  const trip = text === undefined ? undefined : (JSON.parse(text) as Trip);
  const age = trip === undefined ? -1 : now() - trip.startedAt;
  return age >= 0 && age < signInLifetime ? trip : undefined;
}

function roundTrip({ place }: Visit, { nonce, verifier }: Trip, state: string): RoundTrip {
  return { redirectUri: placed(place, callbackPath), state, nonce, verifier };
}

function retryAt(to: string): string {
  return `${signInPath}?to=${encodeURIComponent(to)}`;
}

function placed({ scheme, host }: Place, path: string): string {
  return `${scheme}://${host}${path}`;
}
