// Links that work once, sent by email or handed over by an administrator: how they are made, how long they work, where they
// lead. The store keeps only a link's digest; using a link deletes it in the same write.

import { digestOf } from '../../protocol/digest.ts';
import { DAY, MINUTE } from '../../protocol/durations.ts';
import { newSecret } from '../../protocol/identifiers.ts';
import type { Link, LinkData, LinkPurpose } from '../../storage/storage.ts';
import type { Linking, Timing } from '../services.ts';

export const linkLifetimes: Record<LinkPurpose, number> = {
  set_up: DAY,
  invite: 7 * DAY,
  recover: DAY,
  sign_up: DAY,
  change_email: DAY,
  reset_password: 30 * MINUTE,
  set_up_factor: 30 * MINUTE,
  undo_factor: 7 * DAY,
};

const paths: Record<LinkPurpose, string> = {
  set_up: '/set-up',
  invite: '/invitation',
  recover: '/recover',
  sign_up: '/sign-up/finish',
  change_email: '/account/email/confirm',
  reset_password: '/reset-password/finish',
  set_up_factor: '/sign-in/set-up',
  undo_factor: '/not-me',
};

/** A link and its URL. It works as soon as the caller has stored it. */
export function newLink(
  { clock, random, issuer }: Linking,
  purpose: LinkPurpose,
  userId: string | null,
  data: LinkData,
  lifetime = linkLifetimes[purpose],
): { link: Link; url: string } {
  const secret = newSecret('lkl_', random);
  const expiresAt = clock.now() + lifetime;
  const link = { digest: digestOf(secret), purpose, userId, data, expiresAt };
  return { link, url: `${issuer}${paths[purpose]}?link=${secret}` };
}

/** The link if it still works. Looking it up doesn't use it: mail programs open links before people do. */
export async function findLink(
  services: Timing,
  purpose: LinkPurpose,
  secret: string | undefined,
): Promise<Link | undefined> {
  if (secret === undefined || !/^lkl_[A-Za-z0-9_-]{43}$/.test(secret)) return undefined;
  return services.storage.findLink(digestOf(secret), purpose, services.clock.now());
}
