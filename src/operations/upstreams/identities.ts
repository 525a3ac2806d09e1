// The identities that people have at other providers: what the account page lists, and what unlinks one. Linking begins and
// ends with a round trip to the provider (upstream-sign-in.ts).

import type { Origin } from '../../protocol/event.ts';
import { hasPassword } from '../../protocol/sign-in/password-hashes.ts';
import type { Identity, IdentityKey, Upstream, User } from '../../storage/storage.ts';
import type { Services } from '../services.ts';

/** More than anybody has accounts elsewhere. */
export const identityLimit = 20;

export interface LinkedIdentity {
  readonly identity: Identity;
  /** Undefined when the upstream has been deleted at this moment. */
  readonly upstream: Upstream | undefined;
  /** False for the last way to sign in. */
  readonly canUnlink: boolean;
}

/** Oldest first. */
export async function listIdentities(services: Services, user: User): Promise<LinkedIdentity[]> {
  const { storage } = services;
  const [identities, upstreams, facts] = await Promise.all([
    storage.listIdentities(user.id),
    storage.listUpstreams(),
    storage.findSignInFacts(user.id, undefined),
  ]);
  const upstreamOf = ({ issuer }: Identity) => upstreams.find((each) => each.issuer === issuer);
  const isOpen = (identity: Identity) => upstreamOf(identity)?.disabledAt === null;
  const otherWay = hasPassword(user) || facts.passkeys.length > 0;
  return identities.map((identity) => ({
    identity,
    upstream: upstreamOf(identity),
    canUnlink: otherWay || identities.some((other) => other !== identity && isOpen(other)),
  }));
}

export type UnlinkOutcome = { kind: 'unlinked' } | { kind: 'not_linked' } | { kind: 'last_way_in' };

/** For the person themselves, after fresh proof, and for administrators. */
export async function unlinkIdentity(
  services: Services,
  user: User,
  key: IdentityKey,
  origin: Origin,
): Promise<UnlinkOutcome> {
  const { storage, journal } = services;
  const linked = (await listIdentities(services, user)).find(
    ({ identity }) => identity.issuer === key.issuer && identity.subject === key.subject,
  );
  if (linked === undefined) return { kind: 'not_linked' };
  const { name = key.issuer, label = key.issuer } = linked.upstream ?? {};
  const detail = { upstream: name, label };
  const event = journal.event({ kind: 'identity_unlinked', userId: user.id, detail }, origin);
  return (await storage.unlinkIdentity(user.id, key, event)) ? { kind: 'unlinked' } : { kind: 'last_way_in' };
}
