// How a sign-in ends: by which method it succeeded, or why it was refused. Events and metrics use the same names.

/** How somebody has proved who they are, as the activity page shows it. */
export const signInMethods = [
  'password',
  'password_on_trusted_device',
  'password_and_code',
  'password_and_recovery_code',
  'password_and_passkey',
  'passkey',
  'sign_up',
] as const;

export type SignInMethod = (typeof signInMethods)[number];

export const signInRefusals = [
  'throttled',
  'unknown_person',
  'wrong_password',
  'disabled',
  'changed_meanwhile',
  'wrong_second_step',
  'wrong_passkey',
  'wrong_password_in_account',
] as const;

export type SignInRefusal = (typeof signInRefusals)[number];
