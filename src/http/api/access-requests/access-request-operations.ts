// `/api/access-requests`: what people without access to an application have asked for, and decisions about it.

import { Type } from 'typebox';
import {
  allowAccessRequest,
  declineAccessRequest,
  listAccessRequests,
  requestJson,
  type ShownRequest,
} from '../../../operations/access-requests/access-requests.ts';
import { requestStatuses } from '../../../protocol/account/access-requests.ts';
import { messageLimit } from '../../../protocol/account/standing.ts';
import { entryFields } from '../../../protocol/resources/entry.ts';
import { givenByName } from '../../../protocol/resources/resource.ts';
import { type ApiOperation, operationsAt, operationsOn, strict } from '../define-operation.ts';
import { creatingBody } from '../field-schemas.ts';
import { component, Id, listParts, nullable, page, pageOf, Text, Time } from '../schemas.ts';

const AccessRequest = component('AccessRequest', {
  id: Text,
  person: Type.Object({ id: Text, name: Text, email: Text }),
  application: Type.Object({ client_id: Text, name: Text }),
  status: Type.Enum(requestStatuses),
  note: nullable(
    Type.String({ description: 'What the person wrote. Null for nothing, and from 30 days after the decision on.' }),
  ),
  asked_at: Time,
  decided_at: nullable(Time),
  decided_by: nullable(
    Type.Object(
      { kind: Text, id: Text },
      { description: 'The person or API key that decided. Null for the command line.' },
    ),
  ),
  expires_at: nullable(Type.String({ format: 'date-time', description: 'When the access ends that was given.' })),
});

const subject = {
  tag: 'access requests',
  path: '/api/access-requests',
  area: 'access_requests',
  data: AccessRequest,
  json: ({ request }: { readonly request: ShownRequest }) => requestJson(request),
} as const;
const onAll = operationsAt(subject);
const onRequest = operationsOn(subject, { id: Id }, ({ id }) => id);

export const accessRequestOperations: readonly ApiOperation[] = [
  onAll('listAccessRequests', 'GET', {
    summary: 'List requests for access to applications, newest first',
    query: {
      status: Type.Optional(Type.Enum(requestStatuses, { description: 'Only those with this status.' })),
      application: Type.Optional(Type.String({ maxLength: 40, description: 'Only those for this application.' })),
      person: Type.Optional(
        Type.String({ maxLength: 300, description: 'Only those of this person, by ID, email address or username.' }),
      ),
      ...page,
    },
    data: pageOf(AccessRequest),
    message: 'Access requests retrieved.',
    run: (services, { query }, requester) => listAccessRequests(services, query, requester),
    json: listParts(requestJson),
  }),
  onRequest('allowAccessRequest', 'POST /allow', {
    summary: "Allow a request for access: the person is added to the application's access list, and notified by email",
    powerful: true,
    body: creatingBody(entryFields),
    message: 'Access request allowed.',
    run: (services, id, requester, { body }) =>
      allowAccessRequest(services, id, givenByName(entryFields, body), requester),
  }),
  onRequest('declineAccessRequest', 'POST /decline', {
    summary: 'Decline a request for access; the person is notified by email, with the reason if there is one',
    body: Type.Object(
      {
        reason: Type.Optional(
          Type.String({
            maxLength: 2 * messageLimit,
            description: `Plain text of at most ${messageLimit} characters.`,
          }),
        ),
      },
      strict,
    ),
    message: 'Access request declined.',
    run: (services, id, requester, { body: { reason = '' } }) => declineAccessRequest(services, id, reason, requester),
  }),
];
