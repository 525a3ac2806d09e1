// Forms that create or change a resource, from the table of its fields: what they show, and what was sent.

import { type FormField, keptPrefix } from '../../pages/console/field-form.ts';
import { ownAccent } from '../../protocol/brand/accent.ts';
import { isHexColor } from '../../protocol/brand/color.ts';
import { endOfQuarter } from '../../protocol/ends.ts';
import { isoTime } from '../../protocol/iso-time.ts';
import { webUrlLimit } from '../../protocol/reading/web-url.ts';
import type { Field, FieldTable } from '../../protocol/resources/field.ts';
import { type GivenOf, isSettable, rowsOf, typedValue, valueIn } from '../../protocol/resources/resource.ts';
import type { FormFields } from '../account/account-pages.ts';

type When = 'create' | 'change';

/** A choice of what the store knows. */
export type Options = readonly { readonly value: string; readonly label: string }[];

/** The fields of a form, with the values of `record`, or what everything starts with. */
export function shownInForm(
  fields: FieldTable,
  when: When,
  record: object = {},
  choices: Readonly<Record<string, Options>> = {},
  /** What another person has changed meanwhile is kept, where this form leaves it alone. */
  others?: 'kept',
): FormField[] {
  return formRows(fields, when).flatMap(({ name, property, field }): FormField[] => {
    const options = choices[name];
    // Nothing to choose from, and nothing chosen.
    const value = shownValue(field, valueIn(record, property, field) ?? field.initial);
    if (options !== undefined && options.length === 0 && value === '') return [];
    return [{ ...formFieldOf(name, field, value, when, options), ...(others === 'kept' && { kept: value }) }];
  });
}

/** The fields with what was sent, for a form that is shown again. */
export function sentInForm(shown: readonly FormField[], form: FormFields): FormField[] {
  return shown.map((field) => {
    const value = field.kind === 'secret' ? '' : textOf(field, form);
    return { ...field, value, ...pickedIn(field.kind, value, form.field(`${field.control}_picker`)) };
  });
}

/**
 * What was sent, by property. A form says which fields it has: one that is empty arrives like none. One that creates something and
 * doesn't say it has those that were sent.
 */
export function givenInForm<Fields extends FieldTable>(fields: Fields, when: When, form: FormFields): GivenOf<Fields> {
  const says = form.fields.get('fields');
  const has = new Set(says?.split(' '));
  const isSent = ({ name, field }: { name: string; field: Field }) => form.fields.has(field.formName || name);
  const entries = formRows(fields, when)
    .filter((row) => has.has(row.name) || (says === undefined && when === 'create' && isSent(row)))
    .map(({ name, property, field }) => {
      const formField = formFieldOf(name, field, '', when);
      const text = textOf(formField, form);
      const isKept = form.fields.get(`${keptPrefix}${formField.control}`) === text;
      return [property, isKept ? undefined : givenValue(field, text, when)] as const;
    });
  // Checked with everything else that can be given.
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as GivenOf<Fields>;
}

/** The names of fields with more than one line, and of those that say what they showed. */
export function multilineFields(fields: FieldTable): string[] {
  return rowsOf(fields).flatMap(({ name, field }) =>
    formKind(field) === 'lines' ? [name, `${keptPrefix}${name}`] : [],
  );
}

function formRows(fields: FieldTable, when: When) {
  return rowsOf(fields).filter(
    ({ field: { inForm = when, ...field } }) =>
      inForm === when && isSettable(field, when) && field.kind !== 'image' && field.formName !== false,
  );
}

