// Decides what a client's sign-out request does (OpenID Connect RP-Initiated Logout 1.0): whether the session ends at once
// or the user is asked first, and whether the browser may return to the client. Anyone can send such a request, so only a
// hint about the signed-in user ends a session without confirmation.

import type { QueryReading } from '../reading/parameters.ts';
import type { Hint } from './id-token-hint.ts';
import { withParameters } from './redirect-uri.ts';

export const logoutPath = '/oauth/logout';

export interface LogoutRequest {
  readonly idTokenHint: string | undefined;
  readonly clientId: string | undefined;
  readonly postLogoutRedirectUri: string | undefined;
  readonly state: string | undefined;
  readonly uiLocales: string | undefined;
}

const recognised = ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state', 'ui_locales'];

/** Undefined when a parameter is repeated or has characters that are not allowed. */
export function readLogoutRequest({ parameters, repeated, invalid }: QueryReading): LogoutRequest | undefined {
  if (recognised.some((name) => repeated.has(name) || invalid.has(name))) return undefined;
  return {
    idTokenHint: parameters.get('id_token_hint'),
    clientId: parameters.get('client_id'),
    postLogoutRedirectUri: parameters.get('post_logout_redirect_uri'),
    state: parameters.get('state'),
    uiLocales: parameters.get('ui_locales'),
  };
}

/** The hint: missing, invalid, or its content. */
export type PresentedHint = 'none' | 'invalid' | Hint;

/** The client that the request claims to come from. */
export interface Claimant {
  readonly clientId: string | undefined;
  /** Why the request isn't trusted; undefined if it is. */
  readonly doubt: 'hint_invalid' | 'client_mismatch' | undefined;
}

export function claimantOf(requestedClient: string | undefined, hint: PresentedHint): Claimant {
  if (hint === 'none') return { clientId: requestedClient, doubt: undefined };
  if (hint === 'invalid') return { clientId: requestedClient, doubt: 'hint_invalid' };
  const agrees = requestedClient === undefined || requestedClient === hint.clientId;
  return { clientId: hint.clientId, doubt: agrees ? undefined : 'client_mismatch' };
}

/** What happens to the session of the browser that sends the request. */
export type SessionStep = 'end' | 'ask' | 'none';

export function sessionStep(claimant: Claimant, hint: PresentedHint, signedInUser: string | undefined): SessionStep {
  if (signedInUser === undefined) return 'none';
  const isProved = claimant.doubt === undefined && typeof hint === 'object' && hint.userId === signedInUser;
  return isProved ? 'end' : 'ask';
}

export type ReturnRefusal =
  | 'hint_invalid'
  | 'client_mismatch'
  | 'client_missing'
  | 'unknown_client'
  | 'client_revoked'
  | 'post_logout_redirect_uri_mismatch';

/** Where the browser goes after the sign-out. */
export type LogoutReturn =
  /** The request has no redirect URI. */
  | { kind: 'none' }
  | { kind: 'redirect'; uri: string; location: string }
  /** With the registered URIs if the requested one isn't among them. */
  | { kind: 'refused'; reason: ReturnRefusal; registered?: readonly string[] };

export interface ReturningClient {
  readonly postLogoutRedirectUris: readonly string[];
  readonly revokedAt: number | null;
}

/** `client` is the claimed one, if it exists. */
export function logoutReturn(
  request: Pick<LogoutRequest, 'postLogoutRedirectUri' | 'state'>,
  claimant: Claimant,
  client: ReturningClient | undefined,
): LogoutReturn {
  const { postLogoutRedirectUri: uri, state } = request;
  if (uri === undefined) return { kind: 'none' };
  if (claimant.doubt !== undefined) return refused(claimant.doubt);
  if (claimant.clientId === undefined) return refused('client_missing');
  if (client === undefined) return refused('unknown_client');
  if (client.revokedAt !== null) return refused('client_revoked');
  const registered = client.postLogoutRedirectUris;
  if (!registered.includes(uri)) return { ...refused('post_logout_redirect_uri_mismatch'), registered };
  return { kind: 'redirect', uri, location: state === undefined ? uri : withParameters(uri, { state }) };
}

function refused(reason: ReturnRefusal): LogoutReturn & { kind: 'refused' } {
  return { kind: 'refused', reason };
}
