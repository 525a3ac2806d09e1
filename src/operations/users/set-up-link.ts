// The link with which a person creates the first administrator. It works once, and only while there is none.

import type { Requester } from '../../protocol/event.ts';
import { type Outcome, refused } from '../admin/outcome.ts';
import { newLink } from '../email-links/links.ts';
import type { Linking, Recording } from '../services.ts';

type LinkServices = Recording & Linking;

export async function makeSetUpLink(
  services: LinkServices,
  requester: Requester,
): Outcome<{ url: string; expiresAt: number }> {
  const { storage, journal } = services;
  if ((await storage.countAdministrators()) > 0) {
    const problem =
      'there is already an administrator, who can add others; you can also run "latchkey user make-admin"';
    return refused(problem, 'conflict');
  }
  const { link, url } = newLink(services, 'set_up', null, {});
  await storage.storeLink(link, journal.event({ kind: 'set_up_link_made' }, requester));
  return { kind: 'done', url, expiresAt: link.expiresAt };
}

/**
 * What the service says when it starts. Only an empty store gets a link: once there are users, others may read the log, and
 * a link in it would make any of them an administrator.
 */
export async function setUpState(
  services: LinkServices,
  requester: Requester,
): Promise<{ kind: 'empty'; url: string } | { kind: 'no_administrator' } | { kind: 'set_up' }> {
  const { storage } = services;
  if ((await storage.countAdministrators()) > 0) return { kind: 'set_up' };
  const [anyone] = (await storage.pageUsers({ words: [], after: undefined, limit: 1 })).items;
  const made = anyone === undefined ? await makeSetUpLink(services, requester) : undefined;
  return made?.kind === 'done' ? { kind: 'empty', url: made.url } : { kind: 'no_administrator' };
}
