// What a file for `latchkey apply` says about one kind of resource, by the table of its fields: reads it, and compares it
// with what there is. What isn't a field, such as "revoked", is left to the resource.

import { clauseOf } from '../../protocol/problem.ts';
import type { ImageReader, ImageWriter, Logo } from '../../protocol/reading/logo.ts';
import { isJsonObject, isTexts, type Json, type JsonObject, unknownKeys } from '../../protocol/reading/strict-json.ts';
import { type Field, type FieldTable, itemLine } from '../../protocol/resources/field.ts';
import {
  differing,
  type GivenOf,
  isNeeded,
  jsonOf,
  propertyOf,
  readFields,
  rowsOf,
  valueIn,
} from '../../protocol/resources/resource.ts';

/** How the file describes a resource. */
export interface FileSyntax<Fields extends FieldTable = FieldTable> {
  /** The key of the file, which is what several are called. */
  readonly section: string;
  /** What one is called, with its article. */
  readonly noun: string;
  /** The member that identifies one. */
  readonly key: string;
  readonly fields: Fields;
  /** Members that aren't fields. */
  readonly more: readonly string[];
  /** For a key that isn't a field with a rule. */
  readonly idProblem?: (id: string) => string | undefined;
  /** Adds to `problems` what is wrong with the members that aren't fields. */
  readonly checkMore: (item: JsonObject, problems: string[]) => void;
}

/** One resource as the file has it. */
export interface Described<Fields extends FieldTable = FieldTable> {
  readonly id: string;
  /** By property; what the file doesn't say is left as it is. */
  readonly given: GivenOf<Fields>;
  /** The whole entry, for members that aren't fields. */
  readonly item: JsonObject;
}

/** Where the file says that a secret is. */
export type SecretPlace = { readonly env: string } | { readonly file: string };
export type SecretReader = (place: SecretPlace) => { readonly secret: string } | { readonly problem: string };

export interface FileReaders {
  readonly imageAt: ImageReader;
  readonly secretAt: SecretReader;
}

/** Adds to `problems`. Undefined if the file has no such section, which says nothing about what there is. */
export function readSection<Fields extends FieldTable>(
  syntax: FileSyntax<Fields>,
  value: Json | undefined,
  readers: FileReaders,
  problems: string[],
): Described<Fields>[] | undefined {
  const { section, noun, key } = syntax;
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) {
    problems.push(`"${section}" must be a list of ${section}`);
    return [];
  }
  const ids = value.map((item) => (isJsonObject(item) ? item[key] : undefined));
  return value.flatMap((item: Json, index) => {
    const id = ids[index];
    const found: string[] = [];
    const described = isJsonObject(item) ? [readItem(syntax, item, readers, found)] : [];
    if (described.length === 0) found.push(`${noun} must be an object`);
    if (typeof id === 'string' && ids.indexOf(id) < index) found.push(`the ${key} appears twice`);
    const where = `${section}[${index}]${typeof id === 'string' ? ` (${JSON.stringify(id)})` : ''}`;
    problems.push(...found.map((problem) => `${where}: ${problem}`));
    return described;
  });
}

/** Everything that the file can say about one. */
export function fileKeys(syntax: FileSyntax): string[] {
  return [syntax.key, ...describedRows(syntax).map(({ name }) => name), ...syntax.more];
}

function describedRows({ fields, key }: Pick<FileSyntax, 'fields' | 'key'>) {
  return rowsOf(fields).filter(({ name, field }) => field.settable !== 'never' && name !== key);
}

/** When there are problems, the result is incomplete and must not be used. */
function readItem<Fields extends FieldTable>(
  syntax: FileSyntax<Fields>,
  item: JsonObject,
  readers: FileReaders,
  problems: string[],
): Described<Fields> {
  const { key, fields, idProblem, checkMore } = syntax;
  problems.push(...unknownKeys(item, fileKeys(syntax)));
  const id = item[key];
  if (typeof id !== 'string') problems.push(id === undefined ? `"${key}" is missing` : `"${key}" must be a string`);
  else {
    const problem = idProblem?.(id);
    if (problem !== undefined) problems.push(problem);
  }
  const given = givenInFile(fields, item, readers, problems, key);
  checkMore(item, problems);
  return { id: typeof id === 'string' ? id : '', given, item };
}

