// Part of the storage contract (storage.ts): webhook endpoints, their secrets, and the messages that wait for them. Every
// operation that takes an event writes its messages in the same transaction, one for each endpoint that subscribes to it.

import type { EventRecord } from '../../protocol/event.ts';
import type { WebhookValues } from '../../protocol/resources/webhook.ts';
import type { RecordOf, webhookSecrets } from '../schema.ts';

export type WebhookEndpoint = WebhookValues;

/** An endpoint to deliver to. One for back-channel logout is no webhook to anyone else. */
export interface ClaimedEndpoint extends WebhookEndpoint {
  readonly purpose: 'webhook' | 'logout';
}

export type WebhookSecret = RecordOf<typeof webhookSecrets>;

export type WebhookChange = Partial<Pick<WebhookEndpoint, 'url' | 'description' | 'types'>>;

/** The new state of a delivery after an attempt. */
export type WebhookResult =
  /** After an outage, messages waiting for a retry are due at once. */
  | { readonly kind: 'delivered'; readonly recovered: boolean }
  /** The endpoint works, and doesn't want this message. */
  | { readonly kind: 'rejected'; readonly recovered: boolean }
  /** Without a rest, the endpoint hasn't failed. */
  | { readonly kind: 'postponed'; readonly until: number; readonly restUntil: number | null }
  | { readonly kind: 'given_up'; readonly restUntil: number | null }
  /** Disables the endpoint, with this event. Its queued messages stay. */
  | { readonly kind: 'gone'; readonly event: EventRecord };

export interface WebhookClaim {
  readonly holder: string;
  readonly until: number;
}
