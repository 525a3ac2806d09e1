// The schemas of webhook messages, for the OpenAPI document and the documentation.

import { type TObject, type TSchema, Type } from 'typebox';
import { apiKeyPermissions } from '../../../protocol/resources/api-key.ts';
import { webhookExamples } from '../../../protocol/webhooks/examples.ts';
import {
  grantEndReasons,
  type WebhookData,
  type WebhookType,
  webhookTypeMeanings,
  webhookTypes,
} from '../../../protocol/webhooks/types.ts';
import { nullable } from '../schemas.ts';

const text = Type.String();
const texts = Type.Array(text);
const textOrNull = nullable(text);
const by = nullable(Type.Object({ kind: Type.Enum(['administrator', 'api_key', 'scim_token']), id: text }));

/** What each member means, in every type that has it. */
export const memberMeanings = {
  sub: 'The person: the `sub` of their ID tokens, and their `id` in the API. Null for a stranger, for a group, and when it is about everyone.',
  client_id: 'The application. Null when none was involved.',
  grant_id: 'The grant: in its ID tokens, the part of `sid` before the dot. Null for all of them.',
  reason: 'Why; see [Reasons](#reasons).',
  reasons: 'Every reason; see [Reasons](#reasons).',
  by: 'The administrator or the API key that did it. Null for the person themselves, the command line and the service.',
  changed: 'The names of what changed. The API has the values.',
  ip_address: 'Where the request came from.',
  method: 'How they signed in: `password`, `passkey`, `password_and_passkey` and so on.',
  grant_type: 'What was presented.',
  scopes: 'What was granted.',
  group: 'The name of the group. Null for a person.',
  before: 'The name that the group had.',
  token_id: 'The SCIM token, by its ID.',
  protected: 'Whether only administrators can change the group, and who is in it.',
  key_id: 'The ID of the API key, not the key itself.',
  name: 'The name of the API key.',
  permission: 'What the API key can do.',
  roles: 'What the API key can do instead, if it has any.',
  source: 'The service that they came from; of a SCIM token, the directory that it is for.',
  count: 'How many people.',
  keys: 'How many keys were retired.',
  link_id: 'The ID of the sign-up link.',
  uses: 'How many accounts can be created with it.',
  webhook_id: 'The endpoint.',
  attribute: 'The name of the attribute.',
  upstream: 'The name of the identity provider.',
} as const;

const ofUser = { sub: text, by };
const ofClient = { client_id: text, by };
const ofConsent = { sub: text, client_id: text };
const ofListing = { client_id: text, sub: textOrNull, group: textOrNull, by };
const ofGroup = { group: text, by };
const ofMember = { group: text, sub: text, by };
const ofAttribute = { attribute: text, by };
const ofWebhook = { webhook_id: text, by };
const ofUpstream = { upstream: text, by };
const ofIdentity = { sub: text, upstream: text, by };
const refusal = { sub: textOrNull, client_id: textOrNull, reason: text, ip_address: text };

type Members<Data> = { readonly [Member in keyof Data]: Member extends keyof typeof memberMeanings ? TSchema : never };

