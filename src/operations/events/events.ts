// The events that administrators read, newest or oldest first: filtered, a page at a time, and for the console together with the
// names of everything the events mention.

import { isUserId, usernameProblem } from '../../protocol/account/names.ts';
import { type VisibleEvents, visibleEvents } from '../../protocol/admin/event-subjects.ts';
import { type RedirectMismatch, redirectMismatchIn } from '../../protocol/admin/redirect-mismatch.ts';
import type { Authority } from '../../protocol/admin/rights.ts';
import { searchedWords, searchKey } from '../../protocol/admin/search-words.ts';
import { mostCounted, type Total } from '../../protocol/admin/totals.ts';
import type { EventRecord } from '../../protocol/event.ts';
import { eventKinds, failureKinds } from '../../protocol/events/kinds.ts';
import { firstIdAt } from '../../protocol/identifiers.ts';
import { includes } from '../../protocol/reading/includes.ts';
import { isTraceId } from '../../protocol/trace-context.ts';
import { type Outcome, refused } from '../admin/outcome.ts';
import { cannotSortBy, defaultPageLength, findEach, invalidCursor, type ListPage, namesById } from '../admin/paging.ts';
import type { Recording, Storing } from '../services.ts';
import { findUserCalled, nobodyCalled } from '../users/users.ts';

/** The event after which a page begins, or before which one ends, and how many are listed before that. */
export const eventCursor = /^(-?)([0-9a-z]{26})(?:\.(\d{1,9}))?$/;
/** The events of so many clients are read together. */
const clientLimit = 10;
/** Among so many clients with a similar name, those with exactly this name are looked for. */
const clientsCompared = 100;

/** Whether a text could be the reference of an error page, a trace ID, or the ID of an event. */
export function isReference(text: string): boolean {
  return /^[A-Za-z0-9]{8}-[0-9a-z]{1,12}$/.test(text) || isTraceId(text) || isEventId(text);
}

function isEventId(text: string): boolean {
  return /^[0-9a-z]{26}$/.test(text);
}

export interface EventsQuery {
  /** A text is an email address, a username or an ID. */
  readonly user?: string | { readonly id: string } | undefined;
  /** A text is a client's ID, or its name or a part of it. */
  readonly client?: string | { readonly id: string } | undefined;
  /** Any of these; all when undefined. */
  readonly kinds?: readonly string[] | undefined;
  /** What has failed and nothing else. */
  readonly failures?: boolean | undefined;
  /** The reference that an error page showed, a trace ID, or the ID of an event. */
  readonly requestId?: string | undefined;
  /** In milliseconds. Includes this moment. */
  readonly since?: number | undefined;
  /** In milliseconds. Excludes this moment. */
  readonly until?: number | undefined;
  /** `at` for oldest first, `-at` for newest first, which is how they're listed if nothing is said. */
  readonly sort?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
  /** Whether to count them, too. Only for those who see all events: for others, far more would have to be read. */
  readonly total?: boolean | undefined;
  /** Who asks; undefined for the command line. Requesters find and count only what they can see. */
  readonly authority?: Authority | undefined;
}

