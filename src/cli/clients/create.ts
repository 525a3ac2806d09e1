// `latchkey client create`: registers a client and prints what its developer needs.

import { readAllowed } from '../../operations/clients/access-list.ts';
import { allowedJson, clientJson } from '../../operations/clients/client-json.ts';
import { createClient } from '../../operations/clients/clients.ts';
import {
  appUrl,
  filledIn,
  filledInSteps,
  type Guide,
  guideCalled,
  guideNames,
  otherVariables,
} from '../../platform/client-guides.ts';
import type { Config } from '../../platform/config.ts';
import { type EnvSettings, envFile } from '../../protocol/admin/file-formats.ts';
import { messageOf } from '../../protocol/reading/caught-errors.ts';
import { clientFields } from '../../protocol/resources/client.ts';
import type { GivenOf } from '../../protocol/resources/resource.ts';
import type { Client } from '../../storage/storage.ts';
import { CommandFailed, requireDone, UsageError } from '../command.ts';
import { fieldOptions, givenByOptions } from '../frame/field-options.ts';
import { didYouMean } from '../frame/suggest.ts';
import { print, printProgram } from '../terminal/output.ts';
import { defineStoreCommand } from '../with-services.ts';
import { bridgedAt, bridgedJson, bridgeOption, printBridged } from './bridged.ts';
import { claimOptions, claimSources, claimsIn } from './claim-options.ts';
import { type OutputFolder, prepareFolder } from './output-folder.ts';

export const redirectRules =
  'A redirect URI uses https, http on loopback, or (with --public) a private-use scheme such as com.example.app:/callback. The ' +
  'same rules apply to a post-logout redirect URI. Links to pages use https, or http on loopback.';

export const create = defineStoreCommand({
  summary: 'register an application',
  createsStore: true,
  details: `${redirectRules} Without --scope, it gets all three scopes.

The secret is printed once. A public client has none. With --output, it's only in .env, which only you can read.

With --for bridge, the URIs that you give go into the application's section of the bridge's file, which is printed, and the
client is registered with those of the bridge.`,
  sections: [claimSources],
  options: {
    ...fieldOptions(clientFields, 'create'),
    ...claimOptions.create,
    for: {
      value: 'NAME',
      values: [...guideNames(), 'bridge'].sort(),
      about: "also print a guide's program, or a product's settings, filled in",
    },
    bridge: bridgeOption,
    output: {
      value: 'DIR',
      completes: 'file',
      about: 'with --for: write the program, its settings in .env, and package.json into a new or empty folder',
    },
  },
  examples: [
    'latchkey client create --name "My app" --redirect-uri https://app.example/callback',
    'latchkey client create --name "My app" --redirect-uri http://localhost:3000/callback --for openid-client --output my-app',
    'latchkey client create --name Phone --public --redirect-uri com.example.app:/callback',
    'latchkey client create --name CMS --redirect-uri https://cms.example/auth/login/latchkey/callback --for directus',
    'latchkey client create --name Vault --redirect-uri https://vault.example/oidc/callback --for bridge --bridge https://bridge.example',
    'latchkey client create --name Photos --redirect-uri https://photos.example/cb --scope "openid email" --access listed',
  ],
  async run({ services, values, config, requester }) {
    const claims = await claimsIn(values);
    const fields = givenByOptions(clientFields, 'create', values);
    const bridged = bridgedBy(values, config, fields);
    const given = {
      ...fields,
      ...(claims !== undefined && { claims: claims({ claims: [] }) }),
      ...bridged?.registered,
    };
    const guide = values.for === undefined || bridged !== undefined ? undefined : findGuide(values.for);
    if (guide !== undefined) checkFit(guide, given.isPublic === true, given.redirectUris?.[0]);
    const folder = values.output === undefined ? undefined : folderFor(values.output, guide);
    const { client, secret } = requireDone(await creating(() => createClient(services, given, requester), folder));
    const [redirectUri = ''] = client.redirectUris;
    const settings = { issuer: config.baseUrl, clientId: client.id, clientSecret: secret, redirectUri };
    if (folder !== undefined) finish(folder, client, settings, () => Buffer.from(services.random(32)).toString('hex'));
    if (values.json) {
      // With a folder, it's in the file alone: output ends up in logs.
      const shown = {
        ...clientJson(client, folder === undefined ? secret : undefined),
        ...allowedJson(await readAllowed(services, client.id)),
      };
      if (bridged !== undefined) return { json: { ...shown, bridge: bridgedJson(bridged, client) } };
      return { json: guide === undefined ? shown : { ...shown, guide: guideJson(guide, settings, folder) } };
    }
    if (guide !== undefined && folder !== undefined) return { text: writtenText(client, guide, settings, folder) };
    print(`Created application ${JSON.stringify(client.name)}.\n\n${secretText(client, secret)}`);
    if (bridged === undefined) printSettings(settings, config, guide);
    else printBridged(bridged, client, secret);
    return undefined;
  },
});

