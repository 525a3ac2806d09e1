// `latchkey group …`: groups of people, from the command line.

import {
  changeMembers,
  createGroup,
  deleteGroup,
  findGroup,
  groupDetails,
  groupJson,
  listAllGroups,
  listAllMembers,
} from '../../operations/groups/groups.ts';
import type { Services } from '../../operations/services.ts';
import type { Group } from '../../storage/storage.ts';
import { commandRequester, requireDone } from '../command.ts';
import { jsonOption } from '../frame/define.ts';
import type { Command, CommandGroup } from '../frame/spec.ts';
import { confirmLoss, yesOption } from '../terminal/confirm.ts';
import { print, printJson } from '../terminal/output.ts';
import { printFields, printTable } from '../terminal/table.ts';
import { defineStoreCommand } from '../with-services.ts';

const groupName = { label: 'NAME', completes: 'group' } as const;

const create = defineStoreCommand(
  {
    summary: 'create an empty group',
    arguments: { name: { label: 'NAME' } },
    options: jsonOption,
    examples: ['latchkey group create Staff'],
  },
  async (services, { values, args }) => {
    const { group } = requireDone(await createGroup(services, args.name, commandRequester()));
    if (values.json) return printJson({ ...groupJson(group), members: [] });
    print(`Created group ${JSON.stringify(group.name)}.`);
  },
);

const list = defineStoreCommand(
  { summary: 'list groups', options: jsonOption, examples: ['latchkey group list'] },
  async (services, { values }) => {
    const groups = await listAllGroups(services);
    if (values.json) return printJson(groups.map(groupJson));
    if (groups.length === 0) return print('No groups yet. Create one with "latchkey group create".');
    printTable([['ID', 'NAME'], ...groups.map(({ id, name }) => [id, name])]);
  },
);

const show = defineStoreCommand(
  {
    summary: 'show a group and its members',
    arguments: { name: groupName },
    options: jsonOption,
    examples: ['latchkey group show Staff'],
  },
  async (services, { values, args }) => {
    const { group } = requireDone(await findGroup(services, args.name));
    await report(services, group, values.json);
  },
);

const deleteCommand = defineStoreCommand(
  {
    summary: 'delete a group, which takes its applications away from everyone in it',
    arguments: { name: groupName },
    options: { ...yesOption, ...jsonOption },
    examples: ['latchkey group delete Staff', 'latchkey group delete Staff --yes'],
  },
  async (services, { values, args }) => {
    await confirmLoss(values.yes, async () => {
      const { group, count } = requireDone(await groupDetails(services, args.name));
      return { what: `the group ${JSON.stringify(group.name)}`, with: [[count, 'member', 'members']] };
    });
    const { group } = requireDone(await deleteGroup(services, args.name, commandRequester()));
    if (values.json) return printJson(groupJson(group));
    print(`Deleted group ${JSON.stringify(group.name)}.`);
  },
);

export const group: CommandGroup = {
  summary: 'manage groups of people who can use applications',
  details: `Give a group access to an application with "latchkey client allow <client_id> --group NAME". Changes take effect with the
next request. Applications can't see who is in which group. If any name is unknown, nothing changes.`,
  examples: ['latchkey group create Staff', 'latchkey group add Staff ada@example.com bob@example.com'],
  commands: {
    create,
    list,
    show,
    add: changing('add', 'add people to a group, which gives them its applications'),
    remove: changing('remove', 'remove people from a group'),
    delete: deleteCommand,
  },
};

function changing(action: 'add' | 'remove', summary: string): Command {
  return defineStoreCommand(
    {
      summary,
      ...(action === 'remove' && {
        details: "They lose the group's applications, unless they have access some other way.",
      }),
      arguments: { name: groupName, people: { label: '<email|id>', many: true, completes: 'person' } },
      options: jsonOption,
      examples: [`latchkey group ${action} Staff ada@example.com`],
    },
    async (services, { values, args }) => {
      const change = { [action]: args.people };
      const { group } = requireDone(await changeMembers(services, args.name, change, commandRequester()));
      await report(services, group, values.json);
    },
  );
}

async function report(services: Services, group: Group, asJson: boolean): Promise<void> {
  const members = await listAllMembers(services, group);
  if (asJson) return printJson({ ...groupJson(group), members: members.map(({ email }) => email) });
  printFields([
    ['id', group.id],
    ['name', group.name],
    ...members.map(({ email, name }) => ['member', `${email}  ${name}`]),
  ]);
}