/** The fields of one object, as they're stored. Adds to `problems`; when there are any, the result is incomplete. */
export function givenInFile<Fields extends FieldTable>(
  fields: Fields,
  item: JsonObject,
  readers: FileReaders,
  problems: string[],
  key = '',
): GivenOf<Fields> {
  const rows = describedRows({ fields, key });
  const given: Record<string, unknown> = {};
  const malformed = new Set<string>(typeof item[key] === 'string' ? [] : [key]);
  const keyField = fields[key];
  if (keyField !== undefined && keyField.settable !== 'never') given[propertyOf(key, keyField)] = item[key];
  for (const { name, property, field } of rows) {
    const value = item[name] === undefined && field.absentInFile === 'initial' ? field.initial : item[name];
    const isMissed = isNeeded(field) && field.kind !== 'secret';
    const problem = value === undefined ? isMissed && `"${name}" is missing` : formProblem(name, field, value);
    if (problem) {
      problems.push(problem);
      malformed.add(name);
    } else if (value !== undefined) {
      given[property] = fileValue(field, value, readers, problems);
    }
  }
  // Checked by every rule as if it were new, but the secrets of what exists don't have to be in the file.
  const { values, problems: broken } = readFields(fields, given as GivenOf<Fields>);
  for (const { name, property, field } of rowsOf(fields)) {
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

/** What is wrong with the type of a value, before its rule looks at it. */
function formProblem(name: string, { kind, nullable, values = [] }: Field, value: unknown): string | undefined {
  const orNull = nullable ? ', or null' : '';
  if (value === null && nullable) return undefined;
  switch (kind) {
    case 'list':
      return isTexts(value as Json) ? undefined : `"${name}" must be a list of strings${orNull}`;
    case 'items':
      return Array.isArray(value) ? undefined : `"${name}" must be a list`;
    case 'flag':
      return typeof value === 'boolean' ? undefined : `"${name}" must be true or false`;
    case 'number':
      return typeof value === 'number' ? undefined : `"${name}" must be a number`;
    case 'choice':
      return values.some((each) => each === value)
        ? undefined
        : `"${name}" must be ${values.map((each) => `"${each}"`).join(' or ')}${orNull}`;
    case 'image':
      return typeof value === 'string' ? undefined : `"${name}" must be the path of a picture${orNull}`;
    case 'secret':
      // Somebody may have written the secret itself: it isn't repeated.
      return placeOf(value as Json) === undefined
        ? `"${name}" must be {"env": NAME} or {"file": PATH}, because a secret has no place in this file`
        : undefined;
    default:
      return typeof value === 'string' ? undefined : `"${name}" must be a string${orNull}`;
  }
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

/** For resources that a file disables, but never enables. */
export const canBeDisabled: Pick<FileSyntax, 'more' | 'checkMore'> = {
  more: ['disabled'],
  checkMore({ disabled = false }, problems) {
    if (typeof disabled !== 'boolean') problems.push('"disabled" must be true or false');
  },
};

export function isDisabledIn({ item }: Pick<Described, 'item'>): boolean {
  return item.disabled === true;
}

export function disabledChanges(
  { disabledAt }: { readonly disabledAt: number | null },
  described: Pick<Described, 'item'>,
) {
  return isDisabledIn(described) && disabledAt === null ? [{ name: 'disabled', from: false, to: true }] : [];
}

export interface ItemsDifference {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Of a list its items, of an image only that it changes. */
export type Change = { readonly name: string } & (
  | { readonly items: ItemsDifference }
  | { readonly image: 'added' | 'changed' | 'removed' }
  | { readonly from: unknown; readonly to: unknown }
);

/** What the file would change about the fields of what there is. */
export function fieldChanges<Fields extends FieldTable>(
  fields: Fields,
  current: object,
  { given }: Pick<Described<Fields>, 'given'>,
): Change[] {
  const { values } = readFields(fields, given, current);
  const different: Readonly<Record<string, unknown>> = differing(fields, current, values);
  return rowsOf(fields).flatMap(({ name, property, field }): Change[] => {
    const to = different[property];
    if (to === undefined) return [];
    const from = valueIn(current, property, field);
    if (field.kind === 'image') return [{ name, image: to === null ? 'removed' : from === null ? 'added' : 'changed' }];
    if (!Array.isArray(from) || !Array.isArray(to) || field.comparedWhole) return [{ name, from, to }];
    const lines = (list: readonly unknown[]) => list.map((item) => itemLine(field, item));
    const items = itemsDifference(lines(from), lines(to));
    return items === undefined ? [] : [{ name, items }];
  });
}

/** Undefined if both have the same items, in whatever order. */
export function itemsDifference(before: readonly string[], after: readonly string[]): ItemsDifference | undefined {
  const [had, has] = [new Set(before), new Set(after)];
  const added = after.filter((item) => !had.has(item));
  const removed = before.filter((item) => !has.has(item));
  return added.length + removed.length === 0 ? undefined : { added, removed };
}

export type Step<Item, Fields extends FieldTable = FieldTable> =
  | { kind: 'create'; id: string; described: Described<Fields> }
  | { kind: 'update'; id: string; described: Described<Fields>; item: Item; changes: readonly Change[] }
  | { kind: 'unchanged'; id: string; described: Described<Fields>; item: Item }
  | { kind: 'delete' | 'leave'; id: string; item: Item };

/** What the file describes comes first, in its order, then all others: deleted with `prune`, and left alone without. */
export function planSteps<Item, Fields extends FieldTable>(
  existing: readonly Item[],
  idOf: (item: Item) => string,
  described: readonly Described<Fields>[],
  changesIn: (item: Item, described: Described<Fields>) => readonly Change[],
  prune: boolean,
): Step<Item, Fields>[] {
  const items = new Map(existing.map((item) => [idOf(item), item]));
  const inFile = new Set(described.map(({ id }) => id));
  return [
    ...described.map((each): Step<Item, Fields> => {
      const item = items.get(each.id);
      if (item === undefined) return { kind: 'create', id: each.id, described: each };
      const changes = changesIn(item, each);
      if (changes.length === 0) return { kind: 'unchanged', id: each.id, described: each, item };
      return { kind: 'update', id: each.id, described: each, item, changes };
    }),
    ...existing
      .filter((item) => !inFile.has(idOf(item)))
      .map((item): Step<Item, Fields> => ({ kind: prune ? 'delete' : 'leave', id: idOf(item), item })),
  ];
}

/** What was given for the fields that change. */
export function givenChanges<Fields extends FieldTable>(
  fields: Fields,
  { given }: Pick<Described<Fields>, 'given'>,
  changes: readonly Change[],
): GivenOf<Fields> {
  const all: Readonly<Record<string, unknown>> = given;
  const changed = rowsOf(fields).filter(({ name }) => changes.some((change) => change.name === name));
  return Object.fromEntries(changed.map(({ property }) => [property, all[property]])) as GivenOf<Fields>;
}

/** The fields as the file has them, in an order that doesn't depend on the store. Images are put where it can name them. */
export async function exportedFields(
  fields: FieldTable,
  record: object,
  image?: {
    /** Of a resource that has several, by the name of the field. */
    readonly name: string | ((field: string) => string);
    readonly write: ImageWriter;
    find(version: string, field: string): Promise<Logo | undefined>;
  },
): Promise<Record<string, unknown>> {
  const json = jsonOf(fields, record);
  const exported: Record<string, unknown> = {};
  for (const { name, property, field } of rowsOf(fields)) {
    if (field.settable === 'never' || field.kind === 'secret') continue;
    exported[name] = json[name];
    if (field.kind !== 'image' || image === undefined) continue;
    const version = valueIn(record, property, field);
    const found = typeof version === 'string' ? await image.find(version, name) : undefined;
    const written = typeof image.name === 'string' ? image.name : image.name(name);
    exported[name] = found === undefined ? null : image.write(written, found);
  }
  return exported;
}

/** For sorting, whatever the language of the machine. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : 1;
}
