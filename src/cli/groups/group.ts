// `latchkey group …`: what a command says of a group's members, and the commands that change them. The others follow from the subject.

import { changeMembers, listAllMembers } from '../../operations/groups/groups.ts';
import { endsJson } from '../../operations/groups/listed-ends.ts';
import { groups } from '../../operations/groups/subject.ts';
import type { Services } from '../../operations/services.ts';
import { entryFields } from '../../protocol/resources/entry.ts';
import { groupFields } from '../../protocol/resources/group.ts';
import { jsonOf } from '../../protocol/resources/resource.ts';
import type { Group } from '../../storage/storage.ts';
import { requireDone } from '../command.ts';
import type { Said } from '../frame/define.ts';
import { fieldOptions, givenByOptions } from '../frame/field-options.ts';
import type { Command } from '../frame/spec.ts';
import { subjectCommands } from '../frame/subject-commands.ts';
import { summaries } from '../summaries.ts';
import { untilText } from '../terminal/times.ts';
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
    },
  }),
};

function changing(action: 'add' | 'remove', summary: string): Command {
  return defineStoreCommand({
    summary,
    details:
      action === 'remove'
        ? "They lose the group's applications, unless they have access some other way."
        : "Who is in the group already gets the end that you give; without --expires, their membership doesn't end.",
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
      return report(services, requireDone(await changeMembers(services, args.name, change, requester)));
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
