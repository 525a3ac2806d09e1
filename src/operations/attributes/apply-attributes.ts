// The attributes in a file for `latchkey apply`: works out what would change, and changes it. The file also says which claims
// applications have from then on, and that is what counts for whether an attribute is in use.

import type { Requester } from '../../protocol/event.ts';
import { isJsonObject, type Json } from '../../protocol/reading/strict-json.ts';
import { attributeFields } from '../../protocol/resources/attribute.ts';
import type { Attribute, Client } from '../../storage/storage.ts';
import {
  type Described,
  exportedFields,
  type FileSyntax,
  fieldChanges,
  givenChanges,
  planSteps,
  type Step,
} from '../admin/applied-resource.ts';
import { type Outcome, refused } from '../admin/outcome.ts';
import type { Recording, Storing } from '../services.ts';
import { attributeLimit, changeAttribute, createAttribute, deleteAttribute, listAttributes } from './attributes.ts';

export type DescribedAttribute = Described<typeof attributeFields>;
type AttributeStep = Step<Attribute, typeof attributeFields>;

export const attributeSyntax: FileSyntax<typeof attributeFields> = {
  section: 'attributes',
  noun: 'an attribute',
  key: 'name',
  fields: attributeFields,
  more: [],
  checkMore: () => {},
};

/** Refused if the file says something that can't be done. With `prune`, what the file doesn't name is deleted. */
export async function planAttributes(
  services: Storing,
  described: readonly DescribedAttribute[],
  applications: readonly Pick<Described, 'id' | 'item'>[] | undefined,
  prune: boolean,
): Outcome<{ steps: readonly AttributeStep[] }> {
  const existing = await listAttributes(services);
  const changesIn = (current: Attribute, each: DescribedAttribute) => fieldChanges(attributeFields, current, each);
  const steps = planSteps(existing, ({ name }) => name, described, changesIn, prune);
  const clients = await services.storage.listClients();
  const problems = steps.flatMap((step) => {
    if (step.kind === 'create' || step.kind === 'leave') return [];
    const found = 'described' in step ? kindProblems(step.item, step.described) : [];
    const opens = step.kind === 'update' && step.described.given.editableBy === 'person';
    if (step.kind !== 'delete' && !(opens && step.item.editableBy !== 'person')) return found.map(of(step));
    const using = clients.filter((client) => keepsClaim(client, step, applications, prune));
    const apps = using.map(({ id }) => id).join(', ');
    const problem =
      step.kind === 'delete'
        ? `it can't be deleted, because claims of ${apps} use it`
        : `people can't edit it, because claims of ${apps} use it; say "self_asserted" there first`;
    return [...found, ...(using.length === 0 ? [] : [problem])].map(of(step));
  });
  if (problems.length > 0) return refused(problems.join('; '));
  const left = steps.filter(({ kind }) => kind !== 'delete').length;
  if (steps.some(({ kind }) => kind === 'create') && left > attributeLimit) {
    return refused(`there can be at most ${attributeLimit} attributes`);
  }
  return { kind: 'done', steps };
}

function of({ id }: AttributeStep) {
  return (problem: string) => `attribute "${id}": ${problem}`;
}

function kindProblems({ kind }: Attribute, { given }: DescribedAttribute): string[] {
  return given.kind === kind ? [] : ["its kind can't change; delete it and create another one"];
}

/** Whether the application still relies on the attribute once the file is applied. */
function keepsClaim(
  { id, claims }: Client,
  step: Extract<AttributeStep, { item: Attribute }>,
  applications: readonly Pick<Described, 'id' | 'item'>[] | undefined,
  prune: boolean,
): boolean {
  const { name, createdAt } = step.item;
  const isDelete = step.kind === 'delete';
  const inFile = applications?.find((each) => each.id === id);
  if (inFile === undefined && applications !== undefined && prune) return false;
  if (inFile?.item.claims === undefined) {
    return claims.some(
      (claim) =>
        claim.source === 'attribute' &&
        claim.attribute.name === name &&
        claim.attribute.since === createdAt &&
        (isDelete || !claim.selfAsserted),
    );
  }
  const uses = (claim: Json) =>
    isJsonObject(claim) && claim.attribute === name && (isDelete || claim.self_asserted !== true);
  return Array.isArray(inFile.item.claims) && inFile.item.claims.some(uses);
}

export async function applyAttribute(services: Recording, step: AttributeStep, requester: Requester): Outcome<object> {
  switch (step.kind) {
    case 'create':
      return createAttribute(services, step.described.given, requester);
    case 'update': {
      const given = givenChanges(attributeFields, step.described, step.changes);
      // The plan has made sure that the file says the same about claims.
      return changeAttribute(services, step.id, given, requester, true);
    }
    case 'delete': {
      const deleted = await deleteAttribute(services, step.id, requester);
      return deleted.kind === 'refused' && deleted.reason === 'not_found' ? { kind: 'done' } : deleted;
    }
    case 'unchanged':
    case 'leave':
      return { kind: 'done' };
  }
}

/** By name. */
export async function exportAttributes(services: Storing): Promise<Record<string, unknown>[]> {
  const attributes = await listAttributes(services);
  return Promise.all(attributes.map((attribute) => exportedFields(attributeFields, attribute)));
}
