// What the security page shows about how a user signs in. Changing any of it is in passwords.ts and second-factors.ts.

import type { Passkey, SuspendedFactor, User } from '../../storage/storage.ts';
import type { Services } from '../services.ts';

export interface SignInMethods {
  readonly hasAuthenticator: boolean;
  /** How many recovery codes are left. */
  readonly recoveryCodes: number;
  readonly passkeys: readonly Passkey[];
  /** Out of use since a password reset, until the user decides. */
  readonly suspended: readonly SuspendedFactor[];
}

export async function signInMethods(services: Pick<Services, 'storage'>, user: User): Promise<SignInMethods> {
  const { authenticator, ...facts } = await services.storage.findSignInFacts(user.id, undefined);
  const { recoveryCodes, passkeys, suspended } = facts;
  return { hasAuthenticator: authenticator !== undefined, recoveryCodes, passkeys, suspended };
}
