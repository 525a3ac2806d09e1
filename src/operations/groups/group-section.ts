// Groups and their members in a file for `latchkey apply`.

import { groupKey } from '../../protocol/account/names.ts';
import { type ClaimJson, claimsJson, groupsNamedIn } from '../../protocol/oauth/claim-json.ts';
import { isTexts } from '../../protocol/reading/strict-json.ts';
import { groupFields } from '../../protocol/resources/group.ts';
import type { Group, User } from '../../storage/storage.ts';
import type { FileSection } from '../apply/file-section.ts';
import { listChanges } from '../apply/plan-section.ts';
import { namesOf } from '../users/users.ts';
import { changeMembers, createGroup, deleteGroup, listAllGroups, listAllMembers, updateGroup } from './groups.ts';
import { type EndsByName, endsJson, endsProblem } from './listed-ends.ts';
import { namesInFile } from './names-in-file.ts';

/** Of the list in an application's entry. */
export const groupsPath = 'allowed.groups';
/** Its owners, too. */
export const owningGroupsPath = 'owners.groups';

const fields = { name: { ...groupFields.name, description: 'Its name.', settable: 'create' as const } };

export const groupSection: FileSection<Group, typeof fields> = {
  name: 'groups',
  noun: 'a group',
  key: 'name',
  sameBy: groupKey,
  fields,
  more: {
    protected: {
      about: 'only administrators change it',
      problems: (value) => (typeof value === 'boolean' ? [] : ['"protected" must be true or false']),
    },
    members: {
      about: 'a list of email addresses',
      problems: (value) => (isTexts(value) ? [] : ['"members" must be a list of strings']),
    },
    members_until: {
      about: 'when memberships end, such as {"ada@example.com": "2027-01-31"}; the others don\'t end',
      problems: (value) => [endsProblem('members_until', value)].filter((problem) => problem !== undefined),
    },
  },
  // Until then, applications may name them.
  deletes: 'last',
  list: listAllGroups,
  idOf: ({ name }) => name,
  called: ({ id }) => `group ${JSON.stringify(id)}`,

  async resolve(context, all) {
    const names = namesInFile(context);
    const resolved = [];
    for (const each of all) {
      const named = isTexts(each.item.members) ? each.item.members : undefined;
      // Checked when the file was read.
      const until = each.item.members_until as EndsByName | undefined;
      const group = named || until ? await context.services.storage.findGroupByName(each.id) : undefined;
      const listed = group === undefined ? [] : await listAllMembers(context.services, group);
      const list = await names.peopleList(listed, { path: 'members', label: 'member', named, until });
      resolved.push({ ...each, lists: [list] });
    }
    return resolved;
  },

  changes(_, current, { item, lists }) {
    const { protected: to } = item;
    const from = current !== undefined && current.protectedSince !== null;
    return [...(to === undefined || to === from ? [] : [{ name: 'protected', from, to }]), ...listChanges(lists)];
  },

  async kept({ services, file }, groups) {
    const inFile = file.get('applications') ?? [];
    const claims = new Map<string, readonly ClaimJson[]>();
    for (const client of await services.storage.listClients()) claims.set(client.id, claimsJson(client.claims));
    for (const { id, given } of inFile) {
      if (given.claims !== undefined) claims.set(id, given.claims as readonly ClaimJson[]);
    }
    const used = new Set([
      ...[...claims.values()].flatMap(groupsNamedIn),
      ...inFile.flatMap(({ lists = [] }) =>
        lists.flatMap(({ path, wanted = [] }) => (path === groupsPath || path === owningGroupsPath ? wanted : [])),
      ),
    ]);
    const owned = await Promise.all(groups.map(({ id }) => services.storage.listClientsOwnedByGroup(id)));
    return groups.filter(({ id, name }, index) => used.has(name) || used.has(id) || (owned[index] ?? []).length > 0);
  },

  create: (services, { id, item }, requester) =>
    createGroup(services, { name: id, protected: item.protected === true }, requester),
  // Checked when the file was read.
  update: (services, { id, item }, _, requester) =>
    updateGroup(services, { name: id }, { protected: item.protected as boolean | undefined }, requester),
  delete: (services, name, requester) => deleteGroup(services, { name }, false, requester),

  after(services, { id, described: { lists: [list] = [] } }, requester) {
    if (list === undefined) return undefined;
    const { entries, ends, moved } = list;
    const add = withEmail(new Set([...entries.added, ...moved]));
    const remove = withEmail(entries.removed);
    if (add.length + remove.length === 0) return undefined;
    const endOf = ({ email }: User) => ends?.get(email);
    return changeMembers(services, { name: id }, { add, remove, endOf }, requester);
  },

  async exported({ storage }, group) {
    const members = await listAllMembers({ storage }, group);
    const names = await namesOf({ storage }, members);
    return {
      protected: group.protectedSince !== null,
      members: names,
      members_until: endsJson(members, (_, index) => names[index] ?? ''),
    };
  },
};

function withEmail(emails: Iterable<string>) {
  return Array.from(emails, (email) => ({ email }));
}
