// `latchkey client …`: everything an administrator does with clients, from the command line.

import { readFileSync } from 'node:fs';
import { type AllowedList, readAllowed } from '../operations/admin/access/client-list.ts';
import { deleteClient, restoreClient, revokeClient } from '../operations/admin/client-access.ts';
import { retireOldSecret, rotateClientSecret } from '../operations/admin/client-secrets.ts';
import { createClient, findClient, listAllClients, listClients, updateClient } from '../operations/admin/clients.ts';
import { clientJson as toJson } from '../operations/admin/resource-json.ts';
import type { Config } from '../platform/config.ts';
import { envFile } from '../protocol/admin/env-file.ts';
import { isoTime } from '../protocol/iso-time.ts';
import { logoLimit } from '../protocol/reading/image.ts';
import type { Client, ClientSecret } from '../storage/storage.ts';
import { allowedRows, changingAllowed, withAllowed } from './access/client-list.ts';
import { linkOptions, linkRows, linksIn } from './client-links.ts';
import {
  type Command,
  CommandFailed,
  commandOrigin,
  print,
  printJson,
  printTable,
  readArguments,
  requireDone,
  UsageError,
} from './command.ts';
import { filledIn, findGuide, type Guide, guideNames } from './guide.ts';
import { searchAll } from './search.ts';
import { runSubcommand, type Subcommand } from './with-services.ts';

const json = { json: { type: 'boolean' } } as const;

const usage = `Usage: latchkey client <command> [--json]

  create --name NAME --redirect-uri URI [--redirect-uri URI …] [--scope "openid profile email"] [--public] [--logo FILE]
         [--post-logout-redirect-uri URI …] [--access everyone|listed] [--second-factor required|optional] [--for GUIDE]
         [--client-uri URL] [--policy-uri URL] [--tos-uri URL] [--launch-url URL]
  list [--search TEXT]
  show <client_id>
  update <client_id> [--name NAME] [--redirect-uri URI …] [--scope SCOPES] [--logo FILE | --no-logo]
         [--post-logout-redirect-uri URI … | --no-post-logout-redirect-uri] [--public | --confidential]
         [--access everyone|listed] [--second-factor required|optional]
         [--client-uri URL] [--policy-uri URL] [--tos-uri URL] [--launch-url URL]
  allow <client_id> <email|id>… [--group NAME]…      puts people and groups on the list of those who may use it
  disallow <client_id> <email|id>… [--group NAME]…   takes them off the list
  rotate-secret <client_id>   a new secret; the one before goes on working, an older one stops
  retire-secret <client_id>   the one before stops working; "show" tells when it was last used
  revoke <client_id>          every token of the application stops working with the next request
  restore <client_id>         lets a revoked application sign people in again; revives no token
  delete <client_id>

A redirect URI is https, or http on loopback, or (with --public) a private-use scheme such as com.example.app:/callback.
A public client has no secret: --public takes it away, --confidential makes one and shows it once. --redirect-uri given to
update replaces all of them. A post-logout redirect URI, of the same kinds, is where the application may send people after
they have signed out; given to update, they replace those before. A logo is PNG, JPEG or WebP. --search finds
applications by the beginning of a word of their name, of a host that they live at, or of their client_id.
--access listed leaves the application to the people and groups on its list. Whoever isn't on it loses access with the
next request: fill the list first. If anyone who is named is unknown, nothing is changed.
An application with --second-factor required lets nobody in who signs in with a password alone.
--client-uri is its home page, --policy-uri its privacy policy, --tos-uri its terms of service, and --launch-url where
people open it from "Your apps" (the home page without it): https, or http on loopback. "" removes one.`;

