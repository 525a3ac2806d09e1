// A person proves who they are: with a password, and with a second step where they have turned one on.

import { digestOf, sameText } from '../../protocol/digest.ts';
import type { Origin } from '../../protocol/event.ts';
import { isTooLong } from '../../protocol/sign-in/password-rules.ts';
import { parseRecoveryCode } from '../../protocol/sign-in/recovery-code.ts';
import { networkOf, secondStepCounters, signInCounters } from '../../protocol/sign-in/throttle-rules.ts';
import { matchingStep } from '../../protocol/sign-in/totp.ts';
import type { SignInFacts, User } from '../../storage/storage.ts';
import { notifyUser, readAuthenticatorSecret } from '../account/second-factors.ts';
import type { Services } from '../services.ts';
import { admit } from '../throttle.ts';
import { type SignInContext, type SignInMethod, type StartedSession, startSession } from './start-session.ts';

export interface SignInAttempt extends SignInContext {
  readonly email: string;
  readonly password: string;
}

/** The password was right, and something more is needed. Travels through the browser, stamped. */
export interface PendingSignIn {
  readonly userId: string;
  /** Void once the password is another. */
  readonly passwordMark: string;
  readonly at: number;
}

export type SignInOutcome =
  | ({ kind: 'signed_in' } & StartedSession)
  | { kind: 'second_step'; pending: PendingSignIn }
  | { kind: 'refused' }
  | { kind: 'throttled'; retryAfterSeconds: number };

/** How long somebody may look for their telephone. */
const secondStepLifetime = 10 * 60 * 1000;

export async function signIn(services: Services, attempt: SignInAttempt, origin: Origin): Promise<SignInOutcome> {
  const { storage, clock, passwords, journal } = services;
  const client = attempt.clientId === undefined ? {} : { clientId: attempt.clientId };
  const user = await storage.findUserByEmail(attempt.email);
  const facts = await storage.findSignInFacts(user?.id ?? '', deviceDigest(attempt));
  const known = facts.knownDevice ? deviceDigest(attempt) : undefined;
  const admission = await admit(services, signInCounters(attempt.email, origin.address, known));
  if (admission.kind === 'throttled') {
    journal.noteFromStranger({ kind: 'sign_in_failed', ...client, detail: { reason: 'throttled' } }, origin);
    return admission;
  }

  const acceptable = !isTooLong(attempt.password);
  // A person who is unknown, disabled or typing too much still costs one hash, so that the time tells nothing.
  const verified = await passwords
    .verify(acceptable ? attempt.password : '', user?.passwordHash, {
      owner: known ?? networkOf(origin.address),
      urgent: known !== undefined,
    })
    .catch(async (error) => {
      await admission.takeBack();
      throw error;
    });
  const failed = (reason: string): SignInOutcome => {
    const about = { kind: 'sign_in_failed', ...client, detail: { reason } } as const;
    journal.noteFromStranger(user === undefined ? about : { ...about, userId: user.id }, origin);
    return { kind: 'refused' };
  };
  if (user === undefined) return failed('unknown_person');
  if (!verified || !acceptable) return failed('wrong_password');
  if (user.disabledAt !== null) return failed('disabled');

  if (hasSecondFactor(facts)) {
    await admission.takeBack();
    journal.note(
      { kind: 'second_step_asked', userId: user.id, ...client, detail: { device: origin.device ?? '' } },
      origin,
    );
    const pending = { userId: user.id, passwordMark: digestOf(user.passwordHash), at: clock.now() };
    return { kind: 'second_step', pending };
  }
  const started = await startSession(services, user, facts, 'password', attempt, origin);
  if (started === undefined) return failed('changed_meanwhile');
  await admission.takeBack();
  return { kind: 'signed_in', ...started };
}

export function hasSecondFactor(facts: SignInFacts): boolean {
  return facts.authenticator !== undefined || facts.passkeys.length > 0;
}

/** Whom a pending sign-in is about; undefined when it is over. */
export async function findPendingSignIn(
  services: Services,
  pending: PendingSignIn,
  device: string | undefined,
): Promise<{ user: User; facts: SignInFacts } | undefined> {
  const { storage, clock } = services;
  if (clock.now() - pending.at >= secondStepLifetime) return undefined;
  const user = await storage.findUser(pending.userId);
  if (user === undefined || user.disabledAt !== null) return undefined;
  if (!sameText(digestOf(user.passwordHash), pending.passwordMark)) return undefined;
  return { user, facts: await storage.findSignInFacts(user.id, device && digestOf(device)) };
}

export type SecondStepOutcome = Exclude<SignInOutcome, { kind: 'second_step' }> | { kind: 'expired' };

/** A proof of the second step: tells how it was proved, or undefined. */
export type SecondProof = (user: User, facts: SignInFacts) => Promise<SignInMethod | undefined>;

export async function completeSecondStep(
  services: Services,
  pending: PendingSignIn,
  proof: SecondProof,
  context: SignInContext,
  origin: Origin,
): Promise<SecondStepOutcome> {
  const { journal } = services;
  const found = await findPendingSignIn(services, pending, context.device);
  if (found === undefined) return { kind: 'expired' };
  const { user, facts } = found;
  const client = context.clientId === undefined ? {} : { clientId: context.clientId };
  const refused = (reason: string) =>
    journal.noteFromStranger({ kind: 'sign_in_failed', userId: user.id, ...client, detail: { reason } }, origin);

  const known = facts.knownDevice ? deviceDigest(context) : undefined;
  const admission = await admit(services, secondStepCounters(user.id, origin.address, known));
  if (admission.kind === 'throttled') {
    refused('throttled');
    return admission;
  }
  const method = await proof(user, facts);
  if (method === undefined) {
    refused('wrong_second_step');
    return { kind: 'refused' };
  }
  const started = await startSession(services, user, facts, method, context, origin);
  if (started === undefined) return { kind: 'expired' };
  await admission.takeBack();
  return { kind: 'signed_in', ...started };
}

/** A code of the authenticator app, or one of the recovery codes. Each works once. */
export function proofByCode(services: Services, code: string, origin: Origin): SecondProof {
  const { storage, clock, journal } = services;
  return async (user, facts) => {
    const secret = facts.authenticator && readAuthenticatorSecret(services, user.id, facts.authenticator);
    if (secret !== undefined && facts.authenticator !== undefined) {
      const step = matchingStep(secret, code, clock.now(), facts.authenticator.lastStep);
      if (step !== undefined && (await storage.acceptAuthenticatorStep(user.id, step))) return 'password_and_code';
    }
    const recoveryCode = parseRecoveryCode(code);
    if (recoveryCode === undefined || !(await storage.useRecoveryCode(user.id, digestOf(recoveryCode))))
      return undefined;
    journal.note({ kind: 'recovery_code_used', userId: user.id, detail: { left: facts.recoveryCodes - 1 } }, origin);
    await notifyUser(services, user, 'recovery_code_used');
    return 'password_and_recovery_code';
  };
}

function deviceDigest(context: SignInContext): string | undefined {
  return context.device && digestOf(context.device);
}
