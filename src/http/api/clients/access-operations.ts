// `/api/applications/{client_id}/access`: who can use an application.

import { Type } from 'typebox';
import { type AllowedList, changeAllowed, clientAccess, setAccess } from '../../../operations/clients/access-list.ts';
import { allowedJson } from '../../../operations/clients/client-json.ts';
import { clientFields } from '../../../protocol/resources/client.ts';
import type { Client } from '../../../storage/storage.ts';
import { type ApiOperation, operationsOn, strict } from '../define-operation.ts';
import { component, Id, Subjects, Text } from '../schemas.ts';

const Access = Type.Enum(['everyone', 'listed'], { description: clientFields.access.description });
const subjects = { people: Type.Optional(Subjects), groups: Type.Optional(Subjects) };

const subject = {
  tag: 'applications',
  path: '/api/applications',
  data: component('ApplicationAccess', {
    client_id: Text,
    access: Access,
    allowed: Type.Object({
      people: Type.Array(Text, { description: 'Email addresses.' }),
      groups: Type.Array(Text, { description: 'Names.' }),
    }),
  }),
  json: ({ client, allowed }: { readonly client: Client; readonly allowed: AllowedList }) => ({
    client_id: client.id,
    access: client.access,
    allowed: allowedJson(allowed),
  }),
};
const onClient = operationsOn(subject, { client_id: Id }, ({ client_id }) => client_id);

function listOperation(operationId: string, action: 'allow' | 'disallow', summary: string): ApiOperation {
  return onClient(operationId, `POST /access/${action}`, {
    summary,
    powerful: true,
    body: Type.Object(subjects, { ...strict, minProperties: 1 }),
    message: 'Access list updated.',
    run: (services, id, requester, { body: { people = [], groups = [] } }) =>
      changeAllowed(services, id, action, { people, groups }, requester),
  });
}

export const accessOperations: readonly ApiOperation[] = [
  onClient('getAccess', 'GET /access', {
    summary: 'Read who can use an application',
    message: 'Access retrieved.',
    run: clientAccess,
  }),
  onClient('setAccess', 'PUT /access', {
    summary: 'Set who can use an application; each given list replaces the previous one',
    powerful: true,
    body: Type.Object(
      { access: Type.Optional(Access), allowed: Type.Optional(Type.Object(subjects, strict)) },
      { ...strict, minProperties: 1 },
    ),
    message: 'Access updated.',
    run: (services, id, requester, { body }) =>
      setAccess(services, id, { access: body.access, ...body.allowed }, requester),
  }),
  listOperation('allowAccess', 'allow', 'Add people and groups to the access list of an application'),
  listOperation('disallowAccess', 'disallow', 'Remove people and groups from the access list of an application'),
];
