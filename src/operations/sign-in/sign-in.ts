// Signing in with an email address and a password. A user without a second factor, or with a browser that they trust, is
// signed in; for the others the password alone starts no session (first-factor.ts), and second-step.ts continues.

import { digestOf } from '../../protocol/digest.ts';
import type { Requester } from '../../protocol/event.ts';
import type { SignInRefusal } from '../../protocol/sign-in/outcomes.ts';
import { isTooLong } from '../../protocol/sign-in/password-rules.ts';
import { networkOf, signInCounters } from '../../protocol/sign-in/throttle-rules.ts';
import { noteRefusedSignIn } from '../note-refusal.ts';
import { noteBreach } from '../passwords/note-breach.ts';
import { replacementFor } from '../passwords/replacement-hash.ts';
import type { Services } from '../services.ts';
import { startAttempt } from '../throttle.ts';
import { afterFirstFactor, type FirstFactorOutcome } from './first-factor.ts';
import { clientOf, type SignInContext, type SignInOutcome } from './start-session.ts';

export type PasswordOutcome = SignInOutcome | FirstFactorOutcome;

export async function signIn(
  services: Services,
  credentials: { email: string; password: string },
  context: SignInContext,
  requester: Requester,
): Promise<PasswordOutcome> {
  const { storage, passwords, refusals } = services;
  const mayBeRefused = refusals.begin();
  const { email, password } = credentials;
  const client = clientOf(context.destination);
  const user = await storage.findUserByEmail(email);
  const facts = await storage.findSignInFacts(user?.id ?? '', context.browser.marks.map(digestOf));
  const { knownDevice } = facts;
  const attempt = await startAttempt(services, 'sign_in', signInCounters(email, requester.address, knownDevice));
  if (attempt.kind === 'throttled') {
    noteRefusedSignIn(services, client, 'throttled', requester);
    return attempt;
  }

  const place = { owner: knownDevice ?? networkOf(requester.address), urgent: knownDevice !== undefined };
  const orTakeBack = async (error: unknown): Promise<never> => {
    await attempt.takeBack();
    throw error;
  };
  const refuse = async (reason: SignInRefusal): Promise<SignInOutcome> => {
    noteRefusedSignIn(services, { ...(user && { userId: user.id }), ...client }, reason, requester);
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
  await noteBreach(services, user, password, requester).catch(orTakeBack);

  const replacementHash = await replacementFor(services, user, password, place).catch(orTakeBack);
  let outcome = await afterFirstFactor(services, user, facts, { ...context, replacementHash }, requester);
  if (outcome === undefined && replacementHash !== undefined) {
    // Somebody who clicks twice signs in twice at once, and only one of the two replaces the hash.
    const current = await storage.findUser(user.id);
    const stillVerified = await passwords.verify(password, current?.passwordHash, place).catch(orTakeBack);
    if (current !== undefined && stillVerified) {
      outcome = await afterFirstFactor(services, current, facts, context, requester);
    }
  }
  if (outcome === undefined) return refuse('changed_meanwhile');
  await attempt.takeBack();
  return outcome;
}
