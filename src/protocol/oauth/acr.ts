// The strength of a sign-in, for the `acr` claim and `acr_values`: "1" for one factor, "2" for two or for a passkey with user
// verification.

import { includes } from '../reading/includes.ts';

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
