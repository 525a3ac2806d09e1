// Attributes of people, as administrators define them. Their pages in the console are made by hand: what applications rely on changes
// only after a question that names them.

import { attributeFields } from '../../protocol/resources/attribute.ts';
import { jsonOf } from '../../protocol/resources/resource.ts';
import { defineAction, defineSubject } from '../admin/subject.ts';
import {
  changeAttribute,
  createAttribute,
  deleteAttribute,
  findAttribute,
  listAttributes,
  usersOf,
} from './attributes.ts';

export const attributes = defineSubject({
  one: 'attribute',
  many: 'attributes',
  area: 'attributes',
  api: '/api/attributes',
  console: '/admin/settings/attributes',
  command: 'attribute',
  completes: async (storage) => (await storage.listAttributes()).map(({ name, label }) => [name, label]),
  about: `Set a value with "latchkey user update <email|id> --attribute NAME=VALUE". An application sees one only if one of its claims uses it.`,
  fields: attributeFields,
  key: { name: 'name', description: 'The name of the attribute.', example: 'department' },
  shown: ({ attribute }) => attribute,
  list: {
    about: ' by name',
    read: { all: listAttributes, asItems: true },
    columns: { NAME: 'name', KIND: 'kind', 'EDITABLE BY': 'editable_by', LABEL: 'label' },
  },
  create: {
    does: 'define an attribute of people',
    proof: true,
    fields: attributeFields,
    argument: { name: 'name', about: "a-z, 0-9 and _, beginning with a letter; can't be changed later" },
    run: createAttribute,
    says: ({ attribute: { name } }) => `Created the attribute ${name}.`,
    examples: [
      'latchkey attribute create department --label Department --kind text --values Sales,Support,Engineering',
      'latchkey attribute create nickname --label Nickname --kind text --editable-by person',
    ],
  },
  show: { does: 'show an attribute', run: findAttribute },
  change: {
    does: "change an attribute; its name and kind can't be changed",
    details: 'Values that people have stay as they are, even if they are no longer allowed.',
    proof: true,
    fields: attributeFields,
    force: 'let people edit it although applications use it; their claims are marked as self-asserted',
    run: changeAttribute,
    examples: [
      'latchkey attribute update department --values Sales,Support',
      'latchkey attribute update department --editable-by person --force',
    ],
  },
  actions: {
    delete: defineAction({
      does: "delete an attribute and everyone's values",
      done: 'deleted',
      deletes: true,
      proof: true,
      force: 'even if applications use it, which removes their claims',
      run: deleteAttribute,
      loses: async (services, key, _requester, force) => {
        const found = await findAttribute(services, key);
        if (found.kind === 'refused') return found;
        const count = force ? (await usersOf(services, found.attribute)).length : 0;
        return {
          kind: 'done',
          what: `the attribute ${found.attribute.name} and everyone's values`,
          with: [[count, 'application’s claims', 'applications’ claims']],
        };
      },
      json: ({ attribute }) => jsonOf(attributeFields, attribute),
      says: ({ key }) => `Deleted the attribute ${key}.`,
      examples: ['latchkey attribute delete department', 'latchkey attribute delete department --force --yes'],
    }),
  },
});
