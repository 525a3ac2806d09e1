// How problems with an OpenID Connect provider are described: in events and in front of administrators, so nothing that was
// received is repeated except the code of an OAuth error.

import * as client from 'openid-client';
import { Unreachable } from '../webhooks/checked-host.ts';
import { quotedCode } from './answer.ts';

export function problemIn(error: unknown, server = 'the identity provider'): string {
  const cause = causeOf(error);
  if (cause instanceof Unreachable) return cause.message;
  if (error instanceof client.ResponseBodyError || error instanceof client.AuthorizationResponseError) {
    return `${server} answered with the error ${quotedCode(error.error)}`;
  }
  if (error instanceof client.WWWAuthenticateChallengeError) return `${server} refused the access token`;
  if (cause instanceof Response && !cause.ok) return `${server} answered with status ${cause.status}`;
  // The library's own sentences are fixed texts. What was received is in the cause, which isn't repeated.
  if (error instanceof Error && error.name !== 'TypeError' && error.message.length < 200) return error.message;
  return 'the response is invalid';
}

/** Whether the identity provider couldn't be reached, as opposed to an invalid response. */
export function isUnreachable(error: unknown): boolean {
  return causeOf(error) instanceof Unreachable;
}

function causeOf(error: unknown): unknown {
  let cause = error;
  for (let depth = 0; depth < 5 && cause instanceof Error && !(cause instanceof Unreachable); depth++) {
    if (cause.cause === undefined) return cause;
    cause = cause.cause;
  }
  return cause;
}
