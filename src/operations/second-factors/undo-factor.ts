// The email about a new second factor has a link for whoever didn't add it: it removes that factor and signs out every
// device. It needs no session, because somebody else may hold the only factor that lets one in.

import type { Requester } from '../../protocol/event.ts';
import type { FactorRef, Link, User } from '../../storage/storage.ts';
import type { SecondFactorAddition } from '../mail/email-templates.ts';
import { findLink, newLink } from '../mail/links.ts';
import type { Linking, Mailing, Recording, Timing } from '../services.ts';

const additionOf: Record<FactorRef['kind'], SecondFactorAddition> = {
  authenticator: 'authenticator_added',
  passkey: 'passkey_added',
  recovery_codes: 'recovery_codes_replaced',
};

/** Tells the user about a factor that was just added. */
export async function notifyOfFactor(services: Linking & Mailing, user: User, factor: FactorRef): Promise<void> {
  const { emailQueue, emailsFor } = services;
  const { link, url } = newLink(services, 'undo_factor', user.id, { factor });
  const email = emailsFor(user.locale).factorAdded({ to: user.email, change: additionOf[factor.kind], url });
  await emailQueue.notify(email, link);
}

/** What a link would undo, without using it up; undefined when the link no longer works. */
export async function findAddition(
  services: Timing,
  secret: string | undefined,
): Promise<SecondFactorAddition | undefined> {
  const found = await findUndoLink(services, secret);
  return found && additionOf[found.factor.kind];
}

/** False when the link no longer works. */
export async function undoFactor(
  services: Recording,
  secret: string | undefined,
  requester: Requester,
): Promise<boolean> {
  const { storage, clock, journal } = services;
  const found = await findUndoLink(services, secret);
  if (found === undefined) return false;
  const { userId, factor, digest } = found;
  const event = journal.event({ kind: 'factor_undone', userId, detail: { factor: factor.kind } }, requester);
  return storage.undoFactor(userId, factor, digest, clock.now(), event);
}

async function findUndoLink(
  services: Timing,
  secret: string | undefined,
): Promise<(Pick<Link, 'digest'> & { userId: string; factor: FactorRef }) | undefined> {
  const link = await findLink(services, 'undo_factor', secret);
  const factor = link?.data.factor;
  if (link === undefined || link.userId === null || factor === undefined) return undefined;
  return { digest: link.digest, userId: link.userId, factor };
}
