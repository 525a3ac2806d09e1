// The parts of `latchkey client` about who may use an application.

import { type AllowedList, changeAllowed, readAllowed } from '../../operations/clients/access-list.ts';
import { allowedJson, clientJson } from '../../operations/clients/client-json.ts';
import type { Services } from '../../operations/services.ts';
import type { Client } from '../../storage/storage.ts';
import { commandRequester, requireDone, UsageError } from '../command.ts';
import { jsonOption } from '../frame/define.ts';
import type { Command } from '../frame/spec.ts';
import { print, printJson } from '../terminal/output.ts';
import { printFields } from '../terminal/table.ts';
import { defineStoreCommand } from '../with-services.ts';

export function changingAllowed(action: 'allow' | 'disallow', summary: string): Command {
  return defineStoreCommand(
    {
      summary,
      details: 'If any name is unknown, nothing changes.',
      arguments: {
        clientId: { label: '<client_id>', completes: 'client' },
        people: { label: '<email|id>', many: true, optional: true, completes: 'person' },
      },
      options: { group: { value: 'NAME', many: true, completes: 'group', about: 'a group of people' }, ...jsonOption },
      examples: [
        `latchkey client ${action} photos ada@example.com bob@example.com`,
        `latchkey client ${action} photos --group Staff`,
      ],
    },
    async (services, { values, args }) => {
      const { clientId, people } = args;
      const groups = values.group ?? [];
      if (people.length + groups.length === 0) throw new UsageError('<email|id> or --group is required');
      const outcome = await changeAllowed(services, clientId, action, { people, groups }, commandRequester());
      const { client, allowed } = requireDone(outcome);
      if (values.json) return printJson({ ...clientJson(client), allowed: allowedJson(allowed) });
      printFields(allowedRows(client, allowed));
      if (client.access === 'everyone')
        print(
          '\nThe list takes effect with "latchkey client update --access listed". Until then, everyone can use the application.',
        );
    },
  );
}

export function allowedRows(client: Client, { people, groups }: AllowedList): string[][] {
  return [
    ['access', client.access],
    ...people.map(({ email }) => ['allowed', email]),
    ...groups.map(({ name }) => ['allowed group', name]),
  ];
}

export async function withAllowed(services: Services, client: Client, secret?: string) {
  return { ...clientJson(client, secret), allowed: allowedJson(await readAllowed(services, client.id)) };
}
