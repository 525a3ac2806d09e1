// Secrets and signatures of Standard Webhooks 1.0 (https://www.standardwebhooks.com).

import { hmacSha256 } from '../digest.ts';
import type { RandomBytes } from '../identifiers.ts';

const secretPrefix = 'whsec_';

/** 256 random bits, in the form that every library for Standard Webhooks takes. */
export function newWebhookSecret(random: RandomBytes): string {
  return secretPrefix + Buffer.from(random(32)).toString('base64');
}

export interface SignedMessage {
  readonly id: string;
  /** In seconds. */
  readonly timestamp: number;
  readonly body: string;
}

/** The value of `webhook-signature`: a signature for each secret, so that a receiver may have either of two. */
export function webhookSignature(secrets: readonly string[], { id, timestamp, body }: SignedMessage): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
      const signature = hmacSha256(key, `${id}.${timestamp}.${body}`);
      return `v1,${Buffer.from(signature, 'base64url').toString('base64')}`;
    })
    .join(' ');
}
