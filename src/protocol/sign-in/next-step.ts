// Decides what comes next once a step of a sign-in has established something: another step, a session, or the place where the
// person was going. What an application asks of them there, such as consent, is decided by protocol/oauth/next-step.ts.

import { hasTwoFactors, recordOf, type SignInFactors } from './factors.ts';
import type { FactorNeed } from './second-factor-policy.ts';

export type Established = { readonly kind: 'nobody' } | ProvedFactors | OpenSession;

/** A person has proved who they are, and has no session yet. */
export interface ProvedFactors {
  readonly kind: 'factors';
  readonly factors: SignInFactors;
  /** Whether they have a second factor; a suspended one doesn't count. */
  readonly hasSecondFactor: boolean;
  readonly trustsBrowser: boolean;
  readonly need: FactorNeed;
  /** Whether what they have proved is enough to add a second factor. */
  readonly mayAddFactor: boolean;
  /** Whether the client prefers two factors, of those who have them. */
  readonly prefersTwo: boolean;
  /** Whether they were imported without the second factor that they had, and haven't opened the link to set up another one. */
  readonly hasLostFactor: boolean;
}

/** A session that has just started, or that a person comes back with. */
export interface OpenSession {
  readonly kind: 'session';
  /** What is known about a person whose session lacks a second factor; undefined if it lacks none. */
  readonly lacking: { readonly hasSecondFactor: boolean; readonly canProveHere: boolean } | undefined;
  /** Whether their password was reset, and they have to see what has access to their account. */
  readonly reviewDue: boolean;
  /** Whether they should have a passkey instead of the password that they've just signed in with. */
  readonly passkeyWanted: boolean;
}

export type FactorStep =
  | { readonly kind: 'start_session'; readonly factors: SignInFactors }
  | { readonly kind: 'second_step' }
  | { readonly kind: 'set_up' }
  /** Opening a link that is sent to them, which leads to setting one up. */
  | { readonly kind: 'set_up_by_link' };

export type SessionStep =
  | { readonly kind: 'second_step' }
  | { readonly kind: 'set_up' }
  /** Proof of identity at an upstream, without which no second factor is added. */
  | { readonly kind: 'prove' }
  | { readonly kind: 'review' }
  /** Creating one, which can wait. */
  | { readonly kind: 'passkey' }
  | { readonly kind: 'done' };

export type SignInStep = { readonly kind: 'sign_in' } | FactorStep | SessionStep;

export function nextStep(established: ProvedFactors): FactorStep;
export function nextStep(established: OpenSession): SessionStep;
export function nextStep(established: Established): SignInStep;
export function nextStep(established: Established): SignInStep {
  switch (established.kind) {
    case 'nobody':
      return { kind: 'sign_in' };
    case 'factors':
      return afterFactors(established);
    case 'session':
      return inSession(established);
  }
}

function afterFactors(proved: ProvedFactors): FactorStep {
  const { factors, hasSecondFactor, trustsBrowser, need, mayAddFactor, prefersTwo, hasLostFactor } = proved;
  if (hasTwoFactors(recordOf(factors).amr)) return { kind: 'start_session', factors };
  // Someone else may know the password, which was never enough for this account.
  if (!hasSecondFactor && hasLostFactor && factors.first === 'password') return { kind: 'set_up_by_link' };
  // A session that lacks a factor is good for nothing but setting one up, after proof of identity.
  if (!hasSecondFactor)
    return need === 'none' || !mayAddFactor ? { kind: 'start_session', factors } : { kind: 'set_up' };
  const { first } = factors;
  // Trust satisfies the policy of the service, not a client that asks for two factors itself.
  const isSpared = trustsBrowser && need !== 'client' && !prefersTwo && (first === 'password' || first === 'upstream');
  return isSpared ? { kind: 'start_session', factors: { first, second: 'trusted_device' } } : { kind: 'second_step' };
}

function inSession({ lacking, reviewDue, passkeyWanted }: OpenSession): SessionStep {
  if (lacking === undefined) return { kind: reviewDue ? 'review' : passkeyWanted ? 'passkey' : 'done' };
  if (lacking.hasSecondFactor) return { kind: 'second_step' };
  return { kind: lacking.canProveHere ? 'set_up' : 'prove' };
}