function formFieldOf(name: string, field: Field, value: string, when: When, options?: Options): FormField {
  const { nullable, initial, longest, verbatim, values, flagWords, kind, names } = field;
  const chosen = flagWords?.map((each) => ({ value: each })) ?? values?.map((each) => ({ value: each }));
  const gone = options && value !== '' && !options.some((each) => each.value === value) ? [{ value }] : [];
  return {
    name,
    control: field.formName || name,
    kind: options === undefined ? formKind(field) : 'select',
    value,
    optional:
      nullable === true ||
      initial === '' ||
      kind === 'flag' ||
      (kind === 'list' && field.least === undefined) ||
      (kind === 'secret' && when === 'change'),
    longest,
    ...pickedIn(formKind(field), value),
    verbatim,
    ...(names && { names }),
    ...(chosen && { options: nullable ? [{ value: '' }, ...chosen] : chosen }),
    ...(options && { options: [{ value: '' }, ...options, ...gone] }),
  };
}

/** Without a color, the picker has the one that was sent, or the one that pages have. */
function pickedIn(kind: FormField['kind'], value: string, sent = ''): { picked?: string } {
  if (kind !== 'color') return {};
  return { picked: [value, sent].find(isHexColor)?.toLowerCase() ?? ownAccent };
}

function formKind({ kind, values, words, flagWords, nullable, longest, input }: Field): FormField['kind'] {
  switch (kind) {
    case 'list':
      return values !== undefined ? 'boxes' : words ? 'words' : 'lines';
    case 'flag':
      return flagWords === undefined ? 'flag' : 'choice';
    case 'choice':
      return nullable ? 'select' : 'choice';
    case 'secret':
    case 'number':
    case 'end':
      return kind;
    default:
      return input ?? (longest === webUrlLimit ? 'url' : 'text');
  }
}

function shownValue({ kind, words, values, flagWords }: Field, value: unknown): string {
  if (Array.isArray(value)) return value.join(words || values ? ' ' : '\n');
  if (kind === 'flag') return flagWords ? String(flagWords[value ? 1 : 0]) : value ? 'yes' : '';
  return value === null || value === undefined ? '' : String(value);
}

/**
 * An end as the API takes it, from a choice and the field for a time. The script sends that in UTC with a Z; without it, the field
 * is in UTC and sends no zone.
 */
export function endIn({ field, now }: FormFields, name: string): string {
  const chosen = field(name).trim();
  if (chosen === 'never') return '';
  if (chosen === 'quarter') return isoTime(endOfQuarter(now()));
  const time = field(`${name}_time`).trim();
  if (chosen !== 'at' || time === '') return chosen;
  return /^[\d-]+T[\d:.]+$/.test(time) ? `${time}Z` : time;
}

function textOf({ control, kind, options = [] }: FormField, form: FormFields): string {
  const { field } = form;
  if (kind === 'end') return endIn(form, control);
  if (kind === 'boxes')
    return options
      .filter(({ value }) => field(`${control}_${value}`) === 'yes')
      .map(({ value }) => value)
      .join(' ');
  if (kind === 'color') {
    // The picker counts if only it was changed.
    const isChanged = (name: string) => field(name).trim() !== field(keptPrefix + name);
    return field(isChanged(`${control}_picker`) && !isChanged(control) ? `${control}_picker` : control).trim();
  }
  return kind === 'lines' ? field(control) : field(control).trim();
}

function givenValue(field: Field, text: string, when: When): unknown {
  switch (field.kind) {
    case 'list':
      if (field.words || field.values) return text.split(/[\s,]+/).filter(Boolean);
      return text
        .split(field.separators ?? /\r?\n/)
        .map((line) => line.trim())
        .filter(Boolean);
    case 'flag':
      return field.flagWords ? text === field.flagWords[1] : text === 'yes';
    case 'number':
      if (text !== '') return typedValue(field, text);
      // An empty one says nothing, or that there's none.
      return field.nullable ? null : undefined;
    case 'end':
      return text === '' ? null : text;
    case 'secret':
      return text === '' && when === 'change' ? undefined : text;
    case 'choice':
      // Untouched radio buttons send nothing.
      return text === '' && !field.nullable ? undefined : text;
    default:
      return text;
  }
}
