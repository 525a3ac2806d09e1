// `latchkey client update`: changes what is given and leaves the rest.

import { updateClient } from '../../operations/clients/clients.ts';
import { commandRequester, requireDone, UsageError } from '../command.ts';
import { jsonOption } from '../frame/define.ts';
import { print, printJson } from '../terminal/output.ts';
import { defineStoreCommand } from '../with-services.ts';
import { withAllowed } from './access-list.ts';
import { linksIn } from './links.ts';
import { clientArgument, redirectRules, redirectUri, sharedOptions } from './options.ts';
import { printSecret, readLogoFile, report } from './report.ts';

export const update = defineStoreCommand(
  {
    summary: 'change an application',
    details: `The URIs that you give replace all of their kind. ${redirectRules}

With --access listed, everyone who isn't on the list loses access with the next request, so fill the list first.`,
    arguments: clientArgument,
    options: {
      name: { value: 'NAME', about: 'what people see' },
      'redirect-uri': redirectUri,
      public: { about: 'make it a public client, which removes its secrets' },
      confidential: { about: 'make it a confidential client; its secret is printed once' },
      ...sharedOptions,
      'no-post-logout-redirect-uri': { about: 'remove all post-logout redirect URIs' },
      'no-logo': { about: 'remove the logo' },
      ...jsonOption,
    },
    examples: [
      'latchkey client update photos --name "Photos 2"',
      'latchkey client update photos --redirect-uri https://photos.example/a --redirect-uri https://photos.example/b',
      'latchkey client update photos --access listed --second-factor required',
    ],
  },
  async (services, { values, args }) => {
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
      upstream: values.upstream,
    };
    const links = linksIn(values);
    const given = [...Object.values(change), ...Object.values(links)];
    if (given.every((value) => value === undefined)) throw new UsageError('nothing to change');
    const outcome = await updateClient(services, args.clientId, { ...change, links }, commandRequester());
    const { client, secret } = requireDone(outcome);
    if (values.json) return printJson(await withAllowed(services, client, secret));
    await report(services, client);
    if (secret === undefined) return;
    print(`\n${JSON.stringify(client.name)} is now a confidential client.\n`);
    printSecret(client, secret);
  },
);
