// What the console's pages about webhooks share: how an endpoint is shown, and the forms that describe one.

import { findClient } from '../../../operations/clients/clients.ts';
import type { Services } from '../../../operations/services.ts';
import type { Webhook } from '../../../operations/webhooks/endpoints.ts';
import type { WebhookSettings } from '../../../pages/console/webhooks/form.ts';
import type { WebhookStatus } from '../../../pages/console/webhooks/list.ts';
import type { ShownWebhook } from '../../../pages/console/webhooks/webhook.ts';
import { outageAfter } from '../../../protocol/webhooks/schedule.ts';
import { selectableTypes, webhookTypeMeanings } from '../../../protocol/webhooks/types.ts';
import type { ConsoleForm } from '../console-pages.ts';

export function statusOf({ disabledAt, failures }: Pick<Webhook, 'disabledAt' | 'failures'>): WebhookStatus {
  if (disabledAt !== null) return 'disabled';
  return failures >= outageAfter ? 'failing' : 'active';
}

export async function shownWebhook(services: Services, webhook: Webhook): Promise<ShownWebhook> {
  const {
    id,
    url,
    description,
    clientId,
    clientDeletedAt,
    waiting,
    deliveredAt,
    disabledReason,
    failingSince,
    dropped,
  } = webhook;
  return {
    id,
    url,
    description,
    waiting,
    deliveredAt,
    disabledReason,
    failingSince,
    dropped,
    host: new URL(url).host,
    client: clientId === null ? undefined : await clientNamed(services, clientId),
    clientDeletedAt,
    status: statusOf(webhook),
  };
}

/** The ID stands for the name of a client that has just been deleted. */
async function clientNamed(services: Services, id: string): Promise<{ id: string; name: string }> {
  const found = await findClient(services, id);
  return { id, name: found.kind === 'done' ? found.client.name : id };
}

export function webhookSettings(
  { url, description, types }: Pick<Webhook, 'url' | 'description' | 'types'>,
  ofClient: boolean,
): WebhookSettings {
  const choices = ofClient ? [] : selectableTypes;
  return {
    url,
    description,
    allTypes: types === undefined,
    types: choices.map((name) => ({
      name,
      meaning: webhookTypeMeanings[name],
      chosen: types?.includes(name) ?? false,
    })),
  };
}

/** What was entered. The endpoint of an application has no choice of types. */
export function webhookInput({ field, fields }: ConsoleForm): Pick<Webhook, 'url' | 'description' | 'types'> {
  const chosen = selectableTypes.filter((name) => fields.get(`type_${name}`) === 'yes');
  return {
    url: field('url').trim(),
    description: field('description').trim(),
    types: field('types') === 'chosen' ? chosen : undefined,
  };
}
