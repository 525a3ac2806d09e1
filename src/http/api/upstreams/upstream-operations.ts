// `/api/upstreams`: the identity providers that people can sign in with.

import { type TProperties, Type } from 'typebox';
import { type LookedUp, lookUpEndpoints, refreshUpstream } from '../../../operations/upstreams/refresh-upstream.ts';
import { identityJson, upstreamDetailsJson, upstreamJson } from '../../../operations/upstreams/upstream-json.ts';
import {
  changeUpstream,
  createUpstream,
  deleteUpstream,
  disableUpstream,
  enableUpstream,
  listUpstreams,
  upstreamDetails,
} from '../../../operations/upstreams/upstreams.ts';
import { listIdentities, revokeIdentities } from '../../../operations/users/identities.ts';
import { findUser } from '../../../operations/users/users.ts';
import { givenByName } from '../../../protocol/resources/resource.ts';
import { upstreamFields } from '../../../protocol/resources/upstream.ts';
import type { Upstream as StoredUpstream } from '../../../storage/storage.ts';
import { type ApiOperation, defineOperation, done, respondWith } from '../define-operation.ts';
import { changingBody, creatingBody, shownFields } from '../field-schemas.ts';
import { actionsOn } from '../resource-operations.ts';
import { Count, component, listOf, nullable, Text, Time } from '../schemas.ts';
import { PersonId, personIn } from '../users/user-id.ts';

const tag = 'upstreams';
const path = '/api/upstreams';
const upstreamPath = `${path}/{name}`;
const params = {
  name: Type.String({ pattern: '^[a-z0-9-]{1,40}$', description: 'The name of the identity provider.' }),
};

const value = Type.Union([Text, Type.Boolean(), Type.Null(), Type.Array(Text)]);
const fields: TProperties = {
  ...shownFields(upstreamFields, 'given'),
  name: Text,
  // A response may have one of a later version.
  algorithm: nullable(Type.String({ description: upstreamFields.algorithm.description })),
};
const upstream = {
  ...fields,
  callback_url: Type.String({ description: 'The redirect URI to register at the identity provider.' }),
  endpoints: Type.Record(Text, value, {
    description: 'Its endpoints and how it signs, as last accepted by an administrator.',
  }),
};
const Upstream = component('Upstream', upstream);
const UpstreamDetails = component('UpstreamDetails', {
  ...upstream,
  people: Type.Object({
    linked: Count,
    without_other_way: Type.Integer({ minimum: 0, description: 'Number of them with no other way to sign in.' }),
  }),
});
const EndpointChanges = component('EndpointChanges', {
  version: Type.String({
    description: 'Identifies what the identity provider announces. Send it to accept just that.',
  }),
  changes: Type.Array(Type.Object({ name: Text, before: value, after: value }), {
    description: 'Empty if the identity provider announces what is in use.',
  }),
});
const Identity = component('Identity', {
  upstream: nullable(Type.String({ description: 'The name of the identity provider; null once it is deleted.' })),
  issuer: Text,
  subject: Text,
  email: nullable(
    Type.String({ description: 'The latest email address from the identity provider, for display only.' }),
  ),
  linked_at: Time,
  last_used_at: nullable(Time),
});

const action = actionsOn<{ upstream: StoredUpstream }>({
  tag,
  path: upstreamPath,
  params,
  data: Upstream,
  json: ({ upstream: shown }, services) => upstreamJson(services, shown),
});

function changesJson({ version, changes }: LookedUp) {
  return { version, changes: changes.map(({ name, before, after }) => ({ name, before, after })) };
}

