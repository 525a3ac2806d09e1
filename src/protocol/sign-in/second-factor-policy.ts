// Who needs a second factor, who has one, and whether a session has it. The policy of the service and a client's own rule are
// different needs: a trusted browser satisfies the policy only.

import type { SecondFactorPolicy } from '../resources/settings.ts';
import { hasTwoFactors } from './factors.ts';

/** `client`: the client that the user is going to requires two factors, whatever the policy says. */
export type FactorNeed = 'none' | 'policy' | 'client';

export interface NeedFacts {
  readonly policy: SecondFactorPolicy;
  readonly hasRole: boolean;
  /** The client's own rule; undefined for a page of the service. */
  readonly client: 'required' | 'optional' | undefined;
}

export function factorNeed({ policy, hasRole, client }: NeedFacts): FactorNeed {
  if (client === 'required') return 'client';
  return policy === 'everyone' || (policy === 'administrators' && hasRole) ? 'policy' : 'none';
}

export function satisfies(
  session: { readonly amr: readonly string[]; readonly trusted: boolean },
  need: FactorNeed,
): boolean {
  return need === 'none' || hasTwoFactors(session.amr) || (need === 'policy' && session.trusted);
}

/** Of factors that aren't suspended. */
export function hasSecondFactor(has: {
  readonly authenticator?: unknown;
  readonly passkeys: readonly unknown[];
}): boolean {
  return has.authenticator !== undefined || has.passkeys.length > 0;
}
