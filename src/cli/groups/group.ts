// `latchkey group …`: groups of people, from the command line.

import {
  changeMembers,
  createGroup,
  deleteGroup,
  findGroup,
  groupDetails,
  groupJson,
  groupWithSize,
  listAllMembers,
  listGroups,
  membershipJson,
  updateGroup,
} from '../../operations/groups/groups.ts';
import { endsJson } from '../../operations/groups/listed-ends.ts';
import type { Services } from '../../operations/services.ts';
import { userJsonOfEach } from '../../operations/users/user-json.ts';
import { entryFields } from '../../protocol/resources/entry.ts';
import { groupFields } from '../../protocol/resources/group.ts';
import type { Group } from '../../storage/storage.ts';
import { requireDone, UsageError } from '../command.ts';
import type { Said } from '../frame/define.ts';
import { fieldOptions, givenByOptions } from '../frame/field-options.ts';
import { limitOption, readList, searchList } from '../frame/lists.ts';
import type { Command, CommandGroup } from '../frame/spec.ts';
import { summaries } from '../summaries.ts';
import { confirmLoss, yesOption } from '../terminal/confirm.ts';
import { briefTime, untilText } from '../terminal/times.ts';
import { defineStoreCommand } from '../with-services.ts';

const groupName = { label: 'NAME', completes: 'group' } as const;

/** Of a new one, too, it's yes or no. */
const protection = { protected: groupFields.protected };

const commands: Record<string, Command> = {
  create: defineStoreCommand({
    summary: 'create an empty group',
    createsStore: true,
    arguments: { name: { label: 'NAME' } },
    options: fieldOptions(protection, 'change'),
    examples: ['latchkey group create Staff', 'latchkey group create "Grafana Admins" --protected yes'],
    async run({ services, values, args, requester }) {
      const given = { name: args.name, ...givenByOptions(protection, 'change', values) };
      const { group } = requireDone(await createGroup(services, given, requester));
      return {
        json: { ...groupJson(group), members: [], members_until: {} },
        text: `Created group ${JSON.stringify(group.name)}.`,
      };
    },
  }),
  list: defineStoreCommand({
    summary: 'list groups',
    options: limitOption,
    examples: ['latchkey group list'],
    async run({ services, values }) {
      const { items: groups, rest } = await readList(values, (request) => listGroups(services, request));
      const rows = groups.map(({ id, name, protectedSince }) => [id, protectedSince === null ? '' : 'yes', name]);
      const table = [['ID', 'PROTECTED', 'NAME'], ...rows];
      return {
        json: groups.map(groupJson),
        list: table,
        none: 'No groups yet. Create one with "latchkey group create".',
        rest,
      };
    },
  }),
  show: defineStoreCommand({
    summary: 'show a group and its members',
    arguments: { name: groupName },
    examples: ['latchkey group show Staff'],
    async run({ services, args }) {
      return report(services, requireDone(await findGroup(services, args.name)).group);
    },
  }),
  members: defineStoreCommand({
    summary: 'list the members of a group, by name',
    arguments: { name: groupName },
    options: {
      search: { value: 'TEXT', about: 'only those with a word in the name or email address that begins with TEXT' },
      ...limitOption,
    },
    examples: ['latchkey group members Staff', 'latchkey group members Staff --search ada'],
    async run({ services, values, args: { name } }) {
      const { items, rest } = await searchList(services, values, async (request) => {
        const found = await groupDetails(services, name, { ...request, sort: 'name' });
        return found.kind === 'refused' ? found : { kind: 'done', ...found.members };
      });
      const rows = items.map((member) => [
        member.id,
        member.email,
        member.name,
        member.listedSince === null ? '' : briefTime(member.listedSince),
        member.listedUntil === null ? '' : briefTime(member.listedUntil),
      ]);
      const json = await userJsonOfEach(services);
      return {
        json: items.map((member) => ({ ...json(member), ...membershipJson(member) })),
        list: [['ID', 'EMAIL', 'NAME', 'SINCE', 'EXPIRES'], ...rows],
        none:
          values.search === undefined
            ? 'Nobody is in this group.'
            : `No members match ${JSON.stringify(values.search)}.`,
        rest,
      };
    },
  }),
  update: defineStoreCommand({
    summary: 'rename or protect a group',
    details: 'Applications that get names of groups see the new one.',
    arguments: { name: groupName },
    options: fieldOptions(groupFields, 'change'),
    examples: ['latchkey group update Staff --name Employees', 'latchkey group update Staff --protected yes'],
    async run({ services, values, args, requester }) {
      const change = givenByOptions(groupFields, 'change', values);
      if (Object.keys(change).length === 0) throw new UsageError('give --name or --protected');
      return report(services, requireDone(await updateGroup(services, args.name, change, requester)).group);
    },
  }),
  add: changing('add', 'add people to a group, which gives them its applications'),
  remove: changing('remove', 'remove people from a group'),
  delete: defineStoreCommand({
    summary: 'delete a group, which takes its applications away from everyone in it',
    arguments: { name: groupName },
    options: {
      ...yesOption,
      force: { about: 'delete it even if claims of applications use it; they match nobody then' },
    },
    examples: ['latchkey group delete Staff', 'latchkey group delete Staff --yes'],
    async run({ services, values, args, requester }) {
      await confirmLoss(values.yes, async () => {
        const { group, people } = requireDone(await groupWithSize(services, args.name));
        return { what: `the group ${JSON.stringify(group.name)}`, with: [[people, 'member', 'members']] };
      });
      const { group } = requireDone(await deleteGroup(services, args.name, values.force, requester));
      return { json: groupJson(group), text: `Deleted group ${JSON.stringify(group.name)}.` };
    },
  }),
};

