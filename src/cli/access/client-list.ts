// The parts of `latchkey client` about who may use an application.

import { type AllowedList, changeAllowed, readAllowed } from '../../operations/admin/access/client-list.ts';
import { allowedJson, clientJson } from '../../operations/admin/resource-json.ts';
import type { Services } from '../../operations/services.ts';
import type { Client } from '../../storage/storage.ts';
import { commandOrigin, print, printJson, printTable, readArguments, requireDone, UsageError } from '../command.ts';
import type { Subcommand } from '../with-services.ts';

const options = { json: { type: 'boolean' }, group: { type: 'string', multiple: true } } as const;

export function changingAllowed(action: 'allow' | 'disallow'): Subcommand {
  return async (services, args) => {
    const { values, positionals } = readArguments(args, options, ['<client_id> …']);
    const [clientId = '', ...people] = positionals;
    const groups = values.group ?? [];
    if (people.length + groups.length === 0) throw new UsageError('<email|id> or --group is required');
    const outcome = await changeAllowed(services, clientId, action, { people, groups }, commandOrigin());
    const { client, allowed } = requireDone(outcome);
    if (values.json) return printJson({ ...clientJson(client), allowed: allowedJson(allowed) });
    printTable(allowedRows(client, allowed));
    if (client.access === 'everyone')
      print(
        '\nThe list takes effect with "latchkey client update --access listed". Until then, everyone can use the application.',
      );
  };
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
