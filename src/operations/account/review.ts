// After a password reset the owner looks through what has access to their account: second factors, devices, connected
// apps and API keys. They decide about each suspended factor, or remove all other access at once.

import { digestOf } from '../../protocol/digest.ts';
import type { EventFacts, Requester } from '../../protocol/event.ts';
import { hasPassword } from '../../protocol/sign-in/password-policy.ts';
import { isProven } from '../../protocol/sign-in/proof.ts';
import type { FactorRef, Passkey, SignedIn, SuspendedFactor, User } from '../../storage/storage.ts';
import { eventsOfEndedRights } from '../api-keys/api-keys.ts';
import type { Mailing, Recording, Services, Storing, Timing } from '../services.ts';
import { listOwnSessions } from '../sessions/sessions.ts';
import { listIdentities, unlinkedEvent } from '../users/identities.ts';

export async function accountReview(services: Timing & Pick<Services, 'settings'>, signedIn: SignedIn) {
  const { storage } = services;
  const { id } = signedIn.user;
  const [methods, sessions, apps, apiKeys, identities] = await Promise.all([
    signInMethods(services, signedIn.user),
    listOwnSessions(services, signedIn),
    storage.listConnectedApps(id),
    storage.listApiKeysOf(id),
    listIdentities(services, signedIn.user),
  ]);
  return { methods, sessions, apps, apiKeys, identities };
}

/**
 * Whether a person who signs in has to be shown the review. After a reset that left nothing to look through there is no
 * point in one, then or later.
 */
export async function reviewIsDue(services: Storing, user: User): Promise<boolean> {
  if (user.reviewSince === null) return false;
  const { storage } = services;
  const [methods, ...lists] = await Promise.all([
    signInMethods(services, user),
    storage.listConnectedApps(user.id),
    storage.listApiKeysOf(user.id),
    storage.listIdentities(user.id),
  ]);
  const isSomethingLeft = hasFactorsInForce(methods) || [methods.suspended, ...lists].some(({ length }) => length > 0);
  if (isSomethingLeft || followsFirstCode(user, methods)) return true;
  await storage.finishReview(user, []);
  return false;
}

/**
 * Whether the review follows the first code by email, which has verified the address and ended what was set before. Its page says
 * so.
 */
export function followsFirstCode(user: User, { passkeys }: Pick<SignInMethods, 'passkeys'>): boolean {
  const { reviewSince, emailVerifiedAt } = user;
  return reviewSince !== null && reviewSince === emailVerifiedAt && !hasPassword(user) && passkeys.length === 0;
}

/** The owner leaves the review. Suspended factors stay suspended until they decide. */
export async function finishReview(services: Recording, { user }: SignedIn, requester: Requester): Promise<void> {
  const event = services.journal.event({ kind: 'account_reviewed', userId: user.id }, requester);
  await services.storage.finishReview(user, [event]);
}

const removalOf: Record<FactorRef['kind'], EventFacts['kind']> = {
  authenticator: 'authenticator_removed',
  passkey: 'passkey_removed',
  recovery_codes: 'recovery_codes_removed',
};

/**
 * Whether removing all access takes recent proof of identity. Removing a factor in force weakens the account, and an
 * linked identity isn't unlinked without proof anywhere; the rest is removed without.
 */
export async function removalIsPowerful(services: Storing, { user }: SignedIn): Promise<boolean> {
  const [methods, identities] = await Promise.all([
    signInMethods(services, user),
    services.storage.listIdentities(user.id),
  ]);
  return hasFactorsInForce(methods) || identities.length > 0;
}

function hasFactorsInForce({ hasAuthenticator, passkeys }: SignInMethods): boolean {
  return hasAuthenticator || passkeys.length > 0;
}

/**
 * Removes all factors, linked identities, other sessions and known browsers, connected apps and API keys in one
 * write. `marks` are those of
 * the browser, which stays known. False when the account is gone.
 */
