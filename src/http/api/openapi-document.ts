// The OpenAPI document, made from the definitions of the operations.

import { readFileSync } from 'node:fs';
import { type TObject, type TSchema, Type } from 'typebox';
import type { DownloadFormat } from '../../operations/downloads/list-download.ts';
import { includes } from '../../protocol/reading/includes.ts';
import type { HttpContext } from '../context.ts';
import { cookieName } from '../cookies.ts';
import { downloadTypes } from '../downloads/downloads.ts';
import { apiOperations } from './all-operations.ts';
import { csrfHeader } from './caller.ts';
import type { ApiOperation, Needs } from './define-operation.ts';
import { documentedBody } from './field-schemas.ts';
import { components, Failure } from './schemas.ts';
import { describedWebhooks } from './webhooks/message-operations.ts';

const failures = {
  BadRequest: [400, 'The request cannot be read, or something in it is not allowed.'],
  Unauthorized: [401, 'There is neither a session nor an API key that works.'],
  Forbidden: [
    403,
    'The caller may not do this, or the request lacks what protects a session, or recent proof of identity.',
  ],
  NotFound: [404, 'There is no such thing.'],
  Conflict: [409, 'The request conflicts with the current state.'],
  Otherwise: ['default', 'Anything else: too many attempts, too large a body, or a service that is busy.'],
} as const;

const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });
const json = (schema: TSchema | object) => ({ 'application/json': { schema } });

const lines = (format: DownloadFormat) => ({ [downloadTypes[format]]: { schema: Type.String() } });

export function apiDocument(context: HttpContext): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of apiOperations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: describe(operation) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Latchkey',
      version: packageVersion(),
      description: 'Applications, people and events, for administrators; and for everybody what is their own.',
    },
    servers: [{ url: context.baseUrl }],
    tags: [...new Set(apiOperations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    webhooks: describedWebhooks(),
    components: {
      schemas: components,
      responses: Object.fromEntries(
        Object.entries(failures).map(([name, [, description]]) => [name, { description, content: json(Failure) }]),
      ),
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key: lk_api_ and 43 characters.' },
        session: { type: 'apiKey', in: 'cookie', name: cookieName(context, 'session') },
        csrf: {
          type: 'apiKey',
          in: 'header',
          name: csrfHeader,
          description: 'The csrf_token of GET /api/me, for changes that are made with a session.',
        },
      },
    },
  };
}

function describe(operation: ApiOperation): object {
  const { operationId, tag, summary, status = 200, method, needs, download } = operation;
  const envelope = Type.Object({ success: Type.Literal(true), message: Type.String(), data: operation.data });
  return {
    operationId,
    tags: [tag],
    summary,
    security: securityOf(needs, method !== 'GET'),
    parameters: [...parametersIn('path', operation.params), ...parametersIn('query', operation.query)],
    ...requestBodyOf(operation),
    responses: {
      [status]: { description: operation.message, content: download === undefined ? json(envelope) : lines(download) },
      ...Object.fromEntries(Object.entries(failures).map(([name, [code]]) => [code, ref('responses', name)])),
    },
  };
}

/** Each entry is one way to be allowed. */
function securityOf(needs: Needs, changes: boolean): object[] {
  const session = changes ? { session: [], csrf: [] } : { session: [] };
  return needs === 'self' ? [session] : [{ key: [] }, session];
}

function parametersIn(place: 'path' | 'query', { properties, required }: TObject): object[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: includes(required ?? [], name),
    schema,
  }));
}

function requestBodyOf(operation: ApiOperation): object {
  if (operation.takesImage) {
    const content = { 'image/png': {}, 'image/jpeg': {}, 'image/webp': {} };
    return { requestBody: { required: true, content } };
  }
  if (Object.keys(operation.body.properties).length === 0) return {};
  return { requestBody: { required: true, content: json(documentedBody(operation.body)) } };
}

function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  return version;
}
