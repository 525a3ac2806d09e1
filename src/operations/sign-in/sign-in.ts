// Signing in with an email address and a password. A user without a second factor, or with a browser that they trust, is
// signed in; for the others the password alone starts no session, and second-step.ts continues.

import { digestOf } from '../../protocol/digest.ts';
import type { Origin } from '../../protocol/event.ts';
import type { SignInRefusal } from '../../protocol/sign-in/outcomes.ts';
import { isTooLong } from '../../protocol/sign-in/password-rules.ts';
import { networkOf, signInCounters } from '../../protocol/sign-in/throttle-rules.ts';
import type { SignInFacts, User } from '../../storage/storage.ts';
import type { Services } from '../services.ts';
import { startAttempt } from '../throttle.ts';
import { noteBreach } from './note-breach.ts';
import { noteRefusedSignIn } from './note-refusal.ts';
import { hasSecondFactor } from './prove-second-factor.ts';
import { replacementFor } from './replacement-hash.ts';
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
  const { storage, passwords, refusals } = services;
  const mayBeRefused = refusals.begin();
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

  const place = { owner: knownDevice ?? networkOf(origin.address), urgent: knownDevice !== undefined };
  const orTakeBack = async (error: unknown): Promise<never> => {
    await attempt.takeBack();
    throw error;
  };
  const refuse = async (reason: SignInRefusal): Promise<SignInOutcome> => {
    noteRefusedSignIn(services, { ...(user && { userId: user.id }), ...client }, reason, origin);
    await mayBeRefused();
    return { kind: 'refused' };
  };
  const acceptable = !isTooLong(password);
  // An unknown or disabled user, or a password that is too long, still costs one hash: otherwise the time that an answer
  // takes would show whether the address has an account.
  const verified = await passwords.verify(acceptable ? password : '', user?.passwordHash, place).catch(orTakeBack);
  if (user === undefined) return refuse('unknown_person');
  if (!verified || !acceptable) return refuse('wrong_password');
  if (user.disabledAt !== null) return refuse('disabled');
  await noteBreach(services, user, password, origin).catch(orTakeBack);

  const replacementHash = await replacementFor(services, user, password, place).catch(orTakeBack);
  let outcome = await proceed(services, user, facts, { ...context, replacementHash }, origin);
  if (outcome === undefined && replacementHash !== undefined) {
    // Somebody who clicks twice signs in twice at once, and only one of the two replaces the hash.
    const current = await storage.findUser(user.id);
    const stillVerified = await passwords.verify(password, current?.passwordHash, place).catch(orTakeBack);
    if (current !== undefined && stillVerified) outcome = await proceed(services, current, facts, context, origin);
  }
  if (outcome === undefined) return refuse('changed_meanwhile');
  await attempt.takeBack();
  return outcome;
}

/** What the right password leads to; undefined when the user has changed since it was checked. */
async function proceed(
  services: Services,
  user: User,
  facts: SignInFacts,
  context: SignInContext,
  origin: Origin,
): Promise<PasswordOutcome | undefined> {
  const { clock, journal, meters } = services;
  const { need, prefersTwo } = await demandOf(services, user, context.destination);
  const asked = hasSecondFactor(facts) ? 'second_step' : need === 'none' ? undefined : 'set_up';
  if (asked === undefined) {
    const started = await startSession(services, user, facts, 'password', context, origin);
    return started && { kind: 'signed_in', ...started };
  }
  const isSpared = clock.now() < (facts.trustedUntil ?? 0) && need !== 'client' && !prefersTwo;
  if (asked === 'second_step' && isSpared) {
    const started = await startSession(services, user, facts, 'password_on_trusted_device', context, origin);
    if (started !== undefined) return { kind: 'signed_in', ...started };
    if (context.replacementHash !== undefined) return undefined;
  }
  const detail = { device: origin.device ?? '' };
  journal.note({ kind: 'second_step_asked', userId: user.id, ...clientOf(context.destination), detail }, origin);
  meters.secondSteps.add({ result: 'asked' });
  return { kind: asked, pending: pendingSignIn(services, user, context.replacementHash) };
}
