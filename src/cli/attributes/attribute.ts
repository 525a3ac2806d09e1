// `latchkey attribute …`: what administrators define about people, from the command line. Values are set with `latchkey user`.

import type { AdminOutcome } from '../../operations/admin/outcome.ts';
import {
  attributeJson,
  changeAttribute,
  createAttribute,
  deleteAttribute,
  findAttribute,
  type InUse,
  listAttributes,
  usersOf,
} from '../../operations/attributes/attributes.ts';
import { attributeFields } from '../../protocol/resources/attribute.ts';
import type { Attribute } from '../../storage/storage.ts';
import { CommandFailed, requireDone, UsageError } from '../command.ts';
import type { Said } from '../frame/define.ts';
import { fieldLines, fieldOptions, givenByOptions } from '../frame/field-options.ts';
import type { Command, CommandGroup } from '../frame/spec.ts';
import { summaries } from '../summaries.ts';
import { confirmLoss, yesOption } from '../terminal/confirm.ts';
import { defineStoreCommand } from '../with-services.ts';

const existing = { name: { label: 'NAME', completes: 'attribute' } } as const;

const commands: Record<string, Command> = {
  create: defineStoreCommand({
    summary: 'define an attribute that people can have a value of',
    createsStore: true,
    arguments: { name: { label: 'NAME', about: "a-z, 0-9 and _, beginning with a letter; can't be changed later" } },
    options: fieldOptions(attributeFields, 'create'),
    examples: [
      'latchkey attribute create department --label Department --kind text --values Sales,Support,Engineering',
      'latchkey attribute create nickname --label Nickname --kind text --editable-by person',
    ],
    async run({ services, values, args: { name }, requester }) {
      const input = { ...givenByOptions(attributeFields, 'create', values), name };
      const { attribute } = requireDone(await createAttribute(services, input, requester));
      return { json: attributeJson(attribute), text: `Created the attribute ${attribute.name}.` };
    },
  }),
  list: defineStoreCommand({
    summary: 'list attributes',
    examples: ['latchkey attribute list'],
    async run({ services }) {
      const attributes = await listAttributes(services);
      const rows = attributes.map(({ name, kind, editableBy, label }) => [name, kind, editableBy, label]);
      return {
        json: attributes.map(attributeJson),
        table: [['NAME', 'KIND', 'EDITABLE BY', 'LABEL'], ...rows],
        none: 'No attributes yet. Define one with "latchkey attribute create".',
      };
    },
  }),
  show: defineStoreCommand({
    summary: 'show an attribute',
    arguments: existing,
    examples: ['latchkey attribute show department'],
    async run({ services, args: { name } }) {
      return report(requireDone(await findAttribute(services, name)).attribute);
    },
  }),
  update: defineStoreCommand({
    summary: "change an attribute's label, allowed values or who can edit it",
    details: 'Values that people have stay as they are, even if they are no longer allowed.',
    arguments: existing,
    options: {
      ...fieldOptions(attributeFields, 'change'),
      force: { about: 'let people edit it although applications use it; their claims are marked as self-asserted' },
    },
    examples: [
      'latchkey attribute update department --values Sales,Support',
      'latchkey attribute update department --editable-by person --force',
    ],
    async run({ services, values, args: { name }, requester }) {
      const change = givenByOptions(attributeFields, 'change', values);
      if (Object.keys(change).length === 0) throw new UsageError('nothing to change');
      const outcome = await changeAttribute(services, name, change, requester, values.force);
      return report(requireForced(outcome).attribute);
    },
  }),
  delete: defineStoreCommand({
    summary: "delete an attribute and everyone's values",
    arguments: existing,
    options: { force: { about: 'even if applications use it, which removes their claims' }, ...yesOption },
    examples: ['latchkey attribute delete department', 'latchkey attribute delete department --force --yes'],
    async run({ services, values, args: { name }, requester }) {
      await confirmLoss(values.yes, async () => {
        const { attribute } = requireDone(await findAttribute(services, name));
        const count = values.force ? (await usersOf(services, attribute)).length : 0;
        return {
          what: `the attribute ${attribute.name} and everyone's values`,
          with: [[count, 'application’s claims', 'applications’ claims']],
        };
      });
      const { attribute } = requireForced(await deleteAttribute(services, name, requester, values.force));
      return { json: attributeJson(attribute), text: `Deleted the attribute ${attribute.name}.` };
    },
  }),
};

export const attribute: CommandGroup = {
  summary: summaries.attribute,
  details: `Set a value with "latchkey user update <email|id> --attribute NAME=VALUE". Applications see one only if a claim of theirs uses it.`,
  examples: ['latchkey attribute create department --label Department --kind text', 'latchkey attribute list'],
  commands,
};

function requireForced<Result>(outcome: AdminOutcome<Result> | InUse): Result {
  if (outcome.kind !== 'refused' || !('usedBy' in outcome)) return requireDone(outcome);
  throw new CommandFailed(`${outcome.consequence}; confirm that with --force.`);
}

function report(attribute: Attribute): Said {
  return { json: attributeJson(attribute), fields: fieldLines(attributeFields, attribute) };
}
