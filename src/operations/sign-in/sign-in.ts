// Signing in with an email address and a password, with a second step, or with a passkey alone. Whether that is enough is
// decided in advance.ts, and what counts as proof of a second factor in prove-second-factor.ts.

import { standingOf } from '../../protocol/account/standing.ts';
import { digestOf } from '../../protocol/digest.ts';
import type { Requester } from '../../protocol/event.ts';
import type { SignInRefusal } from '../../protocol/sign-in/outcomes.ts';
import { isTooLong } from '../../protocol/sign-in/password-rules.ts';
import { networkOf, passkeyCounters, signInCounters } from '../../protocol/sign-in/throttle-rules.ts';
import type { NewSession } from '../../storage/storage.ts';
import { passwordSignsIn } from '../passwords/password-policy.ts';
import { noteBreach, placeOf, replacementFor } from '../passwords/passwords.ts';
import { type Challenge, ownerOfPasskey } from '../second-factors/passkey-challenge.ts';
import { proveThenStore, type SecondFactorProof, type StoredOutcome } from '../second-factors/prove-second-factor.ts';
import type { Services } from '../services.ts';
import { noteRefusedSignIn, startAttempt } from '../throttle.ts';
import {
  type Advanced,
  type AdvanceServices,
  advance,
  clientOf,
  findPendingSignIn,
  type PendingSignIn,
  refuseWaiting,
  type SignInContext,
  storeSession,
} from './advance.ts';

export type PasswordOutcome =
  | Advanced
  | { kind: 'incomplete' }
  | { kind: 'wrong_credentials' }
  /** It was right, and passwords don't sign this person in any more. */
  | { kind: 'password_over' }
  | { kind: 'throttled'; retryAfterSeconds: number };

export async function signIn(
  services: AdvanceServices & Pick<Services, 'passwords' | 'refusals' | 'isBreachedPassword'>,
  credentials: { email: string; password: string },
  context: SignInContext,
  requester: Requester,
): Promise<PasswordOutcome> {
  const { storage, passwords, refusals } = services;
  const { email, password } = credentials;
  if (email === '' || password === '') return { kind: 'incomplete' };
  const mayBeRefused = refusals.begin();
  const client = clientOf(context.destination);
  const user = await storage.findUserByEmail(email);
  const marks = context.browser.marks.map(digestOf);
  const knownDevice = await storage.findKnownDevice(user?.id ?? '', marks);
  const attempt = await startAttempt(services, 'sign_in', signInCounters(email, requester.address, knownDevice));
  if (attempt.kind === 'throttled') {
    noteRefusedSignIn(services, client, 'throttled', requester);
    return attempt;
  }

  // One person's turn, however many browsers they have made known: otherwise a single account could fill the queue.
  const place =
    user !== undefined && knownDevice !== undefined
      ? placeOf(user)
      : { owner: networkOf(requester.address), urgent: false };
  const orTakeBack = async (error: unknown): Promise<never> => {
    await attempt.takeBack();
    throw error;
  };
  const refuse = async (reason: SignInRefusal): Promise<PasswordOutcome> => {
    noteRefusedSignIn(services, { ...(user && { userId: user.id }), ...client }, reason, requester);
    await mayBeRefused();
    return { kind: 'wrong_credentials' };
  };
  const acceptable = !isTooLong(password);
  // An unknown or disabled user, or a password that is too long, still costs one hash: otherwise the time that an answer
  // takes would show whether the address has an account.
  const verified = await passwords.verify(acceptable ? password : '', user?.passwordHash, place).catch(orTakeBack);
  if (user === undefined) return refuse('unknown_person');
  if (!verified || !acceptable) return refuse('wrong_password');
  const standing = standingOf(user, services.clock.now());
  if (standing === 'waiting') {
    await attempt.takeBack();
    return refuseWaiting(services, { ...context, user }, requester);
  }
  if (standing !== 'active') return refuse(standing);
  if (!(await passwordSignsIn(services, user))) {
    noteRefusedSignIn(services, { userId: user.id, ...client }, 'password_over', requester);
    await attempt.takeBack();
    return { kind: 'password_over' };
  }
  await noteBreach(services, user, password, requester).catch(orTakeBack);

  const replacementHash = await replacementFor(services, user, password, place).catch(orTakeBack);
  // Read only now, so that guessing passwords doesn't make the service read all of it.
  const facts = await storage.findSignInFacts(user.id, marks).catch(orTakeBack);
  const person = { ...context, user, facts, factors: { first: 'password', second: 'none' } } as const;
  const outcome = await advance(services, { ...person, replacementHash }, requester);
  if (outcome === undefined) return refuse('changed_meanwhile');
  await attempt.takeBack();
  return outcome;
}

