// The types of webhook messages, and the `data` of each. A message never contains a secret: details can be looked up with an API
// key.

import type { ReportedType } from '../events/kinds.ts';
import * as m from './members.ts';

const { by, changed, client_id, group, ip_address, orNull, sub, upstream, webhook_id, withExample } = m;
const noMaker = withExample(by, null);
const someone = orNull(sub);
const aClient = orNull(client_id);
const ofUser = { sub, by };
const ofClient = { client_id, by };
const ofConsent = { sub, client_id };
const ofGroup = { group, by };
const ofAttribute = { attribute: m.attribute, by };
const ofWebhook = { webhook_id, by };
const ofReview = { review_id: m.review_id, review: m.review, by };
const ofUpstream = { upstream, by };

/** The members of each type's data. */
export const webhookData = {
  'sign_in.succeeded': { sub, client_id: aClient, method: m.method, ip_address },
  'sign_in.refused': { sub: someone, client_id: orNull(client_id, null), reason: m.reason, ip_address },
  'authorization.refused': { sub: someone, client_id: aClient, reason: m.authorizationReason, ip_address },
  'token.refused': { sub: someone, client_id: aClient, grant_type: m.grant_type, reasons: m.reasons, ip_address },
  'client_authentication.refused': { client_id: aClient, reason: withExample(m.reason, 'wrong_secret'), ip_address },

  'user.created': ofUser,
  'users.imported': { source: m.source, count: m.count, by },
  'user.updated': { sub, changed: changed('name', 'email'), by },
  'user.password_breached': { sub, by: noMaker },
  'user.disabled': { sub, reason: orNull(m.inactiveReason, null), by },
  'user.expired': { sub, by: noMaker },
  'user.enabled': ofUser,
  'user.approved': ofUser,
  'user.deleted': { sub, by: noMaker },

  'client.created': ofClient,
  'client.updated': { client_id, changed: changed('redirect_uris'), by },
  'client.revoked': ofClient,
  'client.restored': ofClient,
  'client.deleted': ofClient,

  'consent.given': { ...ofConsent, scopes: m.scopes },
  'consent.denied': ofConsent,
  'consent.withdrawn': ofConsent,

  /** No event has grant and person: null for those of everyone, because the application was revoked or deleted. */
  'grant.ended': { grant_id: orNull(m.grant_id), sub: someone, client_id, reason: m.grantEndReason },

  'client_secret.rotated': ofClient,
  'client_secret.retired': ofClient,
  'api_key.created': { key_id: m.key_id, name: m.name, permission: m.permission, roles: m.roles, by },
  'api_key.revoked': { key_id: m.key_id, by },
  'scim_token.created': {
    token_id: m.token_id,
    source: withExample(m.source, 'entra'),
    name: withExample(m.name, 'Production'),
    by,
  },
  'scim_token.revoked': { token_id: m.token_id, by },
  'sign_up_link.created': { link_id: m.link_id, uses: m.uses, by },
  'sign_up_link.revoked': { link_id: m.link_id, by },
  'service_keys.retired': { keys: m.keys, by: noMaker },

  'settings.changed': { changed: changed('second_factor', 'session_hours'), by },
  // Either a person or a group. An expired membership of a group has no application.
  'access.allowed': { client_id, sub: orNull(sub, null), group: orNull(group), by },
  'access.disallowed': { client_id, sub: someone, group: orNull(group, null), by },
  'access.expired': { client_id: aClient, sub: someone, group: orNull(group, null), by: noMaker },
  'access_request.asked': { request_id: m.request_id, client_id, sub, by: noMaker },
  'access_request.allowed': { request_id: m.request_id, client_id, sub, by },
  'access_request.declined': { request_id: m.request_id, client_id, sub, by },
  'access_request.expired': { request_id: m.request_id, client_id, sub, by: noMaker },
  'owner.added': { client_id, sub: someone, group: orNull(group, null), by },
  'owner.removed': { client_id, sub: someone, group: orNull(group, null), by },
  'group.created': ofGroup,
  'group.deleted': ofGroup,
  'group.protection_changed': { group, protected: m.isProtected, by },
  'group.renamed': { group, before: m.before, by },
  'group.member_added': { group, sub, by },
  'group.member_removed': { group, sub, by: withExample(by, { kind: 'api_key', id: m.key_id.example }) },

  'attribute.created': ofAttribute,
  'attribute.updated': { attribute: m.attribute, changed: changed('values'), by },
  'attribute.deleted': ofAttribute,

  'review.created': ofReview,
  'review.opened': { ...ofReview, by: noMaker },
  'review.updated': ofReview,
  'review.decided': {
    review_id: m.review_id,
    review: m.review,
    client_id,
    decision: m.decision,
    items: m.items,
    by,
  },
  'review.closed': ofReview,
  'review.deleted': ofReview,

  'webhook.created': ofWebhook,
  'webhook.updated': { webhook_id, changed: changed('url', 'types'), by },
  'webhook.enabled': ofWebhook,
  'webhook.disabled': { webhook_id, reason: m.disabledReason, by: noMaker },
  'webhook.secret_rotated': ofWebhook,
  'webhook.secret_retired': ofWebhook,
  'webhook.deleted': ofWebhook,
  'webhook.test': ofWebhook,

  'upstream.created': ofUpstream,
  'upstream.updated': { upstream, changed: changed('allowed_domains'), by },
  'upstream.refreshed': { upstream, changed: changed('token_endpoint'), by },
  'upstream.enabled': ofUpstream,
  'upstream.disabled': ofUpstream,
  'upstream.deleted': ofUpstream,
  'identity.linked': { sub, upstream, by: noMaker },
  'identity.unlinked': { sub, upstream, by },
} satisfies Record<ReportedType | 'grant.ended' | 'webhook.test', Readonly<Record<string, m.Member>>>;

