// The classes of OCSF 1.5.0 that events belong to, with the activities of each (https://schema.ocsf.io/1.5.0), and which of
// them each kind of event is.

import type { EventKind, EventRecord } from '../../../protocol/event.ts';

export const schemaVersion = '1.5.0';

/** By the first digit of a class. */
export const categories: Readonly<Record<number, string>> = {
  3: 'Identity & Access Management',
  6: 'Application Activity',
};

export const classes = {
  account_change: {
    uid: 3001,
    name: 'Account Change',
    activities: {
      Create: 1,
      Enable: 2,
      'Password Change': 3,
      'Password Reset': 4,
      Disable: 5,
      Delete: 6,
      'MFA Factor Enable': 10,
      'MFA Factor Disable': 11,
      Other: 99,
    },
  },
  authentication: {
    uid: 3002,
    name: 'Authentication',
    activities: { Logon: 1, Logoff: 2, Preauth: 6 },
  },
  entity_management: {
    uid: 3004,
    name: 'Entity Management',
    activities: { Create: 1, Update: 3, Delete: 4, Enable: 8, Disable: 9 },
  },
  user_access: {
    uid: 3005,
    name: 'User Access Management',
    activities: { 'Assign Privileges': 1, 'Revoke Privileges': 2 },
  },
  group_management: {
    uid: 3006,
    name: 'Group Management',
    activities: {
      'Assign Privileges': 1,
      'Revoke Privileges': 2,
      'Add User': 3,
      'Remove User': 4,
      Delete: 5,
      Create: 6,
    },
  },
  api_activity: {
    uid: 6003,
    name: 'API Activity',
    activities: { Create: 1, Read: 2, Delete: 4, Other: 99 },
  },
  application_error: {
    uid: 6008,
    name: 'Application Error',
    activities: { 'General Error': 1 },
  },
} as const;

export type ClassName = keyof typeof classes;

/** A class and one of its activities. */
type Classification = {
  [Class in ClassName]: readonly [Class, keyof (typeof classes)[Class]['activities']];
}[ClassName];

