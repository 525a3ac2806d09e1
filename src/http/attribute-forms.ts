// Forms with a person's attributes, each under the name `attribute.NAME`: what they show, and what was sent.

import { type AttributeField, shownPrefix } from '../pages/layout/attribute-fields.ts';
import {
  type AttributeProblem,
  type AttributeValues,
  attributeText,
  attributeValue,
  type GivenAttributes,
} from '../protocol/account/attribute-values.ts';
import type { Attribute } from '../storage/storage.ts';
import type { AccountForm } from './account/account-pages.ts';
import { bodyOf } from './forms.ts';

/** What was sent, for a form that is shown again. */
export interface SentAttributes {
  readonly given: GivenAttributes;
  readonly problems: Readonly<Record<string, AttributeProblem>>;
}

export function shownAttributes(
  attributes: readonly Attribute[],
  values: AttributeValues,
  sent?: SentAttributes,
): AttributeField[] {
  return attributes.map(({ name, label, kind, allowedValues }) => {
    const shown = attributeText(attributeValue(values, name));
    const given = sent?.given.values ?? {};
    const problems = sent?.problems ?? {};
    return {
      name: controlOf(name),
      label,
      kind,
      allowedValues,
      shown,
      value: Object.hasOwn(given, name) ? String(given[name]) : shown,
      problem: Object.hasOwn(problems, name) ? problems[name] : undefined,
    };
  });
}

/**
 * What was changed in the form. A field that isn't in it stays as it is, and one that is empty, which isn't among the
 * parameters, removes the value.
 */
export function sentAttributes(
  attributes: readonly Attribute[],
  { fields, field, request }: Pick<AccountForm, 'fields' | 'field' | 'request'>,
): GivenAttributes {
  const sent = new URLSearchParams(Buffer.from(bodyOf(request)).toString());
  const has = (name: string) => fields.has(name) || sent.has(name);
  const entries = attributes.flatMap(({ name }) => {
    const control = controlOf(name);
    const shown = `${shownPrefix}${control}`;
    const isKept = has(shown) && field(shown) === field(control);
    return has(control) && !isKept ? [[name, field(control)] as const] : [];
  });
  return { as: 'text', values: Object.fromEntries(entries) };
}

function controlOf(name: string): string {
  return `attribute.${name}`;
}
