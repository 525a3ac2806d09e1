// `/api/applications`: registering clients, changing them, and revoking them.

import { Type } from 'typebox';
import { clientJson } from '../../../operations/clients/client-json.ts';
import {
  clientDetails,
  clientSorts,
  createClient,
  listClients,
  rotateClientSecret,
  updateClient,
} from '../../../operations/clients/clients.ts';
import {
  deleteClient,
  restoreClient,
  retireOldSecret,
  revokeClient,
} from '../../../operations/clients/revoke-client.ts';
import { clientFields } from '../../../protocol/resources/client.ts';
import { givenByName } from '../../../protocol/resources/resource.ts';
import type { Client } from '../../../storage/storage.ts';
import { type ApiOperation, defineOperation, respondWith } from '../define-operation.ts';
import { changingBody, creatingBody, fieldsThatNeedProof, shownFields } from '../field-schemas.ts';
import { actionsOn } from '../resource-operations.ts';
import { component, Id, nullable, page, pageJson, pageOf, search, sortedBy, Time } from '../schemas.ts';

const tag = 'applications';
const path = '/api/applications';
const clientPath = `${path}/{client_id}`;
const params = { client_id: Id };

const application = {
  ...shownFields(clientFields),
  secrets: Type.Array(Type.Object({ created_at: Time, last_used_at: nullable(Time) }), {
    description: 'Newest first. A secret itself is shown once, when it is created.',
  }),
};
const Application = component('Application', application);
const ApplicationDetails = component('ApplicationDetails', {
  ...application,
  people: Type.Integer({ minimum: 0, description: 'Number of people with an active consent.' }),
});
const ApplicationWithSecret = component('ApplicationWithSecret', {
  ...application,
  client_secret: nullable(Type.String({ description: 'Shown once; null if no secret was created.' })),
});

const withSecret = ({ client, secret }: { client: Client; secret: string | undefined }) => ({
  ...clientJson(client),
  client_secret: secret ?? null,
});

const action = actionsOn<{ client: Client }>({
  tag,
  path: clientPath,
  params,
  data: Application,
  json: ({ client }) => clientJson(client),
});

export const clientOperations: readonly ApiOperation[] = [
  defineOperation({
    operationId: 'listClients',
    method: 'GET',
    path,
    tag,
    summary: 'List applications, newest first; with a search, in the order of the matching words',
    needs: 'read',
    query: { ...search, ...sortedBy(clientSorts), ...page },
    data: pageOf(Application),
    message: 'Applications retrieved.',
    run: async ({ services, query }) =>
      respondWith(await listClients(services, query), (found) => pageJson(found, (client) => clientJson(client))),
  }),
  defineOperation({
    operationId: 'createApplication',
    method: 'POST',
    path,
    tag,
    summary: "Register an application; the response contains its secret, which isn't shown again",
    needs: 'write',
    status: 201,
    body: creatingBody(clientFields),
    data: ApplicationWithSecret,
    message: 'Application created.',
    run: async ({ services, body, requester }) =>
      respondWith(await createClient(services, givenByName(clientFields, body), requester), withSecret),
  }),
  defineOperation({
    operationId: 'getApplication',
    method: 'GET',
    path: clientPath,
    tag,
    summary: 'Read an application',
    needs: 'read',
    params,
    data: ApplicationDetails,
    message: 'Application retrieved.',
    run: async ({ services, params: { client_id: id } }) =>
      respondWith(await clientDetails(services, id), ({ client, users }) => ({ ...clientJson(client), people: users })),
  }),
  defineOperation({
    operationId: 'updateApplication',
    method: 'PATCH',
    path: clientPath,
    tag,
    summary:
      "Change the given members; an application that becomes confidential gets a secret, which isn't shown again",
    needs: 'write',
    powerful: { with: fieldsThatNeedProof(clientFields) },
    params,
    body: changingBody(clientFields),
    data: ApplicationWithSecret,
    message: 'Application updated.',
    run: async ({ services, params: { client_id: id }, body, requester }) =>
      respondWith(await updateClient(services, id, givenByName(clientFields, body), requester), withSecret),
  }),
  action({
    operationId: 'deleteApplication',
    method: 'DELETE',
    summary: 'Delete an application and all its grants and consents',
    powerful: true,
    data: Type.Null(),
    json: () => null,
    message: 'Application deleted.',
    run: deleteClient,
  }),
  action({
    operationId: 'setApplicationLogo',
    method: 'PUT',
    path: '/logo',
    summary: 'Set the logo: the body is a PNG, JPEG or WebP image of at most 512 KB',
    takesImage: true,
    message: 'Logo updated.',
    run: (services, id, requester, logo) => updateClient(services, id, { logo }, requester),
  }),
  action({
    operationId: 'removeApplicationLogo',
    method: 'DELETE',
    path: '/logo',
    summary: 'Remove the logo',
    message: 'Logo removed.',
    run: (services, id, requester) => updateClient(services, id, { logo: null }, requester),
  }),
  action<{ client: Client; secret: string }>({
    operationId: 'rotateApplicationSecret',
    path: '/secrets',
    summary: "Create a new secret, which isn't shown again; the previous one keeps working, an older one stops",
    powerful: true,
    status: 201,
    data: ApplicationWithSecret,
    json: withSecret,
    message: 'Secret rotated.',
    run: rotateClientSecret,
  }),
  action({
    operationId: 'retireApplicationSecret',
    method: 'DELETE',
    path: '/secrets/old',
    summary: 'Retire the previous secret',
    powerful: true,
    message: 'Previous secret retired.',
    run: retireOldSecret,
  }),
  action({
    operationId: 'revokeApplication',
    path: '/revoke',
    summary: 'Revoke an application: its tokens stop working with the next request',
    powerful: true,
    message: 'Application revoked.',
    run: revokeClient,
  }),
  action({
    operationId: 'restoreApplication',
    path: '/restore',
    summary: 'Let a revoked application sign people in again; its old tokens stay invalid',
    message: 'Application restored.',
    run: restoreClient,
  }),
];
