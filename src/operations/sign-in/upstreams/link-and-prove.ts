// What a signed-in person uses an identity at an upstream for: linking it to their account, and proving that they are the one
// in the session. Either counts only in the session that began it.

import { digestOf } from '../../../protocol/digest.ts';
import { MINUTE } from '../../../protocol/durations.ts';
import type { Requester } from '../../../protocol/event.ts';
import type { UpstreamRefusal } from '../../../protocol/sign-in/outcomes.ts';
import { isProven } from '../../../protocol/sign-in/proof.ts';
import { hasSecondFactor } from '../../../protocol/sign-in/second-factor-policy.ts';
import { identityLimit } from '../../../protocol/sign-in/ways-in.ts';
import { hasProvenTwoFactors, isAllowedDomain, type UpstreamClaims } from '../../../protocol/upstreams/claims.ts';
import { clockTolerance } from '../../../protocol/upstreams/id-token.ts';
import type { Identity, SignedIn, Upstream } from '../../../storage/storage.ts';
import { type ProofServices, proveThenStore, type StoredOutcome } from '../../second-factors/prove-second-factor.ts';
import type { Mailing, Metering, Recording, Timing } from '../../services.ts';
import { limitFactorChanges, type Throttled } from '../../throttle.ts';
import type { UsedIdentity } from '../advance.ts';
import { type UpstreamAnswer, usedIdentity } from './sign-in-with-identity.ts';
import type { PendingUpstream } from './start.ts';

export type LinkOutcome = { kind: 'linked' } | { kind: 'refused'; reason: UpstreamRefusal };

/** What an upstream has answered to what was begun in the session. */
interface RoundTrip extends UpstreamAnswer {
  readonly pending: PendingUpstream;
}

export async function linkIdentity(
  services: Recording & Mailing & Metering,
  { upstream, claims, pending }: RoundTrip,
  { user, session }: SignedIn,
  requester: Requester,
): Promise<LinkOutcome | Throttled> {
  const { storage, clock, journal, emailQueue, emailsFor } = services;
  // The proof was there when it began, and hasn't been for longer than a round trip may take.
  if (!isProven(session, pending.at)) return { kind: 'refused', reason: 'upstream_not_fresh' };
  if (!isAllowedDomain(claims, upstream)) return { kind: 'refused', reason: 'upstream_domain_not_allowed' };
  const used = usedIdentity(upstream, claims);
  const owner = (await storage.findIdentity(used))?.user;
  if (owner !== undefined) {
    return owner.id === user.id ? { kind: 'linked' } : { kind: 'refused', reason: 'upstream_identity_taken' };
  }
  const { issuer, subject, email } = used;
  const identity: Identity = { issuer, subject, email, userId: user.id, linkedAt: clock.now(), lastUsedAt: null };
  const detail = { upstream: upstream.name, label: upstream.label };
  const event = journal.event({ kind: 'identity_linked', userId: user.id, detail }, requester);
  const link = async (): Promise<LinkOutcome> => {
    if (!(await storage.linkIdentity(identity, session, user.sessionGeneration, identityLimit, event))) {
      return { kind: 'refused', reason: 'upstream_identity_taken' };
    }
    await emailQueue.notify(emailsFor(user.locale).identityLinked({ to: user.email, label: upstream.label }));
    return { kind: 'linked' };
  };
  return limitFactorChanges(services, user.id, link, 'linked');
}

/** A fresh sign-in at the upstream by a person who has to prove a second factor, too. */
export interface ProvenUpstream {
  readonly used: UsedIdentity;
  readonly session: string;
  readonly at: number;
}

export type ProveOutcome =
  | { kind: 'proven' }
  /** The upstream has proved one factor, and they have a second one. */
  | { kind: 'second_factor_asked'; proven: ProvenUpstream }
  | { kind: 'refused'; reason: UpstreamRefusal };

export async function proveWithIdentity(
  { storage, clock }: Timing,
  { upstream, claims, pending }: RoundTrip,
  { user, session }: SignedIn,
): Promise<ProveOutcome> {
  const used = usedIdentity(upstream, claims);
  if (!isAllowedDomain(claims, upstream)) return { kind: 'refused', reason: 'upstream_domain_not_allowed' };
  if (!isFresh(upstream, claims, pending)) return { kind: 'refused', reason: 'upstream_not_fresh' };
  if ((await storage.findIdentity(used))?.user.id !== user.id) {
    return { kind: 'refused', reason: 'upstream_other_person' };
  }
  const now = clock.now();
  const alone = hasProvenTwoFactors(claims, upstream);
  const facts = await storage.findSignInFacts(user.id, undefined);
  if (hasSecondFactor(facts) && !alone) {
    return { kind: 'second_factor_asked', proven: { used, session: session.digest, at: now } };
  }
  const provenAt = Math.min(now, used.authenticatedAt ?? now);
  const condition = alone ? undefined : ({ kind: 'no_second_factor' } as const);
  const noted = await storage.proveSessionWithIdentity(
    session,
    user.sessionGeneration,
    { provenAt, now },
    used,
    condition,
  );
  return noted ? { kind: 'proven' } : { kind: 'refused', reason: 'upstream_expired' };
}

/** GitHub doesn't say when a person has signed in there, so a new round trip has to do. */
function isFresh(upstream: Upstream, { authTime }: UpstreamClaims, { at }: PendingUpstream): boolean {
  return upstream.kind === 'github' || (authTime !== null && authTime >= Math.floor(at / 1000) - clockTolerance);
}

export type SecondProofOutcome = { kind: 'proven' } | Exclude<StoredOutcome<never>, { kind: 'stored' }>;

/** How long the code may take after the upstream's response. */
const secondProofLifetime = 10 * MINUTE;

/** The second factor after a fresh sign-in at the upstream. */
export async function proveSecondAfterUpstream(
  services: ProofServices,
  { user, session }: SignedIn,
  { used, session: digest, at }: ProvenUpstream,
  { code, marks }: { readonly code: string; readonly marks: readonly string[] },
  requester: Requester,
): Promise<SecondProofOutcome> {
  const { storage, clock } = services;
  const now = clock.now();
  if (session.digest !== digest || now - at >= secondProofLifetime) return { kind: 'expired' };
  const facts = await storage.findSignInFacts(user.id, marks.map(digestOf));
  const claim = { user, facts, proof: { kind: 'code', code }, condition: 'nothing' } as const;
  const outcome = await proveThenStore(services, claim, requester, ({ use }) =>
    use((condition) => {
      const times = { provenAt: now, now };
      return storage.proveSessionWithIdentity(session, user.sessionGeneration, times, used, condition);
    }),
  );
  return outcome.kind === 'stored' ? { kind: 'proven' } : outcome;
}
