// `/api/applications/{client_id}/access`: who can use an application.

import { Type } from 'typebox';
import { type AllowedList, changeAllowed, clientAccess, setAccess } from '../../../operations/clients/access-list.ts';
import { allowedJson } from '../../../operations/clients/client-json.ts';
import { clientFields } from '../../../protocol/resources/client.ts';
import type { Client } from '../../../storage/storage.ts';
import { type ApiOperation, operationsOn, strict } from '../define-operation.ts';
import { component, End, Ends, GivenEnds, Id, Subjects, Text } from '../schemas.ts';

const Access = Type.Enum(['everyone', 'listed'], { description: clientFields.access.description });
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
  }),
  json: ({ client, allowed }: { readonly client: Client; readonly allowed: AllowedList }) => ({
    client_id: client.id,
    access: client.access,
    ...allowedJson(allowed),
  }),
} as const;
const onClient = operationsOn(subject, { client_id: Id }, ({ client_id }) => client_id);

interface AllowBody {
  readonly people?: readonly string[];
  readonly groups?: readonly string[];
  readonly expires_at?: string | null;
}

function listOperation(operationId: string, action: 'allow' | 'disallow', summary: string): ApiOperation {
  return onClient(operationId, `POST /access/${action}`, {
    summary,
    powerful: true,
    body: Type.Object({ ...subjects, ...(action === 'allow' && { expires_at: End }) }, { ...strict, minProperties: 1 }),
    message: 'Access list updated.',
    run: (services, id, requester, { body }) => {
      // Checked against the schema. Left out, access doesn't end.
      const { people = [], groups = [], expires_at: ends = null } = body as AllowBody;
      return changeAllowed(services, id, action, { people, groups, ends }, requester);
    },
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
