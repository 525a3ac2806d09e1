// The values of a person's attributes: what each kind takes, as text (the command line, forms, CSV) and as JSON, and which of
// what was given changes something. What an attribute is called and who may edit it is in resources/attribute.ts.

import { isPlainText, withoutInvisible } from '../reading/control-characters.ts';

export const attributeKinds = ['text', 'number', 'boolean', 'list'] as const;
export type AttributeKind = (typeof attributeKinds)[number];

export type AttributeValue = string | number | boolean | readonly string[];

/** By the attribute's name. */
export type AttributeValues = Readonly<Record<string, AttributeValue>>;

/** What a value is checked against. */
export interface AttributeRule {
  readonly name: string;
  readonly kind: AttributeKind;
  /** Of texts, and of the items of lists; null for any. */
  readonly allowedValues: readonly string[] | null;
}

/** In bytes; of a list, with commas between its items. */
export const attributeValueLimit = 1024;

export type AttributeProblem = 'unknown' | 'wrong_kind' | 'not_allowed' | 'too_long' | 'characters';

/** What a person's attributes should be, by name. As text, an empty value removes one; in JSON, null does, too. */
export interface GivenAttributes {
  readonly as: 'text' | 'json';
  readonly values: Readonly<Record<string, unknown>>;
}

/** A change by name, in which null removes a value. */
export type AttributePatch = Readonly<Record<string, AttributeValue | null>>;

/** `constructor` is a valid name. */
export function attributeValue(values: AttributeValues, name: string): AttributeValue | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** The values of these attributes, in their order. A value without a definition isn't shown to anybody. */
export function definedValues(attributes: readonly Pick<AttributeRule, 'name'>[], values: AttributeValues) {
  const entries = attributes.flatMap(({ name }) => {
    const value = attributeValue(values, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}

/** As it's typed, and as `readAttribute` takes it. */
export function attributeText(value: AttributeValue | undefined): string {
  return value === undefined ? '' : typeof value === 'object' ? value.join(',') : String(value);
}

/** What was given for some attributes, compared with what there is. What stays isn't checked: the rule may be newer. */
export function readAttributes<Rule extends AttributeRule>(
  attributes: readonly Rule[],
  current: AttributeValues,
  given: GivenAttributes,
): {
  readonly patch: AttributePatch;
  /** The attributes that change. */
  readonly changed: readonly Rule[];
  readonly problems: Readonly<Record<string, AttributeProblem>>;
} {
  const patch: Record<string, AttributeValue | null> = {};
  const changed: Rule[] = [];
  const problems: [string, AttributeProblem][] = [];
  for (const [name, wanted] of Object.entries(given.values)) {
    if (wanted === undefined) continue;
    const attribute = attributes.find((each) => each.name === name);
    const read = attribute && readAttribute(attribute, wanted, given.as);
    const now = attributeValue(current, name) ?? null;
    if (attribute === undefined || read === undefined) problems.push([name, 'unknown']);
    else if (isSame(read.value, now)) continue;
    else if (read.value === undefined || read.problem !== undefined) {
      problems.push([name, read.problem ?? 'wrong_kind']);
    } else {
      patch[name] = read.value;
      changed.push(attribute);
    }
  }
  // A name can be __proto__ until it's refused.
  return { patch, changed, problems: Object.fromEntries(problems) };
}

function isSame(one: AttributeValue | null | undefined, other: AttributeValue | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

interface Reading {
  /** Null for none; undefined if it isn't of the attribute's kind. */
  readonly value: AttributeValue | null | undefined;
  readonly problem?: AttributeProblem;
}

export function readAttribute(rule: AttributeRule, given: unknown, as: GivenAttributes['as']): Reading {
  if (given === null || given === '' || (Array.isArray(given) && given.length === 0)) return { value: null };
  const value = as === 'text' ? typed(rule.kind, given) : cleaned(rule.kind, given);
  if (value === undefined) return { value, problem: 'wrong_kind' };
  if (value === '' || (Array.isArray(value) && value.length === 0)) return { value: null };
  const problem = problemOf(rule, value);
  return problem === undefined ? { value } : { value, problem };
}

const numberForm = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

function typed(kind: AttributeKind, given: unknown): AttributeValue | undefined {
  if (typeof given !== 'string') return undefined;
  const text = given.trim();
  switch (kind) {
    case 'text':
      return cleanText(text);
    case 'number':
      return numberForm.test(text) ? cleaned(kind, Number(text)) : text === '' ? '' : undefined;
    case 'boolean': {
      // Spreadsheets write it in capitals.
      const word = text.toLowerCase();
      return word === 'true' ? true : word === 'false' ? false : word === '' ? '' : undefined;
    }
    case 'list':
      return text
        .split(',')
        .map(cleanText)
        .filter((item) => item !== '');
  }
}

function cleaned(kind: AttributeKind, given: unknown): AttributeValue | undefined {
  switch (kind) {
    case 'text':
      return typeof given === 'string' ? cleanText(given) : undefined;
    case 'number':
      // Negative zero has no JSON.
      return typeof given === 'number' && Number.isFinite(given) ? given + 0 : undefined;
    case 'boolean':
      return typeof given === 'boolean' ? given : undefined;
    case 'list':
      return Array.isArray(given) && given.every((item): item is string => typeof item === 'string')
        ? given.map(cleanText)
        : undefined;
  }
}

/** Applications and people see it, so nothing in it is invisible. */
export function cleanText(text: string): string {
  return withoutInvisible(text).trim();
}

function problemOf({ allowedValues }: AttributeRule, value: AttributeValue): AttributeProblem | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return undefined;
  if (Buffer.byteLength(attributeText(value)) > attributeValueLimit) return 'too_long';
  const items = typeof value === 'string' ? [value] : value;
  if (!items.every(isPlainText)) return 'characters';
  // As text, a comma separates items.
  if (typeof value === 'object' && items.some((item) => item === '' || item.includes(','))) return 'characters';
  return allowedValues === null || items.every((item) => allowedValues.includes(item)) ? undefined : 'not_allowed';
}
