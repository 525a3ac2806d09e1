// An administrator tries an upstream out: a real round trip, bound to the browser and the session that began it like any other,
// which ends with what arrived and what a sign-in would have come to. Nothing is created or linked, and nobody is signed in.

import type { ReceivedClaims } from '../../../platform/upstreams/connector.ts';
import type { Requester } from '../../../protocol/event.ts';
import type { SignInRefusal } from '../../../protocol/sign-in/outcomes.ts';
import { countsAsVerified, hasProvenTwoFactors, type UpstreamClaims } from '../../../protocol/upstreams/claims.ts';
import type { Upstream } from '../../../storage/storage.ts';
import type { Services } from '../../services.ts';
import type { Throttled } from '../../throttle.ts';
import { type AskServices, addressed, askUpstream, type UpstreamResponse } from './callback.ts';
import { type JudgedIdentity, judgeIdentity } from './judge-identity.ts';
import { openPending } from './start.ts';

export interface TriedIdentity {
  readonly kind: 'received';
  readonly claims: UpstreamClaims;
  readonly received: readonly ReceivedClaims[];
  /** Whether the email address counts as verified here. */
  readonly verified: boolean;
  /** Whether a sign-in would count as two factors. */
  readonly twoFactors: boolean;
  readonly judged: JudgedIdentity;
}

export type TriedUpstream =
  | TriedIdentity
  /** The problem says what exactly was wrong with a response. */
  | { readonly kind: 'refused'; readonly reason: SignInRefusal; readonly problem?: string }
  | Throttled;

export async function finishTry(
  services: AskServices & Pick<Services, 'settings'>,
  response: Omit<UpstreamResponse, 'browser'>,
  requester: Requester,
): Promise<{ upstream: Upstream; outcome: TriedUpstream } | undefined> {
  const upstream = await addressed(services, response);
  if (upstream === undefined) return undefined;
  const pending = openPending(services, response.browserSecret, response.sealed);
  if (pending?.purpose !== 'try' || pending.session === null) {
    return { upstream, outcome: { kind: 'refused', reason: 'upstream_expired' } };
  }
  const answer = await askUpstream(services, upstream, pending, response, requester);
  if (answer.kind !== 'identified') return { upstream, outcome: answer };
  const { claims, received, attempt } = answer;
  await attempt.takeBack();
  const outcome: TriedIdentity = {
    kind: 'received',
    claims,
    received,
    verified: countsAsVerified(claims, upstream),
    twoFactors: hasProvenTwoFactors(claims, upstream),
    judged: await judgeIdentity(services, upstream, claims),
  };
  return { upstream, outcome };
}

/** Whether a response belongs to a person who tries this upstream out. */
export function tryingAt(
  services: Pick<Services, 'clock' | 'keys'>,
  { name, browserSecret, sealed }: Pick<UpstreamResponse, 'name' | 'browserSecret' | 'sealed'>,
): boolean {
  const pending = openPending(services, browserSecret, sealed);
  return pending?.purpose === 'try' && pending.upstream === name;
}
