// Reads the input of an API call and checks it against the operation's schemas. The first problem is explained in one
// sentence.

import type { FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import type { Validator } from 'typebox/compile';
import { quote } from '../../protocol/reading/body.ts';
import { readJsonObject } from '../../protocol/reading/json-body.ts';
import { readQuery } from '../../protocol/reading/parameters.ts';
import { bodyOf } from '../forms.ts';
import { rawQueryOf } from '../requests.ts';
import type { ApiOperation } from './define-operation.ts';

export type ApiInput =
  | { kind: 'read'; params: unknown; query: unknown; body: object; bytes: Uint8Array }
  | { kind: 'invalid'; message: string; field?: string };
type ValidationError = ReturnType<Validator['Errors']>[number];
type Invalid = Extract<ApiInput, { kind: 'invalid' }>;

const imageTypes = ['image/png', 'image/jpeg', 'image/webp'];
const words: Record<string, string> = {
  string: 'a string',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  null: 'null',
};
/** A longer list of allowed values isn't spelled out. */
const namedValues = 10;

export async function readInput(operation: ApiOperation, request: FastifyRequest): Promise<ApiInput> {
  const { params } = request;
  const query = readApiQuery(operation.query, rawQueryOf(request));
  if (query.kind === 'invalid') return query;
  const bytes = bodyOf(request);
  const body = readApiBody(operation, request.headers['content-type'], bytes);
  if (body.kind === 'invalid') return body;
  return (
    (await check('part of the path', operation.params, params)) ??
    (await check('parameter', operation.query, query.value)) ??
    (await check('member', operation.body, body.value)) ?? {
      kind: 'read',
      params,
      query: query.value,
      body: body.value,
      bytes,
    }
  );
}

function readApiQuery(schema: TObject, raw: string): { kind: 'read'; value: object } | Invalid {
  const reading = readQuery(raw);
  if (reading.hasInvalidNames) return invalid('The name of a parameter is not plain percent-encoded UTF-8.');
  const [repeated] = reading.repeated;
  if (repeated !== undefined) return invalid(`The parameter ${quote(repeated)} is repeated.`, repeated);
  const [unreadable] = reading.invalid;
  if (unreadable !== undefined) {
    return invalid(`The parameter ${quote(unreadable)} has characters that are not allowed.`, unreadable);
  }
  const entries = [...reading.parameters].map(([name, text]): [string, string | number] => {
    const { type } = (Object.hasOwn(schema.properties, name) ? schema.properties[name] : {}) as { type?: string };
    return [name, type === 'integer' && /^-?\d{1,9}$/.test(text) ? Number(text) : text];
  });
  return { kind: 'read', value: Object.fromEntries(entries) };
}

function readApiBody(
  operation: ApiOperation,
  contentType: string | undefined,
  bytes: Uint8Array,
): { kind: 'read'; value: object } | Invalid {
  if (operation.takesImage) {
    const mediaType = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
    return imageTypes.includes(mediaType)
      ? { kind: 'read', value: {} }
      : invalid(`The Content-Type must be ${imageTypes.join(' or ')}.`);
  }
  // An operation that needs nothing of a body may be called without one. A change would change nothing.
  const { properties, required = [] } = operation.body;
  const needsNone = operation.method === 'POST' ? required.length === 0 : Object.keys(properties).length === 0;
  if (bytes.length === 0 && needsNone) return { kind: 'read', value: {} };
  const reading = readJsonObject(contentType, bytes);
  return reading.kind === 'invalid' ? invalid(reading.description) : reading;
}

const validators = new WeakMap<TObject, Validator>();

/** Compiled on first use: most processes never run most operations. */
async function validatorOf(schema: TObject): Promise<Validator> {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const { Compile } = await import('typebox/compile');
  const made: Validator = Compile(schema);
  validators.set(schema, made);
  return made;
}

async function check(what: string, schema: TObject, value: unknown): Promise<Invalid | undefined> {
  const validator = await validatorOf(schema);
  if (validator.Check(value)) return undefined;
  const [error] = validator.Errors(value);
  return error === undefined ? invalid('The request is malformed.') : explain(what, error);
}

function explain(what: string, error: ValidationError): Invalid {
  const path = error.instancePath.slice(1).replaceAll('/', '.');
  const of = (problem: string) => invalid(`The ${what} ${quote(path)} ${problem}.`, path);
  switch (error.keyword) {
    case 'boolean':
      return invalid(`There is no ${what} ${quote(path)} here.`, path);
    case 'required': {
      const [missing = ''] = error.params.requiredProperties;
      return invalid(`The ${what} ${quote(missing)} is missing.`, missing);
    }
    case 'minProperties':
      return invalid(`At least one ${what} is needed.`);
    case 'type':
      return of(`must be ${words[String(error.params.type)] ?? 'of another type'}`);
    case 'enum': {
      const values = error.params.allowedValues;
      return of(values.length > namedValues ? 'is not one that is known here' : `must be one of: ${values.join(', ')}`);
    }
    case 'minimum':
      return of(`must be at least ${error.params.limit}`);
    case 'maximum':
      return of(`must be at most ${error.params.limit}`);
    case 'maxLength':
      return of(`must have at most ${error.params.limit} characters`);
    case 'minItems':
      return of('must not be empty');
    case 'maxItems':
      return of(`must have at most ${error.params.limit} items`);
    case 'format':
      return of('must be a time such as 2026-01-31T12:00:00Z');
    case 'pattern':
      return of('is not of the form of an id');
    default:
      return of('is not allowed');
  }
}

/** The field's name comes from the caller, so it is shortened and cleaned like any other text from outside. */
function invalid(message: string, field?: string): Invalid {
  return { kind: 'invalid', message, ...(field !== undefined && { field: JSON.parse(quote(field)) as string }) };
}
