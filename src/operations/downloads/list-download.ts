// Everything that a list of people or events shows, for downloading. It's read a page at a time while it is sent, so it
// never has to fit into memory, and few downloads run at a time.

import type { Authority } from '../../protocol/admin/rights.ts';
import type { EventRecord, Requester } from '../../protocol/event.ts';
import type { Listed, ListedUser, PersonWithAccess, ShownReviewItem, User } from '../../storage/storage.ts';
import { type Outcome, refusalClause, refused } from '../admin/outcome.ts';
import { type ListPage, namesById } from '../admin/paging.ts';
import { type AccessRequest, listPeopleWithAccess } from '../clients/people-with-access.ts';
import { type EventsQuery, findMentioned, isOldestFirst, listEvents } from '../events/events.ts';
import { findGroup, groupDetails, type MembersRequest } from '../groups/groups.ts';
import { type ItemFilters, listReviewItems } from '../reviews/review-items.ts';
import type { Recording, Services, Storing } from '../services.ts';
import { listUsers, type UsersRequest } from '../users/users.ts';

/** The embedded store reads a page on the event loop: it must be over before other requests notice. */
const pageLength = 100;

export type DownloadFormat = 'csv' | 'jsonl';

/** `end` must be called when the pages have been read, or are not going to be. */
export interface ListDownload<Item> {
  readonly pages: AsyncGenerator<readonly Item[], void>;
  end(): void;
}

export interface DownloadRequest {
  readonly format: DownloadFormat;
  /** The ID of the administrator or of the API key: each downloads one list at a time. */
  readonly caller: string;
  readonly requester: Requester;
}

export interface NamedEvent {
  readonly event: EventRecord;
  /** Undefined when the event is about no person, or about one who is gone. */
  readonly email: string | undefined;
  readonly application: string | undefined;
  /** The email address of the administrator, or the name of the API key, that did it. */
  readonly actor: string | undefined;
}

export function downloadUsers(
  services: Recording & Pick<Services, 'downloads'>,
  users: Omit<UsersRequest, 'cursor' | 'limit'>,
  request: DownloadRequest,
): Outcome<ListDownload<ListedUser>> {
  const read = (cursor: string | undefined) => listUsers(services, { ...users, cursor, limit: pageLength });
  return download(services, { list: 'people' }, request, read, async (users) => users);
}

/** The people who can use an application now. */
export function downloadPeopleWithAccess(
  services: Recording & Pick<Services, 'downloads'>,
  clientId: string,
  people: Omit<AccessRequest, 'cursor' | 'limit'>,
  request: DownloadRequest,
): Outcome<ListDownload<PersonWithAccess>> {
  const { authority } = request.requester;
  const read = async (cursor: string | undefined): Outcome<ListPage<PersonWithAccess>> => {
    const page = await listPeopleWithAccess(services, clientId, { ...people, cursor, limit: pageLength, authority });
    return page.kind === 'refused' ? page : { kind: 'done', ...page.people };
  };
  return download(services, { list: 'access', clientId }, request, read, async (shown) => shown);
}

/** What the requester may see of a review. */
export function downloadReviewItems(
  services: Recording & Pick<Services, 'downloads'>,
  reviewId: string,
  filters: ItemFilters,
  request: DownloadRequest,
): Outcome<ListDownload<ShownReviewItem>> {
  const read = async (cursor: string | undefined): Outcome<ListPage<ShownReviewItem>> => {
    const page = await listReviewItems(
      services,
      reviewId,
      { ...filters, cursor, limit: pageLength },
      request.requester,
    );
    return page.kind === 'refused' ? page : { kind: 'done', ...page.items };
  };
  return download(services, { list: 'review' }, request, read, async (shown) => shown);
}

