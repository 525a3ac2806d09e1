// How sure the service is of who has signed in, as the `acr` claim says it and `acr_values` asks for it: "1" for one
// factor, "2" for two, or for a passkey with user verification.

import { includes } from '../reading/includes.ts';

export const acrValues = ['1', '2'] as const;
export type Acr = (typeof acrValues)[number];

/** A way to sign in that counts as two factors says so among its methods. */
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