export const upstreamOperations: readonly ApiOperation[] = [
  defineOperation({
    operationId: 'listUpstreams',
    method: 'GET',
    path,
    tag,
    summary: 'List identity providers, oldest first',
    needs: 'read',
    data: listOf(Upstream),
    message: 'Identity providers retrieved.',
    run: async ({ services }) => {
      const upstreams = await listUpstreams(services);
      return done({ items: upstreams.map((each) => upstreamJson(services, each)) });
    },
  }),
  defineOperation({
    operationId: 'createUpstream',
    method: 'POST',
    path,
    tag,
    summary: 'Add an identity provider; it has to be reachable, because its endpoints are looked up',
    needs: 'write',
    powerful: true,
    status: 201,
    body: creatingBody(upstreamFields),
    data: Upstream,
    message: 'Identity provider added.',
    run: async ({ services, body, requester }) =>
      respondWith(await createUpstream(services, givenByName(upstreamFields, body), requester), (created) =>
        upstreamJson(services, created.upstream),
      ),
  }),
  defineOperation({
    operationId: 'getUpstream',
    method: 'GET',
    path: upstreamPath,
    tag,
    summary: 'Read an identity provider, and the number of people linked to it',
    needs: 'read',
    params,
    data: UpstreamDetails,
    message: 'Identity provider retrieved.',
    run: async ({ services, params: { name } }) =>
      respondWith(await upstreamDetails(services, name), (details) => upstreamDetailsJson(services, details)),
  }),
  defineOperation({
    operationId: 'updateUpstream',
    method: 'PATCH',
    path: upstreamPath,
    tag,
    summary: "Change the given members; the name, the kind and the issuer can't be changed",
    needs: 'write',
    // Nearly everything here decides who can sign in.
    powerful: true,
    params,
    body: changingBody(upstreamFields),
    data: Upstream,
    message: 'Identity provider updated.',
    run: async ({ services, params: { name }, body, requester }) =>
      respondWith(await changeUpstream(services, name, givenByName(upstreamFields, body), requester), (changed) =>
        upstreamJson(services, changed.upstream),
      ),
  }),
  action({
    operationId: 'deleteUpstream',
    method: 'DELETE',
    summary: 'Delete an identity provider and the identities linked to it',
    powerful: true,
    data: Type.Null(),
    json: () => null,
    message: 'Identity provider deleted.',
    run: deleteUpstream,
  }),
  action({
    operationId: 'setUpstreamIcon',
    method: 'PUT',
    path: '/icon',
    summary: 'Set the icon on the button: the body is a PNG, JPEG or WebP image of at most 512 KB',
    takesImage: true,
    message: 'Icon updated.',
    run: (services, name, requester, icon) => changeUpstream(services, name, { icon }, requester),
  }),
  action({
    operationId: 'removeUpstreamIcon',
    method: 'DELETE',
    path: '/icon',
    summary: 'Remove the icon',
    message: 'Icon removed.',
    run: (services, name, requester) => changeUpstream(services, name, { icon: null }, requester),
  }),
  action<LookedUp>({
    operationId: 'lookUpUpstreamEndpoints',
    path: '/endpoints/look-up',
    summary: 'Look up the endpoints that the identity provider announces, without using them',
    data: EndpointChanges,
    json: changesJson,
    message: 'Endpoints looked up.',
    run: lookUpEndpoints,
  }),
  defineOperation({
    operationId: 'refreshUpstreamEndpoints',
    method: 'POST',
    path: `${upstreamPath}/endpoints/refresh`,
    tag,
    summary: 'Use the endpoints that the identity provider announces',
    needs: 'write',
    powerful: true,
    params,
    body: Type.Object({ version: Type.Optional(Text) }, { additionalProperties: false }),
    data: EndpointChanges,
    message: 'Endpoints updated.',
    run: async ({ services, params: { name }, body, requester }) =>
      respondWith(await refreshUpstream(services, name, body.version, requester), changesJson),
  }),
  action({
    operationId: 'disableUpstream',
    path: '/disable',
    summary: 'Disable an identity provider',
    powerful: true,
    message: 'Identity provider disabled.',
    run: disableUpstream,
  }),
  action({
    operationId: 'enableUpstream',
    path: '/enable',
    summary: 'Enable a disabled identity provider',
    powerful: true,
    message: 'Identity provider enabled.',
    run: enableUpstream,
  }),
  defineOperation({
    operationId: 'listPersonIdentities',
    method: 'GET',
    path: '/api/people/{id}/identities',
    tag: 'people',
    summary: "List a person's identities at identity providers",
    needs: 'read',
    params: { id: PersonId },
    data: listOf(Identity),
    message: 'Identities retrieved.',
    run: async ({ services, params: person }) => {
      const found = await findUser(services, personIn(person));
      if (found.kind === 'refused') return found;
      return done({ items: (await listIdentities(services, found.user)).map(identityJson) });
    },
  }),

  defineOperation({
    operationId: 'unlinkPersonIdentities',
    method: 'DELETE',
    path: '/api/people/{id}/identities/{name}',
    tag: 'people',
    summary: "Unlink a person's identities at an identity provider, and end the person's sessions",
    needs: 'write',
    powerful: true,
    params: { id: PersonId, ...params },
    query: { subject: Type.Optional(Text) },
    data: Type.Null(),
    message: 'Identities unlinked.',
    run: async ({ services, params: { id, name }, query, requester }) => {
      const which = { upstream: name, subject: query.subject };
      return respondWith(await revokeIdentities(services, personIn({ id }), which, requester), () => null);
    },
  }),
];
