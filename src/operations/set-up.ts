// The first administrator: made by whoever has the set-up address, which works once and only while there is none.

import type { Origin } from '../protocol/event.ts';
import { newLink } from './links.ts';
import { type Managed, rejected } from './managed.ts';
import type { Services } from './services.ts';

export async function makeSetUpLink(
  services: Services,
  origin: Origin,
): Promise<Managed<{ url: string; expiresAt: number }>> {
  const { storage, journal } = services;
  if ((await storage.countAdministrators()) > 0) {
    const problem = 'there is an administrator already, who can make others; "latchkey user make-admin" does, too';
    return rejected(problem, 'conflict');
  }
  const { link, url } = newLink(services, 'set_up', null, {});
  await storage.keepLink(link, journal.event({ kind: 'set_up_link_made' }, origin));
  return { kind: 'done', url, expiresAt: link.expiresAt };
}

/** On a store with nobody in it: the address that the service prints when it starts. */
export async function setUpLinkForEmptyStore(services: Services, origin: Origin): Promise<string | undefined> {
  const { all } = await services.storage.countPeople(0);
  const made = all === 0 ? await makeSetUpLink(services, origin) : undefined;
  return made?.kind === 'done' ? made.url : undefined;
}
