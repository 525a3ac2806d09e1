// Signing in with an email address and a password. A user without a second factor, or with a browser that they trust, is
// signed in; for the others the password alone starts no session, and second-step.ts continues.

import { digestOf } from '../../protocol/digest.ts';
import type { Origin } from '../../protocol/event.ts';
import type { SignInRefusal } from '../../protocol/sign-in/outcomes.ts';
import { isTooLong } from '../../protocol/sign-in/password-rules.ts';
import { networkOf, signInCounters } from '../../protocol/sign-in/throttle-rules.ts';
import type { Services } from '../services.ts';
import { startAttempt } from '../throttle.ts';
import { noteBreach } from './note-breach.ts';
import { noteRefusedSignIn } from './note-refusal.ts';
import { hasSecondFactor } from './prove-second-factor.ts';
import { demandOf } from './second-factor-need.ts';
import { type PendingSignIn, pendingSignIn } from './second-step.ts';
import { clientOf, type SignInContext, type SignInOutcome, startSession } from './start-session.ts';

export type PasswordOutcome =
  | SignInOutcome
  | { kind: 'second_step'; pending: PendingSignIn }
  /** They need a second factor and have none. */
  | { kind: 'set_up'; pending: PendingSignIn };

export async function signIn(
  services: Services,
  credentials: { email: string; password: string },
  context: SignInContext,
  origin: Origin,
): Promise<PasswordOutcome> {
  const { storage, clock, passwords, journal, meters } = services;
  const { email, password } = credentials;
  const client = clientOf(context.destination);
  const user = await storage.findUserByEmail(email);
  const facts = await storage.findSignInFacts(user?.id ?? '', context.browser.marks.map(digestOf));
  const { knownDevice } = facts;
  const attempt = await startAttempt(services, 'sign_in', signInCounters(email, origin.address, knownDevice));
  if (attempt.kind === 'throttled') {
    noteRefusedSignIn(services, client, 'throttled', origin);
    return attempt;
  }

  const acceptable = !isTooLong(password);
  // An unknown or disabled user, or a password that is too long, still costs one hash: otherwise the time that an answer
  // takes would show whether the address has an account.
  const verified = await passwords
    .verify(acceptable ? password : '', user?.passwordHash, {
      owner: knownDevice ?? networkOf(origin.address),
      urgent: knownDevice !== undefined,
    })
    .catch(async (error) => {
      await attempt.takeBack();
      throw error;
    });
  const refuse = (reason: SignInRefusal): SignInOutcome => {
    noteRefusedSignIn(services, { ...(user && { userId: user.id }), ...client }, reason, origin);
    return { kind: 'refused' };
  };
  if (user === undefined) return refuse('unknown_person');
  if (!verified || !acceptable) return refuse('wrong_password');
  if (user.disabledAt !== null) return refuse('disabled');
  await noteBreach(services, user, password, origin);

  const { need, prefersTwo } = await demandOf(services, user, context.destination);
  const asked = hasSecondFactor(facts) ? 'second_step' : need === 'none' ? undefined : 'set_up';
  if (asked !== undefined) {
    await attempt.takeBack();
    const isSpared = clock.now() < (facts.trustedUntil ?? 0) && need !== 'client' && !prefersTwo;
    if (asked === 'second_step' && isSpared) {
      const started = await startSession(services, user, facts, 'password_on_trusted_device', context, origin);
      if (started !== undefined) return { kind: 'signed_in', ...started };
    }
    const detail = { device: origin.device ?? '' };
    journal.note({ kind: 'second_step_asked', userId: user.id, ...client, detail }, origin);
    meters.secondSteps.add({ result: 'asked' });
    return { kind: asked, pending: pendingSignIn(services, user) };
  }
  const started = await startSession(services, user, facts, 'password', context, origin);
  if (started === undefined) return refuse('changed_meanwhile');
  await attempt.takeBack();
  return { kind: 'signed_in', ...started };
}
