// Groups of people, as administrators manage them. Their members, and the page of one group in the console, are made by hand.

import { type GroupInput, groupFields } from '../../protocol/resources/group.ts';
import { jsonOf } from '../../protocol/resources/resource.ts';
import { defineAction, defineSubject } from '../admin/subject.ts';
import { createGroup, deleteGroup, findGroup, groupWithSize, listGroups, updateGroup } from './groups.ts';

export const groups = defineSubject({
  one: 'group',
  many: 'groups',
  area: 'groups',
  api: '/api/groups',
  console: '/admin/groups',
  command: 'group',
  completes: 'group',
  about: `Give a group access to an application with "latchkey client allow <client_id> --group NAME". Changes take effect with the
next request. Applications see groups only through claims (latchkey client update --claim). If any name is unknown, nothing changes.`,
  fields: groupFields,
  named: {
    example: 'Staff',
    async find(services, name) {
      const found = await findGroup(services, name);
      return found.kind === 'refused' ? found : { ...found, id: found.group.id };
    },
  },
  shown: ({ group }) => group,
  list: {
    about: ' by name',
    searched: true,
    read: { page: listGroups },
    columns: { ID: 'id', PROTECTED: ({ protectedSince }) => (protectedSince === null ? '' : 'yes'), NAME: 'name' },
  },
  create: {
    does: 'create a group',
    // Like protecting one that exists.
    proof: (_services, { protected: isProtected }: GroupInput) => isProtected === true,
    fields: groupFields,
    argument: { name: 'name' },
    run: createGroup,
    says: ({ group }) => `Created group ${JSON.stringify(group.name)}.`,
    examples: ['latchkey group create Staff', 'latchkey group create "Grafana Admins" --protected yes'],
  },
  show: { does: 'show a group', run: (services, id) => groupWithSize(services, { id }) },
  change: {
    does: 'rename a group, or decide whether only administrators can change it',
    operation: 'renameGroup',
    details: 'Applications that get names of groups see the new one.',
    // They may give it rights by its name.
    proof: true,
    fields: groupFields,
    run: (services, id, given, requester) => updateGroup(services, { id }, given, requester),
    examples: ['latchkey group update Staff --name Employees', 'latchkey group update Staff --protected yes'],
  },
  actions: {
    delete: defineAction({
      does: 'delete a group; people who have access to an application only through it lose that access',
      done: 'deleted',
      deletes: true,
      proof: true,
      force: 'delete it even if claims of applications use it; they match nobody then',
      run: (services, id, requester, force) => deleteGroup(services, { id }, force, requester),
      async loses(services, id) {
        const found = await groupWithSize(services, { id });
        if (found.kind === 'refused') return found;
        const { group, people } = found;
        return { kind: 'done', what: `the group ${JSON.stringify(group.name)}`, with: [[people, 'member', 'members']] };
      },
      json: ({ group }) => jsonOf(groupFields, group),
      says: ({ group }) => `Deleted group ${JSON.stringify(group.name)}.`,
      examples: ['latchkey group delete Staff', 'latchkey group delete Staff --yes'],
    }),
  },
});
