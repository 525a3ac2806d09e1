// `latchkey client …`: applications, from the command line.

import { readFileSync } from 'node:fs';
import { clientJson as toJson } from '../operations/json.ts';
import {
  createClient,
  deleteClient,
  restoreClient,
  revokeClient,
  rotateClientSecret,
  updateClient,
} from '../operations/manage-clients.ts';
import type { Services } from '../operations/services.ts';
import type { Config } from '../platform/config.ts';
import { logoLimit } from '../protocol/image.ts';
import type { Client } from '../storage/storage.ts';
import {
  type Command,
  CommandFailed,
  commandOrigin,
  isoTime,
  print,
  printJson,
  printTable,
  readArguments,
  requireDone,
  UsageError,
} from './command.ts';
import { withServices } from './with-services.ts';

const json = { json: { type: 'boolean' } } as const;

const usage = `Usage: latchkey client <command> [--json]

  create --name NAME --redirect-uri URI [--redirect-uri URI …] [--scope "openid profile email"] [--public] [--logo FILE]
  list
  show <client_id>
  update <client_id> [--name NAME] [--redirect-uri URI …] [--scope SCOPES] [--logo FILE | --no-logo]
  rotate-secret <client_id>   a new secret; the one before goes on working, an older one stops
  revoke <client_id>          every token of the application stops working with the next request
  restore <client_id>         lets a revoked application sign people in again; revives no token
  delete <client_id>

A redirect URI is https, or http on loopback, or (with --public) a private-use scheme such as com.example.app:/callback.
A public client has no secret. --redirect-uri given to update replaces all of them. A logo is PNG, JPEG or WebP.`;

const subcommands: Record<string, (services: Services, args: string[], config: Config) => Promise<void>> = {
  async create(services, args) {
    const options = {
      ...json,
      name: { type: 'string' },
      'redirect-uri': { type: 'string', multiple: true },
      scope: { type: 'string' },
      public: { type: 'boolean' },
      logo: { type: 'string' },
    } as const;
    const { values } = readArguments(args, options, []);
    if (values.name === undefined) throw new UsageError('--name is missing');
    if (values['redirect-uri'] === undefined) throw new UsageError('--redirect-uri is missing');
    const input = {
      name: values.name,
      isPublic: values.public === true,
      redirectUris: values['redirect-uri'],
      scope: values.scope,
      logo: values.logo === undefined ? undefined : readLogoFile(values.logo),
    };
    const { client, secret } = requireDone(await createClient(services, input, commandOrigin()));
    if (values.json) return printJson(toJson(client, secret));
    print(`Created ${JSON.stringify(client.name)}.\n`);
    printSecret(client, secret);
  },

  async list(services, args, { dataDir }) {
    const { values } = readArguments(args, json, []);
    const clients = await services.storage.listClients();
    if (values.json) return printJson(clients.map((client) => toJson(client)));
    if (clients.length === 0)
      return print(`No client is registered in ${dataDir}. "latchkey client --help" shows how.`);
    const rows = clients.map((client) => [
      client.id,
      client.isPublic ? 'public' : 'confidential',
      client.revokedAt === null ? 'active' : 'revoked',
      client.name,
    ]);
    printTable([['CLIENT_ID', 'TYPE', 'STATE', 'NAME'], ...rows]);
  },

  async show(services, args) {
    const { values, positionals } = readArguments(args, json, ['<client_id>']);
    const client = await services.storage.findClient(positionals[0] as string);
    if (client === undefined) throw new CommandFailed(`there is no client "${positionals[0]}".`);
    report(client, values.json);
  },

  async update(services, args) {
    const options = {
      ...json,
      name: { type: 'string' },
      'redirect-uri': { type: 'string', multiple: true },
      scope: { type: 'string' },
      logo: { type: 'string' },
      'no-logo': { type: 'boolean' },
    } as const;
    const { values, positionals } = readArguments(args, options, ['<client_id>']);
    const { name, scope, logo } = values;
    const change = {
      name,
      scope,
      redirectUris: values['redirect-uri'],
      logo: values['no-logo'] ? null : logo === undefined ? undefined : readLogoFile(logo),
    };
    if (Object.values(change).every((value) => value === undefined)) throw new UsageError('nothing to change is given');
    const outcome = await updateClient(services, positionals[0] as string, change, commandOrigin());
    report(requireDone(outcome).client, values.json);
  },

  async 'rotate-secret'(services, args) {
    const { values, positionals } = readArguments(args, json, ['<client_id>']);
    const outcome = await rotateClientSecret(services, positionals[0] as string, commandOrigin());
    const { client, secret } = requireDone(outcome);
    if (values.json) return printJson(toJson(client, secret));
    print(`Made a new secret for ${JSON.stringify(client.name)}. The one before it goes on working.\n`);
    printSecret(client, secret);
  },

  async revoke(services, args) {
    const { values, positionals } = readArguments(args, json, ['<client_id>']);
    const { client } = requireDone(await revokeClient(services, positionals[0] as string, commandOrigin()));
    if (values.json) return printJson(toJson(client));
    print(`Revoked ${JSON.stringify(client.name)}. None of its tokens works any more.`);
  },

  async restore(services, args) {
    const { values, positionals } = readArguments(args, json, ['<client_id>']);
    const { client } = requireDone(await restoreClient(services, positionals[0] as string, commandOrigin()));
    if (values.json) return printJson(toJson(client));
    print(`Restored ${JSON.stringify(client.name)}. People are asked for consent again; earlier tokens stay dead.`);
  },

  async delete(services, args) {
    const { values, positionals } = readArguments(args, json, ['<client_id>']);
    const { client } = requireDone(await deleteClient(services, positionals[0] as string, commandOrigin()));
    if (values.json) return printJson(toJson(client));
    print(`Deleted ${JSON.stringify(client.name)}.`);
  },
};

export const client: Command = {
  usage,
  async run([name, ...args], environment) {
    const subcommand = Object.hasOwn(subcommands, name ?? '') ? subcommands[name ?? ''] : undefined;
    if (subcommand === undefined)
      throw new UsageError(name ? `unknown command "client ${name}"` : 'a command is missing');
    await withServices(environment, (services, config) => subcommand(services, args, config));
  },
};

function report(client: Client, asJson: boolean | undefined): void {
  if (asJson) {
    printJson(toJson(client));
    return;
  }
  printTable([
    ['client_id', client.id],
    ['name', client.name],
    ['type', client.isPublic ? 'public' : 'confidential'],
    ['state', client.revokedAt === null ? 'active' : `revoked ${isoTime(client.revokedAt)}`],
    ['scopes', client.scopes.join(' ')],
    ...client.redirectUris.map((uri) => ['redirect URI', uri]),
    ['logo', client.logoVersion === null ? 'none' : 'yes'],
    ...client.secrets.map((secret) => ['secret', `made ${isoTime(secret.createdAt)}`]),
    ['created', isoTime(client.createdAt) ?? ''],
  ]);
}

function printSecret(client: Client, secret: string | undefined): void {
  print(`  client_id      ${client.id}`);
  if (secret === undefined) {
    print('\nA public client has no secret: PKCE protects its codes.');
  } else {
    print(`  client_secret  ${secret}`);
    print('\nThe secret is shown this once. Keep it on the server, out of the code and the logs.');
  }
}

function readLogoFile(file: string): Uint8Array {
  try {
    const bytes = readFileSync(file);
    if (bytes.length > logoLimit) throw new CommandFailed(`${file} is larger than 512 KiB.`);
    return bytes;
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    throw new CommandFailed(`${file} cannot be read: ${(error as Error).message}.`);
  }
}
