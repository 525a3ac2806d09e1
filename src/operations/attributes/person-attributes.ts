// What a person's attributes should be, checked against what administrators have defined.

import { type AttributeValues, type GivenAttributes, readAttributes } from '../../protocol/account/attribute-values.ts';
import type { Requester } from '../../protocol/event.ts';
import type { Problem } from '../../protocol/problem.ts';
import type { Attribute, AttributeChange } from '../../storage/storage.ts';
import { type Refused, refused } from '../admin/outcome.ts';
import type { Storing } from '../services.ts';
import { attributesOutOfReach, listAttributes, outOfReach, valueProblems } from './attributes.ts';

export interface ReadAttributes {
  /** Undefined if nothing changes. */
  readonly change: AttributeChange | undefined;
  readonly problems: readonly Problem[];
  /** The requester may not change one of them. */
  readonly refusal?: Refused | undefined;
  /** What an event calls the changed ones. It doesn't say their values. */
  readonly changed: readonly string[];
}

/** For those who administer people. */
export async function readGivenAttributes(
  services: Storing,
  current: AttributeValues,
  given: GivenAttributes | undefined,
  requester: Requester,
): Promise<ReadAttributes> {
  if (given === undefined) return { change: undefined, problems: [], changed: [] };
  const { patch, changed, problems } = readAttributes(await listAttributes(services), current, given);
  const named = Object.entries(problems).map(([name, problem]) => ({
    field: `attributes.${name.slice(0, 60)}`,
    says: `the attribute ${JSON.stringify(name.slice(0, 60))} ${valueProblems[problem]}`,
  }));
  const [protectedOne] = await attributesOutOfReach(services, requester, changed);
  const refusal = protectedOne && refused(outOfReach(protectedOne), 'forbidden');
  return { ...changeOf(patch, changed), problems: named, refusal };
}

export function changeOf(
  patch: AttributeChange['patch'],
  checkedBy: readonly Attribute[],
): Omit<ReadAttributes, 'problems' | 'refusal'> {
  return {
    change: checkedBy.length === 0 ? undefined : { patch, checkedBy },
    changed: checkedBy.map(({ name }) => `attributes.${name}`),
  };
}

/** The values that a new person starts with. */
export function initialValues(change: AttributeChange | undefined): AttributeValues {
  const entries = Object.entries(change?.patch ?? {}).flatMap(([name, value]) =>
    value === null ? [] : [[name, value]],
  );
  return Object.fromEntries(entries);
}
