// `/api/groups`, and `/api/applications/{client_id}/access`: who may use which application.

import { Type } from 'typebox';
import { type AllowedList, changeAllowed, clientAccess, setAccess } from '../../../operations/clients/access-list.ts';
import { allowedJson } from '../../../operations/clients/client-json.ts';
import {
  changeMembers,
  createGroup,
  deleteGroup,
  groupDetails,
  groupJson,
  listGroups,
} from '../../../operations/groups/groups.ts';
import { userJson } from '../../../operations/users/user-json.ts';
import type { Client } from '../../../storage/storage.ts';
import { type ApiOperation, defineOperation, respondWith } from '../define-operation.ts';
import {
  Access,
  ApplicationAccess,
  Group,
  GroupDetails,
  Id,
  Person,
  page,
  pageJson,
  pageOf,
  Subjects,
  SubjectsToChange,
  Text,
} from '../schemas.ts';

const groupPath = '/api/groups/{id}';
const groupParams = { id: Id };
const accessPath = '/api/applications/{client_id}/access';
const clientParams = { client_id: Id };
const strict = { additionalProperties: false } as const;

const accessData = ({ client, allowed }: { client: Client; allowed: AllowedList }) => ({
  client_id: client.id,
  access: client.access,
  allowed: allowedJson(allowed),
});

function listOperation(action: 'allow' | 'disallow', summary: string): ApiOperation {
  return defineOperation({
    operationId: action === 'allow' ? 'allowAccess' : 'disallowAccess',
    method: 'POST',
    path: `${accessPath}/${action}`,
    tag: 'applications',
    summary,
    needs: 'write',
    params: clientParams,
    body: SubjectsToChange,
    data: ApplicationAccess,
    message: 'Access list updated.',
    run: async ({ services, params, body, requester }) => {
      const named = { people: body.people ?? [], groups: body.groups ?? [] };
      return respondWith(await changeAllowed(services, params.client_id, action, named, requester), accessData);
    },
  });
}

function memberOperation(action: 'add' | 'remove', summary: string): ApiOperation {
  return defineOperation({
    operationId: action === 'add' ? 'addToGroup' : 'removeFromGroup',
    method: 'POST',
    path: `${groupPath}/${action}`,
    tag: 'groups',
    summary,
    needs: 'write',
    params: groupParams,
    body: Type.Object({ people: Subjects }, strict),
    data: Group,
    message: 'Group updated.',
    run: async ({ services, params, body, requester }) =>
      respondWith(await changeMembers(services, params.id, { [action]: body.people }, requester), ({ group }) =>
        groupJson(group),
      ),
  });
}

export const accessOperations: readonly ApiOperation[] = [
  defineOperation({
    operationId: 'getAccess',
    method: 'GET',
    path: accessPath,
    tag: 'applications',
    summary: 'Read who can use an application',
    needs: 'read',
    params: clientParams,
    data: ApplicationAccess,
    message: 'Access retrieved.',
    run: async ({ services, params }) => respondWith(await clientAccess(services, params.client_id), accessData),
  }),

  defineOperation({
    operationId: 'setAccess',
    method: 'PUT',
    path: accessPath,
    tag: 'applications',
    summary: 'Set who can use an application; each given list replaces the previous one',
    needs: 'write',
    params: clientParams,
    body: Type.Object(
      {
        access: Type.Optional(Access),
        allowed: Type.Optional(
          Type.Object({ people: Type.Optional(Subjects), groups: Type.Optional(Subjects) }, strict),
        ),
      },
      { ...strict, minProperties: 1 },
    ),
    data: ApplicationAccess,
    message: 'Access updated.',
    run: async ({ services, params, body, requester }) =>
      respondWith(
        await setAccess(services, params.client_id, { access: body.access, ...body.allowed }, requester),
        accessData,
      ),
  }),

  listOperation('allow', 'Add people and groups to the access list of an application'),
  listOperation('disallow', 'Remove people and groups from the access list'),

  defineOperation({
    operationId: 'listGroups',
    method: 'GET',
    path: '/api/groups',
    tag: 'groups',
    summary: 'List groups by name',
    needs: 'read',
    query: page,
    data: pageOf(Group),
    message: 'Groups retrieved.',
    run: async ({ services, query }) =>
      respondWith(await listGroups(services, query), (page) => pageJson(page, groupJson)),
  }),

  defineOperation({
    operationId: 'createGroup',
    method: 'POST',
    path: '/api/groups',
    tag: 'groups',
    summary: 'Create a group',
    needs: 'write',
    status: 201,
    body: Type.Object({ name: Text }, strict),
    data: Group,
    message: 'Group created.',
    run: async ({ services, body, requester }) =>
      respondWith(await createGroup(services, body.name, requester), ({ group }) => groupJson(group)),
  }),

  defineOperation({
    operationId: 'getGroup',
    method: 'GET',
    path: groupPath,
    tag: 'groups',
    summary: 'Read a group',
    needs: 'read',
    params: groupParams,
    data: GroupDetails,
    message: 'Group retrieved.',
    run: async ({ services, params }) =>
      respondWith(await groupDetails(services, params.id, { limit: 1 }), ({ group, count }) => ({
        ...groupJson(group),
        people: count,
      })),
  }),

  defineOperation({
    operationId: 'deleteGroup',
    method: 'DELETE',
    path: groupPath,
    tag: 'groups',
    summary: 'Delete a group; people who have access to an application only through it lose that access',
    needs: 'write',
    powerful: true,
    params: groupParams,
    data: Type.Null(),
    message: 'Group deleted.',
    run: async ({ services, params, requester }) =>
      respondWith(await deleteGroup(services, params.id, requester), () => null),
  }),

  defineOperation({
    operationId: 'listGroupMembers',
    method: 'GET',
    path: `${groupPath}/people`,
    tag: 'groups',
    summary: 'List the people in a group',
    needs: 'read',
    params: groupParams,
    query: page,
    data: pageOf(Person),
    message: 'Members retrieved.',
    run: async ({ services, params, query }) =>
      respondWith(await groupDetails(services, params.id, query), ({ members }) => pageJson(members, userJson)),
  }),

  memberOperation('add', 'Add people to a group'),
  memberOperation('remove', 'Remove people from a group'),
];