export type WebhookType = keyof typeof webhookData;

export type WebhookData = {
  readonly [Type in WebhookType]: {
    readonly [Name in keyof (typeof webhookData)[Type]]: (typeof webhookData)[Type][Name] extends m.Member<infer Value>
      ? Value
      : never;
  };
};

/** A type and the data that belongs to it. */
export type WebhookMessage = {
  readonly [Type in WebhookType]: { readonly type: Type; readonly data: WebhookData[Type] };
}[WebhookType];

/** An example of each message's data, for the documentation. */
export function exampleOf(type: WebhookType): object {
  const members: Readonly<Record<string, m.Member>> = webhookData[type];
  return Object.fromEntries(Object.entries(members).map(([name, { example }]) => [name, example]));
}

/** The meaning of each type, in the order of documentation and forms. */
export const webhookTypeMeanings: Readonly<Record<WebhookType, string>> = {
  'sign_in.succeeded': 'Someone signed in.',
  'sign_in.refused': 'A sign-in, or a confirmation of identity, was refused.',
  'authorization.refused': "An application's request was refused, or the person can't use the application.",
  'token.refused': 'A code or a refresh token was refused.',
  'client_authentication.refused': 'An application failed to authenticate itself.',

  'user.created':
    'An account was created by an administrator, by sign-up or by invitation. It may wait for approval (`pending_since` in the API).',
  'users.imported': 'A batch of people was imported from another service. No user.created is sent for them.',
  'user.updated':
    "A person's profile, attributes, email address, password, second factors, admin access or end of access changed.",
  'user.password_breached': 'Someone signed in with a password that was exposed in a data breach.',
  'user.disabled':
    'An account was disabled, by an administrator or a directory, or because nobody used it (`reason`). Its grants have ended.',
  'user.expired': 'A person’s access ended on its date. Their grants have ended.',
  'user.enabled': 'An account was enabled again.',
  'user.approved': 'An account that was waiting for approval was approved.',
  'user.deleted': "An account was deleted, by its owner or an administrator, or wasn't approved.",

  'client.created': 'An application was registered.',
  'client.updated': "An application's settings changed.",
  'client.revoked': 'An application was revoked. Its grants have ended.',
  'client.restored': 'An application was restored.',
  'client.deleted': 'An application was deleted.',

  'consent.given': 'Someone gave an application access on the consent page.',
  'consent.denied': 'Someone chose Cancel on the consent page.',
  'consent.withdrawn': 'Someone removed an application from their account.',

  'grant.ended': "Someone's access through an application ended before it expired.",

  'client_secret.rotated': 'An application got a new secret.',
  'client_secret.retired': "An application's previous secret stopped working.",
  'api_key.created': 'An API key was created.',
  'api_key.revoked': 'An API key was revoked.',
  'scim_token.created': 'An administrator created a SCIM token.',
  'scim_token.revoked': 'A SCIM token was revoked.',
  'sign_up_link.created': 'An administrator created a sign-up link.',
  'sign_up_link.revoked': 'A sign-up link was revoked, or its creator lost admin access.',
  'service_keys.retired': 'Old service keys were retired.',

  'settings.changed': 'Settings or branding of the service changed.',
  'access.allowed': "A person or group was added to an application's access list.",
  'access.disallowed': "A person or group was removed from an application's access list.",
  'access.expired': "A membership of a group, or an entry on an application's access list, ended on its date.",
  'access_request.asked': 'Someone asked for access to an application.',
  'access_request.allowed': "A request for access was allowed: the person is on the application's access list.",
  'access_request.declined': 'A request for access was declined.',
  'access_request.expired': 'A request for access ended after 30 days without a decision.',
  'owner.added': 'A person or group became an owner of an application.',
  'owner.removed': 'A person or group is no longer an owner of an application.',
  'group.created': 'A group was created.',
  'group.deleted': 'A group was deleted.',
  'group.protection_changed': 'A group was protected, so that only administrators can change it, or opened again.',
  'group.renamed': 'A group was renamed.',
  'group.member_added': 'Someone was added to a group.',
  'group.member_removed': 'Someone was removed from a group.',

  'attribute.created': 'An attribute of people was defined.',
  'attribute.updated': "An attribute's label, allowed values or who can edit it changed.",
  'attribute.deleted': 'An attribute was deleted, together with everyone’s values.',

  'review.created': 'A review of access was created. It is being filled.',
  'review.opened': 'A review has all its items, and can be worked on.',
  'review.updated': 'The due date of a review changed.',
  'review.decided':
    'A reviewer decided about people who can use an application. Until the review is closed, nothing else changes.',
  'review.closed': 'A review was closed. Its removals are reported as access.disallowed.',
  'review.deleted': 'A review was deleted, by an administrator or because it was kept for as long as the settings say.',

  'webhook.created': 'An endpoint was created.',
  'webhook.updated': "An endpoint's URL, description or event types changed.",
  'webhook.enabled': 'An endpoint was enabled again.',
  'webhook.disabled': 'An endpoint was disabled, by an administrator or because it returned 410.',
  'webhook.secret_rotated': 'An endpoint got a new secret.',
  'webhook.secret_retired': "An endpoint's previous secret stopped working.",
  'webhook.deleted': 'An endpoint was deleted.',
  'webhook.test': 'An administrator sent a test message.',

  'upstream.created': 'An identity provider was added.',
  'upstream.updated': "An identity provider's settings changed.",
  'upstream.refreshed': "An administrator accepted changes to an identity provider's endpoints.",
  'upstream.enabled': 'An identity provider was enabled again.',
  'upstream.disabled': "An identity provider was disabled. People can't sign in with it.",
  'upstream.deleted': 'An identity provider was deleted, together with the identities linked to it.',
  'identity.linked': 'An account was linked to an identity at an identity provider.',
  'identity.unlinked': 'An account was unlinked from an identity at an identity provider.',
};

export const webhookTypes: readonly WebhookType[] = Object.keys(webhookTypeMeanings).filter(isWebhookType);

/** Event types that an endpoint can subscribe to. A test message is sent to any endpoint. */
export const selectableTypes: readonly WebhookType[] = webhookTypes.filter((type) => type !== 'webhook.test');

/** Event types that an application's endpoint can subscribe to, for its own grants. */
export const clientTypes: readonly WebhookType[] = ['grant.ended'];

export function isWebhookType(name: string): name is WebhookType {
  return Object.hasOwn(webhookTypeMeanings, name);
}

/** Whether an endpoint is the service's, and not that of a client, which may have been deleted. */
export function isOfService(endpoint: { readonly clientId?: unknown; readonly clientDeletedAt?: unknown }): boolean {
  return (endpoint.clientId ?? endpoint.clientDeletedAt ?? null) === null;
}