const subcommands: Record<string, Subcommand> = {
  async create(services, args, config) {
    const options = {
      ...json,
      name: { type: 'string' },
      'redirect-uri': { type: 'string', multiple: true },
      'post-logout-redirect-uri': { type: 'string', multiple: true },
      scope: { type: 'string' },
      public: { type: 'boolean' },
      logo: { type: 'string' },
      access: { type: 'string' },
      'second-factor': { type: 'string' },
      ...linkOptions,
      for: { type: 'string' },
    } as const;
    const { values } = readArguments(args, options, []);
    if (values.name === undefined) throw new UsageError('--name is missing');
    if (values['redirect-uri'] === undefined) throw new UsageError('--redirect-uri is missing');
    const guide = values.for === undefined ? undefined : findGuide(values.for);
    if (guide?.isPublic && !values.public) {
      throw new UsageError(`${guide.name} runs in the browser, where nothing is secret: add --public`);
    }
    const input = {
      name: values.name,
      isPublic: values.public === true,
      redirectUris: values['redirect-uri'],
      postLogoutRedirectUris: values['post-logout-redirect-uri'],
      scope: values.scope,
      access: values.access,
      logo: values.logo === undefined ? undefined : readLogoFile(values.logo),
      secondFactor: values['second-factor'],
      links: linksIn(values),
    };
    const { client, secret } = requireDone(await createClient(services, input, commandOrigin()));
    if (values.json) return printJson(await withAllowed(services, client, secret));
    print(`Created ${JSON.stringify(client.name)}.\n`);
    printSecret(client, secret);
    printSettings(client, secret, config, guide);
  },

  async list(services, args, { dataDir }) {
    const { values } = readArguments(args, { ...json, search: { type: 'string' } }, []);
    const { search } = values;
    const clients =
      search === undefined ? await listAllClients(services) : await searchAll(services, listClients, search);
    if (values.json) return printJson(clients.map((client) => toJson(client)));
    if (clients.length === 0 && search) return print(`No client is found by ${JSON.stringify(search)}.`);
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
    const [clientId = ''] = positionals;
    const { client } = requireDone(await findClient(services, clientId));
    if (values.json) return printJson(await withAllowed(services, client));
    report(client, await readAllowed(services, client.id));
  },

  async update(services, args) {
    const options = {
      ...json,
      name: { type: 'string' },
      'redirect-uri': { type: 'string', multiple: true },
      'post-logout-redirect-uri': { type: 'string', multiple: true },
      'no-post-logout-redirect-uri': { type: 'boolean' },
      scope: { type: 'string' },
      logo: { type: 'string' },
      'no-logo': { type: 'boolean' },
      public: { type: 'boolean' },
      confidential: { type: 'boolean' },
      access: { type: 'string' },
      'second-factor': { type: 'string' },
      ...linkOptions,
    } as const;
    const { values, positionals } = readArguments(args, options, ['<client_id>']);
    const { name, scope, logo } = values;
    if (values.public && values.confidential) throw new UsageError('a client is either --public or --confidential');
    const change = {
      name,
      scope,
      access: values.access,
      redirectUris: values['redirect-uri'],
      postLogoutRedirectUris: values['no-post-logout-redirect-uri'] ? [] : values['post-logout-redirect-uri'],
      logo: values['no-logo'] ? null : logo === undefined ? undefined : readLogoFile(logo),
      isPublic: values.public ? true : values.confidential ? false : undefined,
      secondFactor: values['second-factor'],
    };
    const links = linksIn(values);
    const given = [...Object.values(change), ...Object.values(links)];
    if (given.every((value) => value === undefined)) throw new UsageError('nothing to change is given');
    const [clientId = ''] = positionals;
    const outcome = await updateClient(services, clientId, { ...change, links }, commandOrigin());
    const { client, secret } = requireDone(outcome);
    if (values.json) return printJson(await withAllowed(services, client, secret));
    report(client, await readAllowed(services, client.id));
    if (secret === undefined) return;
    print(`\n${JSON.stringify(client.name)} is confidential now.\n`);
    printSecret(client, secret);
  },

  allow: changingAllowed('allow'),
  disallow: changingAllowed('disallow'),

  async 'rotate-secret'(services, args) {
    const { values, positionals } = readArguments(args, json, ['<client_id>']);
    const [clientId = ''] = positionals;
    const { client, secret, retired } = requireDone(await rotateClientSecret(services, clientId, commandOrigin()));
    if (values.json) return printJson(toJson(client, secret));
    print(`Made a new secret for ${JSON.stringify(client.name)}. The one before it goes on working.`);
    if (retired !== undefined) print(`The oldest, last used ${isoTime(retired.usedAt) ?? 'never'}, works no more.`);
    print('');
    printSecret(client, secret);
  },

  async 'retire-secret'(services, args) {
    const { values, positionals } = readArguments(args, json, ['<client_id>']);
    const [clientId = ''] = positionals;
    const { client } = requireDone(await retireOldSecret(services, clientId, commandOrigin()));
    if (values.json) return printJson(toJson(client));
    print(`Retired the old secret of ${JSON.stringify(client.name)}. The newest one goes on working.`);
  },

  async revoke(services, args) {
    const { values, positionals } = readArguments(args, json, ['<client_id>']);
    const [clientId = ''] = positionals;
    const { client } = requireDone(await revokeClient(services, clientId, commandOrigin()));
    if (values.json) return printJson(toJson(client));
    print(`Revoked ${JSON.stringify(client.name)}. None of its tokens works any more.`);
  },

  async restore(services, args) {
    const { values, positionals } = readArguments(args, json, ['<client_id>']);
    const [clientId = ''] = positionals;
    const { client } = requireDone(await restoreClient(services, clientId, commandOrigin()));
    if (values.json) return printJson(toJson(client));
    print(`Restored ${JSON.stringify(client.name)}. People are asked for consent again; earlier tokens stay dead.`);
  },

  async delete(services, args) {
    const { values, positionals } = readArguments(args, json, ['<client_id>']);
    const [clientId = ''] = positionals;
    const { client } = requireDone(await deleteClient(services, clientId, commandOrigin()));
    if (values.json) return printJson(toJson(client));
    print(`Deleted ${JSON.stringify(client.name)}.`);
  },
};

