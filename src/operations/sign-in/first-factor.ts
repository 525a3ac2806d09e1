// What follows a first factor that was right, be it the password or an identity at another provider: a session for whoever
// needs nothing else, and otherwise the second step, or setting one up.

import type { Requester } from '../../protocol/event.ts';
import type { SignInMethod } from '../../protocol/sign-in/outcomes.ts';
import type { SignInFacts, User } from '../../storage/storage.ts';
import { hasSecondFactor } from '../second-factors/prove-second-factor.ts';
import type { Services } from '../services.ts';
import { demandOf } from './second-factor-need.ts';
import { type PendingSignIn, pendingSignIn } from './second-step.ts';
import { clientOf, type SignInContext, type StartedSession, startSession } from './start-session.ts';

export type FirstFactorOutcome =
  | ({ kind: 'signed_in' } & StartedSession)
  | { kind: 'second_step'; pending: PendingSignIn }
  /** They need a second factor and have none. */
  | { kind: 'set_up'; pending: PendingSignIn };

/** Undefined when the user, or what they signed in with, has changed meanwhile. */
export async function afterFirstFactor(
  services: Services,
  user: User,
  facts: SignInFacts,
  context: SignInContext,
  requester: Requester,
): Promise<FirstFactorOutcome | undefined> {
  const { clock, journal, meters } = services;
  const isUpstream = context.upstream !== undefined;
  const start = async (method: SignInMethod): Promise<FirstFactorOutcome | undefined> => {
    const started = await startSession(services, user, facts, method, context, requester);
    return started && { kind: 'signed_in', ...started };
  };
  const { need, prefersTwo } = await demandOf(services, user, context.destination);
  const asked = hasSecondFactor(facts) ? 'second_step' : need === 'none' ? undefined : 'set_up';
  if (asked === undefined) return start(isUpstream ? 'upstream' : 'password');
  const isSpared = clock.now() < (facts.trustedUntil ?? 0) && need !== 'client' && !prefersTwo;
  if (asked === 'second_step' && isSpared) {
    const started = await start(isUpstream ? 'upstream_on_trusted_device' : 'password_on_trusted_device');
    if (started !== undefined || context.replacementHash !== undefined) return started;
  }
  const detail = { device: requester.device ?? '' };
  journal.note({ kind: 'second_step_asked', userId: user.id, ...clientOf(context.destination), detail }, requester);
  meters.secondSteps.add({ result: 'asked' });
  return { kind: asked, pending: pendingSignIn(services, user, context) };
}
