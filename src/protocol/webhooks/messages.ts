// What a webhook says about an event, and which events end grants. That grants have ended is a message of its own: one
// event can end those of many people and applications, and only storage knows which.

import type { EventKind, EventRecord } from '../event.ts';
import { isoTime } from '../iso-time.ts';
import type { GrantEndReason, WebhookData, WebhookMessage } from './types.ts';

/** The reason that `grant.ended` has for an event of this kind. Other kinds end no grants. */
export const grantEndReasonOf: Partial<Record<EventKind, GrantEndReason>> = {
  app_removed: 'person',
  account_reviewed: 'person',
  email_verified_by_code: 'person',
  account_claimed: 'person',
  email_changed: 'person',
  user_disabled: 'administrator',
  user_expired: 'expired',
  access_expired: 'expired',
  client_revoked: 'administrator',
  token_revoked: 'client',
  grant_ended_by_replay: 'replay',
  user_deleted: 'deletion',
  user_declined: 'deletion',
  account_deleted: 'deletion',
  client_deleted: 'deletion',
  client_updated: 'lost_access',
  access_disallowed: 'lost_access',
  group_member_removed: 'lost_access',
  group_deleted: 'lost_access',
};

export function grantEnded(grant: {
  readonly id: string | null;
  readonly userId: string | null;
  readonly clientId: string;
  readonly reason: GrantEndReason;
}): WebhookMessage {
  const { id, userId, clientId, reason } = grant;
  return { type: 'grant.ended', data: { grant_id: id, sub: userId, client_id: clientId, reason } };
}

/** The body of a request, which is also what is signed. */
export function webhookBody({ type, data }: { readonly type: string; readonly data: object }, at: number): string {
  return JSON.stringify({ type, timestamp: isoTime(at), data });
}

/** Undefined for an event that webhooks don't report. */
export function messageAbout(event: EventRecord): WebhookMessage | undefined {
  return messages[event.kind]?.(event);
}

type Message = (event: EventRecord) => WebhookMessage | undefined;

const userUpdated = (...changed: string[]): Message => {
  return (event) => ({ type: 'user.updated', data: { sub: subOf(event), changed, by: byOf(event) } });
};
const secondFactors = userUpdated('second_factors');
const recoveryCodes = userUpdated('recovery_codes');
const password = userUpdated('password');

