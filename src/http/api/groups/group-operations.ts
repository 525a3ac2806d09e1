// `/api/groups`: groups, and the people in them.

import { Type } from 'typebox';
import {
  changeMembers,
  createGroup,
  deleteGroup,
  groupDetails,
  groupJson,
  listGroups,
} from '../../../operations/groups/groups.ts';
import { userJson } from '../../../operations/users/user-json.ts';
import type { Group as GroupRecord } from '../../../storage/storage.ts';
import type { ApiOperation } from '../define-operation.ts';
import { operationsOn } from '../resource-operations.ts';
import { component, Id, listParts, page, pageJson, pageOf, Subjects, Text, Time } from '../schemas.ts';
import { Person } from '../users/user-operations.ts';

const strict = { additionalProperties: false } as const;

const group = { id: Text, name: Text, created_at: Time, updated_at: Time };
const Group = component('Group', group);
const GroupDetails = component('GroupDetails', {
  ...group,
  people: Type.Integer({ minimum: 0, description: 'Number of members.' }),
});

const subject = {
  tag: 'groups',
  data: Group,
  json: (found: { readonly group: GroupRecord }) => groupJson(found.group),
};
const groups = operationsOn({ ...subject, path: '/api/groups', params: {} });
const one = operationsOn({ ...subject, path: '/api/groups/{id}', params: { id: Id } });

function memberOperation(operationId: string, action: 'add' | 'remove', summary: string): ApiOperation {
  return one({
    operationId,
    path: `/${action}`,
    summary,
    body: Type.Object({ people: Subjects }, strict),
    message: 'Group updated.',
    run: (services, { id, body }, requester) => changeMembers(services, id, { [action]: body.people }, requester),
  });
}

export const groupOperations: readonly ApiOperation[] = [
  groups({
    operationId: 'listGroups',
    method: 'GET',
    summary: 'List groups by name',
    query: page,
    data: pageOf(Group),
    json: listParts(groupJson),
    message: 'Groups retrieved.',
    run: (services, { query }) => listGroups(services, query),
  }),
  groups({
    operationId: 'createGroup',
    summary: 'Create a group',
    status: 201,
    body: Type.Object({ name: Text }, strict),
    message: 'Group created.',
    run: (services, { body }, requester) => createGroup(services, body.name, requester),
  }),
  one({
    operationId: 'getGroup',
    method: 'GET',
    summary: 'Read a group',
    data: GroupDetails,
    message: 'Group retrieved.',
    run: (services, { id }) => groupDetails(services, id, { limit: 1 }),
    json: (found) => ({ ...groupJson(found.group), people: found.count }),
  }),
  one({
    operationId: 'deleteGroup',
    method: 'DELETE',
    summary: 'Delete a group; people who have access to an application only through it lose that access',
    powerful: true,
    data: Type.Null(),
    json: () => null,
    message: 'Group deleted.',
    run: (services, { id }, requester) => deleteGroup(services, id, requester),
  }),
  one({
    operationId: 'listGroupMembers',
    method: 'GET',
    path: '/people',
    summary: 'List the people in a group',
    query: page,
    data: pageOf(Person),
    message: 'Members retrieved.',
    run: (services, { id, query }) => groupDetails(services, id, query),
    json: ({ members }) => pageJson(members, userJson),
  }),
  memberOperation('addToGroup', 'add', 'Add people to a group'),
  memberOperation('removeFromGroup', 'remove', 'Remove people from a group'),
];
