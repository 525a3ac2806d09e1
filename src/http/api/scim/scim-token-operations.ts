// `/api/scim-tokens`: tokens with which directories manage their people and groups at /scim/v2.

import { Type } from 'typebox';
import {
  createScimToken,
  listScimTokens,
  revokeScimToken,
  scimTokenJson,
} from '../../../operations/scim/scim-tokens.ts';
import { givenByName } from '../../../protocol/resources/resource.ts';
import { newScimTokenFields, scimTokenFields } from '../../../protocol/resources/scim-token.ts';
import type { ScimToken as ScimTokenRecord } from '../../../storage/storage.ts';
import { type ApiOperation, nothing, operationsAt, operationsOn } from '../define-operation.ts';
import { creatingBody, shownFields } from '../field-schemas.ts';
import { component, Id } from '../schemas.ts';

const shown = {
  ...shownFields(scimTokenFields),
  over: Type.Boolean({ description: 'Whether it has expired.' }),
};
const ScimToken = component('ScimToken', shown);
const CreatedScimToken = component('CreatedScimToken', {
  ...shown,
  token: Type.String({ description: "The SCIM token. You won't be able to see it again." }),
});

const subject = {
  tag: 'scim tokens',
  path: '/api/scim-tokens',
  area: 'scim_tokens',
  data: CreatedScimToken,
  json: ({ token, secret }: { readonly token: ScimTokenRecord; readonly secret: string }) => ({
    ...scimTokenJson({ ...token, ended: false }),
    token: secret,
  }),
} as const;
const tokens = operationsAt(subject);
const onToken = operationsOn(subject, { id: Id }, ({ id }) => id);

export const scimTokenOperations: readonly ApiOperation[] = [
  tokens('listScimTokens', 'GET', {
    summary: 'List SCIM tokens, newest first',
    data: Type.Array(ScimToken),
    json: ({ data }: { readonly data: ReturnType<typeof scimTokenJson>[] }) => data,
    message: 'SCIM tokens retrieved.',
    run: async (services) => ({ kind: 'done', data: (await listScimTokens(services)).map(scimTokenJson) }),
  }),
  tokens('createScimToken', 'POST', {
    summary: 'Create a SCIM token for a directory',
    status: 201,
    powerful: true,
    body: creatingBody(newScimTokenFields),
    message: 'SCIM token created.',
    run: (services, { body }, requester) => createScimToken(services, givenByName(newScimTokenFields, body), requester),
  }),
  onToken('revokeScimToken', 'DELETE', {
    summary: 'Revoke a SCIM token; people and groups of its source stay',
    powerful: true,
    ...nothing,
    message: 'SCIM token revoked.',
    run: revokeScimToken,
  }),
];
