// The bridge's keys, and what they seal. What lies in its file needs, besides the key file, something that isn't there: a token
// that the application has, or the `sid` of the sign-in.

import { derivedKey, seal, unseal } from '../platform/relying-party/sealing.ts';
import { hmacSha256 } from '../protocol/digest.ts';

type Purpose = 'token' | 'grant' | 'signing key' | 'sign-in' | 'sign-out';

export interface BridgeKeys {
  /** `opener` is what is needed besides the key file. What is bound to something opens only with the same. */
  seal(purpose: Purpose, opener: string, boundTo: string, text: string): Buffer;
  /** Undefined if it was sealed in another way, or changed. */
  unseal(purpose: Purpose, opener: string, boundTo: string, sealed: Uint8Array): string | undefined;
  /** By which the rows of a sign-in are found when it ends. The file doesn't say what it is. */
  sidMark(clientId: string, sid: string): string;
}

/** `secret` is the one in the key file. */
export function bridgeKeys(secret: string): BridgeKeys {
  const keyFor = (purpose: Purpose, opener: string) => derivedKey(secret, opener, `latchkey bridge ${purpose}`);
  const markKey = derivedKey(secret, '', 'latchkey bridge sid');
  return {
    seal: (purpose, opener, boundTo, text) => seal(text, keyFor(purpose, opener), boundTo),
    unseal: (purpose, opener, boundTo, sealed) => unseal(sealed, keyFor(purpose, opener), boundTo),
    sidMark: (clientId, sid) => hmacSha256(markKey, JSON.stringify([clientId, sid])),
  };
}
