// Reads the groups in a file for `latchkey apply`, and writes down those there are.

import { cleanName } from '../../protocol/account/display-name.ts';
import { groupKey } from '../../protocol/admin/group-name.ts';
import { isJsonObject, isTexts, type Json, unknownKeys } from '../../protocol/reading/strict-json.ts';
import { compareTexts } from '../admin/applied-resource.ts';
import type { Services } from '../services.ts';
import { namesOf } from '../users/users.ts';
import { groupNameProblem, listAllGroups, listAllMembers } from './groups.ts';

export interface DescribedGroup {
  readonly name: string;
  /** By email address or ID; undefined leaves them as they are. */
  readonly members?: readonly string[];
}

/** Adds to `problems`. Undefined when the file has no groups, which says nothing about those that exist. */
export function readGroups(value: Json | undefined, problems: string[]): DescribedGroup[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) {
    problems.push('"groups" must be a list of groups');
    return [];
  }
  const groups = value.map((item, index) => {
    const found: string[] = [];
    const group = readGroup(item, found);
    problems.push(...found.map((problem) => `groups[${index}]: ${problem}`));
    return group;
  });
  const keys = groups.map(({ name }) => groupKey(name));
  for (const [index, { name }] of groups.entries()) {
    if (name !== '' && keys.indexOf(keys[index] ?? '') < index) {
      problems.push(`groups[${index}]: the name ${JSON.stringify(name)} appears twice`);
    }
  }
  return groups;
}

function readGroup(item: Json, problems: string[]): DescribedGroup {
  if (!isJsonObject(item)) {
    problems.push('a group must be an object');
    return { name: '' };
  }
  problems.push(...unknownKeys(item, ['name', 'members']));
  const { name, members } = item;
  const problem = typeof name === 'string' ? groupNameProblem(name) : '"name" must be a string';
  if (problem !== undefined) problems.push(problem);
  if (members !== undefined && !isTexts(members)) problems.push('"members" must be a list of strings');
  return {
    name: typeof name === 'string' ? cleanName(name) : '',
    ...(isTexts(members) && { members: [...new Set(members)] }),
  };
}

/** By name, so that a file from another store with the same groups has them in the same order. */
export async function exportGroups(services: Pick<Services, 'storage'>): Promise<Required<DescribedGroup>[]> {
  const groups = await listAllGroups(services);
  const exported = groups.map(async (group) => ({
    name: group.name,
    members: await namesOf(services, await listAllMembers(services, group)),
  }));
  return (await Promise.all(exported)).toSorted((a, b) => compareTexts(a.name, b.name));
}
