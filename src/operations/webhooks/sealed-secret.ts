// How an endpoint's secrets are kept: sealed, so that a stolen database doesn't reveal them.

import type { ServiceKeys } from '../../platform/keys.ts';
import { newTimeOrderedId, type RandomBytes } from '../../protocol/identifiers.ts';
import type { WebhookSecret } from '../../storage/storage.ts';

export function sealWebhookSecret(
  keys: ServiceKeys,
  random: RandomBytes,
  { endpointId, secret, now }: { endpointId: string; secret: string; now: number },
): WebhookSecret {
  const id = newTimeOrderedId(now, random);
  return { id, endpointId, sealed: keys.seal(webhookSecretPurpose(id), secret), createdAt: now, endsAt: null };
}

/** What a secret is sealed for: moved to another row, it doesn't open. */
export function webhookSecretPurpose(id: string): string {
  return `webhook secret ${id}`;
}
