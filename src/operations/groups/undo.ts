// What it takes to undo a removal: which entry it was, and how its person and group were then. The entry begins again as it was, by the
// operation that adds one, and only while nothing about it has changed.

import { digestOf } from '../../protocol/digest.ts';
import type { Group, ListEntry, User } from '../../storage/storage.ts';
import { type Outcome, refused } from '../admin/outcome.ts';
import type { Storing, Timing } from '../services.ts';

/** A member of a group or, with a client, a person or a group on its list. By IDs. */
export interface EntryPlace extends ListEntry {
  readonly client?: string;
}

export interface RemovedEntry extends EntryPlace {
  readonly beganWith: number;
  /** Of the person and the group. */
  readonly state: string;
}

/** An entry that is about to be removed. */
export interface FoundEntry {
  readonly entry: RemovedEntry;
  /** Names, for the notice. */
  readonly who: string;
  readonly from: string;
}

export const changedSince = refused(
  'this can no longer be undone: the entry, the person or the group was changed since',
  'conflict',
);
const hasEnded = refused('this can no longer be undone: the access would have ended by itself since', 'conflict');

/** Undefined if there's nothing to remove. */
export async function findEntry({ storage }: Storing, place: EntryPlace): Promise<FoundEntry | undefined> {
  const { client: clientId, person, group: groupId } = place;
  const [latest, client, user, group] = await Promise.all([
    latestOf({ storage }, place),
    clientId === undefined ? undefined : storage.findClient(clientId),
    person === undefined ? undefined : storage.findUser(person),
    groupId === undefined ? undefined : storage.findGroupById(groupId),
  ]);
  const [who, from] = [user ?? group, clientId === undefined ? group : client];
  if (latest?.lasts !== true || who === undefined || from === undefined) return undefined;
  const entry = { ...place, beganWith: latest.beganWith, state: stateOf(user, group) };
  return { entry, who: who.name, from: from.name };
}

/** When the entry will end by itself, if it can begin again. The write has conditions of its own, so that it does so once. */
export async function checkRestorable(
  services: Timing,
  entry: RemovedEntry,
  user: User | undefined,
  group: Group | undefined,
): Outcome<{ readonly expiresAt: number | null }> {
  const latest = await latestOf(services, entry);
  if (latest?.beganWith !== entry.beganWith || stateOf(user, group) !== entry.state) return changedSince;
  const { expiresAt } = latest;
  return expiresAt !== null && expiresAt <= services.clock.now() ? hasEnded : { kind: 'done', expiresAt };
}

function latestOf({ storage }: Storing, { client, person, group = '' }: EntryPlace) {
  if (client === undefined) return storage.findLatestMembership(group, person ?? '');
  return person === undefined
    ? storage.findLatestListing(client, 'group', group)
    : storage.findLatestListing(client, 'person', person);
}

/** Each change of members updates the group's time. */
function stateOf(user: User | undefined, group: Group | undefined): string {
  return digestOf(JSON.stringify([user, group && { ...group, updatedAt: 0 }]));
}
