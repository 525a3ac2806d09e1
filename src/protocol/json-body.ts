// Reads a JSON body as one object, strictly: what it means is for a schema to say, but nothing in it is ambiguous or
// has characters that a store or a log could stumble over.

import { quote, readText } from './parameters.ts';
import { hasControlCharacters } from './text.ts';

export type JsonReading =
  | { kind: 'read'; value: Readonly<Record<string, unknown>> }
  | { kind: 'malformed'; description: string };

const deepest = 8;
const stringToken = /"(?:[^"\\]|\\.)*"(\s*:)?/g;

export function readJsonObject(contentType: string | undefined, body: Uint8Array): JsonReading {
  const reading = readText(contentType, body, ['application/json']);
  if (reading.kind === 'malformed') return reading;
  let value: unknown;
  try {
    value = JSON.parse(reading.text);
  } catch {
    return malformed('The body is not valid JSON.');
  }
  if (!isObject(value)) return malformed('The body must be a JSON object.');
  const look = lookThrough(value, '', 0);
  if (typeof look === 'string') return malformed(look);
  // JSON.parse keeps the last of repeated members and says nothing. In valid JSON a string before a colon is a name.
  const names = [...reading.text.matchAll(stringToken)].filter(([, colon]) => colon !== undefined);
  return names.length === look ? { kind: 'read', value } : malformed('A member is repeated.');
}

/** How many members there are, in all depths, or what is wrong with one of them. */
function lookThrough(value: unknown, name: string, depth: number): number | string {
  if (depth > deepest) return 'The body is nested too deeply.';
  if (typeof value === 'string' && !isPlain(value)) {
    return `The member ${quote(name)} has characters that are not allowed.`;
  }
  if (typeof value !== 'object' || value === null) return 0;
  let members = 0;
  for (const [key, member] of Object.entries(value)) {
    if (!isPlain(key)) return 'The name of a member has characters that are not allowed.';
    const inside = lookThrough(member, Array.isArray(value) ? name : key, depth + 1);
    if (typeof inside === 'string') return inside;
    members += inside + (Array.isArray(value) ? 0 : 1);
  }
  return members;
}

function isPlain(text: string): boolean {
  return !hasControlCharacters(text) && text.isWellFormed();
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function malformed(description: string): JsonReading {
  return { kind: 'malformed', description };
}
