// Reads a request body as one JSON object. Its members are checked against a schema elsewhere; here the body is refused if
// it is ambiguous or contains characters that could cause trouble in the store or in a log.

import { type BodyReading, invalidBody, quote, readText } from './body.ts';
import { isPlainText } from './control-characters.ts';
import { isJsonObject, type Json, type JsonObject, readJson, withoutByteOrderMark } from './strict-json.ts';

export function readJsonObject(contentType: string | undefined, body: Uint8Array): BodyReading<{ value: JsonObject }> {
  const reading = readText(contentType, body, ['application/json']);
  if (reading.kind === 'invalid') return reading;
  const json = readJson(withoutByteOrderMark(reading.text));
  if (json.kind === 'invalid') return invalidBody(`The body is not valid JSON: ${json.problem}.`);
  const { value } = json;
  if (!isJsonObject(value)) return invalidBody('The body must be a JSON object.');
  const problem = problemIn(value, '');
  return problem === undefined ? { kind: 'read', value } : invalidBody(problem);
}

/** `path` leads to the value, so that the error message says which of many it is. */
function problemIn(value: Json, path: string): string | undefined {
  if (typeof value === 'string' && !isPlainText(value)) {
    return `The member ${quote(path)} has characters that are not allowed.`;
  }
  if (Array.isArray(value)) return firstOf(value.map((item, index) => () => problemIn(item, `${path}.${index}`)));
  if (!isJsonObject(value)) return undefined;
  return firstOf(
    Object.entries(value).map(([key, member]) => () => {
      if (!isPlainText(key)) return 'The name of a member has characters that are not allowed.';
      return problemIn(member, path === '' ? key : `${path}.${key}`);
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