const kinds: Readonly<Record<EventKind, Classification>> = {
  signed_in: ['authentication', 'Logon'],
  sign_in_failed: ['authentication', 'Logon'],
  signed_out: ['authentication', 'Logoff'],
  authorization_refused: ['api_activity', 'Create'],
  authorization_denied: ['authentication', 'Logon'],
  post_logout_redirect_refused: ['api_activity', 'Other'],
  access_refused: ['authentication', 'Logon'],
  approved: ['authentication', 'Logon'],
  approvals_throttled: ['authentication', 'Logon'],
  code_exchanged: ['api_activity', 'Create'],
  exchange_refused: ['api_activity', 'Create'],
  refresh_refused: ['api_activity', 'Create'],
  client_authentication_failed: ['authentication', 'Logon'],
  token_revoked: ['api_activity', 'Delete'],
  revocation_refused: ['api_activity', 'Delete'],
  app_removed: ['api_activity', 'Delete'],
  grant_ended_by_replay: ['api_activity', 'Delete'],
  id_token_claims_dropped: ['api_activity', 'Create'],
  scim_refused: ['api_activity', 'Other'],
  claims_previewed: ['api_activity', 'Read'],
  administration_refused: ['api_activity', 'Read'],
  client_created: ['entity_management', 'Create'],
  client_updated: ['entity_management', 'Update'],
  client_secret_rotated: ['entity_management', 'Update'],
  client_secret_retired: ['entity_management', 'Update'],
  client_revoked: ['entity_management', 'Disable'],
  client_restored: ['entity_management', 'Enable'],
  client_deleted: ['entity_management', 'Delete'],
  access_allowed: ['user_access', 'Assign Privileges'],
  access_disallowed: ['user_access', 'Revoke Privileges'],
  access_expired: ['user_access', 'Revoke Privileges'],
  group_created: ['group_management', 'Create'],
  group_deleted: ['group_management', 'Delete'],
  group_protection_changed: ['entity_management', 'Update'],
  group_renamed: ['entity_management', 'Update'],
  group_member_added: ['group_management', 'Add User'],
  group_member_removed: ['group_management', 'Remove User'],
  attribute_created: ['entity_management', 'Create'],
  attribute_updated: ['entity_management', 'Update'],
  attribute_deleted: ['entity_management', 'Delete'],
  user_created: ['account_change', 'Create'],
  people_imported: ['api_activity', 'Create'],
  user_password_set: ['account_change', 'Password Reset'],
  user_disabled: ['account_change', 'Disable'],
  user_expired: ['account_change', 'Disable'],
  user_enabled: ['account_change', 'Enable'],
  user_approved: ['account_change', 'Enable'],
  user_declined: ['account_change', 'Delete'],
  user_deleted: ['account_change', 'Delete'],
  user_invited: ['account_change', 'Other'],
  invitation_resent: ['account_change', 'Other'],
  invitation_withdrawn: ['account_change', 'Other'],
  scim_token_created: ['entity_management', 'Create'],
  scim_token_ended: ['entity_management', 'Delete'],
  sign_up_link_created: ['entity_management', 'Create'],
  sign_up_link_revoked: ['entity_management', 'Disable'],
  user_edited: ['account_change', 'Other'],
  user_email_verified: ['account_change', 'Other'],
  user_made_administrator: ['user_access', 'Assign Privileges'],
  user_administrator_removed: ['user_access', 'Revoke Privileges'],
  user_roles_changed: ['user_access', 'Assign Privileges'],
  user_recovery_link_made: ['account_change', 'Password Reset'],
  user_reset_sent: ['account_change', 'Password Reset'],
  set_up_link_made: ['entity_management', 'Create'],
  first_administrator_created: ['account_change', 'Create'],
  api_key_created: ['entity_management', 'Create'],
  api_key_ended: ['entity_management', 'Delete'],
  service_keys_retired: ['entity_management', 'Delete'],
  webhook_created: ['entity_management', 'Create'],
  webhook_updated: ['entity_management', 'Update'],
  webhook_enabled: ['entity_management', 'Enable'],
  webhook_disabled: ['entity_management', 'Disable'],
  webhook_secret_rotated: ['entity_management', 'Update'],
  webhook_secret_retired: ['entity_management', 'Update'],
  webhook_deleted: ['entity_management', 'Delete'],
  backchannel_logout_waiting: ['application_error', 'General Error'],
  upstream_created: ['entity_management', 'Create'],
  upstream_updated: ['entity_management', 'Update'],
  upstream_refreshed: ['entity_management', 'Update'],
  upstream_enabled: ['entity_management', 'Enable'],
  upstream_disabled: ['entity_management', 'Disable'],
  upstream_deleted: ['entity_management', 'Delete'],
  settings_changed: ['entity_management', 'Update'],
  second_step_asked: ['authentication', 'Preauth'],
  session_raised: ['authentication', 'Logon'],
  sign_up_requested: ['account_change', 'Other'],
  signed_up: ['account_change', 'Create'],
  email_code_requested: ['authentication', 'Preauth'],
  email_verified_by_code: ['account_change', 'Other'],
  account_claimed: ['account_change', 'Other'],
  password_reset_requested: ['account_change', 'Password Reset'],
  password_reset: ['account_change', 'Password Reset'],
  password_changed: ['account_change', 'Password Change'],
  password_removed: ['account_change', 'Password Change'],
  password_found_in_breach: ['account_change', 'Other'],
  profile_changed: ['account_change', 'Other'],
  picture_changed: ['account_change', 'Other'],
  email_change_requested: ['account_change', 'Other'],
  email_changed: ['account_change', 'Other'],
  sessions_ended: ['authentication', 'Logoff'],
  device_trusted: ['account_change', 'Other'],
  device_trust_ended: ['account_change', 'Other'],
  authenticator_added: ['account_change', 'MFA Factor Enable'],
  authenticator_removed: ['account_change', 'MFA Factor Disable'],
  recovery_codes_replaced: ['account_change', 'MFA Factor Enable'],
  recovery_codes_removed: ['account_change', 'MFA Factor Disable'],
  recovery_code_used: ['account_change', 'Other'],
  passkey_added: ['account_change', 'MFA Factor Enable'],
  passkey_removed: ['account_change', 'MFA Factor Disable'],
  second_factors_removed: ['account_change', 'MFA Factor Disable'],
  identity_linked: ['account_change', 'Other'],
  identity_unlinked: ['account_change', 'Other'],
  factor_undone: ['account_change', 'Other'],
  factor_kept: ['account_change', 'Other'],
  account_reviewed: ['account_change', 'Other'],
  data_downloaded: ['api_activity', 'Read'],
  list_downloaded: ['api_activity', 'Read'],
  account_deleted: ['account_change', 'Delete'],
  mail_delayed: ['application_error', 'General Error'],
  mail_given_up: ['application_error', 'General Error'],
  events_suppressed: ['application_error', 'General Error'],
};

export function classify({ kind, detail }: EventRecord): Classification {
  const isOfGroup = detail?.group !== undefined;
  // Applications are opened to people and to groups, which are different classes.
  if (kind === 'access_allowed' && isOfGroup) return ['group_management', 'Assign Privileges'];
  if ((kind === 'access_disallowed' || kind === 'access_expired') && isOfGroup)
    return ['group_management', 'Revoke Privileges'];
  return kinds[kind];
}

const severe: Partial<Record<EventKind, Severity>> = {
  // A code was used twice, so it may have been stolen.
  grant_ended_by_replay: 'High',
  approvals_throttled: 'Medium',
  password_found_in_breach: 'Medium',
  events_suppressed: 'Medium',
};

export const severities = { Informational: 1, Low: 2, Medium: 3, High: 4 } as const;
type Severity = keyof typeof severities;

export function severityOf({ kind, detail }: EventRecord, failed: boolean): Severity {
  if (detail?.reason === 'throttled') return 'Medium';
  return severe[kind] ?? (failed ? 'Low' : 'Informational');
}
