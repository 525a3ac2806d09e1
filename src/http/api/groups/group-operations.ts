// `/api/groups`: groups, and the people in them.

import { Type } from 'typebox';
import {
  changeMembers,
  createGroup,
  deleteGroup,
  groupDetails,
  groupJson,
  groupWithSize,
  listGroups,
  memberSorts,
  membershipJson,
  updateGroup,
} from '../../../operations/groups/groups.ts';
import { userJsonOfEach } from '../../../operations/users/user-json.ts';
import { entryFields } from '../../../protocol/resources/entry.ts';
import { groupFields } from '../../../protocol/resources/group.ts';
import { givenByName } from '../../../protocol/resources/resource.ts';
import type { Group as GroupRecord } from '../../../storage/storage.ts';
import { type ApiOperation, nothing, operationsAt, operationsOn, strict } from '../define-operation.ts';
import { changingBody, creatingBody, shownFields } from '../field-schemas.ts';
import {
  component,
  counted,
  ending,
  Force,
  foundPageOf,
  Id,
  listParts,
  nullable,
  page,
  pageJson,
  pageOf,
  Subjects,
  search,
  sortedBy,
  Time,
} from '../schemas.ts';
import { person } from '../users/user-operations.ts';

const group = shownFields(groupFields);
const Group = component('Group', group);
const GroupDetails = component('GroupDetails', {
  ...group,
  people: Type.Integer({ minimum: 0, description: 'Number of members.' }),
});
const Member = component('GroupMember', {
  ...person,
  membership_since: nullable(
    Type.String({ format: 'date-time', description: 'Null if it began before Latchkey recorded that.' }),
  ),
  membership_expires_at: nullable(Time),
});

const subject = {
  tag: 'groups',
  path: '/api/groups',
  area: 'groups',
  data: Group,
  json: (found: { readonly group: GroupRecord }) => groupJson(found.group),
} as const;
const groups = operationsAt(subject);
/** What operations take; a name is no ID. */
const onGroup = operationsOn(subject, { id: Id }, ({ id }) => ({ id }));

function memberOperation(operationId: string, action: 'add' | 'remove', summary: string): ApiOperation {
  return onGroup(operationId, `POST /${action}`, {
    summary,
    // Groups decide who can use applications.
    powerful: true,
    body: creatingBody(action === 'add' ? entryFields : {}, { people: Subjects }),
    message: 'Group updated.',
    run: (services, id, requester, { body }) => {
      // Checked against the schema.
      const { people } = body as { readonly people: readonly string[] };
      return changeMembers(services, id, { [action]: people, ...givenByName(entryFields, body) }, requester);
    },
  });
}

export const groupOperations: readonly ApiOperation[] = [
  groups('listGroups', 'GET', {
    summary: 'List groups by name',
    query: { ...page, ...counted },
    data: pageOf(Group),
    json: listParts(groupJson),
    message: 'Groups retrieved.',
    run: (services, { query }) => listGroups(services, { ...query, total: query.total === 'yes' }),
  }),
  groups('createGroup', 'POST', {
    summary: 'Create a group',
    status: 201,
    powerful: (body) => 'protected' in body,
    body: creatingBody(groupFields),
    message: 'Group created.',
    run: (services, { body }, requester) => createGroup(services, givenByName(groupFields, body), requester),
  }),
  onGroup('getGroup', 'GET', {
    summary: 'Read a group',
    data: GroupDetails,
    message: 'Group retrieved.',
    run: groupWithSize,
    json: ({ group, people }) => ({ ...groupJson(group), people }),
  }),
  onGroup('renameGroup', 'PATCH', {
    summary: 'Rename a group, or decide whether only administrators can change it',
    // Applications that get names of groups see the new one, and may give it rights.
    powerful: true,
    body: Type.Object(changingBody(groupFields).properties, strict),
    message: 'Group updated.',
    run: (services, id, requester, { body }) => updateGroup(services, id, givenByName(groupFields, body), requester),
  }),
  onGroup('deleteGroup', 'DELETE', {
    summary: 'Delete a group; people who have access to an application only through it lose that access',
    powerful: true,
    query: { force: Force },
    ...nothing,
    message: 'Group deleted.',
    run: (services, id, requester, { query }) => deleteGroup(services, id, query.force === 'true', requester),
  }),
  onGroup('listGroupMembers', 'GET /people', {
    summary: 'List the people in a group; with a search, in the order of the matching words',
    query: { ...search, ...sortedBy(memberSorts), ...ending, ...page, ...counted },
    data: foundPageOf(Member),
    message: 'Members retrieved.',
    run: (services, id, _requester, { query }) =>
      groupDetails(services, id, { ...query, ending: query.ending === 'yes', total: query.total === 'yes' }),
    json: async ({ members }, services) => {
      const json = await userJsonOfEach(services);
      return pageJson(members, (member) => ({ ...json(member), ...membershipJson(member) }));
    },
  }),
  memberOperation(
    'addToGroup',
    'add',
    'Add people to a group; who is in it already gets the end that is given, or none',
  ),
  memberOperation('removeFromGroup', 'remove', 'Remove people from a group'),
];
