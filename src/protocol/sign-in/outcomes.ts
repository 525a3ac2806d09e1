// Why a sign-in is refused. Events and metrics use the same names.

/** Why a response from an upstream lets nobody in. */
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
  'expired',
  'waiting_for_approval',
  'too_many_waiting',
  'password_over',
  'changed_meanwhile',
  'wrong_second_step',
  'wrong_passkey',
  'wrong_password_in_account',
  'wrong_email_code',
  'unverified_email',
  ...upstreamRefusals,
] as const;

export type SignInRefusal = (typeof signInRefusals)[number];
