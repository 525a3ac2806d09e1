// The first sign-in of someone whom a directory has created: their identity at the directory's own identity provider is linked
// by what the directory calls them. An email address never decides it.

import type { Requester } from '../../../protocol/event.ts';
import type { UpstreamClaims } from '../../../protocol/upstreams/claims.ts';
import type { Identity, Upstream, User } from '../../../storage/storage.ts';
import type { Mailing, Recording } from '../../services.ts';

/** Undefined if the identity is nobody's, and stays so. Someone disabled is found and not linked: they get no new account either. */
export async function linkProvisioned(
  { storage, clock, journal, emailQueue, emailsFor }: Recording & Mailing,
  upstream: Upstream,
  { subject, objectId, email }: UpstreamClaims,
  requester: Requester,
): Promise<{ user: User } | undefined> {
  const now = clock.now();
  const { name, issuer } = upstream;
  const people = await storage.findProvisioned({ upstream: name, issuer, subject, objectId }, now);
  const enabled = people.filter(({ disabledAt }) => disabledAt === null);
  const [user = people[0]] = enabled;
  // Two directories may use one identity provider, and call different people the same.
  if (user === undefined || enabled.length > 1) return undefined;
  if (user.disabledAt !== null) return { user };
  const identity: Identity = { issuer, subject, userId: user.id, email, linkedAt: now, lastUsedAt: now };
  const detail = { upstream: name, source: user.managedBy ?? '' };
  const event = journal.event({ kind: 'identity_linked', userId: user.id, detail }, requester);
  if (!(await storage.linkProvisioned(user, identity, event))) return undefined;
  // Somebody who was here before the directory didn't expect it.
  if (user.adoptedAt !== null) {
    await emailQueue.notify(emailsFor(user.locale).identityLinked({ to: user.email, label: upstream.label }));
  }
  return { user };
}
