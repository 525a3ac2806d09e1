// Attributes in a file for `latchkey apply`. The file also says which claims applications have from then on, and that is what
// counts for whether an attribute is in use.

import { isJsonObject, type Json } from '../../protocol/reading/strict-json.ts';
import { attributeFields } from '../../protocol/resources/attribute.ts';
import type { Attribute, Client } from '../../storage/storage.ts';
import type { FileContext, FileSection, Step } from '../apply/file-section.ts';
import { attributeLimit, changeAttribute, createAttribute, deleteAttribute, listAttributes } from './attributes.ts';

type AttributeStep = Step<Attribute, typeof attributeFields>;

export const attributeSection: FileSection<Attribute, typeof attributeFields> = {
  name: 'attributes',
  noun: 'an attribute',
  key: 'name',
  fields: attributeFields,
  // Until then, applications may use them.
  deletes: 'last',
  list: listAttributes,
  idOf: ({ name }) => name,
  called: ({ id }) => `attribute ${id}`,
  shown: (name, value, when) => (name === 'values' && value === null && when !== 'new' ? 'any' : value),

  async problems(context, steps) {
    const clients = await context.services.storage.listClients();
    const problems = steps.flatMap((step) =>
      problemsOf(step, clients, context).map((problem) => `attribute "${step.id}": ${problem}`),
    );
    const left = steps.filter(({ kind }) => kind !== 'delete').length;
    const isFull = steps.some(({ kind }) => kind === 'create') && left > attributeLimit;
    return problems.length === 0 && isFull ? [`there can be at most ${attributeLimit} attributes`] : problems;
  },

  create: (services, { given }, requester) => createAttribute(services, given, requester),
  // The plan has made sure that the file says the same about claims.
  update: (services, { id }, given, requester) => changeAttribute(services, id, given, requester, true),
  delete: (services, id, requester) => deleteAttribute(services, id, requester),
};

function problemsOf(step: AttributeStep, clients: readonly Client[], context: FileContext): string[] {
  if (step.kind === 'create' || step.kind === 'leave') return [];
  const given = step.kind === 'delete' ? undefined : step.described.given;
  const found =
    given !== undefined && given.kind !== step.item.kind
      ? ["its kind can't change; delete it and create another one"]
      : [];
  const opens = given?.editableBy === 'person' && step.item.editableBy !== 'person';
  if (step.kind !== 'delete' && !opens) return found;
  const using = clients.filter((client) => keepsClaim(client, step, context));
  if (using.length === 0) return found;
  const use = `because claims of ${using.map(({ id }) => id).join(', ')} use it`;
  return [
    ...found,
    opens ? `people can't edit it, ${use}; say "self_asserted" there first` : `it can't be deleted, ${use}`,
  ];
}

/** Whether the application still relies on the attribute once the file is applied. */
function keepsClaim(
  { id, claims }: Client,
  step: Extract<AttributeStep, { item: Attribute }>,
  { file, prune }: FileContext,
): boolean {
  const { name, createdAt } = step.item;
  const isDelete = step.kind === 'delete';
  const applications = file.get('applications');
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
