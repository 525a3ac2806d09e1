// Every kind of event, in the order of the filter and of the API's documentation: what it's about, whether it's a failure, what
// a SIEM gets, and what webhooks say. Its words are in the catalogues. When one is recorded is up to operations.

import type { Classification } from './ocsf-classes.ts';

/** Who sees it with less than all rights. `both` has a person and an application; the service's are for those who see everything. */
export type Subject = 'person' | 'application' | 'both' | 'service';

/** What is counted per hour. */
export type TotalKind = 'sign_in' | 'failure' | 'exchange' | 'refresh' | 'userinfo';

/** Why a grant ended before it expired. */
export const grantEndReasons = [
  'person',
  'administrator',
  'client',
  'replay',
  'deletion',
  'lost_access',
  'expired',
  'inactive',
] as const;

export type GrantEndReason = (typeof grantEndReasons)[number];

interface More {
  /** Counted as well, with events that aren't recorded because there are too many of them. */
  readonly counts?: TotalKind;
  /** A failure that isn't counted. */
  readonly fails?: true;
  readonly severity?: 'Medium' | 'High';
  /** The reason of `grant.ended`, if it ends grants. */
  readonly ends?: GrantEndReason;
  /** The type of the webhook message about it. */
  readonly webhook?: string;
  /** Instead: the message is `user.updated`, with this as what has changed unless the event says it. */
  readonly updates?: string;
}

export interface KindOfEvent extends More {
  readonly about: Subject;
  readonly ocsf: Classification;
}

/** With its class in OCSF, and one of the activities of this class. */
function kindAbout(about: Subject) {
  return <const Ocsf extends Classification, const Rest extends More = object>(...row: readonly [...Ocsf, Rest?]) => {
    const [name, activity, rest] = row;
    return { about, ocsf: [name, activity], ...rest } as KindOfEvent & Rest;
  };
}

const person = kindAbout('person');
const application = kindAbout('application');
const both = kindAbout('both');
const service = kindAbout('service');

