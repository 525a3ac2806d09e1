// Who may use which client: groups, and the people and groups on a client's list. Every change has a number, the next one
// whichever client or group it concerns, and a grant lives while its user has had access without a gap since the change
// that was the last one when it began. What has ended is kept until no grant is left from before its end.

import type { EventRecord } from '../../protocol/event.ts';
import type { ListPart, Page } from '../paging.ts';
import type { Client, User } from '../records.ts';

export interface Group {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A user or group to add or remove, and the event that's written if that changes anything. */
export interface ListedChange {
  readonly id: string;
  readonly event: EventRecord;
}

export interface AccessChange {
  readonly access?: { readonly to: Client['access']; readonly event: EventRecord } | undefined;
  readonly allow: ListedSubjects;
  readonly disallow: ListedSubjects;
}

export interface ListedSubjects {
  readonly people: readonly ListedChange[];
  readonly groups: readonly ListedChange[];
}

export interface MembersChange {
  readonly add: readonly ListedChange[];
  readonly remove: readonly ListedChange[];
}

export interface Access {
  /**
   * Changes who can use a client, as one change: people who have access before and after it have had no gap. Adds those who
   * aren't on the list and removes those who are; deleted users and groups are skipped. False for an unknown client.
   */
  changeAccess(clientId: string, change: AccessChange, now: number): Promise<boolean>;
  /** The groups on the client's list, by name. */
  listAllowedGroups(clientId: string): Promise<Group[]>;
  /** The users on the client's list directly, not through a group. */
  pageAllowedUsers(clientId: string, part: ListPart): Promise<Page<User>>;
  /** Whether the user has access to the client now. */
  hasAccess(clientId: string, userId: string): Promise<boolean>;

  /** A StorageConflict if a group has this name, in any case. */
  createGroup(group: Group, event: EventRecord): Promise<void>;
  findGroup(nameOrId: string): Promise<Group | undefined>;
  /** By name. */
  pageGroups(part: ListPart): Promise<Page<Group>>;
  pageMembers(groupId: string, part: ListPart): Promise<Page<User>>;
  countMembers(groupId: string): Promise<number>;
  /** False for an unknown group. */
  changeMembers(groupId: string, change: MembersChange, now: number): Promise<boolean>;
  /** Writes one row, however many members there are; the sweep deletes the rest. False for an unknown group. */
  deleteGroup(groupId: string, now: number, event: EventRecord): Promise<boolean>;

  /** The number of the last change. */
  lastAccessChange(): Promise<number>;
}
