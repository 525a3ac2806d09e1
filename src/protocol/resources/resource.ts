// What follows from the table of a resource's fields: reading what was given, comparing it with what there is, and
// showing it, the same for every resource and wherever it comes from.

import type { EventDetail } from '../event.ts';
import { isoTime } from '../iso-time.ts';
import type { Problem } from '../problem.ts';
import type { Logo } from '../reading/logo.ts';
import {
  type EndTime,
  type Field,
  type FieldTable,
  Invalid,
  itemLine,
  type SecretText,
  type ShownField,
} from './field.ts';

export type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

type PropertyOf<Name extends string, Row> =
  Row extends Field<unknown, infer Property> ? ([Property] extends [never] ? CamelCase<Name> : Property) : never;

export type ValueOf<Row> = Row extends Field<infer Value, string> ? Value : never;
/** Images and secrets aren't part of a record: it has a version, or something sealed. */
type IsApart<Value> = Logo extends Value ? true : SecretText extends Value ? IsSecret<Value> : false;
type IsSecret<Value> = Value extends { readonly isSecret?: true } ? true : false;
type IsEnd<Value> = EndTime extends Value ? (Value extends { readonly isEnd?: true } ? true : false) : false;

/** A record's fields, by property. */
export type ValuesOf<Table extends FieldTable> = {
  readonly [Name in keyof Table & string as IsApart<ValueOf<Table[Name]>> extends false
    ? PropertyOf<Name, Table[Name]>
    : never]: ValueOf<Table[Name]>;
};

/** What can be given for a field, before it's checked. */
type GivenFor<Value> = Logo extends Value
  ? Uint8Array | null
  : IsEnd<NonNullable<Value>> extends true
    ? string | null
    : Value extends string
      ? string
      : Value extends readonly string[]
        ? readonly string[]
        : Value;

/** What a resource should be, by property. Undefined: nothing is said about it. */
export type GivenOf<Table extends FieldTable> = {
  readonly [Name in keyof Table & string as PropertyOf<Name, Table[Name]>]?: GivenFor<ValueOf<Table[Name]>> | undefined;
};

/** What was given, in the form in which it's stored. */
export type ReadOf<Table extends FieldTable> = {
  readonly [Name in keyof Table & string as PropertyOf<Name, Table[Name]>]?: ValueOf<Table[Name]>;
};

/** What a new resource has: every field that isn't only shown was given, or has an initial value. */
export type NewOf<Table extends FieldTable> = {
  readonly [Name in keyof Table & string as Table[Name] extends ShownField
    ? never
    : PropertyOf<Name, Table[Name]>]: ValueOf<Table[Name]>;
};

export type NewReading<Table extends FieldTable> =
  | { readonly kind: 'whole'; readonly values: NewOf<Table> }
  | {
      readonly kind: 'invalid';
      readonly values: ReadOf<Table>;
      readonly problems: readonly [Problem, ...Problem[]];
    };

function propertyOf(name: string, { property }: Field): string {
  return property ?? camelCase(name);
}

export function camelCase<Name extends string>(name: Name): CamelCase<Name> {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()) as CamelCase<Name>;
}

type FieldRow = { readonly name: string; readonly property: string; readonly field: Field };
const knownRows = new WeakMap<FieldTable, readonly FieldRow[]>();

/** Rows with their names and properties, in the order of the table. A download asks for them once for each line. */
export function rowsOf(table: FieldTable): readonly FieldRow[] {
  const known = knownRows.get(table);
  if (known !== undefined) return known;
  const rows = Object.entries(table).map(([name, field]) => ({ name, property: propertyOf(name, field), field }));
  knownRows.set(table, rows);
  return rows;
}

/** A record, for code that goes by the names in a table. */
function byProperty(record: object): Readonly<Record<string, unknown>> {
  return record as Readonly<Record<string, unknown>>;
}

export function isSettable({ settable }: Field, when: 'create' | 'change'): boolean {
  return settable === undefined || settable === when;
}

