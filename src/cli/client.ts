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
  allow <client_id> <email|id>… [--group NAME]…      adds people and groups to the application's access list
  disallow <client_id> <email|id>… [--group NAME]…   removes them from the list
  rotate-secret <client_id>   creates a new secret; the previous one keeps working, an older one stops
  retire-secret <client_id>   stops the previous secret from working; "show" says when it was last used
  revoke <client_id>          stops all the application's tokens, starting with the next request
  restore <client_id>         lets a revoked application sign people in again; its old tokens stay invalid
  delete <client_id>

A redirect URI uses https, http on loopback, or (with --public) a private-use scheme such as com.example.app:/callback.
A post-logout redirect URI is where the application can send people after they sign out; the same rules apply. "update"
replaces all URIs of a kind with the ones you give.
A public client has no secret: --public removes it, --confidential creates one and prints it once.
A logo is a PNG, JPEG or WebP file.
--search matches any part of the name, or the beginning of a redirect URI's host or of the client ID.
--access listed limits the application to the people and groups on its list. Everyone else loses access with the next
request, so fill the list first. If any name is unknown, nothing changes.
--second-factor required makes people use two-step verification to sign in to the application.
--client-uri is the home page, --policy-uri the privacy policy and --tos-uri the terms of service. --launch-url is what
"Your apps" opens; without it, the home page. They use https, or http on loopback; "" removes one.`;

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
    if (values.name === undefined) throw new UsageError('--name is required');
    if (values['redirect-uri'] === undefined) throw new UsageError('--redirect-uri is required');
    const guide = values.for === undefined ? undefined : findGuide(values.for);
    if (guide?.isPublic && !values.public) {
      throw new UsageError(`${guide.name} runs in the browser, which can't keep a secret: add --public`);
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
    print(`Created application ${JSON.stringify(client.name)}.\n`);
    printSecret(client, secret);
    printSettings(client, secret, config, guide);
  },

  async list(services, args, { dataDir }) {
    const { values } = readArguments(args, { ...json, search: { type: 'string' } }, []);
    const { search } = values;
    const clients =
      search === undefined ? await listAllClients(services) : await searchAll(services, listClients, search);
    if (values.json) return printJson(clients.map((client) => toJson(client)));
    if (clients.length === 0 && search) return print(`No applications match ${JSON.stringify(search)}.`);
    if (clients.length === 0)
      return print(`No applications in ${dataDir} yet. Register one with "latchkey client create".`);
    const rows = clients.map((client) => [
      client.id,
      client.isPublic ? 'public' : 'confidential',
      client.revokedAt === null ? 'active' : 'revoked',
      client.name,
    ]);
    printTable([['CLIENT_ID', 'TYPE', 'STATUS', 'NAME'], ...rows]);
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
    if (values.public && values.confidential) throw new UsageError("--public and --confidential can't be combined");
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
    if (given.every((value) => value === undefined)) throw new UsageError('nothing to change');
    const [clientId = ''] = positionals;
    const outcome = await updateClient(services, clientId, { ...change, links }, commandOrigin());
    const { client, secret } = requireDone(outcome);
    if (values.json) return printJson(await withAllowed(services, client, secret));
    report(client, await readAllowed(services, client.id));
    if (secret === undefined) return;
    print(`\n${JSON.stringify(client.name)} is now a confidential client.\n`);
    printSecret(client, secret);
  },

  allow: changingAllowed('allow'),
  disallow: changingAllowed('disallow'),

  async 'rotate-secret'(services, args) {
    const { values, positionals } = readArguments(args, json, ['<client_id>']);
    const [clientId = ''] = positionals;
    const { client, secret, retired } = requireDone(await rotateClientSecret(services, clientId, commandOrigin()));
    if (values.json) return printJson(toJson(client, secret));
    print(`Created a new secret for ${JSON.stringify(client.name)}. The previous one keeps working.`);
    if (retired !== undefined)
      print(`The oldest one (last used: ${isoTime(retired.usedAt) ?? 'never'}) no longer works.`);
    print('');
    printSecret(client, secret);
  },

  async 'retire-secret'(services, args) {
    const { values, positionals } = readArguments(args, json, ['<client_id>']);
    const [clientId = ''] = positionals;
    const { client } = requireDone(await retireOldSecret(services, clientId, commandOrigin()));
    if (values.json) return printJson(toJson(client));
    print(`Retired the previous secret of ${JSON.stringify(client.name)}. The current one keeps working.`);
  },

  async revoke(services, args) {
    const { values, positionals } = readArguments(args, json, ['<client_id>']);
    const [clientId = ''] = positionals;
    const { client } = requireDone(await revokeClient(services, clientId, commandOrigin()));
    if (values.json) return printJson(toJson(client));
    print(`Revoked ${JSON.stringify(client.name)}. Its tokens no longer work.`);
  },

  async restore(services, args) {
    const { values, positionals } = readArguments(args, json, ['<client_id>']);
    const [clientId = ''] = positionals;
    const { client } = requireDone(await restoreClient(services, clientId, commandOrigin()));
    if (values.json) return printJson(toJson(client));
    print(`Restored ${JSON.stringify(client.name)}. People are asked for consent again; old tokens stay invalid.`);
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
    ['status', client.revokedAt === null ? 'active' : `revoked ${isoTime(client.revokedAt)}`],
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
  return `created ${isoTime(createdAt)}, ${usedAt === null ? 'never used' : `last used ${isoTime(usedAt)}`}`;
}

function printSecret(client: Client, secret: string | undefined): void {
  print(`  client_id      ${client.id}`);
  if (secret === undefined) {
    print('\nA public client has no secret. PKCE protects its codes.');
  } else {
    print(`  client_secret  ${secret}`);
    print("\nCopy the secret now. You won't be able to see it again. Keep it on your server, out of code and logs.");
  }
}

/** The settings for a `.env` file and where the guides are, or the program of one guide with the settings filled in. */
function printSettings(client: Client, secret: string | undefined, config: Config, guide: Guide | undefined): void {
  const [redirectUri = ''] = client.redirectUris;
  const settings = { issuer: config.baseUrl, clientId: client.id, clientSecret: secret, redirectUri };
  print(`\nFor your .env file:\n\n${envFile(settings)}`);
  if (guide === undefined) {
    if (guideNames().length === 0) return;
    const served = config.docs === 'on' ? ` or ${config.baseUrl}/docs/clients` : '';
    print(`Guides: docs/clients/README.md${served}. Add --for NAME to print a guide's program with these settings:`);
    print(`  ${guideNames().join(', ')}`);
    return;
  }
  print(`Guide: ${guide.path}. Install first: ${guide.install ?? 'nothing'}`);
  const secretly = secret === undefined ? '' : ' It contains the secret, so keep it out of version control.';
  print(`The guide's program with these settings filled in, so it needs no .env file.${secretly}`);
  for (const file of guide.files) print(`\n--- ${file.name}\n${filledIn(file, settings).trimEnd()}`);
}

function readLogoFile(file: string): Uint8Array {
  try {
    const bytes = readFileSync(file);
    if (bytes.length > logoLimit) throw new CommandFailed(`${file} is larger than 512 KiB.`);
    return bytes;
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    throw new CommandFailed(`Can't read ${file}: ${(error as Error).message}.`);
  }
}
