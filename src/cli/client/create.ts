// `latchkey client create`: registers a client and prints what its developer needs.

import { createClient } from '../../operations/admin/clients.ts';
import type { Config } from '../../platform/config.ts';
import { envFile } from '../../protocol/admin/env-file.ts';
import type { Client } from '../../storage/storage.ts';
import { withAllowed } from '../access/client-list.ts';
import { commandOrigin, requireDone, UsageError } from '../command.ts';
import { jsonOption } from '../frame/define.ts';
import { print, printJson } from '../terminal/output.ts';
import { defineStoreCommand } from '../with-services.ts';
import { filledIn, findGuide, type Guide, guideNames } from './guide.ts';
import { linksIn } from './links.ts';
import { redirectRules, redirectUri, sharedOptions } from './options.ts';
import { printSecret, readLogoFile } from './report.ts';

export const create = defineStoreCommand(
  {
    summary: 'register an application',
    details: `${redirectRules} Without --scope, it gets all three scopes.

The secret is printed once. A public client has none.`,
    options: {
      name: { value: 'NAME', required: true, about: 'what people see' },
      'redirect-uri': { ...redirectUri, required: true },
      public: { about: "for an application that can't keep a secret, such as a mobile app or a page" },
      ...sharedOptions,
      for: { value: 'GUIDE', values: guideNames(), about: "also print a guide's program with these settings" },
      ...jsonOption,
    },
    examples: [
      'latchkey client create --name "My app" --redirect-uri https://app.example/callback',
      'latchkey client create --name Phone --public --redirect-uri com.example.app:/callback',
      'latchkey client create --name Photos --redirect-uri https://photos.example/cb --scope "openid email" --access listed',
    ],
  },
  async (services, { values }, config) => {
    const guide = values.for === undefined ? undefined : findGuide(values.for);
    if (guide?.isPublic && !values.public) {
      throw new UsageError(`${guide.name} runs in the browser, which can't keep a secret: add --public`);
    }
    const input = {
      name: values.name,
      isPublic: values.public,
      redirectUris: values['redirect-uri'],
      postLogoutRedirectUris: values['post-logout-redirect-uri'],
      scope: values.scope,
      access: values.access,
      logo: values.logo === undefined ? undefined : readLogoFile(values.logo),
      secondFactor: values['second-factor'],
      upstream: values.upstream,
      links: linksIn(values),
    };
    const { client, secret } = requireDone(await createClient(services, input, commandOrigin()));
    if (values.json) return printJson(await withAllowed(services, client, secret));
    print(`Created application ${JSON.stringify(client.name)}.\n`);
    printSecret(client, secret);
    printSettings(client, secret, config, guide);
  },
);

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
