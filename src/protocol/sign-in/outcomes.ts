// How a sign-in ends: by which method it succeeded, or why it was refused. Events and metrics use the same names.

/** How someone signed in, as the activity page shows it. */
export const signInMethods = [
  'password',
  'password_on_trusted_device',
  'password_and_code',
  'password_and_recovery_code',
  'password_and_passkey',
  'passkey',
  'sign_up',
  'upstream',
  'upstream_on_trusted_device',
  'upstream_two_factors',
  'upstream_and_code',
  'upstream_and_recovery_code',
  'upstream_and_passkey',
] as const;

export type SignInMethod = (typeof signInMethods)[number];

/** Why a response from an identity provider is refused. */
export const upstreamRefusals = [
  'upstream_expired',
  'upstream_replayed',
  'upstream_disabled',
  'upstream_denied',
  'upstream_error',
  'upstream_unreachable',
  'upstream_invalid_response',
  'upstream_not_fresh',
  'upstream_domain_not_allowed',
  'upstream_email_not_trusted',
  'upstream_email_taken',
  'upstream_unknown_identity',
  'upstream_identity_taken',
  'upstream_other_person',
] as const;

export type UpstreamRefusal = (typeof upstreamRefusals)[number];

export const signInRefusals = [
  'throttled',
  'unknown_person',
  'wrong_password',
  'disabled',
  'changed_meanwhile',
  'wrong_second_step',
  'wrong_passkey',
  'wrong_password_in_account',
  ...upstreamRefusals,
] as const;

export type SignInRefusal = (typeof signInRefusals)[number];