export async function listEvents(services: Recording, query: EventsQuery): Outcome<ListPage<EventRecord>> {
  const { storage, journal } = services;
  const { cursor, limit = defaultPageLength } = query;
  const place = cursor === undefined ? undefined : eventCursor.exec(cursor);
  if (place === null) return invalidCursor();
  const [, sign = '', edge = '', counted = '0'] = place ?? [];
  const backwards = sign === '-';
  const oldestFirst = isOldestFirst(query);
  const towardsNewer = oldestFirst !== backwards;
  if (query.sort && query.sort !== '-at' && !oldestFirst) return cannotSortBy(query.sort);
  const unknown = query.kinds?.find((kind) => !includes(eventKinds, kind));
  if (unknown !== undefined) return refused(`there is no kind of event "${unknown}"`);
  const visible = visibleEvents(query.authority);
  const meant = await userMeant(services, query.user, visible);
  if (meant.kind === 'refused') return meant;
  const { userId } = meant;
  const reference = query.requestId?.trim();
  const client = typeof query.client === 'string' ? query.client.trim() : undefined;
  const until = query.until === undefined ? undefined : firstIdAt(query.until);
  const called = client === undefined ? undefined : await clientsCalled(services, client);
  if (called?.kind === 'refused') return called;
  // Events that can't be written right now are no reason to hide the ones that have been.
  await journal.flush().catch(() => {});
  const clientIds = typeof query.client === 'object' ? [query.client.id] : (called?.ids ?? [undefined]);
  const named = query.kinds === undefined ? undefined : eventKinds.filter((kind) => query.kinds?.includes(kind));
  const kinds = query.failures ? failureKinds.filter((kind) => named === undefined || named.includes(kind)) : named;
  // Ids have one length, so a longer text comes between this one and the next.
  const only = reference !== undefined && isEventId(reference) ? reference : undefined;
  const newer = place !== undefined && towardsNewer ? [`${edge}0`] : [];
  const older = place !== undefined && !towardsNewer ? [edge] : [];
  const from = [...(query.since === undefined ? [] : [firstIdAt(query.since)]), ...(only ? [only] : [])].sort().at(-1);
  const before = [...(until === undefined ? [] : [until]), ...(only ? [`${only}0`] : [])].sort()[0];
  const all = {
    userId,
    visible,
    ...(reference !== undefined &&
      only === undefined && { [isTraceId(reference) ? 'traceId' : 'requestId']: reference }),
    fromId: from,
    beforeId: before,
  };
  const filter = {
    ...all,
    fromId: [...(from === undefined ? [] : [from]), ...newer].sort().at(-1),
    beforeId: [...(before === undefined ? [] : [before]), ...older].sort()[0],
  };
  // Each of these walks an index of its own, so that a few failures are found among millions of other events. Those of a person or
  // of a request are in an index without kinds, which is walked once.
  const order = towardsNewer ? 'oldest' : 'newest';
  const isNarrow = userId !== undefined || reference !== undefined;
  const ofKinds = kinds === undefined || (isNarrow && kinds.length > 0) ? [{ kinds }] : kinds.map((kind) => ({ kind }));
  const walks = clientIds.flatMap((clientId) => ofKinds.map((of) => ({ clientId, ...of })));
  const found = await Promise.all(walks.map((each) => storage.findEvents({ ...filter, ...each }, limit + 1, order)));
  const nearestFirst = (a: EventRecord, b: EventRecord) => (a.id < b.id === towardsNewer ? -1 : 1);
  const events = found.flat().toSorted(nearestFirst);
  // The first page is a whole one, even if less than a page is left before the cursor.
  if (backwards && events.length <= limit) return listEvents(services, { ...query, cursor: undefined });
  if (events.length === 0 && clientIds[0] === client && client !== undefined) {
    if ((await storage.findClient(client)) === undefined) return refused(`there is no application "${client}"`);
  }
  const read = events.slice(0, limit);
  const items = backwards ? read.toReversed() : read;
  const start = backwards ? Math.max(0, Number(counted) - items.length) : Number(counted);
  const [first, last] = [items[0], items.at(-1)];
  const goesOn = backwards || events.length > limit;
  const isCounted = query.total && visible === undefined;
  const isWhole = place === undefined && !goesOn;
  return {
    kind: 'done',
    ...(isCounted && {
      total: isWhole
        ? { count: items.length, more: false }
        : await countInTurn(walks, (walk, most) => storage.countEvents({ ...all, ...walk }, most)),
    }),
    items,
    next: goesOn && last !== undefined ? `${last.id}.${start + items.length}` : undefined,
    previous: place !== undefined && first !== undefined ? `-${first.id}.${start}` : undefined,
    start,
  };
}

/** Each walk is counted as far as those before it leave room for. */
async function countInTurn<Walk>(
  walks: readonly Walk[],
  countWalk: (walk: Walk, most: number) => Promise<Total>,
): Promise<Total> {
  let count = 0;
  for (const walk of walks) {
    const counted = await countWalk(walk, mostCounted - count);
    count += counted.count;
    if (counted.more) return { count, more: true };
  }
  return { count, more: false };
}

export function isOldestFirst({ sort }: Pick<EventsQuery, 'sort'>): boolean {
  return sort === 'at';
}

async function userMeant(
  services: Storing,
  user: EventsQuery['user'],
  visible: VisibleEvents | undefined,
): Outcome<{ userId: string | undefined }> {
  const done = (userId: string | undefined) => ({ kind: 'done', userId }) as const;
  if (typeof user !== 'string') return done(user?.id);
  const text = user.trim();
  const found = await findUserCalled(services, text);
  if (found.kind === 'done') return done(found.user.id);
  const isOnlyId = usernameProblem(text) !== undefined && !text.includes('@');
  return isOnlyId || (await hasEvents(services, text, visible)) ? done(text) : refused(nobodyCalled(text));
}

