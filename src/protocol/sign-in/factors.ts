// With which first and second factor a person signs in, and how each pair is recorded: by one name in events and metrics, by
// `amr` in sessions and tokens. The names are in stores and in dashboards, so they stay. Also how strong a sign-in is, for the `acr`
// claim and `acr_values`.

import { includes } from '../reading/includes.ts';

/** `none`: the first factor alone. `trusted_device`: not asked for. `upstream`: proved at the upstream, which is trusted for it. */
const recorded = [
  { first: 'password', second: 'none', method: 'password', amr: ['pwd'] },
  { first: 'password', second: 'trusted_device', method: 'password_on_trusted_device', amr: ['pwd'] },
  { first: 'password', second: 'code', method: 'password_and_code', amr: ['pwd', 'otp', 'mfa'] },
  { first: 'password', second: 'recovery_code', method: 'password_and_recovery_code', amr: ['pwd', 'otp', 'mfa'] },
  { first: 'password', second: 'passkey', method: 'password_and_passkey', amr: ['pwd', 'pop', 'mfa'] },
  // A passkey alone counts as two factors: the service requires user verification, so the device has checked a PIN or a
  // fingerprint.
  { first: 'passkey', second: 'none', method: 'passkey', amr: ['pop', 'user', 'mfa'] },
  { first: 'sign_up', second: 'none', method: 'sign_up', amr: ['pwd'] },
  { first: 'upstream', second: 'none', method: 'upstream', amr: ['fed'] },
  { first: 'upstream', second: 'trusted_device', method: 'upstream_on_trusted_device', amr: ['fed'] },
  { first: 'upstream', second: 'upstream', method: 'upstream_two_factors', amr: ['fed', 'mfa'] },
  { first: 'upstream', second: 'code', method: 'upstream_and_code', amr: ['fed', 'otp', 'mfa'] },
  { first: 'upstream', second: 'recovery_code', method: 'upstream_and_recovery_code', amr: ['fed', 'otp', 'mfa'] },
  { first: 'upstream', second: 'passkey', method: 'upstream_and_passkey', amr: ['fed', 'pop', 'mfa'] },
  // Not on a trusted device: anyone who has a person's device often has their mailbox as well.
  { first: 'email_code', second: 'none', method: 'email_code', amr: ['otp'] },
  { first: 'email_code', second: 'code', method: 'email_code_and_code', amr: ['otp', 'mfa'] },
  { first: 'email_code', second: 'recovery_code', method: 'email_code_and_recovery_code', amr: ['otp', 'mfa'] },
  { first: 'email_code', second: 'passkey', method: 'email_code_and_passkey', amr: ['otp', 'pop', 'mfa'] },
] as const;

type Recorded = (typeof recorded)[number];
type PairIn<Row> = Row extends Recorded ? Readonly<Pick<Row, 'first' | 'second'>> : never;

export type SignInFactors = PairIn<Recorded>;
/** What a person proves in a step of its own, after the first factor. */
export type ProvableFactor = 'code' | 'recovery_code' | 'passkey';

export const signInMethods = recorded.map(({ method }) => method);

export function recordOf({ first, second }: SignInFactors): Recorded {
  const row = recorded.find((each) => each.first === first && each.second === second);
  if (row === undefined) throw new Error(`${first} and ${second} are no way to sign in`);
  return row;
}

/** With what a session began, before any second factor. */
export function firstFactorOf(amr: readonly string[]): 'password' | 'upstream' | 'email_code' {
  if (isFederated(amr)) return 'upstream';
  return amr.includes('otp') && !amr.includes('pwd') ? 'email_code' : 'password';
}

/** Whether a session began at an upstream, where the person may still be signed in when it ends. */
export function isFederated(amr: readonly string[]): boolean {
  return amr.includes('fed');
}

/** "1" for one factor, "2" for two or for a passkey with user verification. */
export const acrValues = ['1', '2'] as const;
export type Acr = (typeof acrValues)[number];

/** A sign-in with two factors has `mfa` among its methods. */
export function hasTwoFactors(amr: readonly string[]): boolean {
  return amr.includes('mfa');
}

export function acrOf(amr: readonly string[]): Acr {
  return hasTwoFactors(amr) ? '2' : '1';
}

/** The values come in order of preference; those that aren't known here are ignored. */
export function prefersTwoFactors(values: string | undefined): boolean {
  return values?.split(' ').find((value) => includes(acrValues, value)) === '2';
}
