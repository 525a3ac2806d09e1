// Signing in with an identity at another provider. A known one leads to its owner, as the password would; an unknown one to
// a new account, if the administrator lets this upstream create them. An address never leads to an account that is there.

import { cleanName } from '../../../protocol/account/display-name.ts';
import { emailLimit } from '../../../protocol/account/email-address.ts';
import { digestOf } from '../../../protocol/digest.ts';
import type { Requester } from '../../../protocol/event.ts';
import { newId } from '../../../protocol/identifiers.ts';
import type { UpstreamRefusal } from '../../../protocol/sign-in/outcomes.ts';
import { noPassword } from '../../../protocol/sign-in/password-hashes.ts';
import {
  countsAsVerified,
  hasProvenTwoFactors,
  isAllowedDomain,
  type UpstreamClaims,
} from '../../../protocol/upstreams/claims.ts';
import { type Identity, StorageConflict, type Upstream, type User } from '../../../storage/storage.ts';
import type { Services } from '../../services.ts';
import { afterFirstFactor, type FirstFactorOutcome } from '../first-factor.ts';
import { demandOf } from '../second-factor-need.ts';
import { pendingSignIn } from '../second-step.ts';
import { type SignInContext, startSession, type UsedIdentity } from '../start-session.ts';

export type IdentitySignIn =
  | FirstFactorOutcome
  /** Somebody has an account with this address. They sign in to it, and link the identity then. */
  | { kind: 'link_needed'; email: string }
  | { kind: 'no_account'; reason: UpstreamRefusal }
  | { kind: 'refused'; reason: 'disabled' | 'changed_meanwhile'; userId: string };

export function usedIdentity(upstream: Upstream, claims: UpstreamClaims): UsedIdentity {
  return {
    name: upstream.name,
    issuer: upstream.issuer,
    subject: claims.subject,
    email: claims.email,
    authenticatedAt: (claims.authTime ?? 0) * 1000,
  };
}

export async function signInWithIdentity(
  services: Services,
  upstream: Upstream,
  claims: UpstreamClaims,
  given: Omit<SignInContext, 'upstream'>,
  requester: Requester,
): Promise<IdentitySignIn> {
  const { storage } = services;
  const used = usedIdentity(upstream, claims);
  const context = { ...given, upstream: used };
  if (!isAllowedDomain(claims, upstream)) return { kind: 'no_account', reason: 'upstream_domain_not_allowed' };
  const found = await storage.findIdentity(used);
  if (found === undefined) return createAccount(services, upstream, claims, context, requester);
  const { user } = found;
  if (user.disabledAt !== null) return { kind: 'refused', reason: 'disabled', userId: user.id };
  const facts = await storage.findSignInFacts(user.id, context.browser.marks.map(digestOf));
  const outcome = hasProvenTwoFactors(claims, upstream)
    ? await startWithTwoFactors(services, user, facts, context, requester)
    : await afterFirstFactor(services, user, facts, context, requester);
  return outcome ?? { kind: 'refused', reason: 'changed_meanwhile', userId: user.id };
}

async function startWithTwoFactors(
  services: Services,
  user: User,
  facts: { knownDevice: string | undefined },
  context: SignInContext,
  requester: Requester,
): Promise<FirstFactorOutcome | undefined> {
  const started = await startSession(services, user, facts, 'upstream_two_factors', context, requester);
  return started && { kind: 'signed_in', ...started };
}

async function createAccount(
  services: Services,
  upstream: Upstream,
  claims: UpstreamClaims,
  context: SignInContext & { upstream: UsedIdentity },
  requester: Requester,
): Promise<IdentitySignIn> {
  const { storage, journal } = services;
  const { email } = claims;
  // Nobody learns whether there is an account with an address that they haven't proved to be theirs.
  if (email === null || !countsAsVerified(claims, upstream)) {
    return {
      kind: 'no_account',
      reason: upstream.createsAccounts ? 'upstream_email_not_trusted' : 'upstream_unknown_identity',
    };
  }
  if ((await storage.findUserByEmail(email)) !== undefined) return { kind: 'link_needed', email };
  if (!upstream.createsAccounts) return { kind: 'no_account', reason: 'upstream_unknown_identity' };

  const user = newUser(services, claims, email, requester);
  const now = user.createdAt;
  const { issuer, subject } = context.upstream;
  const identity: Identity = { issuer, subject, userId: user.id, email, linkedAt: now, lastUsedAt: now };
  const event = journal.event({ kind: 'signed_up', userId: user.id, detail: { upstream: upstream.name } }, requester);
  const twoFactors = hasProvenTwoFactors(claims, upstream);
  const { need } = await demandOf(services, user, context.destination);
  try {
    if (need !== 'none' && !twoFactors) {
      const stored = await storage.createUserWithIdentity(user, identity, undefined, event);
      if (stored) return { kind: 'set_up', pending: pendingSignIn(services, user, context) };
      return changedMeanwhile;
    }
    const created = { ...context, isNewAccount: true };
    const method = twoFactors ? 'upstream_two_factors' : 'upstream';
    const started = await startSession(
      services,
      user,
      { knownDevice: undefined },
      method,
      created,
      requester,
      (start) => storage.createUserWithIdentity(user, identity, start, event),
    );
    return started === undefined ? changedMeanwhile : { kind: 'signed_in', ...started };
  } catch (error) {
    if (error instanceof StorageConflict) return { kind: 'link_needed', email };
    throw error;
  }
}

/** The upstream was disabled, or another browser has created the account with the same identity. */
const changedMeanwhile: IdentitySignIn = { kind: 'no_account', reason: 'upstream_disabled' };

function newUser({ clock, random }: Services, claims: UpstreamClaims, email: string, requester: Requester): User {
  const now = clock.now();
  const full = [claims.givenName, claims.familyName].filter((part) => part !== null).join(' ');
  const local = email.slice(0, Math.min(email.lastIndexOf('@'), emailLimit));
  return {
    id: newId(random),
    email,
    emailVerifiedAt: now,
    name: claims.name ?? cleanName(full || local).slice(0, 100),
    givenName: claims.givenName,
    familyName: claims.familyName,
    preferredUsername: null,
    picture: null,
    locale: claims.locale ?? requester.language ?? null,
    passwordHash: noPassword,
    adminSince: null,
    disabledAt: null,
    generation: 0,
    createdAt: now,
    updatedAt: now,
    reviewSince: null,
    breachedSince: null,
  };
}
