// Decides what an authorization request needs next: a sign-in, a choice of account, the review after a recovery, a second factor,
// consent, or nothing, so that a code can be issued.

import { digestOf } from '../digest.ts';
import { MINUTE } from '../durations.ts';
import { type ApplicationClaim, coversClaims, scopeOfClaims } from './application-claims.ts';
import type { AuthorizationError, AuthorizationRequest } from './authorization-request.ts';
import { isWebUri } from './redirect-uri.ts';
import { coversScopes, type Scope } from './scope.ts';

export interface AuthorizationFacts {
  readonly request: AuthorizationRequest;
  readonly clientIsPublic: boolean;
  /** When the user of the browser's session signed in, in milliseconds; undefined without a session. */
  readonly authenticatedAt: number | undefined;
  /** Whether the client's `id_token_hint` is about someone other than the signed-in user. */
  readonly hintIsOfAnother: boolean;
  /** Whether the account was recovered, and its owner has to see first what has access to it. */
  readonly reviewDue: boolean;
  /** Whether the session needs a second factor for this request. */
  readonly lacksSecondFactor: boolean;
  /** What the user has just done for this request, so that `prompt` doesn't ask for it again. */
  readonly answered: CompletedPrompt | undefined;
  /** The scopes that the user has approved for this client before; undefined when there is no consent. */
  readonly consentedScopes: readonly Scope[] | undefined;
  /** What the client gets besides the claims of its scopes, and the keys of those that the user has approved. */
  readonly clientClaims: readonly ApplicationClaim[];
  readonly consentedClaims: string | null;
  /** Whether the user may use this client. */
  readonly hasAccess: boolean;
}

export type AuthorizationStep =
  | { kind: 'sign_in' }
  | { kind: 'choose_account' }
  | { kind: 'review' }
  /** The user may choose another account, or go back. */
  | { kind: 'no_access' }
  | { kind: 'second_factor' }
  | { kind: 'ask_consent' }
  | { kind: 'approved' }
  | { kind: 'denied'; error: AuthorizationError };

export function nextStep(facts: AuthorizationFacts, now: number): AuthorizationStep {
  const { request, authenticatedAt, answered } = facts;
  const silent = request.prompt.has('none');

  const tooOld =
    request.maxAge !== undefined && authenticatedAt !== undefined && now - authenticatedAt > request.maxAge * 1000;
  const mustSignIn = request.prompt.has('login') || tooOld || facts.hintIsOfAnother;
  if (authenticatedAt === undefined || (mustSignIn && answered !== 'signed_in')) {
    return silent ? denied('login_required') : { kind: 'sign_in' };
  }
  // They've signed in for this request and are someone else, so asking again would loop.
  if (facts.hintIsOfAnother) return denied('login_required');

  if (request.prompt.has('select_account') && answered === undefined) return { kind: 'choose_account' };

  if (facts.reviewDue) return silent ? denied('interaction_required') : { kind: 'review' };
  if (!facts.hasAccess) return silent ? denied('access_denied') : { kind: 'no_access' };
  if (facts.lacksSecondFactor) return silent ? denied('login_required') : { kind: 'second_factor' };

  // Any program could receive responses to other kinds of URIs, so a public client with one needs consent every time.
  const remembered =
    (!facts.clientIsPublic || isWebUri(request.redirectUri)) &&
    facts.consentedScopes !== undefined &&
    coversScopes(facts.consentedScopes, request.scopes) &&
    (!request.scopes.includes(scopeOfClaims) || coversClaims(facts.consentedClaims, facts.clientClaims)) &&
    !request.prompt.has('consent');
  if (!remembered) return silent ? denied('consent_required') : { kind: 'ask_consent' };

  return { kind: 'approved' };
}

function denied(error: AuthorizationError): AuthorizationStep {
  return { kind: 'denied', error };
}

/**
 * What the user has just done for the request, which a session notes: without it, `prompt=login` and `prompt=select_account` would
 * ask again as soon as the user had answered.
 */
export type CompletedPrompt = 'signed_in' | 'chose_account';

/** How long a sign-in counts as the answer to the request that asked for it. */
const signInLifetime = 10 * MINUTE;

const prefixes: Record<CompletedPrompt, string> = { signed_in: 'sign-in', chose_account: 'account' };

/** What a session stores as its `answered`. */
export function formatAnswer(answer: CompletedPrompt, rawQuery: string): string {
  return `${prefixes[answer]} ${digestOf(rawQuery)}`;
}

/** How the session has answered this request; undefined when it has not, or answered another one. */
export function answerTo(
  rawQuery: string,
  session: { readonly answered: string | null; readonly createdAt: number },
  now: number,
): CompletedPrompt | undefined {
  if (session.answered === null) return undefined;
  if (session.answered === formatAnswer('signed_in', rawQuery)) {
    return now - session.createdAt < signInLifetime ? 'signed_in' : undefined;
  }
  return session.answered === formatAnswer('chose_account', rawQuery) ? 'chose_account' : undefined;
}
