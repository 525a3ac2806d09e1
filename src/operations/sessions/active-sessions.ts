// Where a user is signed in, and signing out there. The session of the current request is found by sign-in/sessions.ts.

import { digestOf } from '../../protocol/digest.ts';
import type { Requester } from '../../protocol/event.ts';
import { longestSession, sessionIsLive } from '../../protocol/sign-in/session-limits.ts';
import type { Session, SignedIn } from '../../storage/storage.ts';
import type { Services } from '../services.ts';

type SessionServices = Pick<Services, 'storage' | 'settings' | 'clock'>;

export interface ActiveSession extends Omit<Session, 'digest'> {
  /** Safe to show: it reveals nothing about the session's secret. */
  readonly id: string;
}

export interface OwnSession extends ActiveSession {
  readonly current: boolean;
}

export async function listActiveSessions(services: SessionServices, userId: string): Promise<ActiveSession[]> {
  const sessions = await findLiveSessions(services, userId);
  return sessions.map(({ digest, ...session }) => ({ ...session, id: publicIdOf(digest) }));
}

/** The current session comes first. */
export async function listOwnSessions(services: SessionServices, { user, session }: SignedIn): Promise<OwnSession[]> {
  const sessions = await listActiveSessions(services, user.id);
  const currentId = publicIdOf(session.digest);
  return sessions
    .map((each) => ({ ...each, current: each.id === currentId }))
    .sort((a, b) => Number(b.current) - Number(a.current));
}

/** False when the user has no such session. */
export async function endOwnSession(
  services: Pick<Services, 'storage' | 'settings' | 'clock' | 'journal'>,
  { user }: SignedIn,
  id: string,
  requester: Requester,
): Promise<boolean> {
  const target = (await findLiveSessions(services, user.id)).find(({ digest }) => publicIdOf(digest) === id);
  if (target === undefined) return false;
  const ended = await services.storage.endSession(target.digest);
  if (ended) services.journal.note({ kind: 'sessions_ended', userId: user.id, detail: { count: 1 } }, requester);
  return ended;
}

/** Signs out everywhere else. Returns how many sessions have ended. */
export async function endOtherSessions(
  services: Pick<Services, 'storage' | 'journal'>,
  { user, session }: SignedIn,
  requester: Requester,
): Promise<number> {
  const detail = { count: 'others' };
  const event = services.journal.event({ kind: 'sessions_ended', userId: user.id, detail }, requester);
  return services.storage.endOtherSessions(user.id, session.digest, event);
}

async function findLiveSessions({ storage, clock, settings }: SessionServices, userId: string): Promise<Session[]> {
  const now = clock.now();
  const limits = settings.sessionLimits;
  const sessions = await storage.listSessions(userId, now - longestSession(limits));
  return sessions.filter((session) => sessionIsLive(session, limits, now));
}

function publicIdOf(digest: string): string {
  return digestOf(digest);
}
