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

/** A message for one endpoint, and its result. */
export interface WebhookDelivery {
  readonly endpointId: string;
  /** The `webhook-id`: the same for every endpoint and every attempt. */
  readonly id: string;
  readonly type: string;
  readonly at: number;
  /** The user and client that the message is about. */
  readonly userId: string | null;
  readonly clientId: string | null;
  /** The `data` of the message as JSON. */
  readonly data: string;
  readonly state: 'waiting' | 'delivered' | 'given_up';
  readonly attempts: number;
  /** While it's waiting. */
  readonly nextAttemptAt: number;
  readonly finishedAt: number | null;
  readonly lastAttempt: WebhookAttempt | undefined;
}

/** The result of the last attempt. */
export interface WebhookAttempt {
  readonly at: number;
  /** In milliseconds. */
  readonly duration: number;
  /** Null when there was no response. */
  readonly status: number | null;
  /** The beginning of the response, safe to show. */
  readonly response: string | null;
  /** What went wrong. */
  readonly error: string | null;
}

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
