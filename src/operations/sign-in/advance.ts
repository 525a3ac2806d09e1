// What follows the factors that a step of a sign-in has established, whichever step it was: starts the session if
// protocol/sign-in/next-step.ts says that nothing is missing, and otherwise says what is.

import type { Requester } from '../../protocol/event.ts';
import { hasTwoFactors } from '../../protocol/oauth/acr.ts';
import { recordOf } from '../../protocol/sign-in/factors.ts';
import { nextStep } from '../../protocol/sign-in/next-step.ts';
import type { SignInFacts } from '../../storage/storage.ts';
import { hasSecondFactor } from '../second-factors/prove-second-factor.ts';
import type { Mailing, Metering, Recording, Services } from '../services.ts';
import { type PendingSignIn, pendingSignIn } from './pending-sign-in.ts';
import { demandOf } from './second-factor-need.ts';
import { clientOf, type ProvenPerson, type StartedSession, startSession } from './start-session.ts';

export type AdvanceServices = Recording & Mailing & Metering & Pick<Services, 'settings' | 'random' | 'keys'>;

export type Advanced =
  | ({ kind: 'signed_in' } & StartedSession)
  /** `set_up`: they need a second factor and have none. */
  | { kind: 'second_step' | 'set_up'; pending: PendingSignIn };

/** Undefined when the user, or what they signed in with, has changed meanwhile. */
export async function advance(
  services: AdvanceServices,
  person: ProvenPerson,
  requester: Requester,
): Promise<Advanced | undefined> {
  const { clock, journal, meters } = services;
  const { user, facts, factors, destination, create } = person;
  // Two factors satisfy every demand, so there is no need to look it up.
  const isComplete = hasTwoFactors(recordOf(factors).amr);
  const demand = isComplete
    ? ({ need: 'none', prefersTwo: false } as const)
    : await demandOf(services, user, destination);
  const established = {
    kind: 'factors',
    factors,
    hasSecondFactor: hasSecondFactor(facts),
    trustsBrowser: clock.now() < (facts.trustedUntil ?? 0),
    ...demand,
  } as const;
  let step = nextStep(established);
  if (step.kind === 'start_session') {
    const started = await startSession(services, { ...person, factors: step.factors }, requester);
    if (started !== undefined) return { kind: 'signed_in', ...started };
    if (step.factors.second !== 'trusted_device' || person.replacementHash !== undefined) return undefined;
    // The browser may have lost its trust at this moment, which is no reason to turn anybody away.
    step = nextStep({ ...established, trustsBrowser: false });
    if (step.kind === 'start_session') return undefined;
  }
  if (create === undefined) {
    const detail = { device: requester.device ?? '' };
    journal.note({ kind: 'second_step_asked', userId: user.id, ...clientOf(destination), detail }, requester);
    meters.secondSteps.add({ result: 'asked' });
  } else if (!(await create(undefined))) return undefined;
  return { kind: step.kind, pending: pendingSignIn(services, user, person) };
}

/** Of an account that is about to be created. */
export const noFacts: SignInFacts = {
  knownDevice: undefined,
  trustedUntil: undefined,
  authenticator: undefined,
  recoveryCodes: 0,
  passkeys: [],
  suspended: [],
};
