// `latchkey client delete`.

import { clientJson } from '../../operations/clients/client-json.ts';
import { clientDetails } from '../../operations/clients/clients.ts';
import { deleteClient } from '../../operations/clients/revoke-client.ts';
import { listWebhooks } from '../../operations/webhooks/endpoints.ts';
import { commandRequester, requireDone } from '../command.ts';
import { jsonOption } from '../frame/define.ts';
import { confirmLoss, yesOption } from '../terminal/confirm.ts';
import { print, printJson } from '../terminal/output.ts';
import { defineStoreCommand } from '../with-services.ts';
import { clientArgument } from './options.ts';

export const deleteCommand = defineStoreCommand(
  {
    summary: 'delete an application, its webhooks, and all access that people have given it',
    details: 'To stop an application that you may need again, use "latchkey client revoke" instead.',
    arguments: clientArgument,
    options: { ...yesOption, ...jsonOption },
    examples: ['latchkey client delete photos', 'latchkey client delete photos --yes'],
  },
  async (services, { values, args: { clientId } }) => {
    await confirmLoss(values.yes, async () => {
      const { client, users } = requireDone(await clientDetails(services, clientId));
      const webhooks = await listWebhooks(services, client.id);
      return {
        what: JSON.stringify(client.name),
        with: [
          [users, "person's access", "people's access"],
          [webhooks.length, 'webhook', 'webhooks'],
        ],
      };
    });
    const { client } = requireDone(await deleteClient(services, clientId, commandRequester()));
    if (values.json) return printJson(clientJson(client));
    print(`Deleted ${JSON.stringify(client.name)}.`);
  },
);
