// The lists that administrators read: people, applications and events, a page at a time.

import { formatCursor, parseCursor } from '../../protocol/admin/cursor.ts';
import { searchKey } from '../../protocol/admin/search-words.ts';
import { type EventKind, type EventRecord, eventKinds } from '../../protocol/event.ts';
import { newTimeOrderedId } from '../../protocol/identifiers.ts';
import type { Client, Page, PageQuery, User } from '../../storage/storage.ts';
import type { Services } from '../services.ts';
import { type AdminOutcome, refused } from './outcome.ts';

const eventIdForm = /^[0-9a-z]{26}$/;

export interface ListInput {
  readonly search?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export interface List<Item> {
  readonly items: readonly Item[];
  /** Where the next page begins; undefined on the last one. */
  readonly next: string | undefined;
}

export const pageLength = 50;

export async function listUsers(services: Services, input: ListInput): Promise<AdminOutcome<List<User>>> {
  const { storage } = services;
  const listed = await list(input, (query) => storage.pageUsers(query));
  if (listed.kind === 'refused' || listed.items.length > 0 || input.search === undefined) return listed;
  const byId = await storage.findUser(input.search.trim());
  return byId === undefined ? listed : { kind: 'done', items: [byId], next: undefined };
}

export async function listClients(services: Services, input: ListInput): Promise<AdminOutcome<List<Client>>> {
  return list(input, (query) => services.storage.pageClients(query));
}

async function list<Item>(
  input: ListInput,
  read: (query: PageQuery) => Promise<Page<Item>>,
): Promise<AdminOutcome<List<Item>>> {
  const after = input.cursor === undefined ? undefined : parseCursor(input.cursor);
  if (input.cursor !== undefined && after === undefined) return refused('the cursor is not one of this list');
  const prefix = searchKey(input.search ?? '');
  const { items, next } = await read({ prefix, after, limit: input.limit ?? pageLength });
  return { kind: 'done', items, next: next && formatCursor(next) };
}

export interface EventsInput {
  /** By e-mail address or id. */
  readonly person?: string | undefined;
  readonly application?: string | undefined;
  readonly kind?: string | undefined;
  /** What an error page has called the request. */
  readonly reference?: string | undefined;
  /** Milliseconds; from the first on, and before the second. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export async function listEvents(services: Services, input: EventsInput): Promise<AdminOutcome<List<EventRecord>>> {
  const { storage, journal } = services;
  const { cursor, kind, limit = pageLength } = input;
  if (cursor !== undefined && !eventIdForm.test(cursor)) return refused('the cursor is not one of this list');
  if (kind !== undefined && !isEventKind(kind)) return refused(`there is no kind of event "${kind}"`);
  const person = input.person?.trim();
  const userId = person?.includes('@') ? (await storage.findUserByEmail(person))?.id : person;
  if (person !== undefined && userId === undefined) return refused(`there is no person "${person}"`);
  const clientId = input.application?.trim();
  const until = input.until === undefined ? undefined : firstIdAt(input.until);
  // What cannot be written right now is no reason to hide what has been.
  await journal.flush().catch(() => {});
  const events = await storage.findEvents(
    {
      ...{ userId, clientId, kind, requestId: input.reference?.trim() },
      fromId: input.since === undefined ? undefined : firstIdAt(input.since),
      beforeId: [cursor, until].filter((id) => id !== undefined).sort()[0],
    },
    limit + 1,
  );
  if (events.length === 0 && clientId !== undefined && (await storage.findClient(clientId)) === undefined) {
    return refused(`there is no application "${clientId}"`);
  }
  const items = events.slice(0, limit);
  return { kind: 'done', items, next: events.length > limit ? items.at(-1)?.id : undefined };
}

export function isEventKind(text: string): text is EventKind {
  return (eventKinds as readonly string[]).includes(text);
}

/** Ids of events begin with their time: all of that moment and later are not before this one. */
function firstIdAt(at: number): string {
  const bounded = Math.min(Math.max(0, Math.floor(at)), 2 ** 48 - 1);
  return newTimeOrderedId(bounded, (size) => new Uint8Array(size));
}
