// Reads the operations of a PATCH, in the notations of Entra ID and Okta as well: operations in capitals, members of a value
// that are paths themselves, and a list with one value for an attribute that has only one.

import { isJsonObject, type Json, type JsonObject } from '../reading/strict-json.ts';
import { invalidPath, invalidSyntax, invalidValue, ScimError, tooLarge } from './errors.ts';
import { type Path, readPath } from './path.ts';
import { urns } from './urns.ts';

/** One attribute, and what becomes of it. A `remove` can name the values that it's about. */
export interface Change {
  readonly op: 'add' | 'replace' | 'remove';
  readonly path: Path;
  readonly value: Json | undefined;
  /** Whether the path was the operation's own. What a value has beside what is known is ignored. */
  readonly explicit: boolean;
}

export const operationLimit = 1000;
const tooManyChanges = tooLarge(`A request can have ${operationLimit} operations; each member of a value is one.`);

export function readPatch(body: JsonObject): readonly Change[] | ScimError {
  const schemas = member(body, 'schemas');
  if (!Array.isArray(schemas) || !schemas.some((urn) => isUrn(urn, urns.patch))) {
    return invalidSyntax(`"schemas" must have ${urns.patch}.`);
  }
  const operations = member(body, 'Operations');
  if (!Array.isArray(operations)) return invalidSyntax('"Operations" must be a list.');
  if (operations.length === 0) return invalidSyntax('"Operations" must have at least one operation.');
  if (operations.length > operationLimit) return tooManyChanges;
  const changes: Change[] = [];
  for (const operation of operations as readonly Json[]) {
    const read = isJsonObject(operation) ? readOperation(operation) : invalidSyntax('An operation must be an object.');
    if (read instanceof ScimError) return read;
    changes.push(...read);
    if (changes.length > operationLimit) return tooManyChanges;
  }
  return changes;
}

function readOperation(operation: JsonObject): readonly Change[] | ScimError {
  const given = member(operation, 'op');
  const op = typeof given === 'string' ? given.toLowerCase() : undefined;
  const path = member(operation, 'path');
  const value = member(operation, 'value');
  if (op !== 'add' && op !== 'replace' && op !== 'remove') {
    return invalidSyntax('"op" must be add, replace or remove.');
  }
  if (op !== 'remove' && value === undefined) return invalidValue('The operation has no "value".');
  if (typeof path === 'string' && path.trim() !== '') {
    const read = readPath(path);
    return read === undefined
      ? invalidPath(`"${path.slice(0, 100)}" is not a path of an attribute that is known here.`)
      : [{ op, path: read, value, explicit: true }];
  }
  if (path !== undefined && path !== null && path !== '') return invalidPath('"path" must be a string.');
  if (op === 'remove') return new ScimError(400, 'noTarget', 'To remove something, say which "path".');
  if (value === undefined || !isJsonObject(value)) return invalidValue('Without a "path", "value" must be an object.');
  return membersAsChanges(value, op);
}

/** Each member as if it were an operation of its own. Members whose name isn't a path are ignored. */
export function membersAsChanges(object: JsonObject, op: Change['op']): readonly Change[] | ScimError {
  const members = Object.entries(object);
  if (members.length > operationLimit) return tooManyChanges;
  return members.flatMap(([name, value]) => {
    const path = readPath(name);
    return path === undefined ? [] : [{ op, path, value, explicit: false }];
  });
}

/** A member by its name, which has no case. */
export function member(object: JsonObject, name: string): Json | undefined {
  if (Object.hasOwn(object, name)) return object[name];
  const found = Object.keys(object).find((key) => key.toLowerCase() === name.toLowerCase());
  return found === undefined ? undefined : object[found];
}

export function isUrn(given: Json, urn: string): boolean {
  return typeof given === 'string' && given.toLowerCase() === urn.toLowerCase();
}

/** The one value that an attribute has, also from a list of one `{"value": …}`. */
export function single(value: Json | undefined): Json | undefined {
  const [first, ...others] = Array.isArray(value) ? (value as readonly Json[]) : [value];
  if (others.length > 0) return value;
  return first !== undefined && isJsonObject(first) ? (member(first, 'value') ?? value) : first;
}
