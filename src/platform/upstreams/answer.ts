// What the service asks a provider, and what it makes of the answer.

import type { UpstreamClaims } from '../../protocol/upstreams/claims.ts';
import type { UpstreamMetadata } from '../../protocol/upstreams/metadata.ts';

/** What there is to know about an upstream to talk to it. */
export interface UpstreamFacts {
  readonly issuer: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly metadata: UpstreamMetadata;
}

/** What ties a response to the request that it answers. */
export interface RoundTrip {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE. */
  readonly verifier: string;
}

export interface AuthorizationOptions extends RoundTrip {
  /** The provider has to ask who it is, whatever session it has. */
  readonly fresh: boolean;
  readonly loginHint?: string | undefined;
  /** What an application has asked for, passed on: an account to be chosen, or the age of the sign-in in seconds. */
  readonly selectAccount?: boolean;
  readonly maxAge?: number | undefined;
}

export interface AuthorizationResponse extends RoundTrip {
  /** As the browser has brought it, without the question mark. */
  readonly query: string;
  readonly secret: string;
  /** In milliseconds. */
  readonly startedAt: number;
  readonly now: number;
}

export type AnswerRefusal = 'upstream_denied' | 'upstream_error' | 'upstream_unreachable' | 'upstream_invalid_response';

export type UpstreamAnswer =
  | { readonly kind: 'identified'; readonly claims: UpstreamClaims }
  /** The problem says in words what was wrong. */
  | { readonly kind: 'refused'; readonly reason: AnswerRefusal; readonly problem: string };

export function refusedAnswer(reason: AnswerRefusal, problem: string): UpstreamAnswer {
  return { kind: 'refused', reason, problem };
}

export function invalidAnswer(problem: string): UpstreamAnswer {
  return refusedAnswer('upstream_invalid_response', problem);
}
