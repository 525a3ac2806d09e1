// Somebody who is signed in without a second factor proves one, because a policy or a client asks for it now. The session
// goes on under a new secret: whoever has copied the old one gains nothing.

import { digestOf } from '../../protocol/digest.ts';
import type { Requester } from '../../protocol/event.ts';
import type { SignedIn } from '../../storage/storage.ts';
import {
  type ProofOutcome,
  proveSecondFactor,
  type SecondFactorProof,
  useProof,
} from '../second-factors/prove-second-factor.ts';
import type { Services } from '../services.ts';
import { methodOf } from './second-step.ts';
import { firstFactorOf, raisedSession } from './set-up-factor.ts';

export type RaiseOutcome =
  | Exclude<ProofOutcome, { kind: 'proved' }>
  | { kind: 'raised'; sessionSecret: string }
  | { kind: 'expired' };

export async function raiseSession(
  services: Services,
  signedIn: SignedIn,
  proof: SecondFactorProof,
  marks: readonly string[],
  requester: Requester,
): Promise<RaiseOutcome> {
  const { storage, journal } = services;
  const { user, session } = signedIn;
  const facts = await storage.findSignInFacts(user.id, marks.map(digestOf));
  const proved = await proveSecondFactor(services, user, facts, proof, {}, requester);
  if (proved.kind !== 'proved') return proved;
  // In a trusted browser the password was no proof by itself; with the second factor it is, from when it was given.
  const provenAt = session.trusted ? session.authTime : session.provenAt;
  const { sessionSecret, raised } = raisedSession(
    services,
    signedIn,
    methodOf(firstFactorOf(session), proved.by),
    provenAt,
  );
  const done = await useProof(services, user, proved, requester, (recoveryCode) =>
    storage.raiseSession(raised, user.passwordHash, recoveryCode),
  );
  if (!done) return { kind: proved.by === 'recovery_code' ? 'refused' : 'expired' };
  journal.note({ kind: 'session_raised', userId: user.id, detail: { method: proved.by } }, requester);
  return { kind: 'raised', sessionSecret };
}
