// Finds the people and groups that a file for `latchkey apply` names, and what it changes about lists of them. A group may be
// described in the same file and not exist yet. What isn't there is a problem.

import { groupKey } from '../../protocol/account/names.ts';
import { isoTime } from '../../protocol/iso-time.ts';
import type { Group, Listed, User } from '../../storage/storage.ts';
import { namesOfGroups } from '../admin/named-groups.ts';
import { refusalClause } from '../admin/outcome.ts';
import type { FileContext, ListChange } from '../apply/file-section.ts';
import { itemsDifference, untilPath } from '../apply/plan-section.ts';
import { findUser } from '../users/users.ts';
import { type EndsByName, readEndsByName } from './listed-ends.ts';

type Find = (named: string) => Promise<string | undefined>;

/** What the file says about a list. Undefined leaves it, or its ends, as they are. */
interface ListInFile extends Pick<ListChange, 'path' | 'label'> {
  readonly named: readonly string[] | undefined;
  readonly until: EndsByName | undefined;
}

export type NamesInFile = ReturnType<typeof namesInFile>;

export function namesInFile({ services, file, problems }: FileContext) {
  const { storage } = services;
  const described = new Map((file.get('groups') ?? []).map(({ id }) => [groupKey(id), id]));
  const email = remembered(async (named) => {
    const found = await findUser(services, named);
    return found.kind === 'done' ? found.user.email : undefined;
  });
  // By what it's found: its name, unless that is another group's ID.
  const group = remembered(async (named) => {
    const found = await storage.findGroup(named);
    return found === undefined ? described.get(groupKey(named)) : (await namesOfGroups(services, [found]))[0];
  });
  const groupName = remembered(async (named) => {
    return (await storage.findGroupByName(named))?.name ?? described.get(groupKey(named));
  });

  /** By what the file calls them. */
  async function all(noun: string, find: Find, named: readonly string[]): Promise<Map<string, string>> {
    const names = new Map<string, string>();
    for (const each of new Set(named)) {
      const name = await find(each);
      if (name === undefined) problems.add(`there is no ${noun} "${each}"`);
      names.set(each, name ?? each);
    }
    return names;
  }

  /** `before` has the names of those that are listed, and when that ends. */
  async function change(
    noun: string,
    find: Find,
    before: ReadonlyMap<string, number | null>,
    { named, until: given, ...about }: ListInFile,
  ): Promise<ListChange> {
    const wanted = named && [...new Set((await all(noun, find, named)).values())];
    const names = [...before.keys()];
    const after = wanted ?? names;
    const read = given && (await readEndsByName(services, untilPath(about.path), given, after, find));
    if (read?.kind === 'refused') problems.add(refusalClause(read));
    const ends = read?.kind === 'done' ? read.ends : undefined;
    const moved = ends === undefined ? [] : after.filter((name) => (before.get(name) ?? null) !== ends.get(name));
    const lines = (of: ReadonlyMap<string, number | null> = new Map()) =>
      moved.flatMap((name) => {
        const end = of.get(name) ?? null;
        return end === null ? [] : [`${name} ${isoTime(end)}`];
      });
    const until = itemsDifference(lines(before), lines(ends));
    return { ...about, wanted, entries: itemsDifference(names, after), ends, moved, until };
  }

  return {
    /** Of groups, by name alone, as claims have them. */
    groupNames: (named: readonly string[]) => all('group', groupName, named),
    groups: (named: readonly string[]) => all('group', group, named),
    peopleList(listed: readonly Listed<Pick<User, 'id' | 'email'>>[], list: ListInFile): Promise<ListChange> {
      return change('person', email, new Map(listed.map((user) => [user.email, user.listedUntil])), list);
    },
    async groupList(listed: readonly Listed<Group>[], list: ListInFile): Promise<ListChange> {
      const names = await namesOfGroups(services, listed);
      return change('group', group, new Map(listed.map((each, index) => [names[index] ?? '', each.listedUntil])), list);
    },
  };
}

/** Nothing is looked for twice. */
function remembered(find: Find): Find {
  const known = new Map<string, Promise<string | undefined>>();
  return (named) => {
    const found = known.get(named) ?? find(named);
    known.set(named, found);
    return found;
  };
}
