// Reads a JSON body as one object, strictly: what it means is for a schema to say, but nothing in it is ambiguous or
// has characters that a store or a log could stumble over.

import { type Json, type JsonObject, readJson } from './json-file.ts';
import { quote, readText } from './parameters.ts';
import { hasControlCharacters } from './control-characters.ts';

export type BodyReading = { kind: 'read'; value: JsonObject } | { kind: 'malformed'; description: string };

export function readJsonObject(contentType: string | undefined, body: Uint8Array): BodyReading {
  const reading = readText(contentType, body, ['application/json']);
  if (reading.kind === 'malformed') return reading;
  const json = readJson(reading.text);
  if (json.kind === 'faulty') return malformed(`The body is not valid JSON: ${json.fault}.`);
  const { value } = json;
  if (!isObject(value)) return malformed('The body must be a JSON object.');
  const problem = problemIn(value, '');
  return problem === undefined ? { kind: 'read', value } : malformed(problem);
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

function malformed(description: string): BodyReading {
  return { kind: 'malformed', description };
}
