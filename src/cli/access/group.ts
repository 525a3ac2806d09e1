// `latchkey group …`: groups of people, from the command line.

import {
  changeMembers,
  createGroup,
  deleteGroup,
  findGroup,
  listAllGroups,
  listAllMembers,
} from '../../operations/admin/access/groups.ts';
import { groupJson } from '../../operations/admin/resource-json.ts';
import type { Services } from '../../operations/services.ts';
import type { Group } from '../../storage/storage.ts';
import { type Command, commandOrigin, print, printJson, printTable, readArguments, requireDone } from '../command.ts';
import { runSubcommand, type Subcommand } from '../with-services.ts';

const json = { json: { type: 'boolean' } } as const;

const usage = `Usage: latchkey group <command> [--json]

  create NAME
  list
  show NAME
  add NAME <email|id>…      gives people access to the group's applications
  remove NAME <email|id>…   takes that access away, unless they have it some other way
  delete NAME               takes it away from everyone in the group

Give a group access to an application with "latchkey client allow <client_id> --group NAME". Changes take effect with the
next request. Applications can't see who is in which group. If any name is unknown, nothing changes.`;

const subcommands: Record<string, Subcommand> = {
  async create(services, args) {
    const { values, positionals } = readArguments(args, json, ['NAME']);
    const { group } = requireDone(await createGroup(services, positionals[0] ?? '', commandOrigin()));
    if (values.json) return printJson({ ...groupJson(group), members: [] });
    print(`Created group ${JSON.stringify(group.name)}.`);
  },

  async list(services, args) {
    const { values } = readArguments(args, json, []);
    const groups = await listAllGroups(services);
    if (values.json) return printJson(groups.map(groupJson));
    if (groups.length === 0) return print('No groups yet. Create one with "latchkey group create".');
    printTable([['ID', 'NAME'], ...groups.map(({ id, name }) => [id, name])]);
  },

  async show(services, args) {
    const { values, positionals } = readArguments(args, json, ['NAME']);
    const { group } = requireDone(await findGroup(services, positionals[0] ?? ''));
    await report(services, group, values.json);
  },

  add: changing('add'),
  remove: changing('remove'),

  async delete(services, args) {
    const { values, positionals } = readArguments(args, json, ['NAME']);
    const { group } = requireDone(await deleteGroup(services, positionals[0] ?? '', commandOrigin()));
    if (values.json) return printJson(groupJson(group));
    print(`Deleted group ${JSON.stringify(group.name)}.`);
  },
};

export const group: Command = {
  usage,
  run: runSubcommand('group', subcommands),
};

function changing(action: 'add' | 'remove'): Subcommand {
  return async (services, args) => {
    const { values, positionals } = readArguments(args, json, ['NAME', '<email|id>…']);
    const [name = '', ...people] = positionals;
    const { group } = requireDone(await changeMembers(services, name, { [action]: people }, commandOrigin()));
    await report(services, group, values.json);
  };
}

async function report(services: Services, group: Group, asJson: boolean | undefined): Promise<void> {
  const members = await listAllMembers(services, group);
  if (asJson) return printJson({ ...groupJson(group), members: members.map(({ email }) => email) });
  printTable([
    ['id', group.id],
    ['name', group.name],
    ...members.map(({ email, name }) => ['member', `${email}  ${name}`]),
  ]);
}