const messages: Partial<Record<EventKind, Message>> = {
  signed_in: (event) => ({
    type: 'sign_in.succeeded',
    data: { sub: subOf(event), client_id: clientOf(event), method: text(event, 'method'), ip_address: event.address },
  }),
  sign_in_failed: (event) => ({ type: 'sign_in.refused', data: refusal(event, text(event, 'reason')) }),
  authorization_refused: (event) => ({ type: 'authorization.refused', data: refusal(event, text(event, 'reason')) }),
  access_refused: (event) => ({ type: 'authorization.refused', data: refusal(event, 'no_access') }),
  approvals_throttled: (event) => ({ type: 'authorization.refused', data: refusal(event, 'throttled') }),
  exchange_refused: (event) => tokenRefused(event, 'authorization_code', texts(event, 'reasons')),
  refresh_refused: (event) => tokenRefused(event, 'refresh_token', [text(event, 'reason')]),
  client_authentication_failed: (event) => {
    const { client_id, reason, ip_address } = refusal(event, text(event, 'reason'));
    return { type: 'client_authentication.refused', data: { client_id, reason, ip_address } };
  },

  user_created: (event) => ({ type: 'user.created', data: userOf(event) }),
  signed_up: (event) => ({ type: 'user.created', data: userOf(event) }),
  first_administrator_created: (event) => ({ type: 'user.created', data: userOf(event) }),
  people_imported: (event) => ({
    type: 'users.imported',
    data: { source: text(event, 'source'), count: Number(event.detail?.people ?? 0), by: byOf(event) },
  }),
  user_edited: (event) => ({ type: 'user.updated', data: { ...userOf(event), changed: changedIn(event) } }),
  profile_changed: (event) => {
    // Without a list, it's about nothing else.
    const changed = event.detail?.changed === undefined ? ['profile'] : changedIn(event);
    return { type: 'user.updated', data: { ...userOf(event), changed } };
  },
  picture_changed: userUpdated('picture'),
  email_changed: userUpdated('email'),
  user_email_verified: userUpdated('email_verified'),
  email_verified_by_code: (event) => {
    const changed = ['email_verified', ...(texts(event, 'ended').includes('password') ? ['password'] : [])];
    return { type: 'user.updated', data: { ...userOf(event), changed } };
  },
  // A reset of the password is reported by itself.
  account_claimed: (event) => (text(event, 'by') === 'reset_link' ? userUpdated('email_verified')(event) : undefined),
  user_made_administrator: userUpdated('admin'),
  user_administrator_removed: userUpdated('admin'),
  user_roles_changed: userUpdated('roles'),
  user_password_set: password,
  password_changed: password,
  password_reset: password,
  password_removed: password,
  password_found_in_breach: (event) => ({ type: 'user.password_breached', data: userOf(event) }),
  authenticator_added: secondFactors,
  authenticator_removed: secondFactors,
  passkey_added: secondFactors,
  passkey_removed: secondFactors,
  second_factors_removed: secondFactors,
  factor_undone: secondFactors,
  factor_kept: secondFactors,
  recovery_codes_replaced: recoveryCodes,
  recovery_codes_removed: recoveryCodes,
  user_disabled: (event) => ({ type: 'user.disabled', data: userOf(event) }),
  user_expired: (event) => ({ type: 'user.expired', data: userOf(event) }),
  user_enabled: (event) => ({ type: 'user.enabled', data: userOf(event) }),
  user_approved: (event) => ({ type: 'user.approved', data: userOf(event) }),
  user_declined: (event) => ({ type: 'user.deleted', data: userOf(event) }),
  user_deleted: (event) => ({ type: 'user.deleted', data: userOf(event) }),
  account_deleted: (event) => ({ type: 'user.deleted', data: userOf(event) }),

  client_created: (event) => ({ type: 'client.created', data: clientData(event) }),
  client_updated: (event) => ({ type: 'client.updated', data: { ...clientData(event), changed: changedIn(event) } }),
  client_revoked: (event) => ({ type: 'client.revoked', data: clientData(event) }),
  client_restored: (event) => ({ type: 'client.restored', data: clientData(event) }),
  client_deleted: (event) => ({ type: 'client.deleted', data: clientData(event) }),
  client_secret_rotated: (event) => ({ type: 'client_secret.rotated', data: clientData(event) }),
  client_secret_retired: (event) => ({ type: 'client_secret.retired', data: clientData(event) }),

  approved: (event) => {
    // A remembered consent was reported when it was given.
    if (text(event, 'consent') !== 'asked') return undefined;
    return { type: 'consent.given', data: { ...consentOf(event), scopes: text(event, 'scope').split(' ') } };
  },
  authorization_denied: (event) => ({ type: 'consent.denied', data: consentOf(event) }),
  app_removed: (event) => ({ type: 'consent.withdrawn', data: consentOf(event) }),

  api_key_created: (event) => ({
    type: 'api_key.created',
    data: {
      key_id: text(event, 'key'),
      name: text(event, 'name'),
      permission: text(event, 'permission'),
      roles: texts(event, 'roles'),
      by: byOf(event),
    },
  }),
  api_key_ended: (event) => ({ type: 'api_key.revoked', data: { key_id: text(event, 'key'), by: byOf(event) } }),
  scim_token_created: (event) => ({
    type: 'scim_token.created',
    data: { token_id: text(event, 'token'), source: text(event, 'source'), name: text(event, 'name'), by: byOf(event) },
  }),
  scim_token_ended: (event) => ({
    type: 'scim_token.revoked',
    data: { token_id: text(event, 'token'), by: byOf(event) },
  }),
  sign_up_link_created: (event) => ({
    type: 'sign_up_link.created',
    data: { link_id: text(event, 'link'), uses: Number(event.detail?.uses ?? 0), by: byOf(event) },
  }),
  sign_up_link_revoked: (event) => ({
    type: 'sign_up_link.revoked',
    data: { link_id: text(event, 'link'), by: byOf(event) },
  }),
  service_keys_retired: (event) => ({
    type: 'service_keys.retired',
    data: { keys: Number(event.detail?.keys ?? 0), by: byOf(event) },
  }),

  settings_changed: (event) => ({ type: 'settings.changed', data: { changed: changedIn(event), by: byOf(event) } }),
  access_allowed: (event) => ({ type: 'access.allowed', data: listingOf(event) }),
  access_disallowed: (event) => ({ type: 'access.disallowed', data: listingOf(event) }),
  access_expired: (event) => ({ type: 'access.expired', data: { ...listingOf(event), client_id: clientOf(event) } }),
  group_created: (event) => ({ type: 'group.created', data: groupOf(event) }),
  group_deleted: (event) => ({ type: 'group.deleted', data: groupOf(event) }),
  group_protection_changed: (event) => ({
    type: 'group.protection_changed',
    data: { ...groupOf(event), protected: text(event, 'protected') === 'yes' },
  }),
  group_renamed: (event) => ({ type: 'group.renamed', data: { ...groupOf(event), before: text(event, 'before') } }),
  group_member_added: (event) => ({ type: 'group.member_added', data: { ...groupOf(event), sub: subOf(event) } }),
  group_member_removed: (event) => ({ type: 'group.member_removed', data: { ...groupOf(event), sub: subOf(event) } }),

  attribute_created: (event) => ({ type: 'attribute.created', data: attributeOf(event) }),
  attribute_updated: (event) => ({
    type: 'attribute.updated',
    data: { ...attributeOf(event), changed: changedIn(event) },
  }),
  attribute_deleted: (event) => ({ type: 'attribute.deleted', data: attributeOf(event) }),

  webhook_created: (event) => ({ type: 'webhook.created', data: webhookOf(event) }),
  webhook_updated: (event) => ({ type: 'webhook.updated', data: { ...webhookOf(event), changed: changedIn(event) } }),
  webhook_enabled: (event) => ({ type: 'webhook.enabled', data: webhookOf(event) }),
  webhook_disabled: (event) => ({
    type: 'webhook.disabled',
    data: { ...webhookOf(event), reason: text(event, 'reason') },
  }),
  webhook_secret_rotated: (event) => ({ type: 'webhook.secret_rotated', data: webhookOf(event) }),
  webhook_secret_retired: (event) => ({ type: 'webhook.secret_retired', data: webhookOf(event) }),
  webhook_deleted: (event) => ({ type: 'webhook.deleted', data: webhookOf(event) }),

  upstream_created: (event) => ({ type: 'upstream.created', data: upstreamOf(event) }),
  upstream_updated: (event) => ({
    type: 'upstream.updated',
    data: { ...upstreamOf(event), changed: changedIn(event) },
  }),
  upstream_refreshed: (event) => ({
    type: 'upstream.refreshed',
    data: { ...upstreamOf(event), changed: changedIn(event) },
  }),
  upstream_enabled: (event) => ({ type: 'upstream.enabled', data: upstreamOf(event) }),
  upstream_disabled: (event) => ({ type: 'upstream.disabled', data: upstreamOf(event) }),
  upstream_deleted: (event) => ({ type: 'upstream.deleted', data: upstreamOf(event) }),
  identity_linked: (event) => ({ type: 'identity.linked', data: { sub: subOf(event), ...upstreamOf(event) } }),
  identity_unlinked: (event) => ({ type: 'identity.unlinked', data: { sub: subOf(event), ...upstreamOf(event) } }),
};

