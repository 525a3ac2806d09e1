// Which user a browser's session belongs to, where a user is signed in, which browsers they trust, and signing out. Sessions
// start in sign-in/advance.ts.

import { digestOf } from '../../protocol/digest.ts';
import type { Requester } from '../../protocol/event.ts';
import { longestSession, sessionIsLive, touchSessionEvery } from '../../protocol/sign-in/session-limits.ts';
import type { Session, SignedIn, TrustedDevice } from '../../storage/storage.ts';
import type { Recording, Services, Timing } from '../services.ts';

/** `secret` is the value of the session cookie, if the browser has sent one. */
export async function currentSession(
  services: Recording & Pick<Services, 'settings'>,
  secret: string | undefined,
): Promise<SignedIn | undefined> {
  if (secret === undefined) return undefined;
  const finding = services.storage.findSession(digestOf(secret), services.clock.now());
  const [signedIn] = await Promise.all([finding, services.settings.read()]);
  return liveSession(services, signedIn);
}

/** The session if it has not expired. Looking at it counts as activity, so that it does not expire from idleness. */
export function liveSession<Known extends { session: Pick<Session, 'digest' | 'createdAt' | 'lastSeenAt' | 'kept'> }>(
  { clock, journal, settings }: Pick<Services, 'settings' | 'clock' | 'journal'>,
  signedIn: Known | undefined,
): Known | undefined {
  const now = clock.now();
  if (signedIn === undefined || !sessionIsLive(signedIn.session, settings.sessionLimits, now)) return undefined;
  if (now - signedIn.session.lastSeenAt >= touchSessionEvery) {
    journal.noteSessionSeen(signedIn.session.digest);
  }
  return signedIn;
}

/** `clientId` is the client that has asked for it, if one has. */
export async function signOut(
  services: Recording,
  { session, user }: SignedIn,
  requester: Requester,
  clientId?: string,
): Promise<void> {
  const about = { userId: user.id, ...(clientId !== undefined && { clientId }) };
  const event = services.journal.event({ kind: 'signed_out', ...about }, requester);
  await services.storage.endSession(session.digest, event);
}

type SessionServices = Timing & Pick<Services, 'settings'>;

export interface ActiveSession extends Omit<Session, 'digest'> {
  /** Safe to show: it reveals nothing about the session's secret. */
  readonly id: string;
}

export interface OwnSession extends ActiveSession {
  readonly current: boolean;
}

export async function listActiveSessions(services: SessionServices, userId: string): Promise<ActiveSession[]> {
  const sessions = await findLiveSessions(services, userId);
  return sessions.map(({ digest, ...session }) => ({ ...session, id: digestOf(digest) }));
}

/** The current session comes first. */
export async function listOwnSessions(services: SessionServices, { user, session }: SignedIn): Promise<OwnSession[]> {
  const sessions = await listActiveSessions(services, user.id);
  const currentId = digestOf(session.digest);
  return sessions
    .map((each) => ({ ...each, current: each.id === currentId }))
    .sort((a, b) => Number(b.current) - Number(a.current));
}

/** False when the user has no such session. */
export async function endOwnSession(
  services: Recording & Pick<Services, 'settings'>,
  { user }: SignedIn,
  id: string,
  requester: Requester,
): Promise<boolean> {
  const target = (await findLiveSessions(services, user.id)).find(({ digest }) => digestOf(digest) === id);
  if (target === undefined) return false;
  const facts = { kind: 'sessions_ended', userId: user.id, detail: { count: 1 } } as const;
  return services.storage.endSession(target.digest, services.journal.event(facts, requester));
}

/** Signs out everywhere else. Returns how many sessions have ended. */
export async function endOtherSessions(
  services: Recording,
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

/**
 * The browsers in which a user isn't asked for a code after the password. Their IDs are safe to show: they reveal nothing
 * about the browser's mark. `marks` are those of the browser that asks.
 */
export async function listOwnTrustedDevices(
  { storage, clock }: Timing,
  { user }: SignedIn,
  marks: readonly string[],
): Promise<(Omit<TrustedDevice, 'digest'> & { id: string; current: boolean })[]> {
  const own = marks.map(digestOf);
  const devices = await storage.listTrustedDevices(user.id, clock.now());
  return devices.map(({ digest, ...device }) => ({ ...device, id: digestOf(digest), current: own.includes(digest) }));
}

/** False when the user trusts no such browser. */
export async function endOwnTrust(
  { storage, clock, journal }: Recording,
  { user }: SignedIn,
  id: string,
  requester: Requester,
): Promise<boolean> {
  const now = clock.now();
  const target = (await storage.listTrustedDevices(user.id, now)).find(({ digest }) => digestOf(digest) === id);
  if (target === undefined) return false;
  const event = journal.event({ kind: 'device_trust_ended', userId: user.id }, requester);
  return storage.endTrust(user.id, target.digest, now, event);
}
