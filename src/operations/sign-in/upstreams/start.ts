// Sends a person to an upstream, which isn't asked: its endpoints are known. Nothing is stored for strangers: what the round
// trip is for travels in a cookie, sealed for the browser that it was given to, is valid for ten minutes, and is used once.

import { isEmail } from '../../../protocol/account/email-address.ts';
import { digestOf } from '../../../protocol/digest.ts';
import { MINUTE } from '../../../protocol/durations.ts';
import { newSecret } from '../../../protocol/identifiers.ts';
import type { AuthorizationRequest } from '../../../protocol/oauth/authorization-request.ts';
import type { SealPurpose } from '../../../protocol/purposes.ts';
import { type Destination, formatDestination } from '../../../protocol/sign-in/destination.ts';
import { isTrustedFor } from '../../../protocol/upstreams/claims.ts';
import type { SignedIn, Upstream } from '../../../storage/storage.ts';
import type { Linking, Services, Storing, Timing } from '../../services.ts';
import { callbackUrl } from '../../upstreams/upstreams.ts';
import type { Keep } from '../advance.ts';

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
      readonly keep: Keep;
      readonly loginHint?: string | undefined;
      /** Of the application that people come from. */
      readonly request?: Pick<AuthorizationRequest, 'prompt' | 'maxAge'>;
    }
  /** The caller has made sure of fresh proof of identity. */
  | { readonly purpose: 'link'; readonly signedIn: SignedIn }
  | { readonly purpose: 'prove'; readonly signedIn: SignedIn }
  /** An administrator goes there and back, to see what arrives. That isn't a sign-in, so it works while the upstream is disabled. */
  | { readonly purpose: 'try'; readonly signedIn: SignedIn }
);

export type StartOutcome =
  /** The sealed text has to come back, in a cookie, together with the response. */
  | { kind: 'redirect'; url: string; sealed: string; label: string }
  /** There is no such upstream, or it's disabled. */
  | { kind: 'unavailable' };

/** An email address is only for the upstream that is trusted for its domain: anyone else needn't know who is coming. */
function wishesOf(upstream: Upstream, { loginHint = '', request }: Extract<UpstreamStart, { purpose: 'sign_in' }>) {
  return {
    loginHint: isEmail(loginHint) && isTrustedFor(loginHint, upstream) ? loginHint : undefined,
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
  if (upstream === undefined || (upstream.disabledAt !== null && purpose !== 'try')) return { kind: 'unavailable' };
  const pending: PendingUpstream = {
    upstream: name,
    issuer: upstream.issuer,
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
    ...(purpose === 'sign_in'
      ? wishesOf(upstream, start)
      : { fresh: purpose === 'prove', selectAccount: purpose === 'try' }),
  });
  return { kind: 'redirect', url, sealed: sealPending(services, start.browser, pending), label: upstream.label };
}

/** Signing in, linking the identity to the account of a session, proving who is in that session, or trying the upstream out. */
export type UpstreamPurpose = 'sign_in' | 'link' | 'prove' | 'try';

export interface PendingUpstream {
  /** The upstream's name. A response that arrives at another one's address is refused. */
  readonly upstream: string;
  /** Its code isn't sent to another one that has got the name meanwhile. Missing in cookies of 0.3.0. */
  readonly issuer?: string;
  readonly purpose: UpstreamPurpose;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly at: number;
  /** Where the user is going, as `formatDestination` writes it. */
  readonly target: string;
  readonly keep: Keep;
  /** The digest of the session that an identity is linked to, or proof is for. */
  readonly session: string | null;
  /** How recent the sign-in at the upstream has to be for the application that they come from, in milliseconds. */
  readonly freshSince: number | null;
}

/** How long signing in at the upstream may take. */
export const pendingLifetime = 10 * MINUTE;

/** `browser` is the value of the browser's cookie. */
export function sealPending({ keys }: Pick<Services, 'keys'>, browser: string, pending: PendingUpstream): string {
  return keys.seal(purposeFor(browser), JSON.stringify(pending));
}

/** Undefined when it was given to another browser, or too long ago. */
export function openPending(
  { keys, clock }: Pick<Services, 'clock' | 'keys'>,
  browser: string | undefined,
  sealed: string | undefined,
): PendingUpstream | undefined {
  if (browser === undefined || sealed === undefined) return undefined;
  const text = keys.unseal(purposeFor(browser), sealed);
  if (text === undefined) return undefined;
  const pending = JSON.parse(text) as PendingUpstream;
  return clock.now() - pending.at < pendingLifetime ? pending : undefined;
}

/** However many responses come with the same state, exactly one is looked into. */
export function usePending({ storage }: Storing, { state, at }: PendingUpstream): Promise<boolean> {
  return storage.consumeTicket(digestOf(`upstream ${state}`), at + pendingLifetime);
}

function purposeFor(browser: string): SealPurpose {
  return `upstream sign-in ${digestOf(browser)}`;
}
