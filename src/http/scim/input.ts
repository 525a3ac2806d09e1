// What SCIM requests have in common: a JSON body, and which part of what is asked for.

import type { FastifyRequest } from 'fastify';
import { readText } from '../../protocol/reading/body.ts';
import { readQuery } from '../../protocol/reading/parameters.ts';
import { isJsonObject, type JsonObject, readJson } from '../../protocol/reading/strict-json.ts';
import { invalidSyntax, invalidValue, ScimError } from '../../protocol/scim/errors.ts';
import { type Comparison, type FilterAttribute, readFilter } from '../../protocol/scim/filter.ts';
import { type Part, readPart } from '../../protocol/scim/list.ts';
import { type Projection, readProjection } from '../../protocol/scim/projection.ts';
import { rawQueryOf } from '../requests.ts';

/** Texts can have several lines, such as postal addresses; each field that is kept is checked by its own rule. */
export function bodyOf(request: FastifyRequest): JsonObject | ScimError {
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const text = readText(request.headers['content-type'], bytes, ['application/scim+json', 'application/json']);
  if (text.kind === 'invalid') return invalidSyntax(text.description);
  const json = readJson(text.text);
  if (json.kind === 'invalid') return invalidSyntax(`The body is not valid JSON: ${json.problem}.`);
  return isJsonObject(json.value) ? json.value : invalidSyntax('The body must be a JSON object.');
}

function parametersOf(request: FastifyRequest): ReadonlyMap<string, string> | ScimError {
  const { parameters, repeated } = readQuery(rawQueryOf(request));
  return repeated.size > 0 ? invalidValue('A parameter is repeated.') : parameters;
}

export function projectionOf(request: FastifyRequest): Projection | ScimError {
  const parameters = parametersOf(request);
  if (parameters instanceof ScimError) return parameters;
  return readProjection(parameters.get('attributes'), parameters.get('excludedAttributes'));
}

export function listRequestOf(
  request: FastifyRequest,
  allowed?: readonly FilterAttribute[],
): { readonly filter: readonly Comparison[]; readonly part: Part; readonly projection: Projection } | ScimError {
  const parameters = parametersOf(request);
  if (parameters instanceof ScimError) return parameters;
  const text = parameters.get('filter');
  const filter = text === undefined ? [] : readFilter(text, allowed);
  if (filter instanceof ScimError) return filter;
  const part = readPart(parameters.get('startIndex'), parameters.get('count'));
  if (part instanceof ScimError) return part;
  const projection = projectionOf(request);
  return projection instanceof ScimError ? projection : { filter, part, projection };
}

export function idOf({ params }: FastifyRequest): string {
  return (params as { readonly id: string }).id;
}
