// The first sign-in of someone whom a directory has created: their identity at the directory's own identity provider is linked
// by what the directory calls them. An email address never decides it.

import type { Requester } from '../../../protocol/event.ts';
import type { UpstreamClaims } from '../../../protocol/upstreams/claims.ts';
import type { Identity, Upstream, User } from '../../../storage/storage.ts';
import type { Mailing, Recording, Timing } from '../../services.ts';

/** Whose it is by what a directory says; undefined for nobody's. Someone disabled is found: they get no new account either. */
export async function findProvisioned(
  { storage, clock }: Timing,
  { name, issuer }: Upstream,
  { subject, objectId }: UpstreamClaims,
): Promise<User | undefined> {
  const people = await storage.findProvisioned({ upstream: name, issuer, subject, objectId }, clock.now());
  const enabled = people.filter(({ disabledAt }) => disabledAt === null);
  // Two directories may use one identity provider, and call different people the same.
  return enabled.length > 1 ? undefined : (enabled[0] ?? people[0]);
}

/** False if the person isn't what they were when they were found. Someone disabled isn't linked, which makes no difference. */
export async function linkProvisioned(
  { storage, clock, journal, emailQueue, emailsFor }: Recording & Mailing,
  upstream: Upstream,
  { subject, email }: UpstreamClaims,
  user: User,
  requester: Requester,
): Promise<boolean> {
  if (user.disabledAt !== null) return true;
  const now = clock.now();
  const { name, issuer } = upstream;
  const identity: Identity = { issuer, subject, userId: user.id, email, linkedAt: now, lastUsedAt: now };
  const detail = { upstream: name, source: user.managedBy ?? '' };
  const event = journal.event({ kind: 'identity_linked', userId: user.id, detail }, requester);
  if (!(await storage.linkProvisioned(user, identity, event))) return false;
  // A person who was here before the directory didn't expect it.
  if (user.adoptedAt !== null) {
    await emailQueue.notify(emailsFor(user.locale).identityLinked({ to: user.email, label: upstream.label }));
  }
  return true;
}