function tokenRefused(
  event: EventRecord,
  grantType: WebhookData['token.refused']['grant_type'],
  reasons: readonly string[],
): WebhookMessage {
  const data = { sub: event.userId ?? null, client_id: clientOf(event), grant_type: grantType, reasons };
  return { type: 'token.refused', data: { ...data, ip_address: event.address } };
}

function refusal(event: EventRecord, reason: string): WebhookData['sign_in.refused'] {
  return { sub: event.userId ?? null, client_id: clientOf(event), reason, ip_address: event.address };
}

function userOf(event: EventRecord): WebhookData['user.created'] {
  return { sub: subOf(event), by: byOf(event) };
}

function clientData(event: EventRecord): WebhookData['client.created'] {
  return { client_id: event.clientId ?? '', by: byOf(event) };
}

function consentOf(event: EventRecord): WebhookData['consent.denied'] {
  return { sub: subOf(event), client_id: event.clientId ?? '' };
}

function listingOf(event: EventRecord): WebhookData['access.allowed'] {
  return {
    ...clientData(event),
    sub: event.userId ?? null,
    group: text(event, 'group') || null,
  };
}

function groupOf(event: EventRecord): WebhookData['group.created'] {
  return { group: text(event, 'group'), by: byOf(event) };
}

function attributeOf(event: EventRecord): WebhookData['attribute.created'] {
  return { attribute: text(event, 'attribute'), by: byOf(event) };
}

function webhookOf(event: EventRecord): WebhookData['webhook.created'] {
  return { webhook_id: text(event, 'webhook'), by: byOf(event) };
}

function upstreamOf(event: EventRecord): WebhookData['upstream.created'] {
  return { upstream: text(event, 'upstream'), by: byOf(event) };
}

function subOf({ userId = '' }: EventRecord): string {
  return userId;
}

function clientOf({ clientId }: EventRecord): string | null {
  return clientId ?? null;
}

function byOf({ actor }: EventRecord): WebhookData['user.created']['by'] {
  return actor === undefined ? null : { kind: actor.kind, id: actor.id };
}

function text({ detail }: EventRecord, name: string): string {
  const value = detail?.[name];
  return typeof value === 'string' ? value : '';
}

function texts({ detail }: EventRecord, name: string): readonly string[] {
  const value = detail?.[name];
  return typeof value === 'object' ? value : [];
}

/** The API's names of changed fields, where the event has the code's. */
function changedIn(event: EventRecord): string[] {
  return texts(event, 'changed').map((name) =>
    name === 'type' ? 'public' : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  );
}
