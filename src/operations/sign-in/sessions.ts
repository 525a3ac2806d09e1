// Which user a browser's session belongs to, and signing out. Sessions start in start-session.ts.

import { digestOf } from '../../protocol/digest.ts';
import type { Origin } from '../../protocol/event.ts';
import { sessionIsLive, touchSessionEvery } from '../../protocol/sign-in/session-limits.ts';
import type { SignedIn } from '../../storage/storage.ts';
import type { Services } from '../services.ts';

/** `secret` is the value of the session cookie, if the browser has sent one. */
export async function currentSession(services: Services, secret: string | undefined): Promise<SignedIn | undefined> {
  if (secret === undefined) return undefined;
  return liveSession(services, await services.storage.findSession(digestOf(secret)));
}

/** The session if it has not expired. Looking at it counts as activity, so that it does not expire from idleness. */
export function liveSession(services: Services, signedIn: SignedIn | undefined): SignedIn | undefined {
  const now = services.clock.now();
  if (signedIn === undefined || !sessionIsLive(signedIn.session, services.sessionLimits(), now)) return undefined;
  if (now - signedIn.session.lastSeenAt >= touchSessionEvery) {
    services.journal.noteSessionSeen(signedIn.session.digest);
  }
  return signedIn;
}

export async function signOut(services: Services, signedIn: SignedIn, origin: Origin): Promise<void> {
  const ended = await services.storage.endSession(signedIn.session.digest);
  if (ended) services.journal.note({ kind: 'signed_out', userId: signedIn.user.id }, origin);
}
