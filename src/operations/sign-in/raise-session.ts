// A person who is signed in without a second factor proves one, or sets one up, because a policy or a client asks for it now.
// The session goes on under a new secret: a copy of the old one is worth nothing.

import { digestOf } from '../../protocol/digest.ts';
import type { Requester } from '../../protocol/event.ts';
import { newSecret } from '../../protocol/identifiers.ts';
import { firstFactorOf, type ProvableFactor, recordOf } from '../../protocol/sign-in/factors.ts';
import { isProven } from '../../protocol/sign-in/proof.ts';
import { hasSecondFactor } from '../../protocol/sign-in/second-factor-policy.ts';
import type { RaisedSession, SignedIn, User } from '../../storage/storage.ts';
import { type Confirmation, confirmPassword } from '../passwords/passwords.ts';
import {
  type ProofServices,
  proveThenStore,
  type SecondFactorProof,
  type StoredOutcome,
} from '../second-factors/prove-second-factor.ts';
import type { Services } from '../services.ts';
import {
  addFirstFactor,
  type FirstFactorServices,
  type GivenFactor,
  type NewCodes,
  type OfferedKey,
  provedBy,
  type Unfinished,
} from './set-up-factor.ts';

export interface Raised {
  readonly kind: 'raised';
  readonly sessionSecret: string;
  readonly kept: boolean;
  readonly user: User;
  readonly newCodes?: NewCodes;
  /** After a recovery code. */
  readonly codesLeft?: number | undefined;
}

export type RaiseOutcome = Raised | Exclude<StoredOutcome<never>, { kind: 'stored' }>;

export async function raiseSession(
  services: ProofServices & Pick<Services, 'random'>,
  signedIn: SignedIn,
  proof: SecondFactorProof,
  marks: readonly string[],
  requester: Requester,
): Promise<RaiseOutcome> {
  const { storage } = services;
  const { user, session } = signedIn;
  const facts = await storage.findSignInFacts(user.id, marks.map(digestOf));
  // In a trusted browser the first factor was no proof by itself; with the second one it is, from when it was given.
  const provenAt = session.trusted ? session.createdAt : session.provenAt;
  const claim = { user, facts, proof, condition: 'has_factor' } as const;
  const outcome = await proveThenStore(services, claim, requester, async ({ by, use }) => {
    const { sessionSecret, raised } = raisedSession(services, signedIn, by, provenAt);
    const done = await use((condition) =>
      storage.raiseSession(
        raised,
        user.sessionGeneration,
        condition?.kind === 'recovery_code' ? condition.digest : undefined,
      ),
    );
    if (!done) return undefined;
    noteRaised(services, signedIn, by, requester);
    return { kind: 'raised', sessionSecret, kept: session.kept, user } as const;
  });
  return outcome.kind === 'stored' ? { ...outcome.stored, codesLeft: outcome.codesLeft } : outcome;
}

/** Whether adding a second factor in this session takes the password again. */
export function needsPassword({ clock }: Pick<Services, 'clock'>, { session }: SignedIn): boolean {
  return !isProven(session, clock.now());
}

export type SessionSetUpOutcome =
  | Raised
  | Unfinished
  | Exclude<Confirmation, { kind: 'confirmed' }>
  /** They have set one up elsewhere meanwhile, which they have to prove now. */
  | { kind: 'has_second_factor' };

/** Asks for the password only if the session has no recent proof. */
export async function proveToSetUp(
  services: FirstFactorServices & Pick<Services, 'passwords' | 'settings'>,
  signedIn: SignedIn,
  currentPassword: string,
  requester: Requester,
): Promise<Confirmation> {
  if (!needsPassword(services, signedIn)) return { kind: 'confirmed' };
  return confirmPassword(services, signedIn.user, currentPassword, requester);
}

/** Raises the session of a person who has no second factor: a passkey or an app is added, and counts as proved. */
export async function setUpInSession(
  services: FirstFactorServices & Pick<Services, 'passwords' | 'settings'>,
  signedIn: SignedIn,
  key: OfferedKey,
  input: { factor: GivenFactor; currentPassword: string },
  requester: Requester,
): Promise<SessionSetUpOutcome> {
  const { user } = signedIn;
  const confirmation = await proveToSetUp(services, signedIn, input.currentPassword, requester);
  if (confirmation.kind !== 'confirmed') return confirmation;
  const provenAt = needsPassword(services, signedIn) ? services.clock.now() : signedIn.session.provenAt;
  const facts = await services.storage.findSignInFacts(user.id, undefined);
  if (hasSecondFactor(facts)) return { kind: 'has_second_factor' };
  const second = provedBy(input.factor);
  const { sessionSecret, raised } = raisedSession(services, signedIn, second, provenAt);
  const given = { user, key, factor: input.factor };
  const outcome = await addFirstFactor(services, given, requester, (add) => add(raised));
  if (outcome.kind !== 'added') return outcome;
  noteRaised(services, signedIn, second, requester);
  return { kind: 'raised', sessionSecret, kept: signedIn.session.kept, user, newCodes: outcome.newCodes };
}

/** `provenAt` is when the password was given. */
function raisedSession(
  { clock, random }: Pick<Services, 'clock' | 'random'>,
  { session }: SignedIn,
  second: ProvableFactor,
  provenAt: number,
): { sessionSecret: string; raised: RaisedSession } {
  const sessionSecret = newSecret('lks_', random);
  const { amr } = recordOf({ first: firstFactorOf(session.amr), second });
  const changes = { digest: digestOf(sessionSecret), lastSeenAt: clock.now(), amr, provenAt };
  return { sessionSecret, raised: { session: { ...session, ...changes }, replacedDigest: session.digest } };
}

function noteRaised(
  { journal }: Pick<Services, 'journal'>,
  { user }: SignedIn,
  method: ProvableFactor,
  requester: Requester,
): void {
  journal.note({ kind: 'session_raised', userId: user.id, detail: { method } }, requester);
}
