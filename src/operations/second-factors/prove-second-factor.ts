// Proof of a second factor: a code from an authenticator app, a passkey, or a recovery code, and the write that it is for.
// Only a person with the right password gets here, so wrong proofs count against the user, not the network, and the user is
// told about them. A recovery code is used up in that write: if it fails, the code is still good.

import { digestOf } from '../../protocol/digest.ts';
import { DAY } from '../../protocol/durations.ts';
import type { EventFacts, Requester } from '../../protocol/event.ts';
import type { ProvableFactor } from '../../protocol/sign-in/factors.ts';
import {
  codeGuessCounters,
  type SecondStepSubject,
  secondStepCounters,
  wrongCodesUntilNotice,
} from '../../protocol/sign-in/throttle-rules.ts';
import { matchingStep } from '../../protocol/sign-in/totp.ts';
import { parseRecoveryCode } from '../../protocol/sign-in/typed-codes.ts';
import type { SessionCondition, SignInFacts, User } from '../../storage/storage.ts';
import type { Mailing, Metering, Recording, Services, Timing } from '../services.ts';
import { noteRefusedSignIn, startAttempt } from '../throttle.ts';
import { unsealSecret } from './authenticator-secret.ts';
import { type Challenge, ownerOfPasskey } from './passkey-challenge.ts';

export type ProofServices = Recording & Mailing & Metering & Pick<Services, 'keys' | 'webauthn'>;

export type SecondFactorProof =
  | { kind: 'code'; code: string }
  | { kind: 'passkey'; answer: string; challenge: Challenge };

type Proved =
  | { kind: 'proved'; by: 'code' | 'passkey' }
  /** `digest` is that of the code, `left` how many there are after it. */
  | { kind: 'proved'; by: 'recovery_code'; digest: string; left: number };

type ProofOutcome =
  | Proved
  | { kind: 'code_missing' }
  | { kind: 'wrong_second_factor' }
  | { kind: 'throttled'; retryAfterSeconds: number }
  /** Recovery codes and passkeys still work. */
  | { kind: 'codes_throttled'; retryAfterSeconds: number };

async function proveSecondFactor(
  services: ProofServices,
  { user, facts, proof, about = {} }: FactorClaim,
  requester: Requester,
): Promise<ProofOutcome> {
  // Not a guess, so it isn't counted as one.
  if (proof.kind === 'code' && proof.code.trim() === '') return { kind: 'code_missing' };
  const subject = { userId: user.id, sessionGeneration: user.sessionGeneration, knownDevice: facts.knownDevice };
  const noteRefusal = (reason: 'throttled' | 'wrong_second_step') => {
    noteRefusedSignIn(services, { userId: user.id, ...about }, reason, requester);
    services.meters.secondSteps.add({ result: reason === 'throttled' ? 'throttled' : 'refused' });
  };

  const attempt = await startAttempt(services, 'second_step', secondStepCounters(subject));
  if (attempt.kind === 'throttled') {
    noteRefusal('throttled');
    return attempt;
  }
  const guess = await startGuess(services, subject, proof);
  if (guess.kind === 'throttled') {
    await attempt.takeBack();
    noteRefusal('throttled');
    return { ...guess, kind: 'codes_throttled' };
  }
  const proved = await provenBy(services, user, facts, proof);
  if (proved === undefined) {
    noteRefusal('wrong_second_step');
    if (guess.today >= wrongCodesUntilNotice) await notifyOfGuesses(services, user, requester);
    return { kind: 'wrong_second_factor' };
  }
  await attempt.takeBack();
  await guess.takeBack();
  services.meters.secondSteps.add({ result: proved.by });
  return proved;
}

/** Counts a proof that could be a guess at an authenticator's code. `today` includes it. */
async function startGuess(services: Timing & Metering, subject: SecondStepSubject, proof: SecondFactorProof) {
  if (proof.kind === 'passkey' || parseRecoveryCode(proof.code) !== undefined) {
    return { kind: 'allowed', today: 0, takeBack: async () => {} } as const;
  }
  const counters = codeGuessCounters(subject);
  const attempt = await startAttempt(services, 'authenticator_code', counters);
  return attempt.kind === 'throttled' ? attempt : { ...attempt, today: attempt.failuresOn(counters[0]) };
}

/** At most once a day, however many instances notice. */
async function notifyOfGuesses(services: Mailing & Timing, user: User, requester: Requester): Promise<void> {
  const { storage, clock, emailQueue, emailsFor } = services;
  const now = clock.now();
  const today = Math.floor(now / DAY);
  if (!(await storage.consumeTicket(digestOf(`second step notice ${user.id} ${today}`), now + DAY))) return;
  const { device = '', address } = requester;
  await emailQueue.notify(emailsFor(user.locale).wrongCodes({ to: user.email, device, at: now, address }));
}

