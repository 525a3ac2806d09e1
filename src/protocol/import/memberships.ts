// The groups that imported people are in: those that they had at the other service and, if that's meant, their roles.

import { cleanName, groupKey, nameProblem } from '../account/names.ts';
import type { Json } from '../reading/strict-json.ts';

export interface GroupChoices {
  /** Whether a group is called like the last part of its path, instead of all of it. */
  readonly groupsFromLastPart?: boolean | undefined;
  readonly rolesAsGroups?: boolean | undefined;
}

/** Far more than anybody is in who isn't made up. */
export const groupsOfOne = 200;

/** As they're stored, each once. Adds to `problems`: a person is imported with all of them or not at all. */
export function groupNames(given: readonly Json[], problems: string[]): readonly string[] {
  if (given.length > groupsOfOne) {
    problems.push(`is in ${given.length.toLocaleString('en')} groups, and can be in ${groupsOfOne} at most`);
    return [];
  }
  const names = new Map<string, string>();
  for (const each of given) {
    if (typeof each !== 'string') {
      problems.push('a group must be a name');
      continue;
    }
    const name = cleanName(each);
    const problem = nameProblem(name);
    if (problem !== undefined) problems.push(`the group ${JSON.stringify(each.slice(0, 60))} ${problem}`);
    else if (!names.has(groupKey(name))) names.set(groupKey(name), name);
  }
  return [...names.values()];
}

/** Of a path such as Keycloak's, in which a slash of a name follows a tilde. */
export function nameInPath(path: Json, { groupsFromLastPart }: GroupChoices): Json {
  // What is longer is no name, whatever is in it.
  if (typeof path !== 'string' || path.length > 10_000) return path;
  const parts = path.replace(/^\//, '').split(/(?<!~)\//);
  const named = groupsFromLastPart ? parts.slice(-1) : parts;
  return named.map((part) => part.replaceAll('~/', '/')).join('/');
}