/** The people in a group. */
export async function downloadMembers(
  services: Recording & Pick<Services, 'downloads'>,
  groupId: string,
  members: Omit<MembersRequest, 'cursor' | 'limit'>,
  request: DownloadRequest,
): Outcome<ListDownload<Listed<User>>> {
  const found = await findGroup(services, { id: groupId });
  if (found.kind === 'refused') return found;
  const { id, name } = found.group;
  const read = async (cursor: string | undefined): Outcome<ListPage<Listed<User>>> => {
    const page = await groupDetails(services, { id }, { ...members, cursor, limit: pageLength });
    return page.kind === 'refused' ? page : { kind: 'done', ...page.members };
  };
  return download(services, { list: 'members', group: name }, request, read, async (shown) => shown);
}

export function downloadEvents(
  services: Recording & Pick<Services, 'downloads'>,
  query: Omit<EventsQuery, 'cursor' | 'limit'>,
  request: DownloadRequest,
): Outcome<ListDownload<NamedEvent>> {
  const { authority } = request.requester;
  const read = eventReader(services, { ...query, authority });
  return download(services, { list: 'events' }, request, read, (events) => withNames(services, events, authority));
}

/** All events that match, with names, for callers that need no download of the service: nothing is counted or recorded. */
export async function readAllEvents(
  services: Recording,
  query: Omit<EventsQuery, 'limit'>,
): Outcome<{ pages: AsyncGenerator<readonly NamedEvent[], void> }> {
  const read = eventReader(services, query);
  const first = await read(query.cursor);
  if (first.kind === 'refused') return first;
  return { kind: 'done', pages: pagesFrom(first, read, (events) => withNames(services, events)) };
}

function eventReader(services: Recording, query: Omit<EventsQuery, 'cursor' | 'limit'>) {
  // Oldest first, events that happen meanwhile would be added to the end, and a busy service might never get there.
  const until = isOldestFirst(query) ? Math.min(query.until ?? Infinity, services.clock.now() + 1) : query.until;
  return (cursor: string | undefined) => listEvents(services, { ...query, until, cursor, limit: pageLength });
}

async function download<Item, Shown>(
  { downloads, journal }: Pick<Services, 'journal' | 'downloads'>,
  { clientId, ...what }: { readonly list: string; readonly clientId?: string; readonly group?: string },
  { format, caller, requester }: DownloadRequest,
  read: (cursor: string | undefined) => Outcome<ListPage<Item>>,
  show: (items: readonly Item[]) => Promise<readonly Shown[]>,
): Outcome<ListDownload<Shown>> {
  if (!downloads.begin(caller)) return refused('a download is already running: wait until it has finished', 'busy');
  const end = () => downloads.end(caller);
  try {
    // Read before the download is recorded, so that it doesn't list itself.
    const first = await read(undefined);
    if (first.kind === 'refused') {
      end();
      return first;
    }
    journal.note(
      { kind: 'list_downloaded', ...(clientId !== undefined && { clientId }), detail: { ...what, format } },
      requester,
    );
    return { kind: 'done', pages: pagesFrom(first, read, show), end };
  } catch (error) {
    end();
    throw error;
  }
}

async function* pagesFrom<Item, Shown>(
  first: ListPage<Item>,
  read: (cursor: string | undefined) => Outcome<ListPage<Item>>,
  show: (items: readonly Item[]) => Promise<readonly Shown[]>,
): AsyncGenerator<readonly Shown[], void> {
  let page = first;
  for (;;) {
    yield await show(page.items);
    if (page.next === undefined) return;
    const next = await read(page.next);
    // Anyone who is downloading must not take half a list for a whole one.
    if (next.kind === 'refused') throw new Error(refusalClause(next));
    page = next;
  }
}

export async function withNames(
  services: Storing,
  events: readonly EventRecord[],
  authority?: Authority,
): Promise<NamedEvent[]> {
  const [users, clients, apiKeys] = await findMentioned(services, events, authority);
  const emails = new Map(users.map(({ id, email }) => [id, email]));
  const [names, keyNames] = [namesById(clients), namesById(apiKeys)];
  return events.map((event) => ({
    event,
    email: emails.get(event.userId ?? ''),
    application: names.get(event.clientId ?? ''),
    actor: (event.actor?.kind === 'administrator' ? emails : keyNames).get(event.actor?.id ?? ''),
  }));
}
