// The fields of an attribute: what administrators want to know about people besides their name and email address.

import { type AttributeKind, attributeKinds, attributeValueLimit, cleanText } from '../account/attribute-values.ts';
import { cleanName, nameProblem } from '../account/names.ts';
import { isPlainText } from '../reading/control-characters.ts';
import { choice, Invalid, list, text, type Whole } from './field.ts';
import type { GivenOf, ValuesOf } from './resource.ts';

const nameForm = /^[a-z][a-z0-9_]{0,31}$/;
const nameRule = 'must be 1 to 32 lowercase letters, digits or underscores, and begin with a letter';
const mostValues = 100;
const limitedKinds: readonly unknown[] = ['text', 'list'] satisfies AttributeKind[];

export const attributeFields = {
  name: text({
    description: "What it's called in JSON, files and claims. It can't be changed later.",
    settable: 'create',
    rule: nameRule,
    pattern: nameForm,
    verbatim: true,
    longest: 32,
    option: false,
    subject: 'the name',
    problem: (name) => (isAttributeName(name) ? undefined : nameRule),
  }),
  label: text({
    description: 'What people see.',
    longest: 100,
    option: { value: 'TEXT' },
    clean: cleanName,
    subject: 'the label',
    problem: nameProblem,
  }),
  kind: choice({
    description: "The type of its values. It can't be changed later.",
    settable: 'create',
    values: attributeKinds,
    recorded: 'value_kind',
    rule: 'the kind must be text, number, boolean or list',
  }),
  editable_by: choice({
    description: 'Who can change the value: administrators, or the person as well.',
    values: ['administrator', 'person'],
    initial: 'administrator',
    recorded: true,
    rule: 'who can edit it must be administrator or person',
    option: { about: 'who can change the value: only administrators, or the person as well; default: administrator' },
  }),
  values: list({
    property: 'allowedValues',
    description: 'The allowed values of a text, or of the items of a list; null allows any.',
    nullable: true,
    most: mostValues,
    commas: true,
    comparedWhole: true,
    eventName: 'values',
    option: {
      value: 'a,b,c',
      about: 'the allowed values of a text, or of the items of a list; default: any',
      change: 'the allowed values; "" allows any',
      none: '',
    },
    items: readValues,
  }),
};

export type AttributeValues = ValuesOf<typeof attributeFields>;
export type AttributeInput = GivenOf<typeof attributeFields>;

export function isAttributeName(text: string): boolean {
  return nameForm.test(text);
}

function readValues(given: readonly string[], { kind }: Whole): readonly string[] | Invalid {
  if (!limitedKinds.includes(kind)) return new Invalid('only a text or a list can have allowed values');
  if (given.length === 0) return new Invalid('at least one value has to be allowed, or null for any');
  if (given.length > mostValues) return new Invalid(`there are more than ${mostValues} allowed values`);
  const values = given.map(cleanText);
  const isUsable = (value: string) =>
    value !== '' && isPlainText(value) && !value.includes(',') && Buffer.byteLength(value) <= attributeValueLimit;
  return values.every(isUsable)
    ? values
    : new Invalid(
        `an allowed value is empty, longer than ${attributeValueLimit} bytes, or has a comma or control characters`,
      );
}
