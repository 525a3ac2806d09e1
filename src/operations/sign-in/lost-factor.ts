// Someone who was imported without the second factor that they had. Their password was never enough, so it only has a link sent to their
// verified address, which leads to setting up another factor. The link works until there is one.

import { standingOf } from '../../protocol/account/standing.ts';
import type { Requester } from '../../protocol/event.ts';
import {
  accountPage,
  type Destination,
  formatDestination,
  parseDestination,
  withoutLink,
} from '../../protocol/sign-in/destination.ts';
import { recipientCounters } from '../../protocol/sign-in/throttle-rules.ts';
import type { User } from '../../storage/storage.ts';
import { findLink, newLink } from '../email-links/links.ts';
import type { Linking, Mailing, Metering, Timing } from '../services.ts';
import { startAttempt } from '../throttle.ts';

export type LinkNeeded =
  | { readonly kind: 'link_sent'; readonly email: string }
  /** No email can be sent, or the address isn't verified: an administrator has to help. */
  | { readonly kind: 'recovery_needed' };

export async function sendSetUpLink(
  services: Timing & Linking & Mailing & Metering,
  { user, destination }: { readonly user: User; readonly destination: Destination },
  requester: Requester,
): Promise<LinkNeeded> {
  const { emailQueue, emailsFor } = services;
  if (!emailQueue.works || user.emailVerifiedAt === null) return { kind: 'recovery_needed' };
  const { id, email, locale, sessionGeneration } = user;
  // Over the limit, they have the earlier emails.
  const share = await startAttempt(services, 'email_recipient', recipientCounters(email));
  if (share.kind === 'allowed') {
    const target = formatDestination(withoutLink(destination));
    const { link, url } = newLink(services, 'set_up_factor', id, { target, sessionGeneration });
    await emailQueue.queue(emailsFor(locale ?? requester.language).setUpFactor({ to: email, url }), link);
  }
  return { kind: 'link_sent', email };
}

/** The sign-in that a link goes on with; undefined once it can't be used. */
export async function openSetUpLink(services: Timing, secret: string | undefined) {
  const { storage, clock } = services;
  const link = await findLink(services, 'set_up_factor', secret);
  const user = link?.userId == null ? undefined : await storage.findUser(link.userId);
  if (link === undefined || user === undefined || user.lostFactorAt === null) return undefined;
  if (standingOf(user, clock.now()) !== 'active' || user.emailVerifiedAt === null) return undefined;
  if (link.data.sessionGeneration !== user.sessionGeneration) return undefined;
  const { id: userId, sessionGeneration } = user;
  const destination = parseDestination(link.data.target ?? '') ?? accountPage;
  return { pending: { userId, sessionGeneration, at: clock.now(), byLink: true }, destination } as const;
}