export const client: Command = {
  usage,
  run: runSubcommand('client', subcommands),
};

function report(client: Client, allowed: AllowedList): void {
  printTable([
    ['client_id', client.id],
    ['name', client.name],
    ['type', client.isPublic ? 'public' : 'confidential'],
    ['state', client.revokedAt === null ? 'active' : `revoked ${isoTime(client.revokedAt)}`],
    ['scopes', client.scopes.join(' ')],
    ...allowedRows(client, allowed),
    ['second factor', client.secondFactor],
    ...client.redirectUris.map((uri) => ['redirect URI', uri]),
    ...client.postLogoutRedirectUris.map((uri) => ['post-logout redirect URI', uri]),
    ['logo', client.logoVersion === null ? 'none' : 'yes'],
    ...linkRows(client.links),
    ...client.secrets.map((secret) => ['secret', secretLife(secret)]),
    ['created', isoTime(client.createdAt)],
  ]);
}

function secretLife({ createdAt, usedAt }: ClientSecret): string {
  return `made ${isoTime(createdAt)}, ${usedAt === null ? 'never used' : `last used ${isoTime(usedAt)}`}`;
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

/** The settings for a `.env` file and where the guides are, or the program of one guide with the settings filled in. */
function printSettings(client: Client, secret: string | undefined, config: Config, guide: Guide | undefined): void {
  const [redirectUri = ''] = client.redirectUris;
  const settings = { issuer: config.baseUrl, clientId: client.id, clientSecret: secret, redirectUri };
  print(`\nReady for a .env file:\n\n${envFile(settings)}`);
  if (guide === undefined) {
    if (guideNames().length === 0) return;
    const served = config.docs === 'on' ? `, also at ${config.baseUrl}/docs/clients` : '';
    print(`Guides: docs/clients/README.md${served}. --for NAME prints the program of one, filled in:`);
    print(`  ${guideNames().join(', ')}`);
    return;
  }
  print(`Guide: ${guide.path}, which says how to start it. It needs: ${guide.install ?? 'nothing else'}`);
  const secretly = secret === undefined ? '' : ' The secret stands in it, too: keep it out of version control.';
  print(`Its program, with these settings in it instead of a .env file.${secretly}`);
  for (const file of guide.files) print(`\n--- ${file.name}\n${filledIn(file, settings).trimEnd()}`);
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