async function provenBy(
  services: Timing & Pick<Services, 'keys' | 'webauthn'>,
  user: User,
  facts: SignInFacts,
  proof: SecondFactorProof,
): Promise<Proved | undefined> {
  if (proof.kind === 'code') return provenByCode(services, user, facts, proof.code);
  const owner = await ownerOfPasskey(services, proof.answer, proof.challenge);
  return owner?.id === user.id ? { kind: 'proved', by: 'passkey' } : undefined;
}

/** A code from the authenticator app, or one of the recovery codes. Each works once. */
async function provenByCode(
  services: Timing & Pick<Services, 'keys'>,
  user: User,
  { authenticator, recoveryCodes }: SignInFacts,
  code: string,
): Promise<Proved | undefined> {
  const { storage, clock } = services;
  const secret = authenticator && unsealSecret(services, user.id, authenticator.sealedSecret);
  if (authenticator !== undefined && secret !== undefined) {
    const step = matchingStep(secret, code, clock.now(), authenticator.lastStep);
    if (step !== undefined && (await storage.acceptAuthenticatorStep(user.id, step))) {
      return { kind: 'proved', by: 'code' };
    }
  }
  const recoveryCode = parseRecoveryCode(code);
  if (recoveryCode === undefined) return undefined;
  const digest = digestOf(recoveryCode);
  if (!(await storage.hasRecoveryCode(user.id, digest))) return undefined;
  return { kind: 'proved', by: 'recovery_code', digest, left: recoveryCodes - 1 };
}

/** Whose second factor is asked for, and what they have given. */
export interface FactorClaim {
  readonly user: User;
  readonly facts: SignInFacts;
  readonly proof: SecondFactorProof;
  /** What the events of a failure say besides its reason. */
  readonly about?: Pick<EventFacts, 'clientId'>;
  /**
   * What has to hold when the proof is used. `has_factor`: the person may lose the factor that they have just proved, and
   * what is stored counts on it. `nothing`: the proof alone counts. A recovery code must be unused either way.
   */
  readonly condition: 'has_factor' | 'nothing';
}

/** A proof that was right, for the one write that it is for. */
export interface UsableProof {
  readonly by: ProvableFactor;
  /** The write uses the recovery code up, if that was the proof, and answers whether it took place. */
  use(write: (condition: SessionCondition | undefined) => Promise<boolean>): Promise<boolean>;
}

export type StoredOutcome<Stored> =
  /** `codesLeft`: how many recovery codes are left, if it was proved with one. */
  | { kind: 'stored'; stored: Stored; codesLeft: number | undefined }
  | Exclude<ProofOutcome, Proved>
  /** What it was proved for is no longer there. */
  | { kind: 'expired' };

/** Proves a second factor, then stores what it was proved for; `store` answers false or undefined if it couldn't be stored. */
export async function proveThenStore<Stored>(
  services: ProofServices,
  claim: FactorClaim,
  requester: Requester,
  store: (proof: UsableProof) => Promise<Stored | false | undefined>,
): Promise<StoredOutcome<Stored>> {
  const proved = await proveSecondFactor(services, claim, requester);
  if (proved.kind !== 'proved') return proved;
  const held = claim.condition === 'has_factor' ? ({ kind: 'second_factor' } as const) : undefined;
  const stored = await store({
    by: proved.by,
    async use(write) {
      if (proved.by !== 'recovery_code') return write(held);
      const used = await write({ kind: 'recovery_code', digest: proved.digest });
      if (used) await noteUsedCode(services, claim.user, proved.left, requester);
      return used;
    },
  });
  const codesLeft = proved.by === 'recovery_code' ? proved.left : undefined;
  if (stored !== undefined && stored !== false) return { kind: 'stored', stored, codesLeft };
  // Another request may have used the recovery code at the same moment.
  return { kind: proved.by === 'recovery_code' ? 'wrong_second_factor' : 'expired' };
}

async function noteUsedCode(
  { clock, journal, emailQueue, emailsFor }: Mailing & Pick<Services, 'clock' | 'journal'>,
  user: User,
  left: number,
  requester: Requester,
): Promise<void> {
  journal.note({ kind: 'recovery_code_used', userId: user.id, detail: { left } }, requester);
  const { device = '', address } = requester;
  const email = { to: user.email, device, at: clock.now(), address, left };
  await emailQueue.notify(emailsFor(user.locale).recoveryCodeUsed(email));
}
