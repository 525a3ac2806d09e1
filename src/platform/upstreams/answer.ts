// Requests to an identity provider, how its responses are read, and how problems with them are described: in events and in
// front of administrators, so nothing that was received is repeated except the code of an OAuth error.

import * as client from 'openid-client';
import type { UpstreamClaims } from '../../protocol/upstreams/claims.ts';
import type { UpstreamMetadata } from '../../protocol/upstreams/metadata.ts';
import { Unreachable } from '../webhooks/checked-host.ts';

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

export type UpstreamAnswer =
  | { readonly kind: 'identified'; readonly claims: UpstreamClaims }
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

export function problemIn(error: unknown): string {
  const cause = causeOf(error);
  if (cause instanceof Unreachable) return cause.message;
  if (error instanceof client.ResponseBodyError || error instanceof client.AuthorizationResponseError) {
    return `the identity provider answered with the error ${quotedCode(error.error)}`;
  }
  if (error instanceof client.WWWAuthenticateChallengeError) return 'the identity provider refused the access token';
  if (cause instanceof Response && !cause.ok) return `the identity provider answered with status ${cause.status}`;
  // The library's own sentences are fixed texts. What was received is in the cause, which isn't repeated.
  if (error instanceof Error && error.name !== 'TypeError' && error.message.length < 200) return error.message;
  return 'the response is invalid';
}

/** Whether the identity provider couldn't be reached, as opposed to an invalid response. */
export function isUnreachable(error: unknown): boolean {
  return causeOf(error) instanceof Unreachable;
}

export function quotedCode(code: unknown): string {
  return typeof code === 'string' && errorCode.test(code) ? code : '(unknown)';
}

function causeOf(error: unknown): unknown {
  let cause = error;
  for (let depth = 0; depth < 5 && cause instanceof Error && !(cause instanceof Unreachable); depth++) {
    if (cause.cause === undefined) return cause;
    cause = cause.cause;
  }
  return cause;
}
