// Is the caller the client that it says it is? (client_secret_post, or none for public clients)

import { digestOf, sameText } from '../../protocol/digest.ts';
import { type Origin, quotedClientId } from '../../protocol/event.ts';
import { type OAuthError, oauthError } from '../../protocol/oauth/errors.ts';
import type { ClientCredentials } from '../../protocol/oauth/token-request.ts';
import type { Client } from '../../storage/storage.ts';
import type { Services } from '../services.ts';

export type ClientAuthentication =
  /** The secret is undefined for public clients alone. */
  { kind: 'authenticated'; client: Client; secret: string | undefined } | { kind: 'refused'; error: OAuthError };

export function authenticateClient(
  services: Services,
  client: Client | undefined,
  credentials: ClientCredentials,
  origin: Origin,
): ClientAuthentication {
  const { clientSecret } = credentials;
  const failed = (reason: string): ClientAuthentication => {
    const about = client ? { clientId: client.id } : {};
    const detail = { reason, ...(client ? {} : { requested_client: quotedClientId(credentials.clientId) }) };
    services.journal.noteFromStranger({ kind: 'client_authentication_failed', ...about, detail }, origin);
    const tooMany = services.secretGuesses.failed(origin.address);
    return { kind: 'refused', error: oauthError(tooMany ? 'RATE_LIMITED' : 'OAUTH_INVALID_CLIENT') };
  };

  if (client === undefined) return failed('unknown_client');
  if (client.revokedAt !== null) return failed('client_revoked');
  if (client.isPublic) {
    if (clientSecret !== undefined) return failed('secret_from_public_client');
    return { kind: 'authenticated', client, secret: undefined };
  }
  if (clientSecret === undefined) return failed('secret_missing');
  const digest = digestOf(clientSecret);
  const known = client.secrets.find((secret) => sameText(secret.digest, digest));
  if (known === undefined) return failed('wrong_secret');
  // The first use of an old secret since there is a newer one is worth knowing at once.
  const newest = client.secrets[0]?.createdAt ?? 0;
  const usedAt = known.createdAt < newest && (known.usedAt ?? 0) <= newest ? null : known.usedAt;
  services.journal.noteSecretUse({ clientId: client.id, digest, at: services.clock.now() }, usedAt);
  return { kind: 'authenticated', client, secret: clientSecret };
}
