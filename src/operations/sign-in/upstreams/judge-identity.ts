// Whom an identity at an upstream belongs to, and what a new person with it gets. Nothing is written here: signing in acts on it,
// and trying an upstream out only says so. An email address never decides whose it is.

import type { UpstreamRefusal } from '../../../protocol/sign-in/outcomes.ts';
import { countsAsVerified, isAllowedDomain, type UpstreamClaims } from '../../../protocol/upstreams/claims.ts';
import type { Upstream, User } from '../../../storage/storage.ts';
import type { Services, Timing } from '../../services.ts';
import { needsApproval } from '../../users/approval.ts';
import { findProvisioned } from './provisioned.ts';

export type JudgedIdentity =
  | { kind: 'linked'; user: User }
  /** A directory has created the person, and said that this is their identity. */
  | { kind: 'provisioned'; user: User }
  | JudgedNewcomer;

export type JudgedNewcomer =
  | { kind: 'newcomer'; email: string; waits: boolean }
  /** A person has an account with this address. They sign in to it, and link the identity then. */
  | { kind: 'link_needed'; email: string }
  | { kind: 'no_account'; reason: UpstreamRefusal };

type JudgeServices = Timing & Pick<Services, 'settings'>;

export async function judgeIdentity(
  services: JudgeServices,
  upstream: Upstream,
  claims: UpstreamClaims,
): Promise<JudgedIdentity> {
  if (!isAllowedDomain(claims, upstream)) return { kind: 'no_account', reason: 'upstream_domain_not_allowed' };
  const { issuer } = upstream;
  const known = await services.storage.findIdentity({ issuer, subject: claims.subject });
  if (known !== undefined) return { kind: 'linked', user: known.user };
  const user = await findProvisioned(services, upstream, claims);
  return user === undefined ? judgeNewcomer(services, upstream, claims) : { kind: 'provisioned', user };
}

/** An unknown identity gets a new account, if the administrator lets this upstream create them. */
export async function judgeNewcomer(
  services: JudgeServices,
  upstream: Upstream,
  claims: UpstreamClaims,
): Promise<JudgedNewcomer> {
  const { email } = claims;
  // Whether an address has an account is told only to those who have proved that it's theirs.
  if (email === null || !countsAsVerified(claims, upstream)) {
    const reason = upstream.createsAccounts ? 'upstream_email_not_trusted' : 'upstream_unknown_identity';
    return { kind: 'no_account', reason };
  }
  if ((await services.storage.findUserByEmail(email)) !== undefined) return { kind: 'link_needed', email };
  if (!upstream.createsAccounts) return { kind: 'no_account', reason: 'upstream_unknown_identity' };
  return { kind: 'newcomer', email, waits: !upstream.skipApproval && (await needsApproval(services)) };
}
