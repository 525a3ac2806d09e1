// A person who lacks access to an application asks for it, and what nobody decides about in time ends. What keeps them from asking
// is looked up for the page; the write decides.

import {
  type AskRefusal,
  askedTooLongAgo,
  cleanNote,
  isNote,
  longestRequest,
  mostRequestsADay,
  requestDay,
  statusOf,
} from '../../protocol/account/access-requests.ts';
import type { Requester } from '../../protocol/event.ts';
import { newTimeOrderedId } from '../../protocol/identifiers.ts';
import type { AccessRequest, Client, User } from '../../storage/storage.ts';
import type { Recording, Services, Timing } from '../services.ts';

const batchSize = 100;

export interface Asking {
  /** Undefined if the person can ask now. */
  readonly refusal: AskRefusal | undefined;
  /** When the open request was asked. */
  readonly askedAt: number | undefined;
}

/** For someone without access: whether they can ask for it. */
export async function askingFor(
  { storage, clock }: Timing,
  user: Pick<User, 'id'>,
  client: Pick<Client, 'id' | 'accessRequests'>,
): Promise<Asking> {
  const none = { askedAt: undefined };
  if (client.accessRequests === 'off') return { refusal: 'off', ...none };
  const now = clock.now();
  const since = now - requestDay;
  const [latest, lately] = await Promise.all([
    storage.findLatestRequest(user.id, client.id),
    storage.countRequestsSince(user.id, since),
  ]);
  const status = latest && statusOf(latest, now);
  if (status === 'open') return { refusal: 'open', askedAt: latest?.askedAt };
  if (status === 'declined' && (latest?.decidedAt ?? 0) > since) return { refusal: 'declined', ...none };
  return { refusal: lately >= mostRequestsADay ? 'too_many' : undefined, ...none };
}

/** False if the note can't be stored. Whether the person has asked is what `askingFor` says afterwards. */
export async function askForAccess(
  services: Recording & Pick<Services, 'random'>,
  { id: userId }: Pick<User, 'id'>,
  clientId: string,
  given: string,
  requester: Requester,
): Promise<boolean> {
  const { storage, clock, random, journal } = services;
  const note = cleanNote(given);
  if (!isNote(note)) return false;
  // One that waited for too long may not be written as over yet.
  await expireRequests(services);
  const now = clock.now();
  const id = newTimeOrderedId(now, random);
  const undecided = { decidedAt: null, decidedByKind: null, decidedById: null, expiresAt: null };
  const asked = { note: note === '' ? null : note, askedAt: now, ...undecided };
  const request: AccessRequest = { id, clientId, userId, status: 'open', ...asked };
  const limits = { declinedBefore: now - requestDay, since: now - requestDay, most: mostRequestsADay };
  const event = journal.event({ kind: 'access_requested', userId, clientId, detail: { request: id } }, requester);
  await storage.askForAccess(request, limits, event);
  return true;
}

/** Each has ended when its time was over, whenever that's written. */
export async function expireRequests({ storage, clock, journal }: Recording): Promise<void> {
  const askedBy = askedTooLongAgo(clock.now());
  for (;;) {
    const requests = await storage.listOverdueRequests(askedBy, batchSize);
    for (const { id, userId, clientId, askedAt } of requests) {
      const facts = { kind: 'access_request_expired', userId, clientId, detail: { request: id } } as const;
      const event = journal.event(facts, { address: '', requestId: '' });
      await storage.expireRequest(id, askedAt + longestRequest, askedBy, event);
    }
    if (requests.length < batchSize) return;
  }
}
