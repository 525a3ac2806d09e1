// Reads request parameters from a form, a flat JSON object or a query string. Anything but named strings is refused here,
// so that the code behind it never sees an array, a number or a control character.

import { type BodyReading, invalidBody, quoteForOAuth, readText } from './body.ts';
import { hasControlCharacters, isPlainText } from './control-characters.ts';
import { isJsonObject, readJson } from './strict-json.ts';

export type Parameters = ReadonlyMap<string, string>;

export type ParametersReading = BodyReading<{ parameters: Parameters }>;

/** One invalid parameter doesn't invalidate the others: they say where to send the error. */
export interface QueryReading {
  readonly parameters: Parameters;
  readonly repeated: ReadonlySet<string>;
  readonly invalid: ReadonlySet<string>;
  /** Whether there were names that can't be decoded; those parameters are left out. */
  readonly hasInvalidNames: boolean;
}

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';
const mediaTypes = [FORM, JSON_TYPE];
const encodedCharacter = /[%+]/;

/** `multiline` lists the form fields that may have several lines. */
export function readBody(
  contentType: string | undefined,
  body: Uint8Array,
  multiline: readonly string[] = [],
): ParametersReading {
  const reading = readText(contentType, body, mediaTypes);
  if (reading.kind === 'invalid') return reading;
  return reading.mediaType === FORM ? readForm(reading.text, multiline) : readFlatJson(reading.text);
}

export function readQuery(raw: string, multiline: readonly string[] = []): QueryReading {
  const parameters = new Map<string, string>();
  const repeated = new Set<string>();
  const invalidNames = new Set<string>();
  /** Names that are in the query and not in `parameters`. */
  const without = new Set<string>();
  let hasInvalidNames = false;
  const add = (rawName: string, rawValue: string) => {
    const name = decode(rawName);
    if (name === undefined || hasControlCharacters(name)) {
      hasInvalidNames = true;
    } else if (parameters.has(name) || without.has(name)) {
      repeated.add(name);
      without.add(name);
      parameters.delete(name);
    } else {
      const value = decode(rawValue);
      const line = multiline.includes(name) ? value?.replace(/\r?\n/g, ' ') : value;
      if (line === undefined || hasControlCharacters(line)) invalidNames.add(name);
      if (value === undefined || value === '') without.add(name);
      else parameters.set(name, value);
    }
  };
  // The next one, wherever it is, so that every character is looked at once.
  let equals = raw.indexOf('=');
  for (let start = 0; start < raw.length; ) {
    const found = raw.indexOf('&', start);
    const end = found < 0 ? raw.length : found;
    if (equals >= 0 && equals < start) equals = raw.indexOf('=', start);
    if (equals >= start && equals < end) add(raw.slice(start, equals), raw.slice(equals + 1, end));
    else if (end > start) add(raw.slice(start, end), '');
    start = end + 1;
  }
  return { parameters, repeated, invalid: invalidNames, hasInvalidNames };
}

function readForm(text: string, multiline: readonly string[]): ParametersReading {
  const reading = readQuery(text, multiline);
  if (reading.hasInvalidNames) return invalidBody('A parameter name is not plain percent-encoded UTF-8.');
  const [repeated] = reading.repeated;
  if (repeated !== undefined) return invalidBody(`The parameter ${quoteForOAuth(repeated)} is repeated.`);
  const [bad] = reading.invalid;
  if (bad !== undefined) return invalidBody(`The parameter ${quoteForOAuth(bad)} has characters that are not allowed.`);
  return { kind: 'read', parameters: reading.parameters };
}

function readFlatJson(text: string): ParametersReading {
  const json = readJson(text);
  if (json.kind === 'invalid') {
    return invalidBody(json.reason === 'repeated_key' ? 'A member is repeated.' : 'The body is not valid JSON.');
  }
  if (!isJsonObject(json.value)) return invalidBody('The body must be a JSON object.');
  const parameters = new Map<string, string>();
  for (const [name, member] of Object.entries(json.value)) {
    if (name === '__proto__') return invalidBody('The member __proto__ is not allowed.');
    if (typeof member !== 'string') return invalidBody(`The member ${quoteForOAuth(name)} must be a string.`);
    if (!isPlainText(member)) {
      return invalidBody(`The member ${quoteForOAuth(name)} has characters that are not allowed.`);
    }
    if (member !== '') parameters.set(name, member);
  }
  return { kind: 'read', parameters };
}

/** Undefined if the text isn't percent-encoded UTF-8. */
function decode(raw: string): string | undefined {
  // Most values need no decoding.
  if (!encodedCharacter.test(raw)) return raw;
  try {
    return decodeURIComponent(raw.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
