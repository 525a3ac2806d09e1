// `/api/upstreams`: the providers that people can sign in with.

import { type Static, Type } from 'typebox';
import type { AdminOutcome } from '../../../operations/admin/outcome.ts';
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
import type { Upstream as StoredUpstream } from '../../../storage/storage.ts';
import { type ApiOperation, type Call, defineOperation, done, respondWith } from '../define-operation.ts';
import { listOf, Text } from '../schemas.ts';
import { PersonId, personIn } from '../users/user-id.ts';
import { EndpointChanges, Identity, Name, secret, settings, Upstream, UpstreamDetails } from './upstream-schemas.ts';

const tag = 'upstreams';
const path = '/api/upstreams/{name}';
const params = { name: Name };
const strict = { additionalProperties: false } as const;

const optional = Type.Partial(Type.Object(settings)).properties;

type Given = Partial<Static<ReturnType<typeof Type.Object<typeof settings>>>>;

function settingsIn(given: Given) {
  return {
    clientId: given.client_id,
    label: given.label,
    scopes: given.scopes,
    createsAccounts: given.creates_accounts,
    trustedDomains: given.trusted_domains,
    allowedDomains: given.allowed_domains,
    routesDomains: given.routes_domains,
    trustedAmr: given.trusted_amr,
    trustedAcr: given.trusted_acr,
    algorithm: given.algorithm,
  };
}

type Changing = Pick<Call<unknown, unknown, unknown, 'write'>, 'services' | 'requester'>;

async function shown({ services }: Pick<Changing, 'services'>, outcome: AdminOutcome<{ upstream: StoredUpstream }>) {
  return respondWith(outcome, ({ upstream }) => upstreamJson(services, upstream));
}

async function changeIcon({ services, requester }: Changing, name: string, icon: Uint8Array | null) {
  return shown({ services }, await changeUpstream(services, name, { icon }, requester));
}

function changesJson({ version, changes }: LookedUp) {
  return { version, changes: changes.map(({ name, before, after }) => ({ name, before, after })) };
}