export const group: CommandGroup = {
  summary: summaries.group,
  details: `Give a group access to an application with "latchkey client allow <client_id> --group NAME". Changes take effect with the
next request. Applications see groups only by claims (latchkey client update --claim). If any name is unknown, nothing changes.`,
  examples: ['latchkey group create Staff', 'latchkey group add Staff ada@example.com bob@example.com'],
  commands,
};

function changing(action: 'add' | 'remove', summary: string): Command {
  return defineStoreCommand({
    summary,
    details:
      action === 'remove'
        ? "They lose the group's applications, unless they have access some other way."
        : "Who is in the group already gets the end that you give; without --expires, their membership doesn't end.",
    arguments: { name: groupName, people: { label: '<email|id>', many: true, completes: 'person' } },
    options: action === 'add' ? fieldOptions(entryFields, 'create') : {},
    examples: [
      `latchkey group ${action} Staff ada@example.com`,
      ...(action === 'add' ? ['latchkey group add Staff ada@example.com --expires 2027-01-31'] : []),
    ],
    async run({ services, values, args, requester }) {
      const change = { [action]: args.people, ...givenByOptions(entryFields, 'create', values) };
      const { group } = requireDone(await changeMembers(services, args.name, change, requester));
      const [only = '', ...others] = new Set(args.people);
      const who = others.length === 0 ? only : `${(others.length + 1).toLocaleString('en')} people`;
      const text = `${action === 'add' ? `Added ${who} to` : `Removed ${who} from`} ${JSON.stringify(group.name)}.`;
      // A group can have more members than anyone wants to read.
      return values.json ? report(services, group) : { text };
    },
  });
}

async function report(services: Services, group: Group): Promise<Said> {
  const members = await listAllMembers(services, group);
  return {
    json: {
      ...groupJson(group),
      members: members.map(({ email }) => email),
      members_until: endsJson(members, ({ email }) => email),
    },
    fields: [
      ['id', group.id],
      ['name', group.name],
      ...(group.protectedSince === null ? [] : [['protected', 'yes']]),
      ...(group.managedBy === null ? [] : [['managed by', group.managedBy]]),
      ...members.map(({ email, name, listedUntil }) => ['member', `${email}  ${name}${untilText(listedUntil)}`]),
    ],
  };
}
