// A group here and in SCIM: what becomes of a change, and how a group is shown.

import { cleanName, nameProblem } from '../account/names.ts';
import { isoTime } from '../iso-time.ts';
import { invalidValue, type ScimError } from './errors.ts';
import type { GroupChange } from './group-change.ts';
import { urns } from './urns.ts';
import { isExternalId, longExternalId } from './user-mapping.ts';

/** What a directory decides about a group, besides its members. */
export interface MappedGroup {
  readonly name: string;
  readonly externalId: string | null;
}

/** What a change leaves out stays. */
export function mappedGroup(change: GroupChange, current: MappedGroup | undefined): MappedGroup | ScimError {
  const { displayName, externalId = current?.externalId ?? null } = change;
  const name = displayName === undefined ? current?.name : cleanName(displayName);
  if (name === undefined) return invalidValue('displayName is required.');
  const problem = name === current?.name ? undefined : nameProblem(name);
  if (problem !== undefined) return invalidValue(`displayName ${problem}.`);
  return isExternalId(externalId) ? { name, externalId } : longExternalId;
}

export interface ShownGroup extends MappedGroup {
  readonly id: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface ShownMember {
  readonly id: string;
  readonly name: string;
}

/** Without the members if they weren't asked for, or are too many. */
export function groupJson(group: ShownGroup, members: readonly ShownMember[] | undefined, base: string) {
  const { id, name, externalId } = group;
  return {
    schemas: [urns.group],
    id,
    ...(externalId !== null && { externalId }),
    displayName: name,
    ...(members && { members: members.map((member) => memberJson(member, base)) }),
    meta: {
      resourceType: 'Group',
      created: isoTime(group.createdAt),
      lastModified: isoTime(group.updatedAt),
      location: `${base}/Groups/${encodeURIComponent(id)}`,
    },
  };
}

export function memberJson({ id, name }: ShownMember, base: string) {
  return { value: id, $ref: `${base}/Users/${encodeURIComponent(id)}`, display: name, type: 'User' };
}
