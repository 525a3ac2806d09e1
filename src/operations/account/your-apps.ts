// The applications that a user can open from their account, and those that have access to it.

import { formatCursor, parseCursor, placeOf, textAt } from '../../protocol/admin/cursor.ts';
import { searchKey } from '../../protocol/admin/search-words.ts';
import type { Requester } from '../../protocol/event.ts';
import { receivedClaims, type ShownClaim } from '../../protocol/oauth/application-claims.ts';
import { launchUrlOf } from '../../protocol/resources/client.ts';
import type { ConnectedApp, SignedIn } from '../../storage/storage.ts';
import { findClaimFacts, findClaimNames } from '../claim-facts.ts';
import type { Metering, Recording, Timing } from '../services.ts';

const pageLength = 60;

export interface AppsWanted {
  /** What was typed to find some of them. */
  readonly text: string;
  /** A cursor that isn't one starts at the beginning. */
  readonly cursor: string;
}

/** By name, a page at a time, with the cursor of the next page. */
export async function yourApps({ storage, clock }: Timing, { user }: SignedIn, { text, cursor }: AppsWanted) {
  const [place = '', id = ''] = parseCursor(cursor)?.position ?? [];
  const name = textAt(place);
  const after = name === undefined ? undefined : ([name, id] as const);
  const page = { part: searchKey(text), after, limit: pageLength };
  const { items, next } = await storage.pageClientsToLaunch(user.id, page, clock.now());
  const apps = items.flatMap((client) => {
    const url = launchUrlOf(client);
    return url === null ? [] : [{ client, url }];
  });
  return { apps, next: next && formatCursor({ position: [placeOf(next[0]), next[1]], direction: 'after', count: 0 }) };
}

/** Those with access to the user's account, and what each gets besides the claims of its scopes. */
export async function connectedApps(
  services: Timing,
  { user }: SignedIn,
): Promise<(ConnectedApp & { readonly further: readonly ShownClaim[] })[]> {
  const [apps, facts, named] = await Promise.all([
    services.storage.listConnectedApps(user.id),
    findClaimFacts(services, user),
    findClaimNames(services),
  ]);
  return apps.map((app) => ({ ...app, further: named(receivedClaims(app.client, app), facts) }));
}

/** False when the client had no access. */
export async function removeApp(
  { storage, clock, journal, meters }: Recording & Metering,
  signedIn: SignedIn,
  clientId: string,
  requester: Requester,
): Promise<boolean> {
  const event = journal.event({ kind: 'app_removed', userId: signedIn.user.id, clientId }, requester);
  const removed = await storage.removeConnectedApp(signedIn.user.id, clientId, clock.now(), event);
  if (removed) meters.revocations.add({ cause: 'app_removed' });
  return removed;
}
