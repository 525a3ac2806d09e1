// The end of a round trip to an upstream: the response is tied to the browser, the upstream and the purpose that it was begun
// with, the upstream is asked who it is about, and only then is anything done with what it says.

import type { UpstreamAnswer } from '../../../platform/upstreams/connector.ts';
import { sameText } from '../../../protocol/digest.ts';
import type { EventDetail, Requester } from '../../../protocol/event.ts';
import { soleParameter } from '../../../protocol/oauth/authorization-request.ts';
import { readQuery } from '../../../protocol/reading/parameters.ts';
import { isUpstreamName } from '../../../protocol/resources/upstream.ts';
import { accountPage, type Destination, parseDestination } from '../../../protocol/sign-in/destination.ts';
import type { SignInRefusal, UpstreamRefusal } from '../../../protocol/sign-in/outcomes.ts';
import { upstreamCounters } from '../../../protocol/sign-in/throttle-rules.ts';
import { clockTolerance } from '../../../protocol/upstreams/id-token.ts';
import type { SignedIn, Upstream } from '../../../storage/storage.ts';
import type { Metering, Services, Storing, Timing } from '../../services.ts';
import { noteRefusedSignIn, startAttempt, type Throttled } from '../../throttle.ts';
import { callbackUrl, secretOf } from '../../upstreams/upstreams.ts';
import { type Advanced, type AdvanceServices, type Browser, clientOf, type Keep } from '../advance.ts';
import { linkIdentity, type ProvenUpstream, proveWithIdentity } from './link-and-prove.ts';
import { signInWithIdentity } from './sign-in-with-identity.ts';
import { openPending, type PendingUpstream, type UpstreamPurpose, usePending } from './start.ts';

export interface UpstreamResponse {
  /** Of the upstream at whose address it has arrived. */
  readonly name: string;
  /** Without the question mark. */
  readonly query: string;
  /** The sealed text that the browser was given, and the value of its cookie. */
  readonly sealed: string | undefined;
  readonly browserSecret: string | undefined;
  readonly browser: Browser;
  /** Who is signed in, if anybody is. */
  readonly signedIn: SignedIn | undefined;
}

interface Ended {
  /** What the upstream is called; undefined when there is none of that name. */
  readonly upstream: Pick<Upstream, 'name' | 'label'> | undefined;
  readonly purpose: UpstreamPurpose;
  readonly destination: Destination;
  readonly keep: Keep;
}

export type CallbackOutcome = Ended &
  (
    | Advanced
    | { kind: 'link_needed'; email: string }
    | { kind: 'no_account'; reason: UpstreamRefusal }
    | { kind: 'linked' }
    | { kind: 'proven' }
    | { kind: 'second_factor_asked'; proven: ProvenUpstream }
    /** When it may be tried again is known if it was tried too often. */
    | { kind: 'refused'; reason: SignInRefusal; retryAfterSeconds?: number }
  );

