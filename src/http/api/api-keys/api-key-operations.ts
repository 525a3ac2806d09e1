// `/api/keys`: API keys, for administrators who are signed in. Keys can't manage keys.

import { Type } from 'typebox';
import {
  apiKeyJson,
  createApiKey,
  listApiKeys,
  noKeysByKeys,
  revokeApiKey,
} from '../../../operations/api-keys/api-keys.ts';
import { type CreatedByKey, createdJson, createdKinds } from '../../../operations/api-keys/created-by-key.ts';
import { createdPath } from '../../../pages/console/api-keys/api-keys.ts';
import { roles } from '../../../protocol/admin/rights.ts';
import { apiKeyFields, apiKeyPermissions, newApiKeyFields } from '../../../protocol/resources/api-key.ts';
import { givenByName } from '../../../protocol/resources/resource.ts';
import type { ApiKey as ApiKeyRecord } from '../../../storage/storage.ts';
import { type ApiOperation, operationsAt, operationsOn } from '../define-operation.ts';
import { creatingBody, shownFields } from '../field-schemas.ts';
import { component, Id, nullable, Text, Time } from '../schemas.ts';

const shown = {
  ...shownFields(apiKeyFields),
  permission: nullable(
    Type.Enum([...apiKeyPermissions], {
      description: `${apiKeyFields.permission.description} Null for a key with roles.`,
    }),
  ),
  roles: Type.Array(Type.Enum([...roles]), { description: 'Instead of the permission; empty for none.' }),
  over: Type.Boolean({ description: 'Whether it has expired, or who created it is no longer an administrator.' }),
};
const ApiKey = component('ApiKey', shown);
const CreatedApiKey = component('CreatedApiKey', {
  ...shown,
  key: Type.String({ description: "The API key. You won't be able to see it again." }),
});
const RevokedApiKey = component('RevokedApiKey', {
  id: Text,
  created: Type.Array(
    Type.Object({
      kind: Type.Enum([...createdKinds]),
      id: nullable(Text),
      name: Text,
      url: nullable(Type.String({ description: 'Its page in the console.' })),
      created_at: Time,
    }),
    { description: 'What it has created, oldest first, as far as there are events of it.' },
  ),
  created_truncated: Type.Boolean({ description: 'Whether it has created more than is listed.' }),
});

const subject = {
  tag: 'api keys',
  path: '/api/keys',
  area: 'api_keys',
  data: CreatedApiKey,
  json: ({ key, secret }: { readonly key: ApiKeyRecord; readonly secret: string }) => ({
    ...apiKeyJson({ ...key, ended: false }),
    key: secret,
  }),
} as const;
const keys = operationsAt(subject);
const onKey = operationsOn(subject, { id: Id }, ({ id }) => id);

export const apiKeyOperations: readonly ApiOperation[] = [
  keys('listApiKeys', 'GET', {
    summary: 'List API keys, newest first; not with an API key',
    data: Type.Array(ApiKey),
    json: ({ data }: { readonly data: ReturnType<typeof apiKeyJson>[] }) => data,
    message: 'API keys retrieved.',
    async run(services, _input, { actor }) {
      if (actor?.kind === 'api_key') return noKeysByKeys();
      return { kind: 'done', data: (await listApiKeys(services)).map(apiKeyJson) };
    },
  }),
  keys('createApiKey', 'POST', {
    summary: 'Create an API key; not with an API key',
    status: 201,
    powerful: true,
    body: creatingBody(newApiKeyFields),
    message: 'API key created.',
    run: (services, { body }, requester) => createApiKey(services, givenByName(newApiKeyFields, body), requester),
  }),
  onKey('revokeApiKey', 'DELETE', {
    summary: 'Revoke an API key, and see what it has created; not with an API key',
    powerful: true,
    data: RevokedApiKey,
    json: ({ id, created }: { readonly id: string; readonly created: CreatedByKey }, { issuer }) => ({
      id,
      ...createdJson(created, issuer, createdPath),
    }),
    message: 'API key revoked.',
    run: revokeApiKey,
  }),
];
