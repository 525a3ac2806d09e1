// Sends somebody to an upstream. Nothing is stored, and the upstream isn't asked: its endpoints are known.

import { newSecret } from '../../../protocol/identifiers.ts';
import type { AuthorizationRequest } from '../../../protocol/oauth/authorization-request.ts';
import { type Destination, formatDestination } from '../../../protocol/sign-in/destination.ts';
import type { SignedIn } from '../../../storage/storage.ts';
import type { Linking, Services, Timing } from '../../services.ts';
import { callbackUrl } from '../../upstreams/upstreams.ts';
import { type PendingUpstream, sealPending } from './pending.ts';

export type UpstreamStart = {
  /** The upstream's name. */
  readonly name: string;
  /** Where the user goes afterwards. */
  readonly destination: Destination;
  /** The value of the browser's cookie. */
  readonly browser: string;
} & (
  | {
      readonly purpose: 'sign_in';
      readonly keep: boolean;
      readonly loginHint?: string | undefined;
      /** Of the application that people come from. */
      readonly request?: Pick<AuthorizationRequest, 'prompt' | 'maxAge'>;
    }
  /** The caller has made sure of fresh proof of identity. */
  | { readonly purpose: 'link'; readonly signedIn: SignedIn }
  | { readonly purpose: 'prove'; readonly signedIn: SignedIn }
);

export type StartOutcome =
  /** The sealed text has to come back, in a cookie, together with the response. */
  | { kind: 'redirect'; url: string; sealed: string; label: string }
  /** There is no such upstream, or it's disabled. */
  | { kind: 'unavailable' };

/** A hint that is longer is no address. */
const longestHint = 254;

function wishesOf({ loginHint, request }: Extract<UpstreamStart, { purpose: 'sign_in' }>) {
  return {
    loginHint: loginHint?.slice(0, longestHint),
    fresh: request?.prompt.has('login') ?? false,
    selectAccount: request?.prompt.has('select_account') ?? false,
    maxAge: request?.maxAge,
  };
}

function freshSince(request: Pick<AuthorizationRequest, 'prompt' | 'maxAge'> | undefined, now: number): number | null {
  if (request?.prompt.has('login')) return now;
  return request?.maxAge === undefined ? null : now - request.maxAge * 1000;
}

export async function startUpstream(
  services: Linking & Timing & Pick<Services, 'keys' | 'upstreams'>,
  start: UpstreamStart,
): Promise<StartOutcome> {
  const { storage, random, clock, upstreams } = services;
  const { name, purpose } = start;
  const upstream = await storage.findUpstream(name);
  if (upstream === undefined || upstream.disabledAt !== null) return { kind: 'unavailable' };
  const pending: PendingUpstream = {
    upstream: name,
    purpose,
    state: newSecret('', random),
    nonce: newSecret('', random),
    verifier: newSecret('', random),
    at: clock.now(),
    target: formatDestination(start.destination),
    keep: purpose === 'sign_in' && start.keep,
    session: purpose === 'sign_in' ? null : start.signedIn.session.digest,
    freshSince: purpose === 'sign_in' ? freshSince(start.request, clock.now()) : null,
  };
  const { state, nonce, verifier } = pending;
  const url = await upstreams.authorizationUrl(upstream, {
    redirectUri: callbackUrl(services, name),
    state,
    nonce,
    verifier,
    ...(purpose === 'sign_in' ? wishesOf(start) : { fresh: purpose === 'prove' }),
  });
  return { kind: 'redirect', url, sealed: sealPending(services, start.browser, pending), label: upstream.label };
}
