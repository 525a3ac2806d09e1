// An authenticator app's secret has to be read again at every sign-in, so it is stored encrypted rather than as a digest.
// It is sealed for one user: copied into another user's row, it does not open.

import { sealPurpose } from '../seal-purposes.ts';
import type { Services } from '../services.ts';

/** The form in which the secret is stored, and in which the page that turns an app on carries it. */
export function sealSecret(services: Pick<Services, 'keys'>, userId: string, secret: Uint8Array): string {
  return services.keys.seal(sealPurpose('authenticator', userId), Buffer.from(secret).toString('base64url'));
}

/** Undefined when it was sealed for another user, or with a key that the service no longer has. */
export function unsealSecret(services: Pick<Services, 'keys'>, userId: string, sealed: string): Uint8Array | undefined {
  const text = services.keys.unseal(sealPurpose('authenticator', userId), sealed);
  return text === undefined ? undefined : Buffer.from(text, 'base64url');
}

/** What authenticator apps call the service. The host tells apart services that have the same name. */
export function authenticatorIssuer({ settings, issuer }: Pick<Services, 'issuer' | 'settings'>): string {
  return `${settings.brand.name} (${new URL(issuer).hostname})`;
}
