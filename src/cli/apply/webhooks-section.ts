// The webhooks in the file of `latchkey apply`.

import { isDisabledIn } from '../../operations/admin/applied-resource.ts';
import { applyWebhook, exportWebhooks, planWebhooks } from '../../operations/webhooks/apply-webhooks.ts';
import type { Webhook } from '../../operations/webhooks/endpoints.ts';
import { webhookFields } from '../../protocol/resources/webhook.ts';
import { memberLine } from './diff.ts';
import { resourceSection } from './resource-section.ts';

export const webhooksSection = resourceSection<Webhook, typeof webhookFields>({
  section: 'webhooks',
  fields: webhookFields,
  key: 'id',
  keyWithSecret: 'webhook',
  // Their number is limited.
  deletesFirst: true,

  plan({ services, described: { clients, webhooks }, prune }) {
    const clientIds = clients?.map(({ id }) => id);
    return webhooks && planWebhooks(services, webhooks, prune, clientIds);
  },

  take: applyWebhook,

  /** With its URL, because a generated ID means nothing to anybody. That of a new one has a line of its own. */
  named: (step) => `webhook ${step.id}${step.kind === 'create' ? '' : ` (${step.item.url})`}`,

  newLines: (described) => [
    ...(described.given.types ? [] : [memberLine('+', 'types', 'all')]),
    ...(isDisabledIn(described) ? [memberLine('+', 'disabled', true)] : []),
  ],

  shown: (name, value) => (name === 'types' && value === null ? 'all' : value),
  export: exportWebhooks,
});
