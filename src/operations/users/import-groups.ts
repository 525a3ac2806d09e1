// Which groups imported people join. Membership of a group elsewhere shouldn't grant what a group with that name decides here,
// so those that decide about something are left out unless that is said.

import { groupKey } from '../../protocol/account/names.ts';
import type { Requester } from '../../protocol/event.ts';
import { newId } from '../../protocol/identifiers.ts';
import type { ImportedPerson } from '../../protocol/import/person.ts';
import type { ImportedGroup, NamedByKey } from '../../storage/storage.ts';
import type { Recording, Services, Timing } from '../services.ts';

export interface JoiningRules {
  /** Whether people also join groups that are protected, open an application or stand in a claim. */
  readonly intoExistingGroups: boolean;
  /** When the import began. */
  readonly since: number;
}

export type GroupsFound = Readonly<Record<'byName' | 'byId', ReadonlyMap<string, NamedByKey>>>;

export async function findImportGroups(
  { storage }: Pick<Timing, 'storage'>,
  people: readonly ImportedPerson[],
  { since }: JoiningRules,
): Promise<GroupsFound> {
  const keys = [...new Set(people.flatMap(({ groups }) => groups.map(groupKey)))];
  const found = keys.length === 0 ? [] : await storage.findGroupsByKeys(keys, since);
  const mapOf = (isId: boolean) =>
    new Map(found.filter((each) => each.isId === isId).map((each) => [each.key, each] as const));
  return { byName: mapOf(false), byId: mapOf(true) };
}

export function groupProblems({ groups }: ImportedPerson, { byId }: GroupsFound): string[] {
  return groups
    .filter((name) => byId.has(groupKey(name)))
    .map((name) => `the group ${JSON.stringify(name)} has the ID of another group as its name`);
}

/** Only the command line may step in for a directory. */
function isJoined(group: NamedByKey | undefined, { intoExistingGroups }: JoiningRules, requester?: Requester): boolean {
  if (group === undefined) return true;
  if (group.isManaged && requester?.authority !== undefined) return false;
  return intoExistingGroups || !(group.decides || group.isManaged);
}

/** The groups that they aren't put into, as they're listed. */
export function groupsLeft(person: ImportedPerson, found: GroupsFound, rules: JoiningRules, requester?: Requester) {
  return person.groups
    .filter((name) => !isJoined(found.byName.get(groupKey(name)), rules, requester))
    .map((name) => `groups (${name})`);
}

/** Those that the people join, with the events of groups that are new. */
export function joinedByImport(
  { clock, random, journal }: Pick<Recording, 'clock' | 'journal'> & Pick<Services, 'random'>,
  people: readonly { readonly person: ImportedPerson; readonly userId: string }[],
  found: GroupsFound,
  rules: JoiningRules,
  requester: Requester,
): ImportedGroup[] {
  const members = new Map<string, { name: string; userIds: string[] }>();
  for (const { person, userId } of people) {
    for (const name of person.groups) {
      const key = groupKey(name);
      const group = members.get(key) ?? { name, userIds: [] };
      members.set(key, group);
      group.userIds.push(userId);
    }
  }
  const now = clock.now();
  // In a fixed order, so that two imports don't wait for each other.
  const ordered = [...members].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return ordered.flatMap(([key, { name, userIds }]): ImportedGroup[] => {
    const there = found.byName.get(key);
    if (!isJoined(there, rules, requester)) return [];
    const evenIfItDecides = rules.intoExistingGroups;
    if (there !== undefined) return [{ id: there.id, userIds, evenIfItDecides }];
    const group = { id: newId(random), name, createdAt: now, updatedAt: now };
    const event = journal.event({ kind: 'group_created', detail: { group: name } }, requester);
    return [{ id: group.id, created: { group, event }, userIds, evenIfItDecides }];
  });
}
