// `/api/applications`: registering clients, changing them, and revoking them.

import { Type } from 'typebox';
import { clientJson } from '../../../operations/apply/resource-json.ts';
import { retireOldSecret, rotateClientSecret } from '../../../operations/clients/client-secrets.ts';
import { clientDetails, createClient, listClients, updateClient } from '../../../operations/clients/clients.ts';
import { deleteClient, restoreClient, revokeClient } from '../../../operations/clients/revoke-client.ts';
import type { Client } from '../../../storage/storage.ts';
import { type ApiOperation, defineOperation, respondWith } from '../define-operation.ts';
import {
  Application,
  ApplicationDetails,
  ApplicationWithSecret,
  ClientUpstream,
  clientLinks,
  clientSort,
  Id,
  page,
  pageJson,
  pageOf,
  Scopes,
  SecondFactor,
  search,
  Text,
  WhoHasAccess,
} from '../schemas.ts';

const tag = 'applications';
const clientPath = '/api/applications/{client_id}';
const params = { client_id: Id };
const RedirectUris = Type.Array(Text, { minItems: 1, maxItems: 50 });
const PostLogoutRedirectUris = Type.Array(Text, {
  maxItems: 50,
  description: 'Where the application may send people after they have signed out.',
});

const links = {
  client_uri: Type.Optional(clientLinks.client_uri),
  policy_uri: Type.Optional(clientLinks.policy_uri),
  tos_uri: Type.Optional(clientLinks.tos_uri),
  launch_url: Type.Optional(clientLinks.launch_url),
};

const withSecret = ({ client, secret }: { client: Client; secret: string | undefined }) => ({
  ...clientJson(client),
  client_secret: secret ?? null,
});
const withoutSecret = ({ client }: { client: Client }) => clientJson(client);

