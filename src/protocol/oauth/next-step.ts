// Decides what an authorization request needs next: a sign-in, a choice of account, a second factor, consent, or nothing, so
// that a code can be issued.

import type { AuthorizationError, AuthorizationRequest } from './authorization-request.ts';
import type { CompletedPrompt } from './request-answer.ts';
import { coversScopes, type Scope } from './scope.ts';

export interface AuthorizationFacts {
  readonly request: AuthorizationRequest;
  readonly clientIsPublic: boolean;
  /** When the user of the browser's session signed in, in milliseconds; undefined without a session. */
  readonly authenticatedAt: number | undefined;
  /** Whether the session has to get a second factor before it is good for this request. */
  readonly lacksSecondFactor: boolean;
  /** What the user has just done for this request, so that `prompt` does not ask for it again and again. */
  readonly answered: CompletedPrompt | undefined;
  /** The scopes that the user has approved for this client before; undefined when there is no consent. */
  readonly consentedScopes: readonly Scope[] | undefined;
}

export type AuthorizationStep =
  | { kind: 'sign_in' }
  | { kind: 'choose_account' }
  | { kind: 'second_factor' }
  | { kind: 'ask_consent' }
  | { kind: 'approved' }
  | { kind: 'denied'; error: AuthorizationError };

export function nextStep(facts: AuthorizationFacts, now: number): AuthorizationStep {
  const { request, authenticatedAt, answered } = facts;
  const silent = request.prompt.has('none');

  const tooOld =
    request.maxAge !== undefined && authenticatedAt !== undefined && now - authenticatedAt > request.maxAge * 1000;
  const mustSignIn = (request.prompt.has('login') || tooOld) && answered !== 'signed_in';
  if (authenticatedAt === undefined || mustSignIn) return silent ? denied('login_required') : { kind: 'sign_in' };

  if (request.prompt.has('select_account') && answered === undefined) return { kind: 'choose_account' };

  if (facts.lacksSecondFactor) return silent ? denied('login_required') : { kind: 'second_factor' };

  const remembered =
    !facts.clientIsPublic &&
    facts.consentedScopes !== undefined &&
    coversScopes(facts.consentedScopes, request.scopes) &&
    !request.prompt.has('consent');
  if (!remembered) return silent ? denied('consent_required') : { kind: 'ask_consent' };

  return { kind: 'approved' };
}

function denied(error: AuthorizationError): AuthorizationStep {
  return { kind: 'denied', error };
}