interface BridgeValues {
  readonly for: string | undefined;
  readonly bridge: string | undefined;
  readonly output: string | undefined;
}

function bridgedBy(values: BridgeValues, { baseUrl }: Config, fields: GivenOf<typeof clientFields>) {
  const isForBridge = values.for?.toLowerCase() === 'bridge';
  if (isForBridge && values.bridge === undefined) throw new UsageError('--for bridge needs --bridge with its base URL');
  if (!isForBridge && values.bridge !== undefined) throw new UsageError('--bridge needs --for bridge');
  if (values.bridge === undefined) return undefined;
  if (values.output !== undefined) throw new UsageError("--output can't be combined with --for bridge");
  return bridgedAt(values.bridge, baseUrl, fields);
}

function folderFor(output: string, guide: Guide | undefined): OutputFolder {
  if (guide === undefined) throw new UsageError('--output needs --for and the name of a guide');
  if (output === '') throw new UsageError('--output needs the name of a folder');
  return prepareFolder(output, guide);
}

/** Without a client, nothing stays in the folder. */
async function creating<Made extends { readonly kind: 'done' | 'refused' }>(
  create: () => Promise<Made>,
  folder: OutputFolder | undefined,
): Promise<Made> {
  const made = await create().catch((error: unknown) => {
    folder?.discard();
    throw error;
  });
  if (made.kind === 'refused') folder?.discard();
  return made;
}

/** The client exists, so whatever happens to the file, its secret is told. */
function finish(folder: OutputFolder, client: Client, settings: EnvSettings, newSecret: () => string): void {
  try {
    folder.finish(settings, newSecret);
  } catch (error) {
    print(`Created application ${JSON.stringify(client.name)}.\n\n${secretText(client, settings.clientSecret)}`);
    print(`\nFor your .env file:\n\n${envFile(settings)}`);
    throw new CommandFailed(`the application was created, but .env couldn't be written: ${messageOf(error)}.`);
  }
}

function writtenText(client: Client, guide: Guide, settings: EnvSettings, folder: OutputFolder): string {
  const files = folder.files.join(', ');
  const secretly =
    settings.clientSecret === undefined
      ? 'A public client has no secret.'
      : 'The client secret is in .env alone, which only you can read. Keep it out of version control.';
  const commands = folder.commands.map((command) => `  ${command}\n`).join('');
  return `Created application ${JSON.stringify(client.name)}.

  client_id  ${client.id}

Wrote ${files}.
${secretly}

Start the program:

${commands}
Then open ${appUrl(settings.redirectUri, guide.callbackPath)}. The guide is ${guide.path}.`;
}

export function secretText({ id }: Client, secret: string | undefined): string {
  if (secret === undefined) return `  client_id      ${id}\n\nA public client has no secret. PKCE protects its codes.`;
  const copy = "Copy the secret now. You won't be able to see it again. Keep it on your server, out of code and logs.";
  return `  client_id      ${id}\n  client_secret  ${secret}\n\n${copy}`;
}

