// The second step of a sign-in. What counts as proof of a second factor is decided in prove-second-factor.ts.

import type { Requester } from '../../protocol/event.ts';
import type { NewSession } from '../../storage/storage.ts';
import { proveThenStore, type SecondFactorProof, type StoredOutcome } from '../second-factors/prove-second-factor.ts';
import type { Services } from '../services.ts';
import { type Advanced, type AdvanceServices, advance } from './advance.ts';
import { findPendingSignIn, type PendingSignIn } from './pending-sign-in.ts';
import { clientOf, type SignInContext, storeSession } from './start-session.ts';

export type SecondStepOutcome = Advanced | Exclude<StoredOutcome<never>, { kind: 'stored' }>;

export async function completeSecondStep(
  services: AdvanceServices & Pick<Services, 'webauthn'>,
  pending: PendingSignIn,
  proof: SecondFactorProof,
  context: SignInContext,
  requester: Requester,
): Promise<SecondStepOutcome> {
  const found = await findPendingSignIn(services, pending, context.browser.marks);
  if (found === undefined) return { kind: 'expired' };
  const { user, facts, first, replacementHash } = found;
  const person = { ...context, user, facts, upstream: pending.upstream, replacementHash };
  const claim = { user, facts, proof, about: clientOf(context.destination), condition: 'has_factor' } as const;
  const outcome = await proveThenStore(services, claim, requester, ({ by, use }) => {
    const store = (start: NewSession) => use((condition) => storeSession(services, person, start, condition));
    return advance(services, { ...person, factors: { first, second: by }, store }, requester);
  });
  return outcome.kind === 'stored' ? outcome.stored : outcome;
}
