// The second step of a sign-in. Between the two steps nothing is stored; what the password has proved travels through the
// browser, stamped by the HTTP layer. What counts as proof of a second factor is decided in prove-second-factor.ts.

import { digestOf, sameText } from '../../protocol/digest.ts';
import type { Requester } from '../../protocol/event.ts';
import type { SignInMethod } from '../../protocol/sign-in/outcomes.ts';
import type { SignInFacts, User } from '../../storage/storage.ts';
import { sealReplacement, unsealReplacement } from '../passwords/replacement-hash.ts';
import { askForPasskey, type Challenge } from '../second-factors/passkey-challenge.ts';
import {
  type ProofOutcome,
  type Proved,
  proveSecondFactor,
  type SecondFactorProof,
  useProof,
} from '../second-factors/prove-second-factor.ts';
import type { Services } from '../services.ts';
import {
  clientOf,
  type SignInContext,
  type SignInOutcome,
  startSession,
  storeSession,
  type UsedIdentity,
} from './start-session.ts';

/** A sign-in whose first factor was right and whose second step is still to come. */
export interface PendingSignIn {
  readonly userId: string;
  /** A digest of the password's hash: changing the password ends every sign-in that is waiting. */
  readonly passwordMark: string;
  /** When the password was given. */
  readonly at: number;
  /** What takes the place of the hash that another service has made of the password, encrypted. */
  readonly sealedHash?: string | undefined;
  /** What has taken the place of the password. */
  readonly upstream?: UsedIdentity | undefined;
}

/** How long the second step may take; people have to find their phone first. */
export const secondStepLifetime = 10 * 60 * 1000;

export function pendingSignIn(
  services: Services,
  user: User,
  { replacementHash, upstream }: Pick<SignInContext, 'replacementHash' | 'upstream'> = {},
): PendingSignIn {
  const sealedHash = replacementHash && sealReplacement(services, user.id, replacementHash);
  return { userId: user.id, passwordMark: digestOf(user.passwordHash), at: services.clock.now(), sealedHash, upstream };
}

/** The user of a sign-in that is waiting and their second factors; undefined when it has expired. */
export async function findPendingSignIn(
  services: Services,
  pending: PendingSignIn,
  marks: readonly string[] = [],
): Promise<{ user: User; facts: SignInFacts; replacementHash: string | undefined } | undefined> {
  const { storage, clock } = services;
  if (clock.now() - pending.at >= secondStepLifetime) return undefined;
  const user = await storage.findUser(pending.userId);
  if (user === undefined || user.disabledAt !== null) return undefined;
  if (!sameText(digestOf(user.passwordHash), pending.passwordMark)) return undefined;
  const replacementHash = unsealReplacement(services, user.id, pending.sealedHash);
  return { user, facts: await storage.findSignInFacts(user.id, marks.map(digestOf)), replacementHash };
}

/** What a browser needs to ask for one of the user's passkeys; undefined when the sign-in has expired. */
export async function askForSecondStepPasskey(
  services: Services,
  pending: PendingSignIn,
): Promise<{ challenge: Challenge; options: object } | undefined> {
  const found = await findPendingSignIn(services, pending);
  return found && askForPasskey(services, found.facts.passkeys);
}

export type SecondStepOutcome =
  | SignInOutcome
  | Extract<ProofOutcome, { kind: 'codes_throttled' }>
  | { kind: 'expired' };

const methods = {
  password: {
    code: 'password_and_code',
    recovery_code: 'password_and_recovery_code',
    passkey: 'password_and_passkey',
  },
  upstream: {
    code: 'upstream_and_code',
    recovery_code: 'upstream_and_recovery_code',
    passkey: 'upstream_and_passkey',
  },
} as const;

/** How somebody has signed in who has proved a second factor after this first one. */
export function methodOf(first: 'password' | 'upstream', second: Proved['by']): SignInMethod {
  return methods[first][second];
}

export async function completeSecondStep(
  services: Services,
  pending: PendingSignIn,
  proof: SecondFactorProof,
  context: SignInContext,
  requester: Requester,
): Promise<SecondStepOutcome> {
  const found = await findPendingSignIn(services, pending, context.browser.marks);
  if (found === undefined) return { kind: 'expired' };
  const { user, facts, replacementHash } = found;
  const proved = await proveSecondFactor(services, user, facts, proof, clientOf(context.destination), requester);
  if (proved.kind !== 'proved') return proved;
  const { upstream } = pending;
  const method = methodOf(upstream === undefined ? 'password' : 'upstream', proved.by);
  const inside = { ...context, upstream, replacementHash };
  const started = await startSession(services, user, facts, method, inside, requester, (start) =>
    useProof(services, user, proved, requester, (recoveryCode) => {
      const condition =
        recoveryCode === undefined
          ? ({ kind: 'second_factor' } as const)
          : ({ kind: 'recovery_code', digest: recoveryCode } as const);
      return storeSession(services, user, start, upstream, condition);
    }),
  );
  if (started !== undefined) return { kind: 'signed_in', ...started };
  // Another browser may have used the recovery code at the same moment.
  return { kind: proved.by === 'recovery_code' ? 'refused' : 'expired' };
}
