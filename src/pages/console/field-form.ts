// The fields of a form that creates or changes a resource. Which there are follows from the resource's table; the console's
// routes hand them over with their values.

import type { Messages } from '../languages/languages.ts';
import {
  checkbox,
  choiceGroup,
  colorField,
  type FieldProblems,
  field,
  hidden,
  type NameList,
  passwordField,
  radio,
  select,
  textArea,
} from '../layout/form.ts';
import { type Html, html } from '../layout/html.ts';
import type { FieldLabel } from '../messages/field-labels.ts';
import { endField } from './ends.ts';

export interface FormField {
  readonly name: string;
  /** What it's called in the form. */
  readonly control: string;
  /** `lines` and `words` are lists in one text, `boxes` a list as checkboxes, `choice` radio buttons. */
  readonly kind:
    | 'text'
    | 'url'
    | 'number'
    | 'lines'
    | 'words'
    | 'boxes'
    | 'choice'
    | 'select'
    | 'flag'
    | 'secret'
    | 'email'
    | 'color'
    | 'end';
  readonly value: string;
  /** The stored value, for a form that leaves alone what another person may have changed since. */
  readonly kept?: string;
  /** What the picker of a color shows, which always has a value. */
  readonly picked?: string;
  readonly optional: boolean;
  readonly longest?: number | undefined;
  readonly verbatim?: true | undefined;
  /** Of `lines`: what has these names, which are offered. */
  readonly names?: 'groups';
  /** What can be chosen. */
  readonly options?: readonly { readonly value: string; readonly label?: string }[];
}

export type FieldLabels = Readonly<Record<string, FieldLabel>>;

/** With a hidden field that names them: a form from before a field existed says nothing about it. */
export function formFields(
  messages: Messages,
  fields: readonly FormField[],
  labels: FieldLabels,
  problems: FieldProblems,
): Html {
  return html`${fieldNames(fields)}${fieldControls(messages, fields, labels, problems)}`;
}

/** Some of the fields, for a form that has them in several places and their names in one. */
export function fieldControls(
  messages: Messages,
  fields: readonly FormField[],
  labels: FieldLabels,
  problems: FieldProblems,
): Html {
  return html`${fields.map((each) => formField(messages, each, labels, problems))}`;
}

export const keptPrefix = 'shown_';

export function fieldNames(fields: readonly FormField[]): Html {
  const kept = fields.map(
    ({ control, kept, picked }) => html`${kept !== undefined && hidden(`${keptPrefix}${control}`, kept)}
${picked !== undefined && hidden(`${keptPrefix}${control}_picker`, picked)}`,
  );
  return html`${hidden('fields', fields.map(({ name }) => name).join(' '))}${kept}`;
}

export function formField(messages: Messages, spec: FormField, labels: FieldLabels, problems: FieldProblems): Html {
  const { name, control, kind, value, optional, longest: limit, options = [], picked = '' } = spec;
  const { label, hint, options: words = {}, chosen: remarks = {} } = labels[name] ?? { label: name };
  const shared = { name: control, label, ...(hint !== undefined && { hint }), optional, problem: problems[name] };
  const one = { ...shared, autocomplete: 'off', ...(limit !== undefined && { limit }) };
  const chosen = options.map((each) => ({ value: each.value, label: each.label ?? words[each.value] ?? each.value }));
  switch (kind) {
    case 'text':
    case 'url':
    case 'number':
      return field({ ...one, type: kind, value, verbatim: kind === 'url' || spec.verbatim === true });
    case 'email':
      return field({ ...one, type: kind, value });
    case 'color': {
      const picker = { name: `${control}_picker`, label: words.picker ?? label, value: picked };
      return colorField({ ...one, value, verbatim: true }, picker);
    }
    case 'end':
      return endField(messages, { name: control, label, hint, value, problem: problems[name] });
    case 'words':
      return field({ ...one, value, limit: 1000, verbatim: true });
    case 'secret':
      return passwordField(messages, { ...one, limit: 1000 });
    case 'lines':
      return textArea({
        ...shared,
        value,
        rows: optional ? 2 : 3,
        ...(spec.names && { names: joinableNames(messages) }),
      });
    case 'flag':
      return checkbox({ name: control, label, checked: value === 'yes', problem: problems[name] });
    case 'select':
      return select({ ...shared, value, options: chosen });
    case 'boxes':
    case 'choice': {
      const held = value.split(' ');
      const lines = chosen.map((each) => {
        const checked = held.includes(each.value);
        return kind === 'boxes'
          ? html`<label class="choice-line"><input type="checkbox" name="${control}_${each.value}" value="yes"${checked && html` checked`}> ${each.label}</label>`
          : html`${radio(control, each.value, each.label, checked)}${remark(remarks[each.value])}`;
      });
      return choiceGroup({ name: control, label, hint, lines, problem: problems[name] });
    }
  }
}

/** It's there while the choice before it is made. */
function remark(text: string | undefined): Html | undefined {
  return text === undefined ? undefined : html`<p class="dependent hint">${text}</p>`;
}

/** Where a script finds names of groups, each of which no other has: of all groups, and of those whose members the reader can choose. */
export const groupNamesPath = '/admin/group-names';
export const joinableNamesPath = `${groupNamesPath}/joinable`;

interface Names {
  readonly names: readonly string[];
  readonly more: boolean;
}

/** For a field with one name. A search finds those that aren't in the page. */
export function groupList({ names, more }: Names, path: string): NameList {
  return { id: 'group-names', names, search: more ? path : undefined };
}

/** For a text with one name in a line. */
export function joinableNames({ admin }: Messages) {
  return { search: joinableNamesPath, ...admin.groups.names };
}
