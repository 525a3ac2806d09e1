// Signing in with an identity at an upstream. A known one belongs to an account, and takes the place of its password; an
// unknown one may get a new account. Which it is, judge-identity.ts decides.

import { emailLimit } from '../../../protocol/account/email-address.ts';
import { cleanName } from '../../../protocol/account/names.ts';
import { newAccount, standingOf } from '../../../protocol/account/standing.ts';
import { digestOf } from '../../../protocol/digest.ts';
import type { Requester } from '../../../protocol/event.ts';
import { newId } from '../../../protocol/identifiers.ts';
import type { UpstreamRefusal } from '../../../protocol/sign-in/outcomes.ts';
import { hasProvenTwoFactors, type UpstreamClaims } from '../../../protocol/upstreams/claims.ts';
import type { Identity, NewSession, Upstream, User } from '../../../storage/storage.ts';
import { unlessTaken } from '../../admin/outcome.ts';
import { defaultGroups, joinedGroups } from '../../groups/joining.ts';
import type { Services } from '../../services.ts';
import { waitingSince } from '../../users/approval.ts';
import {
  type Advanced,
  type AdvanceServices,
  advance,
  noFacts,
  type SignInContext,
  type UsedIdentity,
} from '../advance.ts';
import { type JudgedNewcomer, judgeIdentity, judgeNewcomer } from './judge-identity.ts';
import { linkProvisioned } from './provisioned.ts';

export type IdentitySignIn =
  | Advanced
  /** A person has an account with this address. They sign in to it, and link the identity then. */
  | { kind: 'link_needed'; email: string }
  | { kind: 'no_account'; reason: UpstreamRefusal }
  | { kind: 'refused'; reason: 'disabled' | 'expired' | 'changed_meanwhile'; userId: string };

/** Who a person is, as the upstream says. */
export interface UpstreamAnswer {
  readonly upstream: Upstream;
  readonly claims: UpstreamClaims;
}

export function usedIdentity(upstream: Upstream, claims: UpstreamClaims): UsedIdentity {
  return {
    name: upstream.name,
    issuer: upstream.issuer,
    subject: claims.subject,
    email: claims.email,
    authenticatedAt: claims.authTime === null ? null : claims.authTime * 1000,
  };
}

export async function signInWithIdentity(
  services: AdvanceServices,
  { upstream, claims }: UpstreamAnswer,
  given: Omit<SignInContext, 'upstream'>,
  requester: Requester,
): Promise<IdentitySignIn> {
  const { storage } = services;
  const context = { ...given, upstream: usedIdentity(upstream, claims) };
  const signInAs = async (user: User): Promise<IdentitySignIn> => {
    const standing = standingOf(user, services.clock.now());
    if (standing === 'disabled' || standing === 'expired') {
      return { kind: 'refused', reason: standing, userId: user.id };
    }
    const facts = await storage.findSignInFacts(user.id, context.browser.marks.map(digestOf));
    const person = { ...context, user, facts, factors: factorsOf(claims, upstream) };
    return (
      (await advance(services, person, requester)) ?? { kind: 'refused', reason: 'changed_meanwhile', userId: user.id }
    );
  };
  const judged = await judgeIdentity(services, upstream, claims);
  const isGone =
    judged.kind === 'provisioned' && !(await linkProvisioned(services, upstream, claims, judged.user, requester));
  const current = isGone ? await judgeNewcomer(services, upstream, claims) : judged;
  if (current.kind === 'linked' || current.kind === 'provisioned') return signInAs(current.user);
  const created =
    current.kind === 'newcomer'
      ? await createAccount(services, { ...current, upstream, claims }, context, requester)
      : current;
  if (created.kind !== 'link_needed' && created.kind !== 'no_account') return created;
  // Another browser may have created the account with the same identity, or linked it, at this moment.
  const again = await judgeIdentity(services, upstream, claims);
  return again.kind === 'linked' ? signInAs(again.user) : created;
}

/** Two, if the upstream has proved them and is trusted for that. */
function factorsOf(claims: UpstreamClaims, upstream: Upstream) {
  return { first: 'upstream', second: hasProvenTwoFactors(claims, upstream) ? 'upstream' : 'none' } as const;
}

async function createAccount(
  services: AdvanceServices,
  { upstream, claims, email, waits }: UpstreamAnswer & Extract<JudgedNewcomer, { kind: 'newcomer' }>,
  context: SignInContext & { upstream: UsedIdentity },
  requester: Requester,
): Promise<IdentitySignIn> {
  const { storage, journal } = services;
  const created = newUser(services, claims, email, requester);
  const now = created.createdAt;
  const user = waits ? waitingSince(created, now) : created;
  const { issuer, subject } = context.upstream;
  const identity: Identity = { issuer, subject, userId: user.id, email, linkedAt: now, lastUsedAt: now };
  const detail = { upstream: upstream.name, ...(waits && { approval: 'waiting' }) };
  const event = journal.event({ kind: 'signed_up', userId: user.id, detail }, requester);
  const groups = await joinedGroups(services, user.id, await defaultGroups(services), requester);
  const store = (start: NewSession | undefined) => storage.createUserWithIdentity(user, identity, start, event, groups);
  const together = { kind: 'account', store } as const;
  const person = { ...context, user, facts: noFacts, factors: factorsOf(claims, upstream), together };
  const advanced = await unlessTaken(advance(services, person, requester));
  if (advanced === 'taken') return { kind: 'link_needed', email };
  return advanced ?? { kind: 'no_account', reason: 'upstream_disabled' };
}

function newUser(
  { clock, random }: Pick<Services, 'clock' | 'random'>,
  claims: UpstreamClaims,
  email: string,
  requester: Requester,
): User {
  const now = clock.now();
  const full = [claims.givenName, claims.familyName].filter((part) => part !== null).join(' ');
  const local = email.slice(0, Math.min(email.lastIndexOf('@'), emailLimit));
  return {
    ...newAccount(now),
    id: newId(random),
    email,
    emailVerifiedAt: now,
    name: claims.name ?? cleanName(full || local).slice(0, 100),
    givenName: claims.givenName,
    familyName: claims.familyName,
    locale: claims.locale ?? requester.language ?? null,
  };
}
