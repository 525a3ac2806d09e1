// Requests to an identity provider and what comes of its responses. Of a response that is refused, nothing but the code of an
// OAuth error is repeated.

import type { RawClaims, UpstreamClaims } from '../../protocol/upstreams/claims.ts';
import type { UpstreamMetadata } from '../../protocol/upstreams/metadata.ts';

/** What is needed to talk to an upstream. */
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
  /** The upstream has to authenticate the person again, whatever session they have there. */
  readonly fresh: boolean;
  readonly loginHint?: string | undefined;
  /** Passed on from an application's request: account selection, or the maximum age of the sign-in in seconds. */
  readonly selectAccount?: boolean;
  readonly maxAge?: number | undefined;
}

export interface AuthorizationResponse extends RoundTrip {
  /** The callback's query, without the question mark. */
  readonly query: string;
  readonly secret: string;
  /** In milliseconds. */
  readonly startedAt: number;
  readonly now: number;
}

export type AnswerRefusal = 'upstream_denied' | 'upstream_error' | 'upstream_unreachable' | 'upstream_invalid_response';

/** What the claims were read from, as it came. */
export interface ReceivedClaims {
  readonly from: 'id_token' | 'userinfo' | 'api';
  readonly claims: RawClaims;
}

export type UpstreamAnswer =
  | { readonly kind: 'identified'; readonly claims: UpstreamClaims; readonly received: readonly ReceivedClaims[] }
  /** The problem is a readable phrase. */
  | { readonly kind: 'refused'; readonly reason: AnswerRefusal; readonly problem: string };

export function refusedAnswer(reason: AnswerRefusal, problem: string): UpstreamAnswer {
  return { kind: 'refused', reason, problem };
}

export function invalidAnswer(problem: string): UpstreamAnswer {
  return refusedAnswer('upstream_invalid_response', problem);
}

/** The code of an OAuth error; anything else is dropped. */
const errorCode = /^[a-z0-9_.-]{1,60}$/i;

export function quotedCode(code: unknown): string {
  return typeof code === 'string' && errorCode.test(code) ? code : '(unknown)';
}
