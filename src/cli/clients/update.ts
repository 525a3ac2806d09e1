// `latchkey client update`: changes what is given and leaves the rest.

import { updateClient } from '../../operations/clients/clients.ts';
import { clientFields } from '../../protocol/resources/client.ts';
import { commandRequester, requireDone, UsageError } from '../command.ts';
import { jsonOption } from '../frame/define.ts';
import { fieldOptions, givenByOptions } from '../frame/field-options.ts';
import { print, printJson } from '../terminal/output.ts';
import { defineStoreCommand } from '../with-services.ts';
import { withAllowed } from './access-list.ts';
import { clientArgument, redirectRules } from './options.ts';
import { printSecret, report } from './report.ts';

export const update = defineStoreCommand(
  {
    summary: 'change an application',
    details: `The URIs that you give replace all of their kind. ${redirectRules}

With --access listed, everyone who isn't on the list loses access with the next request, so fill the list first.`,
    arguments: clientArgument,
    options: {
      ...fieldOptions(clientFields, 'change'),
      ...jsonOption,
    },
    examples: [
      'latchkey client update photos --name "Photos 2"',
      'latchkey client update photos --redirect-uri https://photos.example/a --redirect-uri https://photos.example/b',
      'latchkey client update photos --access listed --second-factor required',
    ],
  },
  async (services, { values, args }) => {
    const change = givenByOptions(clientFields, 'change', values);
    if (Object.keys(change).length === 0) throw new UsageError('nothing to change');
    const outcome = await updateClient(services, args.clientId, change, commandRequester());
    const { client, secret } = requireDone(outcome);
    if (values.json) return printJson(await withAllowed(services, client, secret));
    await report(services, client);
    if (secret === undefined) return;
    print(`\n${JSON.stringify(client.name)} is now a confidential client.\n`);
    printSecret(client, secret);
  },
);
