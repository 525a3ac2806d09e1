// `latchkey client …`: everything an administrator does with clients, from the command line.

import { clientJson as toJson } from '../../operations/clients/client-json.ts';
import { findClient, listClients, rotateClientSecret } from '../../operations/clients/clients.ts';
import { restoreClient, retireOldSecret, revokeClient } from '../../operations/clients/revoke-client.ts';
import type { Client } from '../../storage/storage.ts';
import { commandRequester, requireDone } from '../command.ts';
import { jsonOption } from '../frame/define.ts';
import type { Command, CommandGroup } from '../frame/spec.ts';
import { searchAll } from '../search.ts';
import { print, printJson, styled } from '../terminal/output.ts';
import { printTable } from '../terminal/table.ts';
import { shownTime } from '../terminal/times.ts';
import { defineStoreCommand } from '../with-services.ts';
import { changingAllowed, withAllowed } from './access-list.ts';
import { create } from './create.ts';
import { deleteCommand } from './delete.ts';
import { importClientsCommand } from './import.ts';
import { clientArgument } from './options.ts';
import { printSecret, report } from './report.ts';
import { update } from './update.ts';

const list = defineStoreCommand(
  {
    summary: 'list applications',
    options: {
      search: {
        value: 'TEXT',
        about: "only those with TEXT in the name, or at the beginning of a redirect URI's host or of the client ID",
      },
      ...jsonOption,
    },
    examples: ['latchkey client list', 'latchkey client list --search photo'],
  },
  async (services, { values }, { dataDir }) => {
    const { search } = values;
    const clients =
      search === undefined ? await services.storage.listClients() : await searchAll(services, listClients, search);
    if (values.json) return printJson(clients.map((client) => toJson(client)));
    if (clients.length === 0 && search) return print(`No applications match ${JSON.stringify(search)}.`);
    if (clients.length === 0)
      return print(`No applications in ${dataDir} yet. Register one with "latchkey client create".`);
    const rows = clients.map((client) => [
      client.id,
      client.isPublic ? 'public' : 'confidential',
      client.revokedAt === null ? styled('green', 'active') : styled('red', 'revoked'),
      client.name,
    ]);
    printTable([['CLIENT_ID', 'TYPE', 'STATUS', 'NAME'], ...rows]);
  },
);

const show = defineStoreCommand(
  {
    summary: 'show an application',
    arguments: clientArgument,
    options: jsonOption,
    examples: ['latchkey client show photos'],
  },
  async (services, { values, args }) => {
    const { client } = requireDone(await findClient(services, args.clientId));
    if (values.json) return printJson(await withAllowed(services, client));
    await report(services, client);
  },
);

const rotateSecret = defineStoreCommand(
  {
    summary: 'create a new secret; the previous one keeps working, an older one stops',
    arguments: clientArgument,
    options: jsonOption,
    examples: ['latchkey client rotate-secret photos'],
  },
  async (services, { values, args }) => {
    const outcome = await rotateClientSecret(services, args.clientId, commandRequester());
    const { client, secret, retired } = requireDone(outcome);
    if (values.json) return printJson(toJson(client, secret));
    print(`Created a new secret for ${JSON.stringify(client.name)}. The previous one keeps working.`);
    if (retired !== undefined) {
      const used = retired.usedAt === null ? 'never' : shownTime(retired.usedAt);
      print(`The oldest one (last used: ${used}) no longer works.`);
    }
    print('');
    printSecret(client, secret);
  },
);

export const client: CommandGroup = {
  summary: 'manage applications',
  examples: [
    'latchkey client create --name "My app" --redirect-uri https://app.example/callback',
    'latchkey client list',
    'latchkey client revoke photos',
  ],
  commands: {
    create,
    import: importClientsCommand,
    list,
    show,
    update,
    allow: changingAllowed('allow', "add people and groups to an application's access list"),
    disallow: changingAllowed('disallow', 'remove people and groups from the access list'),
    'rotate-secret': rotateSecret,
    'retire-secret': changing(
      'retire-secret',
      retireOldSecret,
      'stop the previous secret from working; "show" says when it was last used',
      (name) => `Retired the previous secret of ${name}. The current one keeps working.`,
    ),
    revoke: changing(
      'revoke',
      revokeClient,
      "stop all of an application's tokens, starting with the next request",
      (name) => `Revoked ${name}. Its tokens no longer work.`,
    ),
    restore: changing(
      'restore',
      restoreClient,
      'let a revoked application sign people in again; its old tokens stay invalid',
      (name) => `Restored ${name}. People are asked for consent again; old tokens stay invalid.`,
    ),
    delete: deleteCommand,
  },
};

function changing(
  name: string,
  operation: typeof revokeClient,
  summary: string,
  sentence: (name: string) => string,
): Command {
  const examples = [`latchkey client ${name} photos`];
  return defineStoreCommand(
    { summary, arguments: clientArgument, options: jsonOption, examples },
    async (services, { values, args }) => {
      const { client }: { client: Client } = requireDone(await operation(services, args.clientId, commandRequester()));
      if (values.json) return printJson(toJson(client));
      print(sentence(JSON.stringify(client.name)));
    },
  );
}