export const clientOperations: readonly ApiOperation[] = [
  defineOperation({
    operationId: 'listClients',
    method: 'GET',
    path: '/api/applications',
    tag,
    summary: 'List applications, newest first; with a search, in the order of the matching words',
    needs: 'read',
    query: { ...search, ...clientSort, ...page },
    data: pageOf(Application),
    message: 'Applications retrieved.',
    run: async ({ services, query }) =>
      respondWith(await listClients(services, query), (page) => pageJson(page, (client) => clientJson(client))),
  }),

  defineOperation({
    operationId: 'createApplication',
    method: 'POST',
    path: '/api/applications',
    tag,
    summary: "Register an application; the response contains its secret, which isn't shown again",
    needs: 'write',
    status: 201,
    body: Type.Object(
      {
        name: Text,
        redirect_uris: RedirectUris,
        post_logout_redirect_uris: Type.Optional(PostLogoutRedirectUris),
        scopes: Type.Optional(Scopes),
        public: Type.Optional(Type.Boolean({ default: false, description: 'A public client has no secret.' })),
        access: Type.Optional(WhoHasAccess),
        second_factor: Type.Optional(SecondFactor),
        upstream: Type.Optional(ClientUpstream),
        ...links,
      },
      { additionalProperties: false },
    ),
    data: ApplicationWithSecret,
    message: 'Application created.',
    run: async ({ services, body, requester }) => {
      const input = {
        name: body.name,
        isPublic: body.public ?? false,
        redirectUris: body.redirect_uris,
        postLogoutRedirectUris: body.post_logout_redirect_uris,
        scope: body.scopes?.join(' '),
        access: body.access,
        logo: undefined,
        secondFactor: body.second_factor,
        upstream: body.upstream,
        links: body,
      };
      return respondWith(await createClient(services, input, requester), withSecret);
    },
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
    run: async ({ services, params }) =>
      respondWith(await clientDetails(services, params.client_id), ({ client, users }) => ({
        ...clientJson(client),
        people: users,
      })),
  }),

  defineOperation({
    operationId: 'updateApplication',
    method: 'PATCH',
    path: clientPath,
    tag,
    summary:
      "Change the given members; an application that becomes confidential gets a secret, which isn't shown again",
    needs: 'write',
    // Another type means another secret, or none.
    powerful: { with: 'public' },
    params,
    body: Type.Object(
      {
        name: Type.Optional(Text),
        redirect_uris: Type.Optional(RedirectUris),
        post_logout_redirect_uris: Type.Optional(PostLogoutRedirectUris),
        scopes: Type.Optional(Scopes),
        public: Type.Optional(Type.Boolean()),
        access: Type.Optional(WhoHasAccess),
        second_factor: Type.Optional(SecondFactor),
        upstream: Type.Optional(ClientUpstream),
        ...links,
      },
      { additionalProperties: false, minProperties: 1 },
    ),
    data: ApplicationWithSecret,
    message: 'Application updated.',
    run: async ({ services, params, body, requester }) => {
      const change = {
        name: body.name,
        redirectUris: body.redirect_uris,
        postLogoutRedirectUris: body.post_logout_redirect_uris,
        scope: body.scopes?.join(' '),
        isPublic: body.public,
        access: body.access,
        secondFactor: body.second_factor,
        upstream: body.upstream,
        links: body,
      };
      return respondWith(await updateClient(services, params.client_id, change, requester), withSecret);
    },
  }),

  defineOperation({
    operationId: 'deleteApplication',
    method: 'DELETE',
    path: clientPath,
    tag,
    summary: 'Delete an application and all its grants and consents',
    needs: 'write',
    powerful: true,
    params,
    data: Type.Null(),
    message: 'Application deleted.',
    run: async ({ services, params, requester }) =>
      respondWith(await deleteClient(services, params.client_id, requester), () => null),
  }),

  defineOperation({
    operationId: 'setApplicationLogo',
    method: 'PUT',
    path: `${clientPath}/logo`,
    tag,
    summary: 'Set the logo: the body is a PNG, JPEG or WebP image of at most 512 KiB',
    needs: 'write',
    params,
    takesImage: true,
    data: Application,
    message: 'Logo updated.',
    run: async ({ services, params, bytes, requester }) =>
      respondWith(await updateClient(services, params.client_id, { logo: bytes }, requester), withoutSecret),
  }),

  defineOperation({
    operationId: 'removeApplicationLogo',
    method: 'DELETE',
    path: `${clientPath}/logo`,
    tag,
    summary: 'Remove the logo',
    needs: 'write',
    params,
    data: Application,
    message: 'Logo removed.',
    run: async ({ services, params, requester }) =>
      respondWith(await updateClient(services, params.client_id, { logo: null }, requester), withoutSecret),
  }),

  defineOperation({
    operationId: 'rotateApplicationSecret',
    method: 'POST',
    path: `${clientPath}/secrets`,
    tag,
    summary: "Create a new secret, which isn't shown again; the previous one keeps working, an older one stops",
    needs: 'write',
    powerful: true,
    status: 201,
    params,
    data: ApplicationWithSecret,
    message: 'Secret rotated.',
    run: async ({ services, params, requester }) =>
      respondWith(await rotateClientSecret(services, params.client_id, requester), withSecret),
  }),

  defineOperation({
    operationId: 'retireApplicationSecret',
    method: 'DELETE',
    path: `${clientPath}/secrets/old`,
    tag,
    summary: 'Retire the previous secret',
    needs: 'write',
    powerful: true,
    params,
    data: Application,
    message: 'Previous secret retired.',
    run: async ({ services, params, requester }) =>
      respondWith(await retireOldSecret(services, params.client_id, requester), withoutSecret),
  }),

  defineOperation({
    operationId: 'revokeApplication',
    method: 'POST',
    path: `${clientPath}/revoke`,
    tag,
    summary: 'Revoke an application: its tokens stop working with the next request',
    needs: 'write',
    powerful: true,
    params,
    data: Application,
    message: 'Application revoked.',
    run: async ({ services, params, requester }) =>
      respondWith(await revokeClient(services, params.client_id, requester), withoutSecret),
  }),

  defineOperation({
    operationId: 'restoreApplication',
    method: 'POST',
    path: `${clientPath}/restore`,
    tag,
    summary: 'Let a revoked application sign people in again; its old tokens stay invalid',
    needs: 'write',
    params,
    data: Application,
    message: 'Application restored.',
    run: async ({ services, params, requester }) =>
      respondWith(await restoreClient(services, params.client_id, requester), withoutSecret),
  }),
];