const rows = {
  signed_in: person('authentication', 'Logon', { counts: 'sign_in', webhook: 'sign_in.succeeded' }),
  sign_in_failed: person('authentication', 'Logon', { counts: 'failure', webhook: 'sign_in.refused' }),
  signed_out: person('authentication', 'Logoff'),
  authorization_refused: application('api_activity', 'Create', { counts: 'failure', webhook: 'authorization.refused' }),
  authorization_denied: both('authentication', 'Logon', { webhook: 'consent.denied' }),
  post_logout_redirect_refused: application('api_activity', 'Other', { counts: 'failure' }),
  access_refused: both('authentication', 'Logon', { counts: 'failure', webhook: 'authorization.refused' }),
  approved: both('authentication', 'Logon', { webhook: 'consent.given' }),
  approvals_throttled: application('authentication', 'Logon', {
    counts: 'failure',
    severity: 'Medium',
    webhook: 'authorization.refused',
  }),
  code_exchanged: application('api_activity', 'Create', { counts: 'exchange' }),
  exchange_refused: application('api_activity', 'Create', { counts: 'failure', webhook: 'token.refused' }),
  refresh_refused: application('api_activity', 'Create', { counts: 'failure', webhook: 'token.refused' }),
  client_authentication_failed: application('authentication', 'Logon', {
    counts: 'failure',
    webhook: 'client_authentication.refused',
  }),
  token_revoked: application('api_activity', 'Delete', { ends: 'client' }),
  revocation_refused: application('api_activity', 'Delete', { fails: true }),
  app_removed: both('api_activity', 'Delete', { ends: 'person', webhook: 'consent.withdrawn' }),
  grant_ended_by_replay: application('api_activity', 'Delete', { fails: true, severity: 'High', ends: 'replay' }),
  id_token_claims_dropped: application('api_activity', 'Create', { fails: true }),
  claims_previewed: service('api_activity', 'Read'),
  administration_refused: service('api_activity', 'Read', { fails: true }),
  client_created: application('entity_management', 'Create', { webhook: 'client.created' }),
  client_updated: application('entity_management', 'Update', { ends: 'lost_access', webhook: 'client.updated' }),
  client_secret_rotated: application('entity_management', 'Update', { webhook: 'client_secret.rotated' }),
  client_secret_retired: application('entity_management', 'Update', { webhook: 'client_secret.retired' }),
  client_revoked: application('entity_management', 'Disable', { ends: 'administrator', webhook: 'client.revoked' }),
  client_restored: application('entity_management', 'Enable', { webhook: 'client.restored' }),
  client_deleted: application('entity_management', 'Delete', { ends: 'deletion', webhook: 'client.deleted' }),
  access_allowed: both('user_access', 'Assign Privileges', { webhook: 'access.allowed' }),
  access_disallowed: both('user_access', 'Revoke Privileges', { ends: 'lost_access', webhook: 'access.disallowed' }),
  access_expired: both('user_access', 'Revoke Privileges', { ends: 'expired', webhook: 'access.expired' }),
  access_requested: both('api_activity', 'Create', { webhook: 'access_request.asked' }),
  access_request_allowed: both('api_activity', 'Other', { webhook: 'access_request.allowed' }),
  access_request_declined: both('api_activity', 'Other', { webhook: 'access_request.declined' }),
  access_request_expired: both('api_activity', 'Other', { webhook: 'access_request.expired' }),
  owner_added: both('user_access', 'Assign Privileges', { webhook: 'owner.added' }),
  owner_removed: both('user_access', 'Revoke Privileges', { webhook: 'owner.removed' }),
  review_created: service('entity_management', 'Create', { webhook: 'review.created' }),
  review_opened: service('entity_management', 'Update', { webhook: 'review.opened' }),
  review_updated: service('entity_management', 'Update', { webhook: 'review.updated' }),
  review_decided: application('entity_management', 'Update', { webhook: 'review.decided' }),
  review_closed: service('entity_management', 'Update', { webhook: 'review.closed' }),
  review_deleted: service('entity_management', 'Delete', { webhook: 'review.deleted' }),
  group_created: service('group_management', 'Create', { webhook: 'group.created' }),
  group_deleted: service('group_management', 'Delete', { ends: 'lost_access', webhook: 'group.deleted' }),
  group_renamed: service('entity_management', 'Update', { webhook: 'group.renamed' }),
  group_protection_changed: service('entity_management', 'Update', { webhook: 'group.protection_changed' }),
  group_member_added: person('group_management', 'Add User', { webhook: 'group.member_added' }),
  group_member_removed: person('group_management', 'Remove User', {
    ends: 'lost_access',
    webhook: 'group.member_removed',
  }),
  attribute_created: service('entity_management', 'Create', { webhook: 'attribute.created' }),
  attribute_updated: service('entity_management', 'Update', { webhook: 'attribute.updated' }),
  attribute_deleted: service('entity_management', 'Delete', { webhook: 'attribute.deleted' }),
  user_created: person('account_change', 'Create', { webhook: 'user.created' }),
  people_imported: service('api_activity', 'Create', { webhook: 'users.imported' }),
  user_password_set: person('account_change', 'Password Reset', { updates: 'password' }),
  user_disabled: person('account_change', 'Disable', { ends: 'administrator', webhook: 'user.disabled' }),
  user_expired: person('account_change', 'Disable', { ends: 'expired', webhook: 'user.expired' }),
  user_enabled: person('account_change', 'Enable', { webhook: 'user.enabled' }),
  user_approved: person('account_change', 'Enable', { webhook: 'user.approved' }),
  user_declined: person('account_change', 'Delete', { ends: 'deletion', webhook: 'user.deleted' }),
  user_deleted: person('account_change', 'Delete', { ends: 'deletion', webhook: 'user.deleted' }),
  user_invited: service('account_change', 'Other'),
  invitation_resent: service('account_change', 'Other'),
  invitation_withdrawn: service('account_change', 'Other'),
  sign_up_link_created: service('entity_management', 'Create', { webhook: 'sign_up_link.created' }),
  sign_up_link_revoked: service('entity_management', 'Disable', { webhook: 'sign_up_link.revoked' }),
  scim_token_created: service('entity_management', 'Create', { webhook: 'scim_token.created' }),
  scim_token_ended: service('entity_management', 'Delete', { webhook: 'scim_token.revoked' }),
  user_edited: person('account_change', 'Other', { webhook: 'user.updated' }),
  user_email_verified: person('account_change', 'Other', { updates: 'email_verified' }),
  user_made_administrator: service('user_access', 'Assign Privileges', { updates: 'admin' }),
  user_administrator_removed: service('user_access', 'Revoke Privileges', { updates: 'admin' }),
  user_roles_changed: service('user_access', 'Assign Privileges', { updates: 'roles' }),
  user_recovery_link_made: person('account_change', 'Password Reset'),
  user_reset_sent: person('account_change', 'Password Reset'),
  set_up_link_made: service('entity_management', 'Create'),
  first_administrator_created: service('account_change', 'Create', { webhook: 'user.created' }),
  api_key_created: service('entity_management', 'Create', { webhook: 'api_key.created' }),
  api_key_ended: service('entity_management', 'Delete', { webhook: 'api_key.revoked' }),
  service_keys_retired: service('entity_management', 'Delete', { webhook: 'service_keys.retired' }),
  settings_changed: service('entity_management', 'Update', { webhook: 'settings.changed' }),
  webhook_created: service('entity_management', 'Create', { webhook: 'webhook.created' }),
  webhook_updated: service('entity_management', 'Update', { webhook: 'webhook.updated' }),
  webhook_enabled: service('entity_management', 'Enable', { webhook: 'webhook.enabled' }),
  webhook_disabled: service('entity_management', 'Disable', { webhook: 'webhook.disabled' }),
  webhook_secret_rotated: service('entity_management', 'Update', { webhook: 'webhook.secret_rotated' }),
  webhook_secret_retired: service('entity_management', 'Update', { webhook: 'webhook.secret_retired' }),
  webhook_deleted: service('entity_management', 'Delete', { webhook: 'webhook.deleted' }),
  backchannel_logout_waiting: application('application_error', 'General Error'),
  upstream_created: service('entity_management', 'Create', { webhook: 'upstream.created' }),
  upstream_updated: service('entity_management', 'Update', { webhook: 'upstream.updated' }),
  upstream_refreshed: service('entity_management', 'Update', { webhook: 'upstream.refreshed' }),
  upstream_enabled: service('entity_management', 'Enable', { webhook: 'upstream.enabled' }),
  upstream_disabled: service('entity_management', 'Disable', { webhook: 'upstream.disabled' }),
  upstream_deleted: service('entity_management', 'Delete', { webhook: 'upstream.deleted' }),
  second_step_asked: person('authentication', 'Preauth'),
  session_raised: person('authentication', 'Logon'),
  sign_up_requested: person('account_change', 'Other'),
  signed_up: person('account_change', 'Create', { webhook: 'user.created' }),
  email_code_requested: person('authentication', 'Preauth'),
  email_verified_by_code: person('account_change', 'Other', { ends: 'person', updates: 'email_verified' }),
  account_claimed: person('account_change', 'Other', { ends: 'person', updates: 'email_verified' }),
  password_reset_requested: person('account_change', 'Password Reset'),
  password_reset: person('account_change', 'Password Reset', { updates: 'password' }),
  password_changed: person('account_change', 'Password Change', { updates: 'password' }),
  password_removed: person('account_change', 'Password Change', { updates: 'password' }),
  password_found_in_breach: person('account_change', 'Other', {
    severity: 'Medium',
    webhook: 'user.password_breached',
  }),
  profile_changed: person('account_change', 'Other', { updates: 'profile' }),
  picture_changed: person('account_change', 'Other', { updates: 'picture' }),
  email_change_requested: person('account_change', 'Other'),
  email_changed: person('account_change', 'Other', { ends: 'person', updates: 'email' }),
  sessions_ended: person('authentication', 'Logoff'),
  device_trusted: person('account_change', 'Other'),
  device_trust_ended: person('account_change', 'Other'),
  authenticator_added: person('account_change', 'MFA Factor Enable', { updates: 'second_factors' }),
  authenticator_removed: person('account_change', 'MFA Factor Disable', { updates: 'second_factors' }),
  recovery_codes_replaced: person('account_change', 'MFA Factor Enable', { updates: 'recovery_codes' }),
  recovery_codes_removed: person('account_change', 'MFA Factor Disable', { updates: 'recovery_codes' }),
  recovery_code_used: person('account_change', 'Other'),
  passkey_added: person('account_change', 'MFA Factor Enable', { updates: 'second_factors' }),
  passkey_removed: person('account_change', 'MFA Factor Disable', { updates: 'second_factors' }),
  second_factors_removed: person('account_change', 'MFA Factor Disable', { updates: 'second_factors' }),
  identity_linked: person('account_change', 'Other', { webhook: 'identity.linked' }),
  identity_unlinked: person('account_change', 'Other', { webhook: 'identity.unlinked' }),
  factor_undone: person('account_change', 'Other', { updates: 'second_factors' }),
  factor_kept: person('account_change', 'Other', { updates: 'second_factors' }),
  account_reviewed: person('account_change', 'Other', { ends: 'person' }),
  data_downloaded: person('api_activity', 'Read'),
  list_downloaded: service('api_activity', 'Read'),
  account_deleted: person('account_change', 'Delete', { ends: 'deletion', webhook: 'user.deleted' }),
  mail_delayed: service('application_error', 'General Error', { fails: true }),
  mail_given_up: service('application_error', 'General Error', { fails: true }),
  scim_refused: person('api_activity', 'Other', { fails: true }),
  events_suppressed: service('application_error', 'General Error', { severity: 'Medium' }),
} as const;

export type EventKind = keyof typeof rows;
/** What webhooks say something about. */
export type ReportedType = Extract<(typeof rows)[EventKind], { readonly webhook: string }>['webhook'] | 'user.updated';

export const kindsOfEvents: Readonly<Record<EventKind, KindOfEvent>> = rows;
export const eventKinds = Object.keys(rows) as readonly EventKind[];

export function grantEndReasonOf(event: {
  readonly kind: EventKind;
  readonly detail?: Readonly<Record<string, unknown>>;
}): GrantEndReason {
  const { ends = 'administrator' } = kindsOfEvents[event.kind];
  return event.kind === 'user_disabled' && event.detail?.reason === 'inactive' ? 'inactive' : ends;
}

/** The kinds that are failures, for the filter. */
export const failureKinds = eventKinds.filter((kind) => {
  const { counts, fails } = kindsOfEvents[kind];
  return fails || counts === 'failure';
});