export async function finishUpstream(
  services: AdvanceServices & Pick<Services, 'issuer' | 'upstreams'>,
  response: UpstreamResponse,
  requester: Requester,
): Promise<CallbackOutcome> {
  const { signedIn } = response;
  const upstream = await addressed(services, response);
  const pending = openPending(services, response.browserSecret, response.sealed);
  const destination = (pending && parseDestination(pending.target)) ?? accountPage;
  const purpose = pending?.purpose ?? 'sign_in';
  const ended: Ended = { upstream, purpose, destination, keep: pending?.keep ?? false };
  const refuse = (reason: SignInRefusal, more: EventDetail = {}, userId?: string) => {
    const about = { ...(userId !== undefined && { userId }), ...clientOf(destination) };
    const detail = { ...(upstream && { upstream: upstream.name }), ...more };
    noteRefusedSignIn(services, about, reason, requester, detail);
    return { ...ended, kind: 'refused', reason } as const;
  };

  if (upstream === undefined || upstream.disabledAt !== null) return refuse('upstream_disabled');
  // What was begun to try the upstream out has another end, and must never come to one here.
  if (pending === undefined || purpose === 'try') return refuse('upstream_expired');
  const answer = await askUpstream(services, upstream, pending, response, requester);
  if (answer.kind === 'throttled') {
    return { ...refuse('throttled'), retryAfterSeconds: answer.retryAfterSeconds };
  }
  if (answer.kind === 'refused')
    return refuse(answer.reason, answer.problem === undefined ? {} : { problem: answer.problem });
  const { claims, attempt } = answer;

  if (purpose !== 'sign_in') {
    // It's the session that it was begun in, so there is one.
    if (signedIn === undefined) return refuse('upstream_expired');
    const trip = { upstream, claims, pending };
    const outcome =
      purpose === 'link'
        ? await linkIdentity(services, trip, signedIn, requester)
        : await proveWithIdentity(services, trip, signedIn);
    if (outcome.kind === 'refused') return refuse(outcome.reason, {}, signedIn.user.id);
    if (outcome.kind === 'throttled') {
      return { ...refuse('throttled', {}, signedIn.user.id), retryAfterSeconds: outcome.retryAfterSeconds };
    }
    await attempt.takeBack();
    return { ...ended, ...outcome };
  }
  // An upstream that doesn't say when a person signed in there is trusted to have done what it was asked for.
  const isOld = claims.authTime !== null && claims.authTime + clockTolerance < (pending.freshSince ?? 0) / 1000;
  if (isOld) return refuse('upstream_not_fresh');
  const context = { browser: response.browser, destination, keep: pending.keep };
  const outcome = await signInWithIdentity(services, { upstream, claims }, context, requester);
  switch (outcome.kind) {
    case 'refused':
      return refuse(outcome.reason, {}, outcome.userId);
    case 'link_needed':
      refuse('upstream_email_taken');
      return { ...ended, ...outcome };
    case 'no_account':
      refuse(outcome.reason);
      return { ...ended, ...outcome };
    case 'too_many_waiting':
      refuse(outcome.kind);
      return { ...ended, ...outcome };
    default:
      await attempt.takeBack();
      return { ...ended, ...outcome };
  }
}

/** The upstream at whose address a response has arrived. */
export async function addressed(
  { storage }: Storing,
  { name }: Pick<UpstreamResponse, 'name'>,
): Promise<Upstream | undefined> {
  return isUpstreamName(name) ? storage.findUpstream(name) : undefined;
}

type AskedUpstream =
  | (Extract<UpstreamAnswer, { kind: 'identified' }> & { readonly attempt: { takeBack(): Promise<void> } })
  | { kind: 'refused'; reason: SignInRefusal; problem?: string }
  | Throttled;

export type AskServices = Timing & Metering & Pick<Services, 'issuer' | 'keys' | 'upstreams'>;

/** Asks the upstream who the response is about, if it's the first to what this browser has begun in the session that it has. */
export async function askUpstream(
  services: AskServices,
  upstream: Upstream,
  pending: PendingUpstream,
  response: Pick<UpstreamResponse, 'query' | 'signedIn'>,
  requester: Requester,
): Promise<AskedUpstream> {
  if (!isAnswerTo(pending, upstream, response)) return { kind: 'refused', reason: 'upstream_expired' };
  // What begins in a session ends in it: a response is never linked to an account that another person is signed in to.
  if (pending.session !== null && response.signedIn?.session.digest !== pending.session) {
    return { kind: 'refused', reason: 'upstream_expired' };
  }
  const attempt = await startAttempt(services, 'upstream', upstreamCounters(requester.address));
  if (attempt.kind === 'throttled') return attempt;
  // After the limit, so that starting over again and again doesn't fill the store with used responses.
  if (!(await usePending(services, pending))) return { kind: 'refused', reason: 'upstream_replayed' };
  const secret = secretOf(services, upstream);
  if (secret === undefined) {
    return { kind: 'refused', reason: 'upstream_error', problem: 'the client secret was sealed with a lost key' };
  }
  const { state, nonce, verifier, at: startedAt } = pending;
  const answer = await services.upstreams.finish(upstream, {
    redirectUri: callbackUrl(services, upstream.name),
    query: response.query,
    state,
    nonce,
    verifier,
    secret,
    startedAt,
    now: services.clock.now(),
  });
  return answer.kind === 'refused' ? answer : { ...answer, attempt };
}

/** Whether the response belongs to what this browser has begun with this upstream. */
function isAnswerTo(
  pending: PendingUpstream,
  { name, issuer }: Upstream,
  { query }: Pick<UpstreamResponse, 'query'>,
): boolean {
  const state = soleParameter(readQuery(query), 'state');
  const isSame = pending.upstream === name && (pending.issuer ?? issuer) === issuer;
  return isSame && state !== undefined && sameText(state, pending.state);
}
