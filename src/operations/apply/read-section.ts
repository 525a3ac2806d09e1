// Reads what a file for `latchkey apply` says. Every problem in it is reported at once; comparing it with what there is
// comes later.

import { clauseOf } from '../../protocol/problem.ts';
import {
  isJsonObject,
  isTexts,
  type Json,
  type JsonObject,
  readJson,
  unknownKeys,
  withoutByteOrderMark,
} from '../../protocol/reading/strict-json.ts';
import type { Field, FieldKind, FieldTable } from '../../protocol/resources/field.ts';
import { type GivenOf, isNeeded, readFields, rowsOf } from '../../protocol/resources/resource.ts';
import type { Described, Description, FileReaders, FileSection, SecretPlace } from './file-section.ts';

/** How one section is read. Adds to `problems`; when there are any, the result is incomplete and must not be used. */
export interface ReadableSection {
  readonly name: string;
  read(value: Json, readers: FileReaders, problems: string[]): readonly Described[];
}

export type ApplyFile = { kind: 'read'; file: Description } | { kind: 'invalid'; problems: readonly string[] };

export function readApplyFile(sections: readonly ReadableSection[], text: string, readers: FileReaders): ApplyFile {
  const json = readJson(withoutByteOrderMark(text));
  if (json.kind === 'invalid') return { kind: 'invalid', problems: [`it is not valid JSON: ${json.problem}`] };
  const content = json.value;
  if (!isJsonObject(content)) {
    return { kind: 'invalid', problems: ['it must be an object with the key "applications"'] };
  }
  const names = sections.map(({ name }) => name).toSorted();
  const problems = unknownKeys(content, names);
  const file = new Map<string, readonly Described[]>();
  for (const { name, read } of sections) {
    const value = content[name];
    if (value !== undefined) file.set(name, read(value, readers, problems));
  }
  if (file.size === 0) problems.push('"applications" must be a list of applications');
  return problems.length > 0 ? { kind: 'invalid', problems } : { kind: 'read', file };
}

export function readSection(
  section: FileSection,
  value: Json,
  readers: FileReaders,
  problems: string[],
): readonly Described[] {
  const { name, noun, key, sameBy } = section;
  if (!Array.isArray(value)) {
    problems.push(`"${name}" must be a list of ${name}`);
    return [];
  }
  const seen = new Set<string>();
  return value.flatMap((item: Json, index) => {
    const found: string[] = [];
    const described = isJsonObject(item) ? readItem(section, item, readers, found) : undefined;
    if (described === undefined) found.push(`${noun} must be an object`);
    const isNamed = typeof described?.item[key] === 'string';
    if (isNamed) {
      const identity = sameBy?.(described.id) ?? described.id;
      if (seen.has(identity)) found.push(`the ${key} ${sameBy ? `${JSON.stringify(described.id)} ` : ''}appears twice`);
      seen.add(identity);
    }
    const where = `${name}[${index}]${isNamed && !sameBy ? ` (${JSON.stringify(described.id)})` : ''}`;
    problems.push(...found.map((problem) => `${where}: ${problem}`));
    return described ?? [];
  });
}

/** Everything that the file can say about one. */
export function fileKeys({ key, fields, more = {} }: FileSection): string[] {
  return [...new Set([key, ...settableRows(fields).map(({ name }) => name), ...Object.keys(more)])];
}

export function settableRows(fields: FieldTable) {
  return rowsOf(fields).filter(({ field }) => field.settable !== 'never');
}

function readItem(section: FileSection, item: JsonObject, readers: FileReaders, problems: string[]): Described {
  const { key, idProblem, sameBy, fields, more = {} } = section;
  problems.push(...unknownKeys(item, fileKeys(section)));
  const id = item[key];
  const wrongId =
    typeof id === 'string'
      ? idProblem?.(id)
      : id === undefined && !sameBy
        ? `"${key}" is missing`
        : `"${key}" must be a string`;
  if (wrongId !== undefined) problems.push(wrongId);
  const given = givenInFile(fields, item, readers, problems, key);
  for (const [name, member] of Object.entries(more)) {
    if (item[name] !== undefined) problems.push(...member.problems(item[name]));
  }
  const stored: Readonly<Record<string, unknown>> = given;
  return { id: String(stored[key] ?? id), given, item };
}

