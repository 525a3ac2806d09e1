// Whose account is it, if its email address was never verified? Anybody may have made it. Proof that a person is its owner ends all
// that is in it, unless a second factor is in force (protocol/account/what-ends.ts).

import { type OwnerProof, proofs } from '../../protocol/account/what-ends.ts';
import type { EventFacts, Requester } from '../../protocol/event.ts';
import type { EventKind } from '../../protocol/events/kinds.ts';
import { hasPassword, noPassword } from '../../protocol/sign-in/password-policy.ts';
import { hasSecondFactor } from '../../protocol/sign-in/second-factor-policy.ts';
import type { Claim, User } from '../../storage/storage.ts';
import { eventsOfEndedRights } from '../api-keys/api-keys.ts';
import type { Linking, Mailing, Recording } from '../services.ts';
import { listIdentities, unlinkedEvent } from '../users/identities.ts';

export type Claiming =
  /** The address is verified. */
  | { readonly kind: 'none' }
  /** Another person may hold the second factor. */
  | { readonly kind: 'refused' }
  | {
      readonly kind: 'claimed';
      readonly claim: Claim;
      /** As they are afterwards. */
      readonly user: User;
      readonly endsSomething: boolean;
    };

const eventKinds = {
  email_code: 'email_verified_by_code',
  reset_link: 'account_claimed',
  recovery_link: 'account_claimed',
} as const satisfies Record<OwnerProof, EventKind>;

/** What the proof does to the account. Nothing is stored yet. */
export async function claimBy(
  proof: OwnerProof,
  services: Recording,
  user: User,
  now: number,
  requester: Requester,
): Promise<Claiming> {
  if (user.emailVerifiedAt !== null) return { kind: 'none' };
  const { storage, journal } = services;
  const { id } = user;
  const facts = await storage.findSignInFacts(id, undefined);
  const { besideFactor, verifies } = proofs[proof];
  if (hasSecondFactor(facts) && !besideFactor) return { kind: 'refused' };
  const [identities, sessions, rights, apps] = await Promise.all([
    listIdentities(services, user),
    storage.listSessions(id, 0),
    eventsOfEndedRights(services, id, requester),
    storage.listConnectedApps(id),
  ]);
  const ended = [
    ...(hasPassword(user) ? ['password'] : []),
    ...(identities.length > 0 ? ['identities'] : []),
    ...(facts.suspended.length > 0 ? ['second_factors'] : []),
    ...(sessions.length > 0 ? ['sessions'] : []),
    ...(rights.length > 0 ? ['api_keys'] : []),
    ...(apps.length > 0 ? ['apps'] : []),
  ];
  const about: EventFacts = { kind: eventKinds[proof], userId: id, detail: { by: proof, ended } };
  const unlinked = identities.map((each) => journal.event(unlinkedEvent(each), requester));
  const events = [journal.event(about, requester), ...unlinked, ...rights] as const;
  const endsSomething = ended.length > 0;
  // Who signs in with a code hasn't seen a page yet that says what ended.
  const review = proof === 'email_code' && endsSomething;
  return {
    kind: 'claimed',
    claim: { events, proof, review },
    user: {
      ...user,
      emailVerifiedAt: verifies ? now : null,
      passwordHash: noPassword,
      breachedSince: null,
      generation: user.generation + 1,
      sessionGeneration: user.sessionGeneration + 1,
      reviewSince: review ? now : null,
    },
    endsSomething,
  };
}

/** Tells the owner, whom the account may have been kept from. */
export async function tellOwner({ emailQueue, emailsFor, issuer }: Linking & Mailing, user: User): Promise<void> {
  const url = `${issuer}/reset-password`;
  await emailQueue.notify(emailsFor(user.locale).accountClaimed({ to: user.email, url }));
}
