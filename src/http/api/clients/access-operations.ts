// `/api/applications/{client_id}/access`: who can use an application.

import { Type } from 'typebox';
import {
  type AllowedList,
  changeAllowed,
  clientAccessPart,
  setAccess,
} from '../../../operations/clients/access-list.ts';
import { allowedJson } from '../../../operations/clients/client-json.ts';
import { clientFields } from '../../../protocol/resources/client.ts';
import { entryFields } from '../../../protocol/resources/entry.ts';
import { givenByName } from '../../../protocol/resources/resource.ts';
import type { Client } from '../../../storage/storage.ts';
import { type ApiOperation, operationsOn, strict } from '../define-operation.ts';
import { changingBody } from '../field-schemas.ts';
import { component, Id, Subjects, Text, Time } from '../schemas.ts';

const Access = Type.Enum(['everyone', 'listed'], { description: clientFields.access.description });
const Ends = Type.Record(Text, Time, {
  description: 'When access ends, by name. Those without an end are left out.',
});
const GivenEnds = Type.Record(Text, Type.String({ maxLength: 100 }), {
  description: 'The ends of all that are listed, by name; left out, all stay as they are.',
});
const subjects = { people: Type.Optional(Subjects), groups: Type.Optional(Subjects) };

const subject = {
  tag: 'applications',
  path: '/api/applications',
  area: 'applications',
  data: component('ApplicationAccess', {
    client_id: Text,
    access: Access,
    allowed: Type.Object({
      people: Type.Array(Text, { description: 'Email addresses.' }),
      groups: Type.Array(Text, { description: 'Names.' }),
    }),
    allowed_until: Type.Object({ people: Ends, groups: Ends }),
    next_cursor: Type.Optional(
      Type.String({ description: 'Only when a list has more than 10,000 people: where its next part begins.' }),
    ),
  }),
  json: ({
    client,
    allowed,
    next,
  }: {
    readonly client: Client;
    readonly allowed: AllowedList;
    readonly next?: string;
  }) => ({
    client_id: client.id,
    access: client.access,
    ...allowedJson(allowed),
    ...(next !== undefined && { next_cursor: next }),
  }),
} as const;
const onClient = operationsOn(subject, { client_id: Id }, ({ client_id }) => client_id);

interface AllowBody {
  readonly people?: readonly string[];
  readonly groups?: readonly string[];
}

function listOperation(operationId: string, action: 'allow' | 'disallow', summary: string): ApiOperation {
  return onClient(operationId, `POST /access/${action}`, {
    right: 'access.change',
    summary,
    powerful: true,
    body: changingBody(action === 'allow' ? entryFields : {}, subjects),
    message: 'Access list updated.',
    run: (services, id, requester, { body }) => {
      // Checked against the schema.
      const { people = [], groups = [] } = body as AllowBody;
      const named = { people, groups, ...givenByName(entryFields, body) };
      return changeAllowed(services, id, action, named, requester);
    },
  });
}

export const accessOperations: readonly ApiOperation[] = [
  onClient('getAccess', 'GET /access', {
    summary: 'Read who can use an application',
    message: 'Access retrieved.',
    query: { cursor: Type.Optional(Type.String({ maxLength: 1500, description: 'The next_cursor of another part.' })) },
    run: (services, id, _requester, { query }) => clientAccessPart(services, id, query.cursor),
  }),
  onClient('setAccess', 'PUT /access', {
    summary: 'Set who can use an application; each given list replaces the previous one',
    powerful: true,
    body: Type.Object(
      {
        access: Type.Optional(Access),
        allowed: Type.Optional(Type.Object(subjects, strict)),
        allowed_until: Type.Optional(
          Type.Object({ people: Type.Optional(GivenEnds), groups: Type.Optional(GivenEnds) }, strict),
        ),
      },
      { ...strict, minProperties: 1 },
    ),
    message: 'Access updated.',
    run: (services, id, requester, { body }) =>
      setAccess(services, id, { access: body.access, ...body.allowed, until: body.allowed_until }, requester),
  }),
  listOperation(
    'allowAccess',
    'allow',
    'Add people and groups to the access list of an application; who is on it already gets the end that is given, or none',
  ),
  listOperation('disallowAccess', 'disallow', 'Remove people and groups from the access list of an application'),
];
