// What signs logout tokens for a client: the two states of HMAC with its secret (protocol/resumable-hmac.ts), sealed, from the
// first time that the secret is presented while the client has back-channel logout. The secret itself isn't kept.

import type { ServiceKeys } from '../../platform/keys.ts';
import { digestOf } from '../../protocol/digest.ts';
import { hmacStatesOf } from '../../protocol/resumable-hmac.ts';
import type { Client } from '../../storage/storage.ts';
import { sealPurpose } from '../seal-purposes.ts';

interface Sealing {
  readonly keys: ServiceKeys;
}

/** With the digest of the secret, so that they're never used for another one. */
export function sealStates({ keys }: Sealing, clientId: string, secret: string): string {
  return keys.seal(sealPurpose('secret_states', clientId), `${digestOf(secret)} ${hmacStatesOf(secret)}`);
}

/** Those of the newest secret that has been presented. `unusable` are of another secret, or sealed with a key that is gone. */
export function openStates(
  { keys }: Sealing,
  { id, secrets }: Pick<Client, 'id' | 'secrets'>,
): { readonly states: string | undefined; readonly unusable: readonly string[] } {
  const unusable: string[] = [];
  for (const { digest, sealedStates } of secrets) {
    if (sealedStates === null) continue;
    const [ofDigest, states] = keys.unseal(sealPurpose('secret_states', id), sealedStates)?.split(' ') ?? [];
    if (ofDigest === digest && states !== undefined) return { states, unusable };
    unusable.push(sealedStates);
  }
  return { states: undefined, unusable };
}
