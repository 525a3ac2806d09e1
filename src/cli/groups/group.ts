// `latchkey group …`: what a command says of a group's members, and the commands that change them. The others follow from the subject.

import { changeMembers, groupDetails, listAllMembers, membershipJson } from '../../operations/groups/groups.ts';
import { endsJson } from '../../operations/groups/listed-ends.ts';
import { groups } from '../../operations/groups/subject.ts';
import type { Services } from '../../operations/services.ts';
import { userJsonOfEach } from '../../operations/users/user-json.ts';
import { entryFields } from '../../protocol/resources/entry.ts';
import { groupFields } from '../../protocol/resources/group.ts';
import { jsonOf } from '../../protocol/resources/resource.ts';
import type { Group } from '../../storage/storage.ts';
import { requireDone } from '../command.ts';
import type { Said } from '../frame/define.ts';
import { fieldOptions, givenByOptions } from '../frame/field-options.ts';
import { limitOption, searchList } from '../frame/lists.ts';
import type { Command } from '../frame/spec.ts';
import { subjectCommands } from '../frame/subject-commands.ts';
import { summaries } from '../summaries.ts';
import { briefTime, untilText } from '../terminal/times.ts';
import { defineStoreCommand } from '../with-services.ts';

/** Of a new one, too, it's yes or no. */
const protection = { protected: groupFields.protected };

export const group = {
  summary: summaries.group,
  ...subjectCommands(groups, {
    options: fieldOptions(protection, 'change'),
    givenBy: (values) => givenByOptions(protection, 'change', values),
    report,
    commands: {
      add: changing('add', 'add people to a group, which gives them its applications'),
      remove: changing('remove', 'remove people from a group'),
      members: defineStoreCommand({
        summary: 'list the members of a group, by name',
        arguments: { name: { label: 'NAME', completes: 'group' } },
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
    },
  }),
};

function changing(action: 'add' | 'remove', summary: string): Command {
  return defineStoreCommand({
    summary,
    details:
      action === 'remove'
        ? "They lose the group's applications, unless they have access some other way."
        : "People who are already in the group get the new end. Without --expires, membership doesn't end.",
    arguments: {
      name: { label: 'NAME', completes: 'group' },
      people: { label: '<email|id>', many: true, completes: 'person' },
    },
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
      return values.json ? report(services, { group }) : { text };
    },
  });
}

async function report(services: Services, { group }: { readonly group: Group }): Promise<Said> {
  const members = await listAllMembers(services, group);
  return {
    json: {
      ...jsonOf(groupFields, group),
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
