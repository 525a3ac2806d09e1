// A message of a webhook, as it's stored and shown.

export const deliveryStates = ['waiting', 'delivered', 'given_up'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

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
  readonly state: DeliveryState;
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
