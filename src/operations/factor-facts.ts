// What follows from the factors that a person has.

import type { SignInFacts } from '../storage/storage.ts';

/** Suspended ones don't count. */
export function hasSecondFactor({ authenticator, passkeys }: Pick<SignInFacts, 'authenticator' | 'passkeys'>): boolean {
  return authenticator !== undefined || passkeys.length > 0;
}
