// What the security page shows about how a user signs in. Changing any of it is in passwords.ts and second-factors.ts.

import type { Passkey, SignedIn } from '../../storage/storage.ts';
import type { Services } from '../services.ts';

export interface SignInMethods {
  readonly hasAuthenticator: boolean;
  /** How many recovery codes are left. */
  readonly recoveryCodes: number;
  readonly passkeys: readonly Passkey[];
}

export async function signInMethods(services: Services, { user }: SignedIn): Promise<SignInMethods> {
  const { authenticator, recoveryCodes, passkeys } = await services.storage.findSignInFacts(user.id, undefined);
  return { hasAuthenticator: authenticator !== undefined, recoveryCodes, passkeys };
}