/** The fields of one object, as they're stored. Whether its key is there has been looked at before. */
export function givenInFile<Fields extends FieldTable>(
  fields: Fields,
  item: JsonObject,
  readers: FileReaders,
  problems: string[],
  key?: string,
): GivenOf<Fields> {
  const rows = settableRows(fields);
  const given: Record<string, unknown> = {};
  const malformed = new Set<string>();
  for (const { name, property, field } of rows) {
    const value = item[name] === undefined && field.absentInFile === 'initial' ? field.initial : item[name];
    const problem = formProblem(name, field, value);
    if (problem !== undefined) {
      if (name !== key) problems.push(problem);
      malformed.add(name);
    } else if (value !== undefined) {
      given[property] = fileValue(field, value, readers, problems);
    }
  }
  // Checked by every rule as if it were new, but the secrets of what exists don't have to be in the file.
  const { values, problems: broken } = readFields(fields, given as GivenOf<Fields>);
  for (const { name, property, field } of rows) {
    if (field.kind === 'secret' && given[property] === undefined) malformed.add(name);
  }
  problems.push(...broken.filter(({ field = '' }) => !malformed.has(field)).map(clauseOf));
  // As it's stored, so that applying the same file again finds no difference.
  const stored: Readonly<Record<string, unknown>> = values;
  for (const { property, field } of rows) {
    if (given[property] !== undefined && field.kind !== 'image') given[property] = stored[property] ?? given[property];
  }
  return given as GivenOf<Fields>;
}

const isText = (value: unknown) => typeof value === 'string';
/** What a value of each kind is in JSON; a string if it isn't here. */
const forms: Partial<Record<FieldKind, readonly [(value: unknown) => boolean, string]>> = {
  list: [isTexts, 'a list of strings'],
  items: [Array.isArray, 'a list'],
  flag: [(value) => typeof value === 'boolean', 'true or false'],
  number: [(value) => typeof value === 'number', 'a number'],
  image: [isText, 'the path of a picture'],
  // The secret itself may have been written there: it isn't repeated.
  secret: [
    (value) => placeOf(value as Json) !== undefined,
    '{"env": NAME} or {"file": PATH}, because a secret has no place in this file',
  ],
};

/** What is wrong with the type of a value, before its rule looks at it. */
function formProblem(name: string, field: Field, value: unknown): string | undefined {
  const { kind, nullable, values = [] } = field;
  if (value === undefined) return isNeeded(field) && kind !== 'secret' ? `"${name}" is missing` : undefined;
  if (value === null && nullable) return undefined;
  const [isFine, what] =
    kind === 'choice'
      ? [(one: unknown) => values.some((each) => each === one), values.map((each) => `"${each}"`).join(' or ')]
      : (forms[kind] ?? [isText, 'a string']);
  return isFine(value) ? undefined : `"${name}" must be ${what}${nullable ? ', or null' : ''}`;
}

function placeOf(value: Json): SecretPlace | undefined {
  const place = isJsonObject(value) ? Object.entries(value) : [];
  const [[key, name] = []] = place;
  if (place.length !== 1 || typeof name !== 'string') return undefined;
  return key === 'env' ? { env: name } : key === 'file' ? { file: name } : undefined;
}

function fileValue({ kind }: Field, value: unknown, { imageAt, secretAt }: FileReaders, problems: string[]): unknown {
  if (kind === 'image' && typeof value === 'string') {
    const bytes = imageAt(value);
    if (typeof bytes !== 'string') return bytes;
    problems.push(bytes);
    return undefined;
  }
  const place = kind === 'secret' ? placeOf(value as Json) : undefined;
  if (place === undefined) return value;
  const read = secretAt(place);
  if ('secret' in read) return read.secret;
  problems.push(read.problem);
  return undefined;
}
