// What administrators do with an application, described once. Registering one, its settings, its claims, who can use it and rotating
// its secret, which is shown once, are made by hand.

import type { Client } from '../../storage/storage.ts';
import { type Actions, defineAction } from '../admin/subject.ts';
import type { Storing } from '../services.ts';
import { clientJson } from './client-json.ts';
import { clientDetails } from './clients.ts';
import { deleteClient, restoreClient, retireOldSecret, revokeClient } from './revoke-client.ts';

export const clientActions = {
  'retire-secret': defineAction({
    does: 'retire the previous secret',
    details: '"latchkey client show" says when it was last used.',
    what: 'previous secret',
    done: 'retired',
    proof: true,
    run: retireOldSecret,
    json: shown,
    says: ({ client }) => `Retired the previous secret of ${nameOf(client)}. The current one keeps working.`,
  }),
  revoke: defineAction({
    does: 'revoke an application: its tokens stop working with the next request',
    done: 'revoked',
    proof: true,
    run: revokeClient,
    json: shown,
    says: ({ client }) => `Revoked ${nameOf(client)}. Its tokens no longer work.`,
  }),
  restore: defineAction({
    does: 'let a revoked application sign people in again; its old tokens stay invalid',
    done: 'restored',
    run: restoreClient,
    json: shown,
    says: ({ client }) => `Restored ${nameOf(client)}. People are asked for consent again; old tokens stay invalid.`,
  }),
  delete: defineAction({
    does: 'delete an application and all its grants and consents',
    details: `Its webhooks are deleted with it. To stop an application that you may need again, use "latchkey client revoke" instead.`,
    done: 'deleted',
    proof: true,
    async loses(services, clientId) {
      const found = await clientInUse(services, clientId);
      if (found.kind === 'refused') return found;
      return {
        kind: 'done',
        what: nameOf(found.client),
        with: [
          [found.users, "person's access", "people's access"],
          [found.webhooks, 'webhook', 'webhooks'],
        ],
      };
    },
    run: deleteClient,
    json: shown,
    says: ({ client }) => `Deleted ${nameOf(client)}.`,
  }),
} satisfies Actions;

function shown({ client }: { readonly client: Client }) {
  return clientJson(client);
}

function nameOf({ name }: Client): string {
  return JSON.stringify(name);
}

/** The client, and how many users and webhooks it has. */
export async function clientInUse(services: Storing, clientId: string) {
  const found = await clientDetails(services, clientId);
  if (found.kind === 'refused') return found;
  return { ...found, webhooks: (await services.storage.listWebhooks(clientId)).length };
}
