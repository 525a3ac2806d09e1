// What people's attributes are at another service, read by the rules of ours. Those that nobody has defined can be, as text.

import {
  type AttributeProblem,
  type AttributeRule,
  type AttributeValue,
  type AttributeValues,
  readAttribute,
} from '../account/attribute-values.ts';
import type { Json } from '../reading/strict-json.ts';
import { isAttributeName } from '../resources/attribute.ts';
import { says } from './record.ts';

export interface AttributeChoices {
  /** Those that a person can have values of; none if undefined. */
  readonly attributes?: readonly AttributeRule[] | undefined;
  /** Whether the others are defined, too. */
  readonly defineAttributes?: boolean | undefined;
}

/** Undefined for one that nobody has defined, and that isn't going to be. */
export function attributeRule(name: string, { attributes = [], defineAttributes }: AttributeChoices) {
  const defined = attributes.find((each) => each.name === name);
  if (defined !== undefined || !defineAttributes || !isAttributeName(name)) return defined;
  return { name, kind: 'text', allowedValues: null } satisfies AttributeRule;
}

const attributeProblems: Record<AttributeProblem, string> = {
  unknown: "isn't defined",
  wrong_kind: 'is of another kind',
  not_allowed: "isn't among the allowed values",
  too_long: 'is longer than 1,024 bytes',
  characters: 'has characters that are not allowed',
};

/** Adds to `problems`: what is written for us is imported with all of its values or not at all. */
export function readOwnAttributes(
  given: Readonly<Record<string, unknown>>,
  choices: AttributeChoices,
  problems: string[],
): AttributeValues {
  const entries = Object.entries(given).flatMap(([name, value]): [string, AttributeValue][] => {
    const rule = value == null ? undefined : attributeRule(name, choices);
    if (rule === undefined) return [];
    const read = readAttribute(rule, value, typeof value === 'string' ? 'text' : 'json');
    if (read.problem !== undefined) problems.push(`the attribute "${name}" ${attributeProblems[read.problem]}`);
    return read.value == null || read.problem !== undefined ? [] : [[name, read.value]];
  });
  return Object.fromEntries(entries);
}

/** Adds to `left`: what another service allows isn't always allowed here. Where it has lists only, one item is a value. */
export function readForeignAttributes(
  given: Readonly<Record<string, Json>>,
  choices: AttributeChoices,
  left: string[],
): AttributeValues {
  const entries = Object.entries(given).flatMap(([name, value]): [string, AttributeValue][] => {
    if (!says(value)) return [];
    const rule = attributeRule(name, choices);
    const only = rule?.kind !== 'list' && Array.isArray(value) && value.length === 1 ? value[0] : value;
    const read = rule && readAttribute(rule, only, typeof only === 'string' ? 'text' : 'json');
    if (read?.value != null && read.problem === undefined) return [[name, read.value]];
    left.push(`attributes.${name}`);
    return [];
  });
  return Object.fromEntries(entries);
}