/** `codesLeft`: after a recovery code. */
export type SecondStepOutcome =
  | (Advanced & { codesLeft?: number | undefined })
  | Exclude<StoredOutcome<never>, { kind: 'stored' }>;

export async function completeSecondStep(
  services: AdvanceServices & Pick<Services, 'webauthn'>,
  pending: PendingSignIn,
  proof: SecondFactorProof,
  context: SignInContext,
  requester: Requester,
): Promise<SecondStepOutcome> {
  const found = await findPendingSignIn(services, pending, context.browser.marks);
  if (found === undefined) return { kind: 'expired' };
  const { first, ...proven } = found;
  const { user, facts } = found;
  // Trust is for those who come with a password or from an upstream: a code by email is always followed by the second step.
  const trust = context.trust === true && first !== 'email_code';
  const person = { ...context, ...proven, trust, upstream: pending.upstream };
  const claim = { user, facts, proof, about: clientOf(context.destination), condition: 'has_factor' } as const;
  const outcome = await proveThenStore(services, claim, requester, ({ by, use }) => {
    const store = (start: NewSession) => use((condition) => storeSession(services, person, start, condition));
    const together = { kind: 'second_factor', store } as const;
    return advance(services, { ...person, factors: { first, second: by }, together }, requester);
  });
  return outcome.kind === 'stored' ? { ...outcome.stored, codesLeft: outcome.codesLeft } : outcome;
}

export type PasskeyOutcome = Advanced | { kind: 'wrong_passkey' } | { kind: 'throttled'; retryAfterSeconds: number };

/** Without an email address, without a password, and without a second step. */
export async function signInWithPasskey(
  services: AdvanceServices & Pick<Services, 'webauthn'>,
  { answer, challenge }: { readonly answer: string; readonly challenge: Challenge | undefined },
  context: SignInContext,
  requester: Requester,
): Promise<PasskeyOutcome> {
  if (challenge === undefined) return { kind: 'wrong_passkey' };
  const attempt = await startAttempt(services, 'passkey', passkeyCounters(requester.address));
  if (attempt.kind === 'throttled') return attempt;
  const user = await ownerOfPasskey(services, answer, challenge);
  const standing = user && standingOf(user, services.clock.now());
  const refusal = standing === 'expired' ? standing : 'disabled';
  if (user === undefined || standing === refusal) {
    const about = { ...(user && { userId: user.id }), ...clientOf(context.destination) };
    noteRefusedSignIn(services, about, user === undefined ? 'wrong_passkey' : refusal, requester);
    return { kind: 'wrong_passkey' };
  }
  const facts = await services.storage.findSignInFacts(user.id, context.browser.marks.map(digestOf));
  const passkeyId = services.webauthn.passkeyIdOf(answer);
  const person = { ...context, user, facts, factors: { first: 'passkey', second: 'none' }, passkeyId } as const;
  const outcome = await advance(services, person, requester);
  if (outcome === undefined) return { kind: 'wrong_passkey' };
  await attempt.takeBack();
  return outcome;
}