/** What people have typed: a number is one if it looks like one, and some lists have commas between their items. */
export function typedValue({ kind, commas }: Field, text: string): string | number | readonly string[] {
  if (kind === 'list' && commas) {
    return text
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean);
  }
  return kind === 'number' && /^\d{1,9}$/.test(text) ? Number(text) : text;
}

/** Whether a new resource can't do without being given it. */
export function isNeeded({ initial, initialFrom }: Field): boolean {
  return initial === undefined && initialFrom === undefined;
}

/** Turns values by name, such as JSON, into values by property. What isn't a settable field is left out. */
export function givenByName<Table extends FieldTable>(table: Table, named: object): GivenOf<Table> {
  const given = byProperty(named);
  const entries = rowsOf(table)
    .filter(({ name, field }) => field.settable !== 'never' && given[name] !== undefined)
    .map(({ name, property }) => [property, given[name]]);
  // readFields checks every value, wherever it comes from.
  return Object.fromEntries(entries) as GivenOf<Table>;
}

/** Reads what was given for a new resource. Ends need the time. */
export function readNew<Table extends FieldTable>(
  table: Table,
  given: GivenOf<Table>,
  now?: number,
): NewReading<Table> {
  const { values, problems } = readFields(table, given, undefined, now);
  const [first, ...others] = problems;
  if (first !== undefined) return { kind: 'invalid', values, problems: [first, ...others] };
  // Every field that a new resource can be given has a value or a problem.
  return { kind: 'whole', values: values as object as NewOf<Table> };
}

/**
 * Reads what was given for a new resource, with initial values for the rest, or for a change of `current`. Fields whose
 * rule depends on a given one are checked again.
 */
export function readFields<Table extends FieldTable>(
  table: Table,
  given: GivenOf<Table>,
  current?: object,
  now?: number,
): { readonly values: ReadOf<Table>; readonly problems: readonly Problem[] } {
  const when = current === undefined ? 'create' : 'change';
  const wanted: Readonly<Record<string, unknown>> = given;
  const rows = rowsOf(table).filter(({ field }) => isSettable(field, when));
  const initial = rows.map(({ property, field }) => [property, field.initial] as const);
  const named = Object.entries(wanted).filter(([, value]) => value !== undefined);
  const whole = { ...Object.fromEntries(initial), ...current, ...Object.fromEntries(named) };
  const values: Record<string, unknown> = {};
  const problems: Problem[] = [];
  for (const { name, property, field } of rows) {
    const isGiven = wanted[property] !== undefined;
    const depends = field.dependsOn?.some((other) => wanted[other] !== undefined);
    if (!isGiven && current !== undefined && !depends) continue;
    // What stays isn't checked again: it may come from a time or a service with other rules.
    if (current !== undefined && !depends && isSame(field, valueIn(current, property, field), wanted[property])) {
      values[property] = wanted[property];
      continue;
    }
    if (!isGiven && current === undefined && !isNeeded(field)) {
      values[property] = field.initialFrom?.(whole) ?? field.initial;
      continue;
    }
    const read = field.read(whole[property], whole, now);
    if (read instanceof Invalid) problems.push(...read.problems.map((each) => ({ field: name, ...each })));
    else if (isGiven || current === undefined) values[property] = read;
  }
  return { values: values as ReadOf<Table>, problems };
}

/** The part of what was read that differs from the record as it is. Secrets are compared where they can be opened. */
export function differing<Table extends FieldTable>(
  table: Table,
  current: object,
  values: ReadOf<Table>,
): ReadOf<Table> {
  const read: Readonly<Record<string, unknown>> = values;
  const entries = rowsOf(table)
    .filter(({ property, field }) => {
      const value = read[property];
      if (value === undefined || field.kind === 'secret') return false;
      return !isSame(field, valueIn(current, property, field), field.kind === 'image' ? versionOf(value) : value);
    })
    .map(({ property }) => [property, read[property]]);
  return Object.fromEntries(entries) as ReadOf<Table>;
}

