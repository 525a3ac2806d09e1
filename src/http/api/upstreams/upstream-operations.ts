// `/api/upstreams`: the identity providers that people can sign in with.

import { type TProperties, Type } from 'typebox';
import type { Services } from '../../../operations/services.ts';
import { type LookedUp, lookUpEndpoints, refreshUpstream } from '../../../operations/upstreams/refresh-upstream.ts';
import { upstreamActions as actions } from '../../../operations/upstreams/subject.ts';
import { identityJson, upstreamDetailsJson, upstreamJson } from '../../../operations/upstreams/upstream-json.ts';
import {
  changeUpstream,
  createUpstream,
  listUpstreams,
  upstreamDetails,
} from '../../../operations/upstreams/upstreams.ts';
import { listIdentities, revokeIdentities } from '../../../operations/users/identities.ts';
import { findUser } from '../../../operations/users/users.ts';
import { givenByName } from '../../../protocol/resources/resource.ts';
import { upstreamFields } from '../../../protocol/resources/upstream.ts';
import type { Upstream as StoredUpstream } from '../../../storage/storage.ts';
import { type ApiOperation, done, nothing, ofAction, operationsAt, operationsOn, strict } from '../define-operation.ts';
import { changingBody, creatingBody, shownFields } from '../field-schemas.ts';
import { component, listOf, nullable, Text, Time } from '../schemas.ts';
import { onPerson } from '../users/user-operations.ts';

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
    linked: Type.Integer({ minimum: 0, description: 'Counted up to 10,000.' }),
    without_other_way: Type.Integer({
      minimum: 0,
      description: 'Number of those who were counted with no other way to sign in.',
    }),
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

const subject = {
  tag: 'upstreams',
  path: '/api/upstreams',
  area: 'upstreams',
  data: Upstream,
  json: (shown: { readonly upstream: StoredUpstream }, services: Services) => upstreamJson(services, shown.upstream),
} as const;
const upstreams = operationsAt(subject);
const onUpstream = operationsOn(subject, params, ({ name }) => name);

function changesJson({ version, changes }: LookedUp) {
  return { version, changes: changes.map(({ name, before, after }) => ({ name, before, after })) };
}

export const upstreamOperations: readonly ApiOperation[] = [
  upstreams('listUpstreams', 'GET', {
    summary: 'List identity providers, oldest first',
    data: listOf(Upstream),
    message: 'Identity providers retrieved.',
    run: async (services) => done(await listUpstreams(services)),
    json: ({ data }, services) => ({ items: data.map((each) => upstreamJson(services, each)) }),
  }),
  upstreams('createUpstream', 'POST', {
    summary: 'Add an identity provider; it has to be reachable, because its endpoints are looked up',
    powerful: true,
    status: 201,
    body: creatingBody(upstreamFields),
    data: Upstream,
    message: 'Identity provider added.',
    run: (services, { body }, requester) => createUpstream(services, givenByName(upstreamFields, body), requester),
  }),
  onUpstream('getUpstream', 'GET', {
    summary: 'Read an identity provider, and the number of people linked to it',
    data: UpstreamDetails,
    message: 'Identity provider retrieved.',
    run: upstreamDetails,
    json: (details, services) => upstreamDetailsJson(services, details),
  }),
  onUpstream('updateUpstream', 'PATCH', {
    summary: "Change the given members; the name, the kind and the issuer can't be changed",
    // Nearly everything here decides who can sign in.
    powerful: true,
    body: changingBody(upstreamFields),
    data: Upstream,
    message: 'Identity provider updated.',
    run: (services, name, requester, { body }) =>
      changeUpstream(services, name, givenByName(upstreamFields, body), requester),
  }),
  onUpstream('setUpstreamIcon', 'PUT /icon', {
    summary: 'Set the icon on the button: the body is a PNG, JPEG or WebP image of at most 512 KB',
    takesImage: true,
    message: 'Icon updated.',
    run: (services, name, requester, { bytes: icon }) => changeUpstream(services, name, { icon }, requester),
  }),
  onUpstream('removeUpstreamIcon', 'DELETE /icon', {
    summary: 'Remove the icon',
    message: 'Icon removed.',
    run: (services, name, requester) => changeUpstream(services, name, { icon: null }, requester),
  }),
  onUpstream('lookUpUpstreamEndpoints', 'POST /endpoints/look-up', {
    summary: 'Look up the endpoints that the identity provider announces, without using them',
    data: EndpointChanges,
    json: changesJson,
    message: 'Endpoints looked up.',
    run: lookUpEndpoints,
  }),
  onUpstream('refreshUpstreamEndpoints', 'POST /endpoints/refresh', {
    summary: 'Use the endpoints that the identity provider announces',
    powerful: true,
    body: Type.Object({ version: Type.Optional(Text) }, strict),
    data: EndpointChanges,
    message: 'Endpoints updated.',
    run: (services, name, requester, { body }) => refreshUpstream(services, name, body.version, requester),
    json: changesJson,
  }),
  onUpstream('disableUpstream', 'POST /disable', ofAction('identity provider', actions.disable)),
  onUpstream('enableUpstream', 'POST /enable', ofAction('identity provider', actions.enable)),
  onUpstream('deleteUpstream', 'DELETE', { ...ofAction('identity provider', actions.delete), ...nothing }),
  onPerson('listPersonIdentities', 'GET /identities', {
    summary: "List a person's identities at identity providers",
    data: listOf(Identity),
    message: 'Identities retrieved.',
    run: async (services, person) => {
      const found = await findUser(services, person);
      if (found.kind === 'refused') return found;
      return done({ items: (await listIdentities(services, found.user)).map(identityJson) });
    },
    json: ({ data }) => data,
  }),
  onPerson('unlinkPersonIdentities', 'DELETE /identities/{name}', {
    summary: "Unlink a person's identities at an identity provider, and end the person's sessions",
    powerful: true,
    params,
    query: { subject: Type.Optional(Text) },
    ...nothing,
    message: 'Identities unlinked.',
    run: (services, person, requester, { params: { name }, query }) =>
      revokeIdentities(services, person, { upstream: name, subject: query.subject }, requester),
  }),
];
