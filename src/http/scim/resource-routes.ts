// The routes that people and groups have in common: a list, and one resource that is read, created, replaced, changed or deleted.

import type { FastifyRequest } from 'fastify';
import { scimBase } from '../../operations/scim/scim-people.ts';
import type { Requester } from '../../protocol/event.ts';
import type { JsonObject } from '../../protocol/reading/strict-json.ts';
import { ScimError } from '../../protocol/scim/errors.ts';
import type { Comparison, FilterAttribute } from '../../protocol/scim/filter.ts';
import type { Part } from '../../protocol/scim/list.ts';
import { type Change as Operation, readPatch } from '../../protocol/scim/patch.ts';
import type { Projection } from '../../protocol/scim/projection.ts';
import type { ScimToken } from '../../storage/storage.ts';
import type { ScimAnswer, ScimRoute } from './answer.ts';
import { requesterFor } from './directory.ts';
import { bodyOf, idOf, listRequestOf, projectionOf } from './input.ts';

export interface ScimResource<Stored extends { readonly id: string }, Change> {
  /** Behind `/scim/v2`. */
  readonly path: string;
  /** What filters can compare; everything if undefined. */
  readonly filterable?: readonly FilterAttribute[];
  list(
    token: ScimToken,
    filter: readonly Comparison[],
    part: Part,
    projection: Projection,
  ): Promise<object | ScimError>;
  find(token: ScimToken, id: string): Promise<Stored | ScimError>;
  shown(token: ScimToken, stored: Stored, projection: Projection): Promise<object>;
  /** A body that is made while it's being sent; undefined if `shown` is all. */
  pieces?(stored: Stored, projection: Projection): AsyncGenerator<string, void> | undefined;
  read(body: JsonObject): Change | ScimError;
  readOperations(operations: readonly Operation[]): Change | ScimError;
  create(token: ScimToken, change: Change, requester: Requester): Promise<Stored | ScimError>;
  /** With `whole`, it's a PUT. */
  change(
    token: ScimToken,
    id: string,
    written: { readonly change: Change; readonly whole: boolean },
    requester: Requester,
  ): Promise<Stored | ScimError>;
  delete(token: ScimToken, id: string, requester: Requester): Promise<unknown>;
}

export function resourceRoutes<Stored extends { readonly id: string }, Change>(
  issuer: string,
  resource: ScimResource<Stored, Change>,
): readonly ScimRoute[] {
  const { path } = resource;
  const one = `${path}/:id`;

  function changeIn(request: FastifyRequest): Change | ScimError {
    const body = bodyOf(request);
    return body instanceof ScimError ? body : resource.read(body);
  }

  function patchIn(request: FastifyRequest): Change | ScimError {
    const body = bodyOf(request);
    const operations = body instanceof ScimError ? body : readPatch(body);
    return operations instanceof ScimError ? operations : resource.readOperations(operations);
  }

  /** Of a POST or PUT, which answer with what there is now. */
  async function answered(
    request: FastifyRequest,
    token: ScimToken,
    status: 200 | 201,
    write: (change: Change) => Promise<Stored | ScimError>,
  ): Promise<ScimAnswer | ScimError> {
    const projection = projectionOf(request);
    if (projection instanceof ScimError) return projection;
    const change = changeIn(request);
    if (change instanceof ScimError) return change;
    const stored = await write(change);
    if (stored instanceof ScimError) return stored;
    const location = `${scimBase(issuer)}${path}/${encodeURIComponent(stored.id)}`;
    return {
      status,
      body: await resource.shown(token, stored, projection),
      ...(status === 201 && { location }),
    };
  }

  return [
    {
      method: 'GET',
      path,
      run: async (request, token) => {
        const asked = listRequestOf(request, resource.filterable);
        if (asked instanceof ScimError) return asked;
        const body = await resource.list(token, asked.filter, asked.part, asked.projection);
        return body instanceof ScimError ? body : { status: 200, body };
      },
    },
    {
      method: 'GET',
      path: one,
      run: async (request, token) => {
        const projection = projectionOf(request);
        if (projection instanceof ScimError) return projection;
        const stored = await resource.find(token, idOf(request));
        if (stored instanceof ScimError) return stored;
        const pieces = resource.pieces?.(stored, projection);
        if (pieces !== undefined) return { status: 200, pieces };
        return { status: 200, body: await resource.shown(token, stored, projection) };
      },
    },
    {
      method: 'POST',
      path,
      run: (request, token) =>
        answered(request, token, 201, (change) => resource.create(token, change, requesterFor(request, token))),
    },
    {
      method: 'PUT',
      path: one,
      run: (request, token) =>
        answered(request, token, 200, (change) =>
          resource.change(token, idOf(request), { change, whole: true }, requesterFor(request, token)),
        ),
    },
    {
      method: 'PATCH',
      path: one,
      run: async (request, token) => {
        const change = patchIn(request);
        if (change instanceof ScimError) return change;
        const requester = requesterFor(request, token);
        const stored = await resource.change(token, idOf(request), { change, whole: false }, requester);
        return stored instanceof ScimError ? stored : { status: 204 };
      },
    },
    {
      method: 'DELETE',
      path: one,
      run: async (request, token) => {
        const outcome = await resource.delete(token, idOf(request), requesterFor(request, token));
        return outcome instanceof ScimError ? outcome : { status: 204 };
      },
    },
  ];
}