/** Refuses what the guide's program couldn't work with, before anything is made. */
function checkFit(guide: Guide, isPublic: boolean, redirectUri = ''): void {
  const { name, callbackPath } = guide;
  if (guide.isPublic && !isPublic) {
    throw new UsageError(`${name} runs in the browser, which can't keep a secret: add --public`);
  }
  if (!guide.isPublic && isPublic) {
    throw new UsageError(`${name} needs a secret, which --public leaves out`);
  }
  if (callbackPath !== undefined && !redirectUri.endsWith(callbackPath)) {
    throw new UsageError(`with ${name} as in ${guide.path}, the redirect URI ends with ${callbackPath}`);
  }
  const origin = URL.parse(redirectUri)?.origin ?? 'null';
  if (guide.isAtRoot && origin !== 'null' && redirectUri !== `${origin}${callbackPath}`) {
    throw new UsageError(`with ${name} as in ${guide.path}, the redirect URI is ${origin}${callbackPath}`);
  }
}

function guideJson(guide: Guide, settings: EnvSettings, folder: OutputFolder | undefined): object {
  const { name, path } = guide;
  if (folder !== undefined) return { name, path, written: folder.files, commands: folder.commands };
  return {
    name,
    path,
    install: guide.install ?? null,
    environment: otherVariables(guide, settings) ?? null,
    files: guide.files.map((file) => ({
      name: file.name ?? null,
      content: filledIn(file, settings, guide.callbackPath),
    })),
  };
}

/** The settings for a `.env` file and where the guides are, or one guide's program or settings filled in. */
function printSettings(settings: EnvSettings, config: Config, guide: Guide | undefined): void {
  const steps = guide && filledInSteps(guide, settings);
  const [block] = guide?.files ?? [];
  if (guide !== undefined && steps !== undefined && block !== undefined) {
    print(`\nWhat the ${guide.name} reads, explained in ${guide.path}:\n`);
    printProgram(filledIn(block, settings, guide.callbackPath).trimEnd());
    print(`\n${steps}`);
    return;
  }
  print(`\nFor your .env file:\n\n${envFile(settings)}`);
  if (guide === undefined) {
    if (guideNames().length === 0) return;
    const served = config.docs === 'on' ? ` or ${config.baseUrl}/docs/clients` : '';
    print(`Guides: docs/clients/README.md${served}. Add --for NAME to print a program or settings with these values:`);
    print(`  ${guideNames().join(', ')}`);
    return;
  }
  const secretly = settings.clientSecret === undefined ? '' : ' The secret is in it: keep it out of version control.';
  const [settingsOnly] = guide.files.filter(({ name }) => name === undefined || name === '.env');
  if (settingsOnly !== undefined) {
    print(`What ${guide.name} reads instead, explained in ${guide.path}.${secretly}\n`);
    printProgram(filledIn(settingsOnly, settings, guide.callbackPath).trimEnd());
    return;
  }
  const environment = otherVariables(guide, settings);
  if (environment !== undefined) print(`It also reads from its environment, as the guide explains:\n\n${environment}`);
  print(`Guide: ${guide.path}. Install first: ${guide.install ?? 'nothing'}`);
  print(`The guide's program with these settings filled in.${secretly}`);
  for (const file of guide.files) {
    print(`\n--- ${file.name}`);
    printProgram(filledIn(file, settings, guide.callbackPath).trimEnd());
  }
}

export function findGuide(wanted: string): Guide {
  const guide = guideCalled(wanted);
  if (guide !== undefined) return guide;
  const names = guideNames();
  const meant = didYouMean(wanted, names) || '.';
  const instead = names.length > 0 ? `${meant} Guides: ${names.join(', ')}` : ' in this installation';
  throw new UsageError(`there's no guide for "${wanted}"${instead}`);
}
