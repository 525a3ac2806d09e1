// The fields of a form with a person's attributes: for the person themselves, and for administrators.

import type { AttributeKind } from '../../protocol/account/attribute-values.ts';
import type { Messages } from '../languages/languages.ts';
import { field, hidden, select } from './form.ts';
import { type Html, html } from './html.ts';

export interface AttributeField {
  /** What the form calls it. */
  readonly name: string;
  readonly label: string;
  readonly kind: AttributeKind;
  readonly allowedValues: readonly string[] | null;
  readonly value: string;
  /** The stored value, so that what another person has changed since is left alone. */
  readonly shown: string;
  readonly problem: 'wrong_kind' | 'not_allowed' | 'too_long' | 'characters' | 'unknown' | undefined;
}

export const shownPrefix = 'shown_';

export function attributeFields(messages: Messages, fields: readonly AttributeField[]): Html {
  return html`${fields.map((each) => html`${hidden(`${shownPrefix}${each.name}`, each.shown)}${control(messages, each)}`)}`;
}

function control(messages: Messages, spec: AttributeField): Html {
  const m = messages.account.attributes;
  const { name, label, kind, allowedValues, value } = spec;
  const problem = spec.problem && spec.problem !== 'unknown' ? m.problems[spec.problem] : undefined;
  const shared = { name, label, value, optional: true, problem };
  const text = { ...shared, autocomplete: 'off', limit: 1024 };
  const chosen = (options: readonly { readonly value: string; readonly label: string }[]) => {
    // One that is no longer allowed must not be lost by saving the form.
    const isListed = value === '' || options.some((each) => each.value === value);
    const kept = isListed ? [] : [{ value, label: value }];
    return select({ ...shared, options: [{ value: '', label: m.none }, ...options, ...kept] });
  };
  switch (kind) {
    case 'boolean':
      return chosen([
        { value: 'true', label: m.yes },
        { value: 'false', label: m.no },
      ]);
    case 'list':
      return field({ ...text, hint: allowedValues === null ? m.list : m.listOf(messages.list([...allowedValues])) });
    case 'text':
      return allowedValues === null ? field(text) : chosen(allowedValues.map((each) => ({ value: each, label: each })));
    case 'number':
      return field({ ...text, verbatim: true });
  }
}
