// The JSON of webhook endpoints and deliveries: the same for the API and for the command line's --json.

import { isoTime } from '../../protocol/iso-time.ts';
import { jsonOf } from '../../protocol/resources/resource.ts';
import { webhookFields } from '../../protocol/resources/webhook.ts';
import type { WebhookDelivery } from '../../storage/storage.ts';
import type { Webhook, WebhookSecretInfo } from './endpoints.ts';

export function webhookJson(webhook: Webhook) {
  return { ...jsonOf(webhookFields, webhook), waiting: webhook.waiting };
}

export function webhookDetailsJson({
  webhook,
  secrets,
}: {
  readonly webhook: Webhook;
  readonly secrets: readonly WebhookSecretInfo[];
}) {
  return {
    ...webhookJson(webhook),
    secrets: secrets.map(({ createdAt, endsAt }) => ({ created_at: isoTime(createdAt), expires_at: isoTime(endsAt) })),
  };
}

export function deliveryJson(delivery: WebhookDelivery) {
  const { state, lastAttempt } = delivery;
  return {
    id: delivery.id,
    type: delivery.type,
    at: isoTime(delivery.at),
    data: JSON.parse(delivery.data) as Record<string, unknown>,
    state,
    attempts: delivery.attempts,
    next_attempt_at: state === 'waiting' ? isoTime(delivery.nextAttemptAt) : null,
    finished_at: isoTime(delivery.finishedAt),
    last_attempt:
      lastAttempt === undefined
        ? null
        : {
            at: isoTime(lastAttempt.at),
            duration_ms: lastAttempt.duration,
            status: lastAttempt.status,
            response: lastAttempt.response,
            error: lastAttempt.error,
          },
  };
}
