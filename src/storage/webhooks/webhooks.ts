// Part of the storage contract (storage.ts): webhook endpoints, their secrets, and the messages that wait for them. Every
// operation that takes an event writes its messages in the same transaction, one for each endpoint that hears of it.

import type { EventRecord } from '../../protocol/event.ts';
import type { WebhookMessage } from '../../protocol/webhooks/types.ts';
import type { ListPart, Page } from '../paging.ts';

export interface WebhookEndpoint {
  readonly id: string;
  readonly url: string;
  readonly description: string;
  /** The client whose own endpoint it is: it hears of this client's grants and of nothing else. Null for the service's. */
  readonly clientId: string | null;
  /**
   * When its client was deleted, which it had until then. It gets what was queued for it before, nothing new, and is
   * deleted after that. Null for any other.
   */
  readonly clientDeletedAt: number | null;
  /** The types of messages that it gets; undefined for all. */
  readonly types: readonly string[] | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly disabledAt: number | null;
  /** `gone`: it has answered with 410. */
  readonly disabledReason: 'administrator' | 'gone' | null;
  /** How many attempts have failed since the last one that succeeded, and since when. */
  readonly failures: number;
  readonly failingSince: number | null;
  /** When it last accepted a message. */
  readonly deliveredAt: number | null;
  /** How many messages were dropped because too many were waiting. */
  readonly dropped: number;
}

export interface WebhookSecret {
  readonly id: string;
  readonly endpointId: string;
  readonly sealed: string;
  readonly createdAt: number;
  /** Null for the current one. */
  readonly endsAt: number | null;
}

/** A message for one endpoint, and what came of it. */
export interface WebhookDelivery {
  readonly endpointId: string;
  /** The `webhook-id`: the same for every endpoint and every attempt. */
  readonly id: string;
  readonly type: string;
  readonly at: number;
  /** Whom and what the message is about. */
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

/** What came of the last attempt. */
export interface WebhookAttempt {
  readonly at: number;
  /** In milliseconds. */
  readonly duration: number;
  /** Null when there was no response. */
  readonly status: number | null;
  /** The beginning of the response, safe to show. */
  readonly response: string | null;
  /** What went wrong, in words. */
  readonly error: string | null;
}

export interface WebhookChange {
  readonly url?: string | undefined;
  readonly description?: string | undefined;
  /** Null for all. */
  readonly types?: readonly string[] | null | undefined;
}

/** What becomes of a delivery after an attempt. */
export type WebhookResult =
  /** After an outage, what has waited for a later attempt is due at once. */
  | { readonly kind: 'delivered'; readonly recovered: boolean }
  | { readonly kind: 'postponed'; readonly until: number; readonly restUntil: number }
  | { readonly kind: 'given_up'; readonly restUntil: number }
  /** The endpoint is disabled, which the event is about. What waits for it stays. */
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
  /** How many messages wait for each endpoint that any wait for. */
  countWaitingDeliveries(): Promise<ReadonlyMap<string, number>>;
  /** The current one first. */
  listWebhookSecrets(endpointId: string): Promise<WebhookSecret[]>;
  changeWebhook(endpointId: string, change: WebhookChange, now: number, event: EventRecord): Promise<boolean>;
  /** False when disabled already or unknown. What waits stays, and is sent once the endpoint is enabled. */
  disableWebhook(endpointId: string, now: number, event: EventRecord): Promise<boolean>;
  /** False when not disabled or unknown. */
  enableWebhook(endpointId: string, now: number, event: EventRecord): Promise<boolean>;
  /** Deletes its secrets and deliveries as well. */
  deleteWebhook(endpointId: string, event: EventRecord): Promise<boolean>;
  /** The earlier secret stays valid until then; one that is older still stops working. */
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
  /** Sends a finished one again, with all its attempts. False when it's waiting already, or unknown. */
  resendDelivery(endpointId: string, deliveryId: string, now: number): Promise<boolean>;
  /** A message for one endpoint, whatever it has asked for. False for an unknown endpoint. */
  queueTestMessage(endpointId: string, deliveryId: string, message: WebhookMessage, now: number): Promise<boolean>;

  /** Whether anything is due that nobody is delivering. */
  webhooksAreDue(now: number): Promise<boolean>;
  /** Takes endpoints for which something is due, for this holder alone until its claim ends. */
  claimWebhooks(
    now: number,
    claim: WebhookClaim,
    limits: { readonly healthy: number; readonly failing: number },
  ): Promise<WebhookEndpoint[]>;
  /** What is due for an endpoint, in the order in which it is sent. */
  listDueDeliveries(endpointId: string, now: number, limit: number): Promise<WebhookDelivery[]>;
  /**
   * Records what came of an attempt and renews the claim. False when the claim was lost, or somebody else has dealt with
   * the delivery meanwhile.
   */
  recordAttempt(
    delivery: Pick<WebhookDelivery, 'endpointId' | 'id' | 'attempts'>,
    attempt: WebhookAttempt,
    result: WebhookResult,
    claim: WebhookClaim,
  ): Promise<boolean>;
  releaseWebhook(endpointId: string, holder: string): Promise<void>;
  /** Deletes so many of the messages that have waited longest, and counts them as dropped. */
  dropOldestDeliveries(endpointId: string, count: number): Promise<void>;
}
