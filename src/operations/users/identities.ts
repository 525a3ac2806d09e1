// The identities that people have elsewhere: what the account page lists, and what unlinks one. Linking begins and
// ends with a round trip to the identity provider (sign-in/upstreams).

import type { EventFacts, Requester } from '../../protocol/event.ts';
import { hasPassword } from '../../protocol/sign-in/password-policy.ts';
import { hasWayIn } from '../../protocol/sign-in/ways-in.ts';
import type { Identity, IdentityKey, Upstream, User } from '../../storage/storage.ts';
import { guarded } from '../admin/authority.ts';
import { type Outcome, refused } from '../admin/outcome.ts';
import { passwordCounts, passwordSignsIn } from '../passwords/password-policy.ts';
import type { Metering, Recording, Services, Storing } from '../services.ts';
import { limitFactorChanges, type Throttled } from '../throttle.ts';
import { findChangeable, type NamedUser } from './users.ts';

export interface LinkedIdentity {
  readonly identity: Identity;
  /** Undefined when the upstream has been deleted at this moment. */
  readonly upstream: Upstream | undefined;
  /** False for the last way to sign in. */
  readonly canUnlink: boolean;
}

/** Oldest first. `password` says whether theirs is a way to sign in. */
export async function listIdentities(
  { storage }: Storing,
  user: User,
  password = hasPassword(user),
): Promise<LinkedIdentity[]> {
  const [identities, upstreams, facts] = await Promise.all([
    storage.listIdentities(user.id),
    storage.listUpstreams(),
    storage.findSignInFacts(user.id, undefined),
  ]);
  const upstreamOf = ({ issuer }: Identity) => upstreams.find((each) => each.issuer === issuer);
  const open = identities.filter((identity) => upstreamOf(identity)?.disabledAt === null);
  const passkeys = facts.passkeys.length;
  return identities.map((identity) => ({
    identity,
    upstream: upstreamOf(identity),
    canUnlink: hasWayIn({ password, passkeys, identities: open.filter((other) => other !== identity).length }),
  }));
}

/** The upstreams at which a person can prove who they are. */
export async function provingUpstreams(services: Storing, user: User): Promise<Upstream[]> {
  const linked = await listIdentities(services, user);
  return linked.flatMap(({ upstream }) => (upstream === undefined || upstream.disabledAt !== null ? [] : [upstream]));
}

/** Whether a code by email is the only way to sign in that the user has. */
export async function hasNoOtherWayIn(
  services: Storing & Pick<Services, 'clock' | 'settings'>,
  user: User,
): Promise<boolean> {
  const [linked, { passkeys }, password] = await Promise.all([
    listIdentities(services, user),
    services.storage.findSignInFacts(user.id, undefined),
    passwordSignsIn(services, user),
  ]);
  const identities = linked.filter(({ upstream }) => upstream?.disabledAt === null).length;
  return !hasWayIn({ password, passkeys: passkeys.length, identities });
}

export type UnlinkOutcome = { kind: 'unlinked' } | { kind: 'not_linked' } | { kind: 'last_way_in' };

/** For the person themselves, after fresh proof. */
export async function unlinkIdentity(
  services: Recording & Metering & Pick<Services, 'settings'>,
  user: User,
  key: IdentityKey,
  requester: Requester,
): Promise<UnlinkOutcome | Throttled> {
  const { storage, journal } = services;
  const linked = (await listIdentities(services, user)).find(
    ({ identity }) => identity.issuer === key.issuer && identity.subject === key.subject,
  );
  if (linked === undefined) return { kind: 'not_linked' };
  const event = journal.event(unlinkedEvent(linked), requester);
  const counts = await passwordCounts(services, user);
  const unlink = async (): Promise<UnlinkOutcome> =>
    (await storage.unlinkIdentity(user.id, key, event, counts, user.sessionGeneration))
      ? { kind: 'unlinked' }
      : { kind: 'last_way_in' };
  return limitFactorChanges(services, user.id, unlink, 'unlinked');
}

/**
 * For an administrator who has to stop another person from getting in: all that the person has at the identity provider, or the one
 * with the subject. It ends their sessions, too, because nothing says which of them began there. Even the last way in goes:
 * its owner gets a password by email.
 */
export async function revokeIdentities(
  services: Recording,
  named: NamedUser,
  which: { readonly upstream: string; readonly subject?: string | undefined },
  requester: Requester,
): Outcome<{ user: User; unlinked: number }> {
  const { storage, journal } = services;
  const found = await findChangeable(services, named, requester);
  if (found.kind === 'refused') return found;
  const { user } = found;
  const meant = (await listIdentities(services, user)).filter(
    ({ identity, upstream }) =>
      upstream?.name === which.upstream && (which.subject === undefined || identity.subject === which.subject),
  );
  let count = 0;
  for (const linked of meant) {
    const event = guarded(journal.event(unlinkedEvent(linked), requester), requester);
    if (await storage.revokeIdentity(user.id, linked.identity, event)) count++;
  }
  if (count > 0) return { kind: 'done', user, unlinked: count };
  const now = await findChangeable(services, { id: user.id }, requester);
  if (now.kind === 'refused') return now;
  return refused(
    { subject: user.email, says: `has no such identity at the identity provider "${which.upstream.slice(0, 60)}"` },
    'not_found',
  );
}

export function unlinkedEvent({ identity, upstream }: Pick<LinkedIdentity, 'identity' | 'upstream'>): EventFacts {
  const { name = identity.issuer, label = identity.issuer } = upstream ?? {};
  return { kind: 'identity_unlinked', userId: identity.userId, detail: { upstream: name, label } };
}

/** Notes what a password reset has unlinked, because another person may have linked it. `before` is what there was. */
export async function noteUnlinked(
  services: Recording,
  user: User,
  before: readonly LinkedIdentity[],
  requester: Requester,
): Promise<void> {
  if (before.length === 0) return;
  const left = await services.storage.listIdentities(user.id);
  const isLeft = ({ issuer, subject }: Identity) =>
    left.some((each) => each.issuer === issuer && each.subject === subject);
  for (const linked of before) {
    if (!isLeft(linked.identity)) services.journal.note(unlinkedEvent(linked), requester);
  }
}
