// Signing out: here, where the person asks for it, and from Latchkey, which tells the gate that a person's session has ended.

import { readCookie, removeCookie } from '../platform/relying-party/cookies.ts';
import { readLogoutToken } from '../protocol/oauth/logout-token.ts';
import { formActionSource } from '../protocol/oauth/redirect-uri.ts';
import { readBody } from '../protocol/reading/parameters.ts';
import { registrationOf } from './config-file.ts';
import { type GateContext, signOutPath } from './context.ts';
import { cookieAt } from './original-request.ts';
import { emptyResponse, type GateResponse, pageResponse, redirectTo, textResponse } from './responses.ts';
import type { Visit } from './sign-in.ts';

/** Asks first: any page could lead here. */
export function confirmSignOut(context: GateContext, { request, place, application }: Visit): GateResponse {
  const session = context.sessions.find(readCookie(request, cookieAt(place, 'session')), application);
  if (session === undefined) return pageResponse(request, { kind: 'signed_out', signIn: '/' });
  const page = { kind: 'sign_out', account: session.account, action: signOutPath } as const;
  const latchkey = formActionSource(context.issuerUrl);
  return pageResponse(request, page, { formActions: latchkey === undefined ? [] : [latchkey] });
}

export async function signOut(context: GateContext, visit: Visit): Promise<GateResponse> {
  const { request, place, application } = visit;
  if (!isFromHere(visit)) return confirmSignOut(context, visit);
  const ended = context.sessions.remove(readCookie(request, cookieAt(place, 'session')), application);
  const headers = removeCookie(cookieAt(place, 'session'));
  if (ended === undefined) return pageResponse(request, { kind: 'signed_out', signIn: '/' }, { headers });
  context.log.info({ host: place.host, sub: ended.sub }, 'signed out');
  const revoked = await context.issuer.revoke(registrationOf(application), ended.refreshToken);
  if (revoked.kind !== 'answered') {
    context.log.warn({ host: place.host, reason: revoked.problem }, "the tokens of a session couldn't be revoked");
  }
  const url = await context.issuer.signOutUrl(registrationOf(application), ended.idToken);
  if (url.kind === 'answered') return redirectTo(url.value, headers);
  return pageResponse(request, { kind: 'signed_out', signIn: '/' }, { headers });
}

/** Whether the form was on a page of the same origin. */
function isFromHere({ request, place }: Visit): boolean {
  const { 'sec-fetch-site': site, origin } = request.headers;
  return site === undefined ? origin === `${place.scheme}://${place.host}` : site === 'same-origin';
}

/** The token says which application it's for, and only Latchkey can sign it, so it doesn't matter where it comes from. */
export function backchannelLogout(
  { issuerUrl, applications, sessions, log, now, notice }: GateContext,
  contentType: string | undefined,
  body: Uint8Array,
): GateResponse {
  const reading = readBody(contentType, body);
  const token = reading.kind === 'read' ? reading.parameters.get('logout_token') : undefined;
  for (const application of token === undefined ? [] : applications.values()) {
    const { clientId, clientSecret } = application;
    const logout = readLogoutToken(token ?? '', { issuer: issuerUrl, clientId, secret: clientSecret }, now());
    if (logout === undefined) continue;
    const count = sessions.end(application, logout.sid);
    if (count > 0) log.info({ host: application.host, count }, 'signed out by Latchkey');
    return emptyResponse(200);
  }
  notice('logout', 'a logout token is invalid: compare the client secret, the issuer and the clocks');
  return textResponse(400, 'The logout token is invalid.');
}