export const upstreamOperations: readonly ApiOperation[] = [
  defineOperation({
    operationId: 'listUpstreams',
    method: 'GET',
    path: '/api/upstreams',
    tag,
    summary: 'List identity providers, oldest first',
    needs: 'read',
    data: listOf(Upstream),
    message: 'Identity providers retrieved.',
    run: async ({ services }) => {
      const upstreams = await listUpstreams(services);
      return done({ items: upstreams.map((upstream) => upstreamJson(services, upstream)) });
    },
  }),

  defineOperation({
    operationId: 'createUpstream',
    method: 'POST',
    path: '/api/upstreams',
    tag,
    summary: 'Add an identity provider; it has to answer, because its endpoints are looked up',
    needs: 'write',
    powerful: true,
    status: 201,
    body: Type.Object(
      {
        name: Name,
        kind: Type.Optional(Type.Enum(['oidc', 'github'])),
        issuer: Type.Optional(Type.String({ description: 'Needed for oidc.' })),
        ...optional,
        client_id: settings.client_id,
        ...secret,
      },
      strict,
    ),
    data: Upstream,
    message: 'Identity provider added.',
    run: async ({ services, body, requester }) => {
      const { name, kind, issuer, client_id: clientId, client_secret: given } = body;
      const { algorithm, ...rest } = settingsIn(body);
      const input = { ...rest, name, kind, issuer, clientId, secret: given, algorithm: algorithm ?? undefined };
      return shown({ services }, await createUpstream(services, input, requester));
    },
  }),

  defineOperation({
    operationId: 'getUpstream',
    method: 'GET',
    path,
    tag,
    summary: 'Read an identity provider, and how many people are linked to it',
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
    path,
    tag,
    summary: 'Change the given members; the name and the issuer stay',
    needs: 'write',
    // Nearly everything here decides who gets in.
    powerful: true,
    params,
    body: Type.Object({ ...optional, client_secret: Type.Optional(Text) }, { ...strict, minProperties: 1 }),
    data: Upstream,
    message: 'Identity provider updated.',
    run: async ({ services, params: { name }, body, requester }) => {
      const update = { ...settingsIn(body), secret: body.client_secret };
      return shown({ services }, await changeUpstream(services, name, update, requester));
    },
  }),

  defineOperation({
    operationId: 'deleteUpstream',
    method: 'DELETE',
    path,
    tag,
    summary: 'Delete an identity provider, and the identities linked to it',
    needs: 'write',
    powerful: true,
    params,
    data: Type.Null(),
    message: 'Identity provider deleted.',
    run: async ({ services, params: { name }, requester }) =>
      respondWith(await deleteUpstream(services, name, requester), () => null),
  }),

  defineOperation({
    operationId: 'setUpstreamIcon',
    method: 'PUT',
    path: `${path}/icon`,
    tag,
    summary: 'Set the icon on the button: a PNG, JPEG or WebP image of at most 512 KiB',
    needs: 'write',
    params,
    takesImage: true,
    data: Upstream,
    message: 'Icon updated.',
    run: (call) => changeIcon(call, call.params.name, call.bytes),
  }),

  defineOperation({
    operationId: 'removeUpstreamIcon',
    method: 'DELETE',
    path: `${path}/icon`,
    tag,
    summary: 'Remove the icon',
    needs: 'write',
    params,
    data: Upstream,
    message: 'Icon removed.',
    run: (call) => changeIcon(call, call.params.name, null),
  }),

  defineOperation({
    operationId: 'lookUpUpstreamEndpoints',
    method: 'POST',
    path: `${path}/endpoints/look-up`,
    tag,
    summary: 'Ask the provider where its endpoints are, and change nothing',
    needs: 'write',
    params,
    data: EndpointChanges,
    message: 'Endpoints looked up.',
    run: async ({ services, params: { name } }) => respondWith(await lookUpEndpoints(services, name), changesJson),
  }),

  defineOperation({
    operationId: 'refreshUpstreamEndpoints',
    method: 'POST',
    path: `${path}/endpoints/refresh`,
    tag,
    summary: 'Use the endpoints that the provider announces',
    needs: 'write',
    powerful: true,
    params,
    body: Type.Object({ version: Type.Optional(Text) }, strict),
    data: EndpointChanges,
    message: 'Endpoints updated.',
    run: async ({ services, params: { name }, body, requester }) =>
      respondWith(await refreshUpstream(services, name, body.version, requester), changesJson),
  }),

  ...(
    [
      ['disable', disableUpstream, 'Let nobody sign in with an identity provider', 'Identity provider disabled.'],
      ['enable', enableUpstream, 'Let people sign in with a disabled provider again', 'Identity provider enabled.'],
    ] as const
  ).map(([action, change, summary, message]) =>
    defineOperation({
      operationId: `${action}Upstream`,
      method: 'POST',
      path: `${path}/${action}`,
      tag,
      summary,
      needs: 'write',
      powerful: true,
      params,
      data: Upstream,
      message,
      run: async ({ services, params: { name }, requester }) =>
        shown({ services }, await change(services, name, requester)),
    }),
  ),

  defineOperation({
    operationId: 'listPersonIdentities',
    method: 'GET',
    path: '/api/people/{id}/identities',
    tag: 'people',
    summary: "List a person's identities at other providers",
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
    summary: "Unlink a person's identities at a provider, and end the person's sessions",
    needs: 'write',
    powerful: true,
    params: { id: PersonId, name: Name },
    query: { subject: Type.Optional(Text) },
    data: Type.Null(),
    message: 'Identities unlinked.',
    run: async ({ services, params: { id, name }, query, requester }) => {
      const which = { upstream: name, subject: query.subject };
      return respondWith(await revokeIdentities(services, personIn({ id }), which, requester), () => null);
    },
  }),
];
