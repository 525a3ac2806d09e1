// The second step of a sign-in: a code from an authenticator app, a passkey, or a recovery code. Between the two steps
// nothing is stored; what the password has proved travels through the browser, stamped by the HTTP layer.

import { digestOf, sameText } from '../../protocol/digest.ts';
import type { Origin } from '../../protocol/event.ts';
import { parseRecoveryCode } from '../../protocol/sign-in/recovery-code.ts';
import { secondStepCounters } from '../../protocol/sign-in/throttle-rules.ts';
import { matchingStep } from '../../protocol/sign-in/totp.ts';
import type { SignInFacts, User } from '../../storage/storage.ts';
import type { Services } from '../services.ts';
import { startAttempt } from '../throttle.ts';
import { unsealSecret } from './authenticator-secret.ts';
import { askForPasskey, type Challenge, ownerOfPasskey } from './passkey-challenge.ts';
import { clientOf, type SignInContext, type SignInMethod, type SignInOutcome, startSession } from './start-session.ts';

/** A sign-in whose password was right and whose second step is still to come. */
export interface PendingSignIn {
  readonly userId: string;
  /** A digest of the password's hash: changing the password ends every sign-in that is waiting. */
  readonly passwordMark: string;
  /** When the password was given. */
  readonly at: number;
}

/** How long the second step may take; people have to find their phone first. */
const secondStepLifetime = 10 * 60 * 1000;

export function hasSecondFactor(facts: SignInFacts): boolean {
  return facts.authenticator !== undefined || facts.passkeys.length > 0;
}

export function pendingSignIn(services: Services, user: User): PendingSignIn {
  return { userId: user.id, passwordMark: digestOf(user.passwordHash), at: services.clock.now() };
}

/** The user of a sign-in that is waiting and their second factors; undefined when it has expired. */
export async function findPendingSignIn(
  services: Services,
  pending: PendingSignIn,
  marks: readonly string[] = [],
): Promise<{ user: User; facts: SignInFacts } | undefined> {
  const { storage, clock } = services;
  if (clock.now() - pending.at >= secondStepLifetime) return undefined;
  const user = await storage.findUser(pending.userId);
  if (user === undefined || user.disabledAt !== null) return undefined;
  if (!sameText(digestOf(user.passwordHash), pending.passwordMark)) return undefined;
  return { user, facts: await storage.findSignInFacts(user.id, marks.map(digestOf)) };
}

/** What a browser needs to ask for one of the user's passkeys; undefined when the sign-in has expired. */
export async function askForSecondStepPasskey(
  services: Services,
  pending: PendingSignIn,
): Promise<{ challenge: Challenge; options: object } | undefined> {
  const found = await findPendingSignIn(services, pending);
  return found && askForPasskey(services, found.facts.passkeys);
}

export type SecondStepProof =
  | { kind: 'code'; code: string }
  | { kind: 'passkey'; answer: string; challenge: Challenge };

export type SecondStepOutcome = SignInOutcome | { kind: 'expired' };

export async function completeSecondStep(
  services: Services,
  pending: PendingSignIn,
  proof: SecondStepProof,
  context: SignInContext,
  origin: Origin,
): Promise<SecondStepOutcome> {
  const found = await findPendingSignIn(services, pending, context.browser.marks);
  if (found === undefined) return { kind: 'expired' };
  const { user, facts } = found;
  const noteRefusal = (reason: string) => {
    const about = { kind: 'sign_in_failed', userId: user.id, ...clientOf(context.destination) } as const;
    services.journal.noteRateLimited({ ...about, detail: { reason } }, origin);
  };

  const attempt = await startAttempt(services, secondStepCounters(user.id, origin.address, facts.knownDevice));
  if (attempt.kind === 'throttled') {
    noteRefusal('throttled');
    return attempt;
  }
  const method =
    proof.kind === 'code'
      ? await proveByCode(services, user, facts, proof.code, origin)
      : await proveByPasskey(services, user, proof.answer, proof.challenge);
  if (method === undefined) {
    noteRefusal('wrong_second_step');
    return { kind: 'refused' };
  }
  const started = await startSession(services, user, facts, method, context, origin);
  if (started === undefined) return { kind: 'expired' };
  await attempt.takeBack();
  return { kind: 'signed_in', ...started };
}

async function proveByPasskey(
  services: Services,
  user: User,
  answer: string,
  challenge: Challenge,
): Promise<SignInMethod | undefined> {
  const owner = await ownerOfPasskey(services, answer, challenge);
  return owner?.id === user.id ? 'password_and_passkey' : undefined;
}

/** A code from the authenticator app, or one of the recovery codes. Each works once. */
async function proveByCode(
  services: Services,
  user: User,
  { authenticator, recoveryCodes }: SignInFacts,
  code: string,
  origin: Origin,
): Promise<SignInMethod | undefined> {
  const { storage, clock, journal, emailQueue, emailTemplates } = services;
  const secret = authenticator && unsealSecret(services, user.id, authenticator.sealedSecret);
  if (authenticator !== undefined && secret !== undefined) {
    const step = matchingStep(secret, code, clock.now(), authenticator.lastStep);
    if (step !== undefined && (await storage.acceptAuthenticatorStep(user.id, step))) return 'password_and_code';
  }
  const recoveryCode = parseRecoveryCode(code);
  if (recoveryCode === undefined) return undefined;
  if (!(await storage.consumeRecoveryCode(user.id, digestOf(recoveryCode)))) return undefined;
  journal.note({ kind: 'recovery_code_used', userId: user.id, detail: { left: recoveryCodes - 1 } }, origin);
  await emailQueue.notify(emailTemplates.secondFactorChanged({ to: user.email, change: 'recovery_code_used' }));
  return 'password_and_recovery_code';
}