/** The members of each type's data. */
const members: { readonly [Name in WebhookType]: Members<WebhookData[Name]> } = {
  'sign_in.succeeded': { sub: text, client_id: textOrNull, method: text, ip_address: text },
  'sign_in.refused': refusal,
  'authorization.refused': refusal,
  'token.refused': {
    sub: textOrNull,
    client_id: textOrNull,
    grant_type: Type.Enum(['authorization_code', 'refresh_token']),
    reasons: texts,
    ip_address: text,
  },
  'client_authentication.refused': { client_id: textOrNull, reason: text, ip_address: text },

  'user.created': ofUser,
  'users.imported': { source: text, count: Type.Integer({ minimum: 1 }), by },
  'user.updated': { sub: text, changed: texts, by },
  'user.password_breached': ofUser,
  'user.disabled': ofUser,
  'user.expired': ofUser,
  'user.enabled': ofUser,
  'user.approved': ofUser,
  'user.deleted': ofUser,

  'client.created': ofClient,
  'client.updated': { client_id: text, changed: texts, by },
  'client.revoked': ofClient,
  'client.restored': ofClient,
  'client.deleted': ofClient,

  'consent.given': { ...ofConsent, scopes: texts },
  'consent.denied': ofConsent,
  'consent.withdrawn': ofConsent,

  'grant.ended': {
    grant_id: textOrNull,
    sub: textOrNull,
    client_id: text,
    reason: Type.Enum(grantEndReasons),
  },

  'client_secret.rotated': ofClient,
  'client_secret.retired': ofClient,
  'api_key.created': { key_id: text, name: text, permission: Type.Enum([...apiKeyPermissions]), roles: texts, by },
  'api_key.revoked': { key_id: text, by },
  'scim_token.created': { token_id: text, source: text, name: text, by },
  'scim_token.revoked': { token_id: text, by },
  'sign_up_link.created': { link_id: text, uses: Type.Integer({ minimum: 1 }), by },
  'sign_up_link.revoked': { link_id: text, by },
  'service_keys.retired': { keys: Type.Integer({ minimum: 1 }), by },

  'settings.changed': { changed: texts, by },
  'access.allowed': ofListing,
  'access.disallowed': ofListing,
  'access.expired': { ...ofListing, client_id: textOrNull },
  'group.created': ofGroup,
  'group.deleted': ofGroup,
  'group.protection_changed': { group: text, protected: Type.Boolean(), by },
  'group.renamed': { group: text, before: text, by },
  'group.member_added': ofMember,
  'group.member_removed': ofMember,

  'attribute.created': ofAttribute,
  'attribute.updated': { attribute: text, changed: texts, by },
  'attribute.deleted': ofAttribute,

  'webhook.created': ofWebhook,
  'webhook.updated': { webhook_id: text, changed: texts, by },
  'webhook.enabled': ofWebhook,
  'webhook.disabled': { webhook_id: text, reason: Type.Enum(['administrator', 'gone']), by },
  'webhook.secret_rotated': ofWebhook,
  'webhook.secret_retired': ofWebhook,
  'webhook.deleted': ofWebhook,
  'webhook.test': ofWebhook,

  'upstream.created': ofUpstream,
  'upstream.updated': { upstream: text, changed: texts, by },
  'upstream.refreshed': { upstream: text, changed: texts, by },
  'upstream.enabled': ofUpstream,
  'upstream.disabled': ofUpstream,
  'upstream.deleted': ofUpstream,
  'identity.linked': ofIdentity,
  'identity.unlinked': ofIdentity,
};

/** A whole message, as an endpoint receives it. */
export function exampleMessage(type: WebhookType): object {
  return { type, timestamp: '2026-03-14T09:26:53.589Z', data: webhookExamples[type] };
}

/** The members that the data of a type has. */
export function membersOf(type: WebhookType): readonly (readonly [keyof typeof memberMeanings, TSchema])[] {
  const schemas: Partial<Record<keyof typeof memberMeanings, TSchema>> = members[type];
  return Object.entries(schemas) as [keyof typeof memberMeanings, TSchema][];
}

/** Messages may gain members, so other members are allowed. */
export function messageSchema(type: WebhookType): TObject {
  const data = membersOf(type).map(([name, schema]) => [name, { ...schema, description: memberMeanings[name] }]);
  return Type.Object({
    type: Type.Literal(type),
    timestamp: Type.String({ format: 'date-time', description: 'When it happened.' }),
    data: Type.Object(Object.fromEntries(data)),
  });
}

/** The `webhooks` of the OpenAPI document. */
export function describedWebhooks(): Record<string, object> {
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  });
  const parameters = [
    header('webhook-id', 'The same for every attempt to deliver this message.'),
    header('webhook-timestamp', 'When this attempt was made, in seconds since the epoch.'),
    header('webhook-signature', 'Signatures of Standard Webhooks 1.0 (`v1,…`), one for each valid secret.'),
  ];
  const responses = { '2XX': { description: 'Delivered.' }, 410: { description: 'Disables the endpoint.' } };
  return Object.fromEntries(
    webhookTypes.map((type) => {
      const content = { 'application/json': { schema: messageSchema(type), example: exampleMessage(type) } };
      const summary = webhookTypeMeanings[type];
      return [type, { post: { summary, parameters, requestBody: { required: true, content }, responses } }];
    }),
  );
}
