// Reads a JSON body as one object, strictly: what it means is for a schema to say, but nothing in it is ambiguous or
// has characters that a store or a log could stumble over.

import { hasControlCharacters } from './control-characters.ts';
import { type Json, type JsonObject, readJson } from './json-file.ts';
import { quote, readText } from './parameters.ts';

export type JsonObjectReading = { kind: 'read'; value: JsonObject } | { kind: 'invalid'; description: string };

export function readJsonObject(contentType: string | undefined, body: Uint8Array): JsonObjectReading {
  const reading = readText(contentType, body, ['application/json']);
  if (reading.kind === 'invalid') return reading;
  const json = readJson(reading.text);
  if (json.kind === 'invalid') return invalid(`The body is not valid JSON: ${json.problem}.`);
  const { value } = json;
  if (!isObject(value)) return invalid('The body must be a JSON object.');
  const problem = problemIn(value, '');
  return problem === undefined ? { kind: 'read', value } : invalid(problem);
}

function problemIn(value: Json, name: string): string | undefined {
  if (typeof value === 'string' && !isPlain(value)) {
    return `The member ${quote(name)} has characters that are not allowed.`;
  }
  if (Array.isArray(value)) return firstOf(value.map((item) => () => problemIn(item, name)));
  if (!isObject(value)) return undefined;
  return firstOf(
    Object.entries(value).map(([key, member]) => () => {
      return isPlain(key) ? problemIn(member, key) : 'The name of a member has characters that are not allowed.';
    }),
  );
}

function firstOf(looks: readonly (() => string | undefined)[]): string | undefined {
  for (const look of looks) {
    const problem = look();
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function isPlain(text: string): boolean {
  return !hasControlCharacters(text) && text.isWellFormed();
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(description: string): JsonObjectReading {
  return { kind: 'invalid', description };
}