/** The events of a person who was deleted are still there, and found by their ID. */
export async function hasEvents(
  { storage }: Storing,
  userId: string,
  visible: VisibleEvents | undefined,
): Promise<boolean> {
  return isUserId(userId) && (await storage.findEvents({ userId, visible }, 1)).length > 0;
}

/**
 * The IDs of the clients with this ID or name, refused when too many match for all of their events to be shown. An ID
 * that isn't known may be that of a client that was deleted.
 */
export async function clientsCalled({ storage }: Storing, text: string): Outcome<{ ids: readonly string[] }> {
  const words = searchedWords(text);
  const [known, { items, next }] = await Promise.all([
    storage.findClient(text),
    storage.pageClients({ words, after: undefined, limit: words.length === 0 ? 0 : clientsCompared }),
  ]);
  if (known !== undefined || items.length === 0) return { kind: 'done', ids: [text] };
  const namesakes = items.filter(({ name }) => searchKey(name) === searchKey(text));
  const meant = namesakes.length > 0 ? namesakes : items;
  if (next !== undefined || meant.length > clientLimit) {
    return refused(`more than ${clientLimit} applications match. Type more of the name`);
  }
  return { kind: 'done', ids: meant.map(({ id }) => id) };
}

export interface ExplainedEvent extends EventRecord {
  /** Whether it says that something has failed. */
  readonly failed: boolean;
  /** For a sign-in that was refused because of its redirect URI. */
  readonly mismatch: RedirectMismatch | undefined;
  /** For someone who was refused: whether they have access now. Undefined for anything else, and for what is gone. */
  readonly hasAccess: boolean | undefined;
}

/** Names by ID. What has been deleted since is missing. */
export interface EventNames {
  readonly users: ReadonlyMap<string, string>;
  readonly clients: ReadonlyMap<string, string>;
  readonly apiKeys: ReadonlyMap<string, string>;
}

export async function listExplainedEvents(
  services: Recording,
  query: EventsQuery,
): Outcome<ListPage<ExplainedEvent> & { names: EventNames }> {
  const { storage, clock } = services;
  const listed = await listEvents(services, query);
  if (listed.kind === 'refused') return listed;
  const events = listed.items;
  const [users, clients, apiKeys] = await findMentioned(services, events, query.authority);
  const clientsById = new Map(clients.map((client) => [client.id, client]));
  const usersById = new Map(users.map((user) => [user.id, user]));
  const accessOf = async ({ kind, clientId = '', userId = '' }: EventRecord) =>
    kind === 'access_refused' && clientsById.has(clientId) && usersById.has(userId)
      ? storage.hasAccess(clientId, userId, clock.now())
      : undefined;
  const hasAccess = await Promise.all(events.map(accessOf));
  return {
    ...listed,
    items: events.map((event, index) => {
      const client = clientsById.get(event.clientId ?? '');
      return {
        ...event,
        failed: failureKinds.includes(event.kind),
        mismatch: client && redirectMismatchIn(event, client),
        hasAccess: hasAccess[index],
      };
    }),
    names: { users: namesById(users), clients: namesById(clients), apiKeys: namesById(apiKeys) },
  };
}

/** The users, clients and API keys that the events mention. What has been deleted since is missing. */
export async function findMentioned({ storage }: Storing, events: readonly EventRecord[], authority?: Authority) {
  const actors = events.flatMap(({ actor }) => actor ?? []);
  // Anyone who doesn't see all events doesn't see API keys either.
  const seesKeys = visibleEvents(authority) === undefined;
  const administratorIds = actors.filter(({ kind }) => kind === 'administrator').map(({ id }) => id);
  const userIds = [...events.flatMap(({ userId }) => userId ?? []), ...administratorIds];
  const clientIds = events.flatMap(({ clientId }) => clientId ?? []);
  return Promise.all([
    findEach(userIds, (id) => storage.findUser(id)),
    findEach(clientIds, (id) => storage.findClient(id)),
    seesKeys && actors.some(({ kind }) => kind === 'api_key') ? storage.listApiKeys() : [],
  ]);
}
