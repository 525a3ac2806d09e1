// Asks a signed-in user for their password and for a second factor, if they have one, before a change to their second
// factors: whoever knows only the password must not be able to take the other one away.

import { digestOf } from '../../protocol/digest.ts';
import type { Origin } from '../../protocol/event.ts';
import type { User } from '../../storage/storage.ts';
import type { Services } from '../services.ts';
import { type Confirmation, confirmPassword } from './confirm-password.ts';
import { askForPasskey, type Challenge } from './passkey-challenge.ts';
import {
  hasSecondFactor,
  type ProofOutcome,
  proveSecondFactor,
  type SecondFactorProof,
  useProof,
} from './prove-second-factor.ts';

export interface FactorConfirmation {
  readonly currentPassword: string;
  readonly proof: SecondFactorProof;
  /** The browser's marks, by which it may be known for the user. */
  readonly marks: readonly string[];
}

export type FactorRefusal =
  | Exclude<Confirmation, { kind: 'confirmed' }>
  | Extract<ProofOutcome, { kind: 'codes_throttled' }>
  | { kind: 'wrong_second_factor' };

/**
 * The password comes first: without it, nobody gets to guess a code. `change` gets the digest of the recovery code that it
 * has to use up, if there is one, and answers whether it took place.
 */
export async function changeWithSecondFactor(
  services: Services,
  user: User,
  { currentPassword, proof, marks }: FactorConfirmation,
  origin: Origin,
  change: (recoveryCode: string | undefined) => Promise<boolean>,
): Promise<{ kind: 'done' } | { kind: 'not_possible' } | FactorRefusal> {
  const outcome = (done: boolean) => ({ kind: done ? 'done' : 'not_possible' }) as const;
  const confirmation = await confirmPassword(services, user, currentPassword, origin);
  if (confirmation.kind !== 'confirmed') return confirmation;
  const facts = await services.storage.findSignInFacts(user.id, marks.map(digestOf));
  if (!hasSecondFactor(facts)) return outcome(await change(undefined));
  const proved = await proveSecondFactor(services, user, facts, proof, {}, origin);
  if (proved.kind === 'proved') return outcome(await useProof(services, user, proved, origin, change));
  return proved.kind === 'refused' ? { kind: 'wrong_second_factor' } : proved;
}

/** What a browser needs to ask for one of the user's passkeys as the proof. */
export async function askForOwnPasskey(
  services: Services,
  user: User,
): Promise<{ challenge: Challenge; options: object }> {
  const { passkeys } = await services.storage.findSignInFacts(user.id, undefined);
  return askForPasskey(services, passkeys);
}
