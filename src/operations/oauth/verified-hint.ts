// What an ID token says that comes back as a hint, at sign-out and in an authorization request.

import { type Hint, readHint } from '../../protocol/oauth/id-token-hint.ts';
import type { Services } from '../services.ts';

/** Undefined for anything but an ID token that this service has issued. */
export function verifiedHint(
  { issuer, keys, clock }: Pick<Services, 'issuer' | 'clock' | 'keys'>,
  token: string,
): Hint | undefined {
  return readHint(token, issuer, keys.sidKeys(clock.now()));
}
