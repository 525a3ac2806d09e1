// Proof of identity in a session that goes on: the password and a second factor, for those who have one, or a passkey. It
// counts for a while (protocol/sign-in/proof.ts), on every instance, and changes nothing else about the session.

import { digestOf } from '../../protocol/digest.ts';
import type { Requester } from '../../protocol/event.ts';
import { hasSecondFactor } from '../../protocol/sign-in/second-factor-policy.ts';
import { confirmationCounters } from '../../protocol/sign-in/throttle-rules.ts';
import type { SessionCondition, SignedIn, User } from '../../storage/storage.ts';
import { type Confirmation, confirmPassword } from '../passwords/passwords.ts';
import { askForPasskey, type Challenge, ownerOfPasskey } from '../second-factors/passkey-challenge.ts';
import { type ProofServices, proveThenStore } from '../second-factors/prove-second-factor.ts';
import type { Metering, Recording, Services, Timing } from '../services.ts';
import { noteRefusedSignIn, startAttempt } from '../throttle.ts';

export type IdentityProof =
  | { readonly kind: 'passkey'; readonly answer: string; readonly challenge: Challenge }
  | {
      readonly kind: 'password';
      readonly password: string;
      /** From an authenticator app, or a recovery code; empty for a person without a second factor. */
      readonly code: string;
      /** The browser's marks, by which it may be known for the user. */
      readonly marks: readonly string[];
    };

export type IdentityOutcome =
  /** With the session as it is now. */
  | { kind: 'proven'; signedIn: SignedIn }
  | IdentityRefusal
  /** The session ended, or the account changed, while the proof was checked. */
  | { kind: 'ended' };

export type IdentityRefusal =
  | Exclude<Confirmation, { kind: 'confirmed' }>
  | { kind: 'codes_throttled'; retryAfterSeconds: number }
  | { kind: 'code_missing' }
  | { kind: 'wrong_second_factor' }
  | { kind: 'wrong_passkey' }
  /** Of a code by email. */
  | { kind: 'wrong_email_code' }
  | { kind: 'code_spent' };

export async function proveIdentity(
  services: ProofServices & Pick<Services, 'passwords' | 'settings'>,
  signedIn: SignedIn,
  proof: IdentityProof,
  requester: Requester,
): Promise<IdentityOutcome> {
  const { storage, clock } = services;
  const { user, session } = signedIn;
  const provenAt = clock.now();
  const note = (condition?: SessionCondition) =>
    storage.proveSession(session, user.sessionGeneration, provenAt, condition);
  const outcome = (noted: boolean): IdentityOutcome =>
    noted ? { kind: 'proven', signedIn: { user, session: { ...session, provenAt } } } : { kind: 'ended' };

  if (proof.kind === 'passkey') {
    const refusal = await checkPasskey(services, user, proof, requester);
    return refusal ?? outcome(await note());
  }
  // The password comes first: without it, codes can't be guessed.
  const confirmation = await confirmPassword(services, user, proof.password, requester);
  if (confirmation.kind !== 'confirmed') return confirmation;
  const facts = await storage.findSignInFacts(user.id, proof.marks.map(digestOf));
  if (!hasSecondFactor(facts)) return outcome(await note({ kind: 'no_second_factor' }));
  const claim = { user, facts, proof: { kind: 'code', code: proof.code }, condition: 'nothing' } as const;
  const proved = await proveThenStore(services, claim, requester, ({ use }) => use(note));
  if (proved.kind === 'stored' || proved.kind === 'expired') return outcome(proved.kind === 'stored');
  return proved;
}

/** Undefined when the passkey is the user's own and has signed the challenge. */
async function checkPasskey(
  services: Recording & Metering & Pick<Services, 'webauthn'>,
  user: User,
  proof: Extract<IdentityProof, { kind: 'passkey' }>,
  requester: Requester,
): Promise<IdentityRefusal | undefined> {
  const attempt = await startAttempt(services, 'confirmation', confirmationCounters(user.id));
  if (attempt.kind === 'throttled') return attempt;
  const owner = await ownerOfPasskey(services, proof.answer, proof.challenge);
  if (owner?.id !== user.id) {
    noteRefusedSignIn(services, { userId: user.id }, 'wrong_passkey', requester);
    return { kind: 'wrong_passkey' };
  }
  await attempt.takeBack();
  return undefined;
}

/** What a browser needs to ask for one of the user's passkeys as the proof. */
export async function askForOwnPasskey(
  services: Timing & Pick<Services, 'random' | 'webauthn'>,
  user: User,
): Promise<{ challenge: Challenge; options: object }> {
  const { passkeys } = await services.storage.findSignInFacts(user.id, undefined);
  return askForPasskey(services, passkeys);
}
