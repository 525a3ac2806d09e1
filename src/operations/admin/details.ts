// One application or one person, with what an administrator wants to know before acting.

import { digestOf } from '../../protocol/digest.ts';
import { sessionIsLive, sessionLimits } from '../../protocol/sign-in/session-limits.ts';
import type { Client, ConnectedApp, Session, SignInFacts, User } from '../../storage/storage.ts';
import type { Services } from '../services.ts';
import { findUser } from './manage-users.ts';
import { type AdminOutcome, refused } from './outcome.ts';

export async function clientDetails(
  services: Services,
  clientId: string,
): Promise<AdminOutcome<{ client: Client; people: number }>> {
  const { storage } = services;
  const client = await storage.findClient(clientId);
  if (client === undefined) return refused(`there is no client "${clientId}"`, 'not_found');
  return { kind: 'done', client, people: await storage.countConnectedUsers(clientId) };
}

export interface PersonDetails {
  readonly user: User;
  readonly sessions: readonly KnownSession[];
  readonly apps: readonly ConnectedApp[];
  readonly factors: SignInFacts;
}

export async function userDetails(services: Services, name: string): Promise<AdminOutcome<PersonDetails>> {
  const found = await findUser(services, name);
  if (found.kind === 'refused') return found;
  const { id } = found.user;
  const [sessions, apps, factors] = await Promise.all([
    liveSessions(services, id),
    services.storage.listConnectedApps(id),
    services.storage.findSignInFacts(id, undefined),
  ]);
  return { ...found, sessions, apps, factors };
}

export interface KnownSession extends Omit<Session, 'digest'> {
  /** A name that says nothing about the session's secret. */
  readonly id: string;
}

async function liveSessions({ storage, clock }: Services, userId: string): Promise<KnownSession[]> {
  const now = clock.now();
  const sessions = await storage.listSessions(userId, now - sessionLimits.idle);
  return sessions
    .filter((session) => sessionIsLive(session, now))
    .map(({ digest, ...session }) => ({ ...session, id: digestOf(digest) }));
}
