// What the console's pages about webhooks share: how an endpoint is shown, and the forms that describe one.

import { findClient } from '../../../operations/clients/clients.ts';
import type { Services } from '../../../operations/services.ts';
import type { Webhook } from '../../../operations/webhooks/endpoints.ts';
import type { ShownWebhook } from '../../../pages/console/webhooks/webhook.ts';
import type { WebhookSettings } from '../../../pages/console/webhooks/webhooks.ts';
import { type WebhookInput, webhookFields } from '../../../protocol/resources/webhook.ts';
import { statusOfEndpoint } from '../../../protocol/webhooks/schedule.ts';
import { selectableTypes, webhookTypeMeanings } from '../../../protocol/webhooks/types.ts';
import type { ConsoleForm } from '../console-pages.ts';
import { givenInForm, shownInForm } from '../field-forms.ts';

export async function shownWebhook(services: Services, webhook: Webhook): Promise<ShownWebhook> {
  const { clientId } = webhook;
  return {
    ...webhook,
    host: new URL(webhook.url).host,
    client: clientId === null ? undefined : await clientNamed(services, clientId),
    status: statusOfEndpoint(webhook),
  };
}

/** The ID stands for the name of a client that has just been deleted. */
async function clientNamed(services: Services, id: string): Promise<{ id: string; name: string }> {
  const found = await findClient(services, id);
  return { id, name: found.kind === 'done' ? found.client.name : id };
}

type FormInput = Pick<WebhookInput, 'url' | 'description' | 'types'>;

/** The form with the values of an endpoint, with what was sent, or empty. */
export function webhookSettings(
  when: 'create' | 'change',
  { types = null, ...values }: FormInput,
  ofClient: boolean,
): WebhookSettings {
  const each = selectableTypes.map((name) => ({
    name,
    meaning: webhookTypeMeanings[name],
    chosen: types?.includes(name) ?? false,
  }));
  return {
    fields: shownInForm(webhookFields, when, values),
    types: ofClient ? undefined : { all: types === null, each },
  };
}

/** What was sent. The endpoint of an application has no choice of types. */
export function webhookInput(when: 'create' | 'change', form: ConsoleForm, ofClient: boolean): FormInput {
  const { url = '', description = '' } = givenInForm(webhookFields, when, form);
  if (ofClient) return { url, description };
  const chosen = selectableTypes.filter((name) => form.fields.get(`type_${name}`) === 'yes');
  return { url, description, types: form.field('types') === 'chosen' ? chosen : null };
}