/** The fields that a change can't change without fresh proof of identity, or that a new resource can't be given without. */
export function rowsThatNeedProof(table: FieldTable, when: 'create' | 'change') {
  // What can be changed later is decided later: a new resource means nothing to anyone yet.
  return rowsOf(table).filter(
    ({ field }) => field.needsProof && (when === 'create' ? field.settable === 'create' : isSettable(field, 'change')),
  );
}

/** Whether a new resource would be given something that needs fresh proof of identity. */
export function creatingNeedsProof<Table extends FieldTable>(table: Table, given: GivenOf<Table>): boolean {
  return rowsThatNeedProof(table, 'create').some(({ property, field }) => {
    const value = byProperty(given)[property];
    return value !== undefined && value !== field.initial;
  });
}

/** Whether a change would change a field that needs fresh proof of identity. */
export function changesNeedProof<Table extends FieldTable>(
  table: Table,
  current: object,
  given: GivenOf<Table>,
  now?: number,
): boolean {
  const { values } = readFields(table, given, current, now);
  const change = byProperty(differing(table, current, values));
  return rowsThatNeedProof(table, 'change').some(({ property }) => change[property] !== undefined);
}

/** The value of a field in a record; of an image, its version. */
export function valueIn(record: object, property: string, { kind, find }: Field): unknown {
  if (find !== undefined) return find(byProperty(record));
  const name = kind === 'image' ? `${property}Version` : property;
  return byProperty(record)[name];
}

function versionOf(image: unknown): string | null {
  return typeof image === 'object' && image !== null && 'version' in image ? String(image.version) : null;
}

function isSame({ kind, unordered }: Field, one: unknown, other: unknown): boolean {
  const text = (value: unknown) => JSON.stringify(unordered && Array.isArray(value) ? value.toSorted() : value);
  return kind === 'list' || kind === 'items' ? text(one) === text(other) : one === other;
}

/** What an event says about a change: the names of what has changed, and the new values that may be recorded. */
export function changeDetail(table: FieldTable, change: object): EventDetail {
  const changed = rowsOf(table).filter(({ property }) => byProperty(change)[property] !== undefined);
  return {
    changed: changed.flatMap(({ property, field: { eventName } }) =>
      eventName === false ? [] : (eventName ?? property),
    ),
    ...detailOf(table, change, () => true),
  };
}

/** The values that may be recorded, without those that say nothing because they're empty or what everything starts with. */
export function recordedValues(table: FieldTable, values: object): EventDetail {
  const isPlain = ({ kind, initial }: Field, value: unknown) =>
    value === null || (Array.isArray(value) && value.length === 0) || (kind === 'choice' && value === initial);
  return detailOf(table, values, (field, value) => !isPlain(field, value));
}

function detailOf(table: FieldTable, values: object, isWanted: (field: Field, value: unknown) => boolean): EventDetail {
  const entries = rowsOf(table).flatMap(({ name, property, field }) => {
    const value = byProperty(values)[property];
    if (field.recorded === undefined || value === undefined || !isWanted(field, value)) return [];
    return [[field.recorded === true ? name : field.recorded, recordedAs(field, value)]];
  });
  return Object.fromEntries(entries);
}

function recordedAs(field: Field, value: unknown): string | number | readonly string[] {
  if (typeof value === 'number') return field.kind === 'end' ? isoTime(value) : value;
  if (Array.isArray(value)) return field.words ? value.join(' ') : value.map((item) => itemLine(field, item));
  return value === null ? '' : String(value);
}

/** The JSON of a record, for the API and the command line. Secrets aren't in it; of an image, whether there is one. */
export function jsonOf(table: FieldTable, record: object): Record<string, unknown> {
  const json: Record<string, unknown> = {};
  for (const { name, property, field } of rowsOf(table)) {
    if (field.kind !== 'secret') json[name] = jsonValue(field, valueIn(record, property, field));
  }
  return json;
}

function jsonValue({ kind }: Field, value: unknown): unknown {
  if (kind === 'image') return value !== null && value !== undefined;
  if (kind === 'time' || kind === 'end') return typeof value === 'number' ? isoTime(value) : null;
  return Array.isArray(value) ? [...value] : (value ?? null);
}
