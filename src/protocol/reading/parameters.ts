// Reads request parameters from a form body, a JSON body or a query string, strictly: what is not plainly a set of
// named strings is refused here, so that nothing behind this file ever sees an array, a number or a control character.

import { hasControlCharacters } from './control-characters.ts';

export type Parameters = ReadonlyMap<string, string>;

export type BodyReading = { kind: 'read'; parameters: Parameters } | { kind: 'invalid'; description: string };

/** A query read parameter by parameter: one bad parameter must not hide the good ones that say where to send the error. */
export interface QueryReading {
  readonly parameters: Parameters;
  readonly repeated: ReadonlySet<string>;
  readonly invalid: ReadonlySet<string>;
  /** Whether there were names that cannot be read; those parameters are left out. */
  readonly hasInvalidNames: boolean;
}

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';
const encodedCharacter = /[%+]/;
const loneSurrogate = /[\ud800-\udfff]/u;
const jsonString = /"(?:[^"\\]|\\.)*"/g;
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** `multiline` names the fields of a form that may have several lines. */
export function readBody(
  contentType: string | undefined,
  body: Uint8Array,
  multiline: readonly string[] = [],
): BodyReading {
  const reading = readText(contentType, body, [FORM, JSON_TYPE]);
  if (reading.kind === 'invalid') return reading;
  return reading.mediaType === FORM ? readForm(reading.text, multiline) : readJson(reading.text);
}

/** A body of one of the media types, as text. */
export function readText(
  contentType: string | undefined,
  body: Uint8Array,
  mediaTypes: readonly string[],
): { kind: 'read'; mediaType: string; text: string } | { kind: 'invalid'; description: string } {
  const [type = '', ...attributes] = (contentType ?? '').toLowerCase().split(';');
  if (!acceptsCharset(attributes)) return invalid('The body must be encoded in UTF-8.');
  const mediaType = type.trim();
  if (!mediaTypes.includes(mediaType)) return invalid(`The Content-Type must be ${mediaTypes.join(' or ')}.`);
  try {
    return { kind: 'read', mediaType, text: strictUtf8.decode(body) };
  } catch {
    return invalid('The body is not valid UTF-8.');
  }
}

export function readQuery(raw: string, multiline: readonly string[] = []): QueryReading {
  const parameters = new Map<string, string>();
  const repeated = new Set<string>();
  const invalidNames = new Set<string>();
  const seen = new Set<string>();
  let hasInvalidNames = false;
  for (const [rawName, rawValue] of splitPairs(raw)) {
    const name = decode(rawName);
    if (name === undefined || hasControlCharacters(name)) {
      hasInvalidNames = true;
      continue;
    }
    if (seen.has(name)) {
      repeated.add(name);
      parameters.delete(name);
      continue;
    }
    seen.add(name);
    const value = decode(rawValue);
    const line = multiline.includes(name) ? value?.replace(/\r?\n/g, ' ') : value;
    if (line === undefined || hasControlCharacters(line)) invalidNames.add(name);
    if (value !== undefined && value !== '') parameters.set(name, value);
  }
  return { parameters, repeated, invalid: invalidNames, hasInvalidNames };
}

function readForm(text: string, multiline: readonly string[]): BodyReading {
  const reading = readQuery(text, multiline);
  if (reading.hasInvalidNames) return invalid('A parameter name is not plain percent-encoded UTF-8.');
  const [repeated] = reading.repeated;
  if (repeated !== undefined) return invalid(`The parameter ${quote(repeated)} is repeated.`);
  const [bad] = reading.invalid;
  if (bad !== undefined) return invalid(`The parameter ${quote(bad)} has characters that are not allowed.`);
  return { kind: 'read', parameters: reading.parameters };
}

function readJson(text: string): BodyReading {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return invalid('The body is not valid JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return invalid('The body must be a JSON object.');
  }
  const parameters = new Map<string, string>();
  const entries = Object.entries(value);
  for (const [name, member] of entries) {
    if (name === '__proto__') return invalid('The member "__proto__" is not allowed.');
    if (typeof member !== 'string') return invalid(`The member ${quote(name)} must be a string.`);
    if (hasControlCharacters(member) || loneSurrogate.test(member)) {
      return invalid(`The member ${quote(name)} has characters that are not allowed.`);
    }
    if (member !== '') parameters.set(name, member);
  }
  // JSON.parse keeps the last of repeated members and says nothing. All values are strings by now, so a body without
  // repeats holds exactly two string tokens for each member.
  if ((text.match(jsonString)?.length ?? 0) !== entries.length * 2) return invalid('A member is repeated.');
  return { kind: 'read', parameters };
}

function splitPairs(raw: string): [string, string][] {
  const pairs: [string, string][] = [];
  for (const pair of raw.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    pairs.push(equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)]);
  }
  return pairs;
}

/** Undefined when the text is not percent-encoded UTF-8. */
function decode(raw: string): string | undefined {
  // Most values need no decoding.
  if (!encodedCharacter.test(raw)) return raw;
  try {
    return decodeURIComponent(raw.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

function acceptsCharset(attributes: readonly string[]): boolean {
  return attributes.every((attribute) => {
    const [name, value] = attribute.split('=').map((part) => part.trim());
    return name !== 'charset' || value?.replaceAll('"', '') === 'utf-8';
  });
}

/** A name as it may appear in an error message: short, and without anything that is not printable ASCII. */
export function quote(name: string): string {
  return JSON.stringify(name.replace(/[^\x20-\x7e]/g, '?').slice(0, 40));
}

function invalid(description: string): { kind: 'invalid'; description: string } {
  return { kind: 'invalid', description };
}
