// The options of commands that create or change a resource, and the lines that show one, from the table of its fields; and the
// option that says when access ends.

import { readFileSync } from 'node:fs';
import { logoLimit } from '../../protocol/reading/image.ts';
import { type Field, type FieldTable, itemLine } from '../../protocol/resources/field.ts';
import { type GivenOf, isNeeded, isSettable, rowsOf, typedValue, valueIn } from '../../protocol/resources/resource.ts';
import { CommandFailed, readingFile, UsageError } from '../command.ts';
import { shownTime } from '../terminal/times.ts';
import type { OptionSpec } from './spec.ts';
import { didYouMean } from './suggest.ts';

type When = 'create' | 'change';

/** Secrets are read from files and prompts, never from the command line. */
export function fieldOptions(fields: FieldTable, when: When): Readonly<Record<string, OptionSpec>> {
  return Object.fromEntries(optionRows(fields, when).flatMap((row) => optionsOf(row, when)));
}

/** What the options say, by property. */
export function givenByOptions<Fields extends FieldTable>(
  fields: Fields,
  when: When,
  values: Readonly<Record<string, unknown>>,
): GivenOf<Fields> {
  const entries = optionRows(fields, when).map((row) => [row.property, givenFor(row, when, values)]);
  // Checked with everything else that can be given.
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as GivenOf<Fields>;
}

/** The fields of a record that have a value, for people. */
export function fieldLines(fields: FieldTable, record: object, without: readonly string[] = []): string[][] {
  const rows = rowsOf(fields).filter(({ name, field }) => field.settable !== 'never' && !without.includes(name));
  return rows.flatMap(({ name, property, field }) => {
    const value = valueIn(record, property, field);
    const { label = name.replaceAll('_', ' '), empty } = field.option || {};
    if (field.kind === 'secret') return [];
    if (field.kind === 'image') return [[label, value === null ? 'none' : 'yes']];
    if (Array.isArray(value) && value.length === 0) return empty === undefined ? [] : [[label, empty]];
    if (Array.isArray(value) && !field.words && !field.comparedWhole) {
      return value.map((item) => [label, itemLine(field, item)]);
    }
    return value === null || value === '' ? [] : [[label, shownValue(field, value)]];
  });
}

function shownValue({ kind, option, commas }: Field, value: unknown): string {
  const { said: [no, yes] = ['no', 'yes'] } = option || {};
  if (kind === 'flag') return value ? yes : no;
  if (kind === 'time' || kind === 'end') return shownTime(Number(value));
  return Array.isArray(value) ? value.join(commas ? ', ' : ' ') : String(value);
}

interface OptionRow {
  readonly name: string;
  readonly option: string;
  readonly property: string;
  readonly field: Field;
}

function optionRows(fields: FieldTable, when: When): OptionRow[] {
  return rowsOf(fields)
    .filter(({ field }) => isSettable(field, when) && field.option !== false && field.kind !== 'secret')
    .map(({ name, property, field }) => {
      const { name: option = name.replaceAll('_', '-') } = field.option || {};
      return { name, option, property, field };
    });
}

function optionsOf({ name, option, field }: OptionRow, when: When): [string, OptionSpec][] {
  const { kind, description, values = [], nullable, words, commas, settable } = field;
  const { about: given = asAbout(description), ...spec } = field.option || {};
  const { value, change = given, many, opposite, clear, clearName = `no-${option}`, none, completes } = spec;
  const isChange = when === 'change';
  const about = isChange ? change : given;
  const needed = !isChange && isNeeded(field) ? ({ required: true } as const) : {};
  const clearing: [string, OptionSpec][] = isChange && clear !== undefined ? [[clearName, { about: clear }]] : [];
  const completing = completes === undefined ? {} : { completes };
  switch (kind) {
    case 'flag':
      if (!isChange) return [[option, { about }]];
      if (opposite === undefined) return [[option, { values: ['yes', 'no'], about }]];
      return [
        [option, { about }],
        [opposite.name, { about: opposite.about }],
      ];
    case 'choice': {
      const emptying = isChange && none !== undefined ? [none] : [];
      return [[option, { field: name, values: [...values, ...emptying], about, ...needed }]];
    }
    case 'image':
      return [[option, { value: 'FILE', completes: 'file', about }], ...clearing];
    case 'list': {
      const repeated = ((!words && !commas) || many) && {
        many: true as const,
        ...(values.length > 0 && { field: name, values }),
      };
      return [[option, { value: value ?? 'VALUE', ...repeated, about, ...needed, ...completing }], ...clearing];
    }
    default: {
      const described = nullable && none === undefined && settable !== 'create' ? `${about}; "" for none` : about;
      return [[option, { value: value ?? 'TEXT', about: described, ...needed, ...completing }]];
    }
  }
}

function givenFor({ option, field }: OptionRow, when: When, values: Readonly<Record<string, unknown>>): unknown {
  const { opposite, none, many, clearName = `no-${option}` } = field.option || {};
  const given = values[option];
  if (values[clearName] === true) {
    if (given !== undefined) throw new UsageError(`--${option} and --${clearName} can't be combined`);
    return field.nullable ? null : [];
  }
  if (field.kind === 'flag') return flagIn(option, opposite?.name, when, values);
  if (given === undefined) return undefined;
  if (field.kind === 'image') return readImageFile(String(given));
  if (given === none) return null;
  if (field.kind === 'list' && field.words && !many) return String(given).split(/\s+/).filter(Boolean);
  const typed = typeof given === 'string' ? typedValue(field, given) : given;
  if (field.kind === 'number' && typeof typed !== 'number') throw new UsageError(`--${option} ${field.rule}`);
  return typed;
}

function flagIn(
  option: string,
  opposite: string | undefined,
  when: When,
  values: Readonly<Record<string, unknown>>,
): boolean | undefined {
  const given = values[option];
  if (when === 'create') return given === true ? true : undefined;
  if (opposite !== undefined) {
    if (given && values[opposite]) throw new UsageError(`--${option} and --${opposite} can't be combined`);
    return given ? true : values[opposite] ? false : undefined;
  }
  if (given !== undefined && given !== 'yes' && given !== 'no')
    throw new UsageError(`--${option} must be yes or no${didYouMean(String(given), ['yes', 'no'])}`);
  return given === undefined ? undefined : given === 'yes';
}

/** A sentence of the documentation, as the help writes it. */
export function asAbout(description: string): string {
  const text = description
    .replace(/\.$/, '')
    .replace(/\. (?!Latchkey)([A-Z])(?=[a-z ])/g, (_, letter: string) => `; ${letter.toLowerCase()}`);
  return /^[A-Z][a-z ]/.test(text) ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text;
}

export function readImageFile(file: string): Uint8Array {
  const bytes = readingFile(file, () => readFileSync(file));
  if (bytes.length > logoLimit) throw new CommandFailed(`${file} is larger than 512 KB.`);
  return bytes;
}
