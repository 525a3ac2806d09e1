// Part of the storage contract (storage.ts): webhook endpoints, their secrets, and the messages that wait for them. Every
// operation that takes an event writes its messages in the same transaction, one for each endpoint that subscribes to it.

import type { EventRecord } from '../../protocol/event.ts';
import type { WebhookValues } from '../../protocol/resources/webhook.ts';
import type { WebhookMessage } from '../../protocol/webhooks/types.ts';
import type { ListPart, Page } from '../paging.ts';

export type WebhookEndpoint = WebhookValues;

export interface WebhookSecret {
  readonly id: string;
  readonly endpointId: string;
  readonly sealed: string;
  readonly createdAt: number;
  /** Null for the current one. */
  readonly endsAt: number | null;
}

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
  | { readonly kind: 'postponed'; readonly until: number; readonly restUntil: number }
  | { readonly kind: 'given_up'; readonly restUntil: number }
  /** Disables the endpoint, with this event. Its queued messages stay. */
  | { readonly kind: 'gone'; readonly event: EventRecord };

export interface WebhookClaim {
  readonly holder: string;
  readonly until: number;
}

export interface Webhooks {
  /** False when there are as many endpoints as `limits` allow, or the client is gone. */
  createWebhook(
    endpoint: WebhookEndpoint,
    secret: WebhookSecret,
    limits: { readonly total: number; readonly alike: number },
    event: EventRecord,
  ): Promise<boolean>;
  findWebhook(endpointId: string): Promise<WebhookEndpoint | undefined>;
  /** Oldest first; of one client, or all of them. */
  listWebhooks(clientId?: string): Promise<WebhookEndpoint[]>;
  /** The number of queued messages of each endpoint that has any. */
  countWaitingDeliveries(): Promise<ReadonlyMap<string, number>>;
  /** The current one first. */
  listWebhookSecrets(endpointId: string): Promise<WebhookSecret[]>;
  changeWebhook(endpointId: string, change: WebhookChange, now: number, event: EventRecord): Promise<boolean>;
  /** False if already disabled or unknown. Queued messages stay, and are sent once the endpoint is enabled. */
  disableWebhook(endpointId: string, now: number, event: EventRecord): Promise<boolean>;
  /** False when not disabled or unknown. */
  enableWebhook(endpointId: string, now: number, event: EventRecord): Promise<boolean>;
  /** Deletes its secrets and deliveries as well. */
  deleteWebhook(endpointId: string, event: EventRecord): Promise<boolean>;
  /** The previous secret stays valid until then; an older one stops working. */
  rotateWebhookSecret(secret: WebhookSecret, earlierUntil: number, event: EventRecord): Promise<boolean>;
  /** False when there is only one secret. */
  retireWebhookSecret(endpointId: string, now: number, event: EventRecord): Promise<boolean>;

  /** Newest first. */
  pageDeliveries(
    endpointId: string,
    state: WebhookDelivery['state'] | undefined,
    part: ListPart,
  ): Promise<Page<WebhookDelivery>>;
  findDelivery(endpointId: string, deliveryId: string): Promise<WebhookDelivery | undefined>;
  /** Queues a finished one again, with all attempts. False if it's already waiting, or unknown. */
  resendDelivery(endpointId: string, deliveryId: string, now: number): Promise<boolean>;
  /** A message for one endpoint, whatever it subscribes to. False for an unknown endpoint. */
  queueTestMessage(endpointId: string, deliveryId: string, message: WebhookMessage, now: number): Promise<boolean>;

  /** Whether anything is due that no process is delivering. */
  webhooksAreDue(now: number): Promise<boolean>;
  /** Claims endpoints with due messages, exclusively for this holder until the claim ends. */
  claimWebhooks(
    now: number,
    claim: WebhookClaim,
    limits: { readonly healthy: number; readonly failing: number },
  ): Promise<WebhookEndpoint[]>;
  /** An endpoint's due messages, in sending order. */
  listDueDeliveries(endpointId: string, now: number, limit: number): Promise<WebhookDelivery[]>;
  /**
   * Records an attempt's result and renews the claim. False if the claim was lost, or another process has handled the
   * delivery meanwhile.
   */
  recordAttempt(
    delivery: Pick<WebhookDelivery, 'endpointId' | 'id' | 'attempts'>,
    attempt: WebhookAttempt,
    result: WebhookResult,
    claim: WebhookClaim,
  ): Promise<boolean>;
  releaseWebhook(endpointId: string, holder: string): Promise<void>;
  /** Deletes this many of the oldest queued messages, and counts them as dropped. */
  dropOldestDeliveries(endpointId: string, count: number): Promise<void>;
}