export async function removeOtherAccess(
  services: Recording & Mailing & Pick<Services, 'settings'>,
  signedIn: SignedIn,
  marks: readonly string[],
  requester: Requester,
): Promise<boolean> {
  const { storage, clock, journal, emailQueue, emailsFor } = services;
  const { user, session } = signedIn;
  const { methods, apps, identities } = await accountReview(services, signedIn);
  const userId = user.id;
  const hasFactors = hasFactorsInForce(methods);
  // Without proof, factors in force and identities stay: one may have been added since the form was found to need none.
  const factors = !(hasFactors || identities.length > 0) || !isProven(session, clock.now());
  // Without a password, what was added since the reset is what they sign in with.
  const isKept = ({ createdAt }: { readonly createdAt: number }) =>
    !hasPassword(user) && user.reviewSince !== null && createdAt >= user.reviewSince;
  const unlinks = !factors && (hasPassword(user) || methods.passkeys.some(isKept));
  const facts: EventFacts[] = [
    ...(methods.hasAuthenticator ? [{ kind: removalOf.authenticator, userId }] : []),
    ...methods.passkeys.filter((passkey) => !isKept(passkey)).map(() => ({ kind: removalOf.passkey, userId })),
    ...methods.suspended.map(({ kind }) => ({ kind: removalOf[kind], userId })),
    ...(unlinks ? identities.map(unlinkedEvent) : []),
    ...apps.map(({ client }) => ({ kind: 'app_removed', userId, clientId: client.id }) as const),
    { kind: 'sessions_ended', userId, detail: { count: 'others' } },
  ];
  const device = await storage.findKnownDevice(userId, marks.map(digestOf));
  const kept = { session: session.digest, device, factors };
  const endEvents = await eventsOfEndedRights(services, userId, requester);
  const events = [...endEvents, ...facts.map((each) => journal.event(each, requester))];
  const reviewed = journal.event({ kind: 'account_reviewed', userId }, requester);
  const removed = await storage.removeOtherAccess(user, kept, clock.now(), reviewed, events);
  if (removed && !factors && hasFactors) {
    const emails = emailsFor(user.locale);
    await emailQueue.notify(emails.secondFactorChanged({ to: user.email, change: 'all_factors_removed' }));
  }
  return removed;
}

export type FactorDecisionOutcome = { kind: 'not_possible' } | { kind: 'kept' } | { kind: 'removed' };

/** `factor` is the id of a suspended passkey, or the kind of another suspended factor. */
export async function decideOnFactor(
  services: Recording,
  { user, session }: SignedIn,
  input: { factor: string; decision: 'keep' | 'remove' },
  requester: Requester,
): Promise<FactorDecisionOutcome> {
  const { storage, journal } = services;
  const { suspended } = await signInMethods(services, user);
  const factor = suspended.find((each) => suspendedFactorName(each) === input.factor);
  if (factor === undefined) return { kind: 'not_possible' };
  const keep = input.decision === 'keep';
  const kind = keep ? 'factor_kept' : removalOf[factor.kind];
  const event = journal.event({ kind, userId: user.id, ...(keep && { detail: { factor: factor.kind } }) }, requester);
  const { sessionGeneration } = user;
  const decided = storage.decideOnFactor(user.id, factor, input.decision, sessionGeneration, event, session.digest);
  if (!(await decided)) return { kind: 'not_possible' };
  return { kind: keep ? 'kept' : 'removed' };
}

/** How forms refer to a suspended factor. */
export function suspendedFactorName(factor: SuspendedFactor): string {
  return factor.kind === 'passkey' ? factor.id : factor.kind;
}

/** What the security page shows about how a user signs in. */
export interface SignInMethods {
  readonly hasAuthenticator: boolean;
  /** How many recovery codes are left. */
  readonly recoveryCodes: number;
  readonly passkeys: readonly Passkey[];
  /** Out of use since a password reset, until the user decides. */
  readonly suspended: readonly SuspendedFactor[];
}

export async function signInMethods(services: Storing, user: User): Promise<SignInMethods> {
  const { authenticator, ...facts } = await services.storage.findSignInFacts(user.id, undefined);
  const { recoveryCodes, passkeys, suspended } = facts;
  return { hasAuthenticator: authenticator !== undefined, recoveryCodes, passkeys, suspended };
}
