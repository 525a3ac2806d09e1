// The console's one search: people, applications, groups and events, as far as the one who searches may read them. Each is
// looked up as its own list does, a few rows at a time; those who are most likely meant come first.

import { type Authority, may } from '../../protocol/admin/rights.ts';
import { type Match, matchOf, searchedWords } from '../../protocol/admin/search-words.ts';
import type { Total } from '../../protocol/admin/totals.ts';
import type { EventRecord } from '../../protocol/event.ts';
import type { Client, Group, ListedUser } from '../../storage/storage.ts';
import type { AdminOutcome } from '../admin/outcome.ts';
import type { ListPage } from '../admin/paging.ts';
import { listClients } from '../clients/clients.ts';
import { isReference, listEvents } from '../events/events.ts';
import { listGroups } from '../groups/groups.ts';
import type { Recording } from '../services.ts';
import { listUsers } from '../users/users.ts';

/** Of each kind; its list has the others. */
const mostShown = 5;
/** Of these the best are shown. */
const mostRanked = 50;

export interface Hits<Item> {
  readonly items: readonly Item[];
  /** Whether there are others. */
  readonly more: boolean;
  /** How many there are, where that's counted. */
  readonly total?: Total | undefined;
}

const nothing = { items: [], more: false };

export interface ConsoleHits {
  readonly people: Hits<ListedUser>;
  readonly clients: Hits<Client>;
  readonly groups: Hits<Group>;
  /** Those with this reference, trace ID or ID. */
  readonly events: Hits<EventRecord>;
}

/** What the authority doesn't include isn't looked for. */
export async function searchConsole(
  services: Recording,
  text: string,
  authority: Authority | undefined,
): Promise<ConsoleHits> {
  const search = text.trim();
  const request = { search, limit: mostRanked, total: true };
  const hasText = search !== '';
  const [people, clients, groups, events] = await Promise.all([
    hasText && may(authority, 'people.read') ? findPeople(services, search) : nothing,
    hasText && may(authority, 'applications.read') ? listClients(services, request) : undefined,
    hasText && may(authority, 'groups.read') ? listGroups(services, request) : undefined,
    isReference(search) && may(authority, 'events.read')
      ? listEvents(services, { requestId: search, limit: mostShown, authority })
      : undefined,
  ]);
  return {
    people,
    clients: hitsOf(clients, (found) => bestFirst(search, found, ({ id, name }) => [id, name])),
    groups: hitsOf(groups, (found) => bestFirst(search, found, ({ id, name }) => [id, name])),
    events: hitsOf(events),
  };
}

/** Exact matches first, then whole words, and among these the latest sign-in. */
async function findPeople(services: Recording, search: string): Promise<Hits<ListedUser>> {
  const { storage } = services;
  const named = (match: Match) => storage.findUsersNamed(searchedWords(search), match, mostShown);
  const [listed, byId, ...found] = await Promise.all([
    listUsers(services, { search, limit: mostShown, total: true }),
    storage.findListedUser(search),
    ...(['exact', 'whole', 'beginning'] as const).map(named),
  ]);
  const people = new Map([...(byId ? [byId] : []), ...found.flat()].map((user) => [user.id, user]));
  const hits = hitsOf(listed);
  const items = bestFirst(
    search,
    [...people.values()].toSorted(byLastSignIn),
    ({ id, name, email }) => [id, name, email, email.replace(/@.*/, '')],
    ({ givenName, familyName }) => [givenName ?? '', familyName ?? ''],
  );
  // What isn't found by words is found by its ID alone.
  return { ...hits, items: items.slice(0, mostShown) };
}

function byLastSignIn(one: ListedUser, other: ListedUser): number {
  return (other.lastSignInAt ?? 0) - (one.lastSignInAt ?? 0);
}

/** In the order in which they were found, if they're equally good. */
function bestFirst<Item>(
  search: string,
  items: readonly Item[],
  called: (item: Item) => readonly string[],
  parts?: (item: Item) => readonly string[],
): Item[] {
  const matches: readonly Match[] = ['exact', 'whole', 'beginning'];
  const rankOf = (item: Item) => matches.indexOf(matchOf(search, called(item), parts?.(item)));
  return items
    .map((item) => ({ item, rank: rankOf(item) }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ item }) => item);
}

function hitsOf<Item>(
  outcome: AdminOutcome<ListPage<Item>> | undefined,
  ranked: (items: readonly Item[]) => readonly Item[] = (items) => items,
): Hits<Item> {
  if (outcome?.kind !== 'done') return nothing;
  const items = ranked(outcome.items);
  return {
    items: items.slice(0, mostShown),
    more: outcome.next !== undefined || items.length > mostShown,
    total: outcome.total,
  };
}
