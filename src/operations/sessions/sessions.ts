// Which user a browser's session belongs to, and signing out. Sessions start in start-session.ts.

import { digestOf } from '../../protocol/digest.ts';
import type { Requester } from '../../protocol/event.ts';
import { sessionIsLive, touchSessionEvery } from '../../protocol/sign-in/session-limits.ts';
import type { SignedIn } from '../../storage/storage.ts';
import type { Services } from '../services.ts';

/** `secret` is the value of the session cookie, if the browser has sent one. */
export async function currentSession(
  services: Pick<Services, 'storage' | 'settings' | 'clock' | 'journal'>,
  secret: string | undefined,
): Promise<SignedIn | undefined> {
  if (secret === undefined) return undefined;
  const [signedIn] = await Promise.all([services.storage.findSession(digestOf(secret)), services.settings.read()]);
  return liveSession(services, signedIn);
}

/** The session if it has not expired. Looking at it counts as activity, so that it does not expire from idleness. */
export function liveSession(
  services: Pick<Services, 'settings' | 'clock' | 'journal'>,
  signedIn: SignedIn | undefined,
): SignedIn | undefined {
  const now = services.clock.now();
  if (signedIn === undefined || !sessionIsLive(signedIn.session, services.settings.sessionLimits, now))
    return undefined;
  if (now - signedIn.session.lastSeenAt >= touchSessionEvery) {
    services.journal.noteSessionSeen(signedIn.session.digest);
  }
  return signedIn;
}

/** `clientId` is the client that has asked for it, if one has. */
export async function signOut(
  services: Pick<Services, 'storage' | 'journal'>,
  { session, user }: SignedIn,
  requester: Requester,
  clientId?: string,
): Promise<void> {
  const ended = await services.storage.endSession(session.digest);
  const about = { userId: user.id, ...(clientId !== undefined && { clientId }) };
  if (ended) services.journal.note({ kind: 'signed_out', ...about }, requester);
}
