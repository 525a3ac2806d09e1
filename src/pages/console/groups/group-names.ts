// Names of groups to choose from, in forms of the console. A group is chosen by its name, which no other has.

import type { Messages } from '../../languages/languages.ts';
import type { NameList } from '../../layout/form.ts';

/** Of all groups, and of those whose members the reader can choose. */
export const groupNamesPath = '/admin/group-names';
export const joinableNamesPath = `${groupNamesPath}/joinable`;

interface Names {
  readonly names: readonly string[];
  readonly more: boolean;
}

/** For a field with one name. A search finds those that aren't in the page. */
export function groupList({ names, more }: Names, path: string): NameList {
  return { id: 'group-names', names, search: more ? path : undefined };
}

/** For a text with one name in a line. */
export function joinableNames({ admin }: Messages) {
  return { search: joinableNamesPath, ...admin.groups.names };
}
