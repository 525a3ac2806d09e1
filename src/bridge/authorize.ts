// Signing in: the browser goes to Latchkey with what the application has asked for, and comes back with a code. Nothing is
// stored in between. What the way back needs travels in `state`, sealed with a secret that only this browser has.

import type { RoundTrip } from '../platform/relying-party/issuer.ts';
import { newCookieSecret } from '../platform/relying-party/sealing.ts';
import { SECOND } from '../protocol/durations.ts';
import { noticeRefusedSecret, unavailable } from './asking.ts';
import { type Application, type BridgeContext, paths } from './context.ts';
import { type GrantFacts, grantLifetime, signInLifetime } from './grants.ts';
import { readOwnIdToken } from './jwt.ts';
import { errors } from './library.ts';
import { type Arrival, currentVisit, type Outgoing } from './visit.ts';

/** What Latchkey decides about, so the library doesn't get to see it. */
const forLatchkey = ['prompt', 'max_age', 'acr_values', 'login_hint', 'ui_locales', 'scope'] as const;
/** Latchkey takes URLs of up to 8 KB. */
const longestUrl = 8 * 1024;

/** What `state` has sealed in it. */
export interface Trip {
  readonly clientId: string;
  /** Of the application's request, as the library has checked them. */
  readonly params: Readonly<Record<string, string>>;
  readonly expected: string | undefined;
  readonly nonce: string;
  readonly verifier: string;
  readonly startedAt: number;
}

/** Takes out of a request what is for Latchkey. A parameter that comes twice stays, for the library to refuse. */
export function takeOutgoing(context: BridgeContext, query: URLSearchParams, browser: string): Outgoing {
  const take = (name: string) => {
    const [value, ...more] = query.getAll(name);
    if (more.length > 0) return undefined;
    query.delete(name);
    return value === '' ? undefined : value;
  };
  const parameters = forLatchkey.map((name) => [name, take(name)] as const).filter(([, value]) => value !== undefined);
  // For the library, every request is one of OpenID Connect, as it is for Latchkey.
  if (!query.has('scope')) query.set('scope', 'openid');
  const hint = take('id_token_hint');
  const known =
    hint === undefined ? undefined : readOwnIdToken(hint, context.config.baseUrl, context.signingKeys.list());
  const isOwn = known !== undefined && known.clientId === query.get('client_id');
  const expected = hint === undefined ? undefined : isOwn ? known.sub : null;
  return { parameters: Object.fromEntries(parameters) as Record<string, string>, expected, browser };
}

/** What the library leaves to the bridge. Thrown where it answers the application. */
export function refuseOutgoing({ nonce }: Application, params: Readonly<Record<string, unknown>>): void {
  if (currentVisit().outgoing?.expected === null) throw new errors.InvalidRequest('id_token_hint is not valid');
  if (params.code_challenge === undefined && params.nonce === undefined && nonce === 'required') {
    throw new errors.InvalidRequest('a request without PKCE needs a nonce');
  }
}

/** Where the browser goes with a request that the library has checked. */
export async function latchkeyUrl(
  context: BridgeContext,
  application: Application,
  params: Readonly<Record<string, unknown>>,
): Promise<string> {
  const visit = currentVisit();
  const { outgoing } = visit;
  if (outgoing === undefined) throw new Error('there is no request to pass on');
  const given = Object.entries(params).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const trip: Trip = {
    clientId: application.clientId,
    params: Object.fromEntries(given),
    expected: outgoing.expected ?? undefined,
    nonce: newCookieSecret(),
    verifier: newCookieSecret(),
    startedAt: context.now(),
  };
  const state = context.keys.seal('sign-in', outgoing.browser, '', JSON.stringify(trip)).toString('base64url');
  const answer = await context.ask(() =>
    context.issuer.signInUrl(application.registration(), roundTrip(context, trip, state), outgoing.parameters),
  );
  if (answer.kind !== 'answered') throw unavailable();
  const { pathname, search, href } = new URL(answer.value);
  if (pathname.length + search.length > longestUrl) throw new errors.InvalidRequest('the request is too long');
  visit.isLeaving = true;
  return href;
}

function roundTrip({ config }: BridgeContext, { nonce, verifier }: Trip, state: string): RoundTrip {
  return { redirectUri: config.baseUrl + paths.callback, state, nonce, verifier };
}

/** Undefined for a state of another browser, one that is too old, or anything else. */
export function openTrip({ keys, now }: BridgeContext, browser: string, state: string): Trip | undefined {
  const text = keys.unseal('sign-in', browser, '', Buffer.from(state, 'base64url'));
  const trip = text === undefined ? undefined : (JSON.parse(text) as Trip);
  const age = trip === undefined ? -1 : now() - trip.startedAt;
  return age >= 0 && age < signInLifetime ? trip : undefined;
}

/** Who has come back. `query` is the callback's, with its question mark. */
export async function arrive(context: BridgeContext, trip: Trip, state: string, query: string): Promise<Arrival> {
  const { applications, ask, issuer, grants, log, meters, notice, now } = context;
  const application = applications.get(trip.clientId);
  if (application === undefined) return refused('unauthorized_client', 'the client is no longer set up here');
  const client = application.registration();
  const answer = await ask(() => issuer.exchange(client, roundTrip(context, trip, state), query));
  meters.answered('callback', answer.kind === 'answered' ? 200 : answer.kind === 'refused' ? 400 : 503);
  if (answer.kind === 'unanswered') {
    return refused('temporarily_unavailable', 'Latchkey is not responding. Try again in a few seconds.');
  }
  if (answer.kind === 'refused') {
    noticeRefusedSecret(context, trip.clientId, answer);
    if (answer.isFromBrowser && answer.error !== undefined) return { kind: 'refused', error: answer.error };
    notice('sign-in', 'a sign-in failed', { client: trip.clientId, reason: answer.problem });
    return refused('server_error', 'the sign-in could not be completed');
  }
  const { sub, sid, claims, accessToken, expiresIn, refreshToken, idToken, scope = '' } = answer.value;
  const facts: GrantFacts = {
    clientId: trip.clientId,
    sub,
    sid,
    scope: [...new Set(['openid', ...scope.split(' ').filter(Boolean)])].join(' '),
    accessToken,
    accessUntil: now() + expiresIn * SECOND,
    refreshToken,
    idToken,
    claims,
    expiresAt: now() + grantLifetime,
  };
  if (trip.expected !== undefined && trip.expected !== sub) {
    await context.revoke([facts]);
    return refused('login_required', 'someone else is signed in');
  }
  const grantId = grants.add(facts, trip.nonce);
  if (grantId === undefined) {
    await context.revoke([facts]);
    return refused('access_denied', 'the sign-in was finished or ended before');
  }
  log.info({ client: trip.clientId, sub }, 'signed in');
  return { kind: 'signed_in', grantId, facts };
}

function refused(code: string, description: string): Arrival {
  return { kind: 'refused', error: { code, description } };
}

/** The application's request, for the library to answer. */
export function answeredRequest({ params }: Trip, arrival: Arrival): string {
  const scope = arrival.kind === 'signed_in' ? arrival.facts.scope : params.scope;
  return new URLSearchParams({ ...params, ...(scope !== undefined && { scope }) }).toString();
}
