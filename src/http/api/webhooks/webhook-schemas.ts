// The schemas of webhook endpoints and deliveries.

import { Type } from 'typebox';
import { deliveryStates } from '../../../operations/webhooks/deliveries.ts';
import { selectableTypes } from '../../../protocol/webhooks/types.ts';
import { Count, component, nullable, Text, Time } from '../schemas.ts';

const hears = 'What the endpoint hears of; null for everything that it can hear of, now and later.';

/** In what is sent; a response may have types of a later version. */
export const Types = nullable(
  Type.Array(Type.Enum([...selectableTypes]), {
    minItems: 1,
    maxItems: selectableTypes.length,
    description: hears,
  }),
);

const webhook = {
  id: Text,
  url: Text,
  description: Text,
  client_id: nullable(
    Type.String({
      description:
        "The application that the endpoint belongs to; null for the service's, or once the application is deleted.",
    }),
  ),
  client_deleted_at: nullable(
    Type.String({
      format: 'date-time',
      description:
        'When its application was deleted. It gets the messages that are still waiting, nothing new, and is then deleted.',
    }),
  ),
  types: nullable(Type.Array(Text, { description: hears })),
  disabled_at: nullable(Time),
  disabled_reason: nullable(Type.Enum(['administrator', 'gone'], { description: 'gone: it answered 410.' })),
  waiting: Type.Integer({ minimum: 0, description: 'How many messages wait to be delivered.' }),
  dropped: Type.Integer({ minimum: 0, description: 'How many were dropped because too many were waiting.' }),
  failures: Type.Integer({ minimum: 0, description: 'How many attempts have failed since the last success.' }),
  failing_since: nullable(Time),
  delivered_at: nullable(Type.String({ format: 'date-time', description: 'When it last accepted a message.' })),
  created_at: Time,
  updated_at: Time,
};

export const Webhook = component('Webhook', webhook);

export const WebhookDetails = component('WebhookDetails', {
  ...webhook,
  secrets: Type.Array(Type.Object({ created_at: Time, expires_at: nullable(Time) }), {
    description: 'The current one first. During a rotation there are two. A secret itself is shown once.',
  }),
});

export const WebhookWithSecret = component('WebhookWithSecret', {
  ...webhook,
  secret: Type.String({ description: 'whsec_…, shown this once.' }),
});

export const RotatedWebhookSecret = component('RotatedWebhookSecret', {
  secret: Type.String({ description: 'whsec_…, shown this once.' }),
  previous_expires_at: Time,
});

export const DeliveryState = Type.Enum([...deliveryStates]);

export const Delivery = component('WebhookDelivery', {
  id: Type.String({ description: 'The webhook-id of the message.' }),
  type: Text,
  at: Time,
  data: Type.Record(Text, Type.Unknown(), { description: 'The data of the message.' }),
  state: DeliveryState,
  attempts: Count,
  next_attempt_at: nullable(Time),
  finished_at: nullable(Time),
  last_attempt: nullable(
    Type.Object({
      at: Time,
      duration_ms: Count,
      status: nullable(Type.Integer({ description: 'The status of the response; null without a response.' })),
      response: nullable(Type.String({ description: 'How the body of the response begins.' })),
      error: nullable(Type.String({ description: 'What went wrong, in words.' })),
    }),
  ),
});
