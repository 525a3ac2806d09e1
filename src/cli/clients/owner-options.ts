// The options for the owners of an application.

import type { GivenOwners } from '../../operations/clients/owners.ts';
import { UsageError } from '../command.ts';

export const ownerOptions = {
  owner: {
    value: 'EMAIL',
    many: true,
    about: 'a person who decides who has access; replaces all owners',
    completes: 'person',
  },
  'owner-group': { value: 'NAME', many: true, about: 'a protected group whose members decide it', completes: 'group' },
  'no-owners': { about: 'remove all owners' },
} as const;

/** Undefined if the options say nothing about owners. */
export function ownersIn(values: {
  readonly owner?: readonly string[] | undefined;
  readonly 'owner-group'?: readonly string[] | undefined;
  readonly 'no-owners'?: boolean | undefined;
}): GivenOwners | undefined {
  const { owner: people, 'owner-group': groups, 'no-owners': none } = values;
  const isGiven = people !== undefined || groups !== undefined;
  if (none && isGiven) throw new UsageError("--no-owners can't be combined with owners");
  return isGiven || none ? { people: people ?? [], groups: groups ?? [] } : undefined;
}
