// Authenticates a client at the token and revocation endpoints: by the secret in the request's body (client_secret_post),
// or by its id alone if it is public.

import { digestOf, sameText } from '../../protocol/digest.ts';
import { quotedClientId, type Requester } from '../../protocol/event.ts';
import { type Eventual, whenThere } from '../../protocol/eventual.ts';
import { type OAuthError, oauthError } from '../../protocol/oauth/errors.ts';
import type { ClientRefusal } from '../../protocol/oauth/token-refusals.ts';
import type { ClientCredentials } from '../../protocol/oauth/token-request.ts';
import type { TokenClient } from '../../storage/storage.ts';
import type { Services } from '../services.ts';
import { sealStates } from '../webhook-queue/secret-states.ts';

export type ClientAuthentication =
  /** Only a public client has no secret. */
  | { kind: 'authenticated'; client: TokenClient; secret: string | undefined }
  | { kind: 'refused'; error: OAuthError; reason: ClientRefusal };

export function authenticateClient(
  services: Pick<Services, 'clock' | 'journal' | 'keys' | 'meters' | 'secretGuesses' | 'storage'>,
  client: TokenClient | undefined,
  credentials: ClientCredentials,
  requester: Requester,
): Eventual<ClientAuthentication> {
  const { clientSecret } = credentials;
  const refuse = (reason: ClientRefusal): ClientAuthentication => {
    const about = client ? { clientId: client.id } : {};
    const detail = { reason, ...(client ? {} : { requested_client: quotedClientId(credentials.clientId) }) };
    services.journal.noteRateLimited({ kind: 'client_authentication_failed', ...about, detail }, requester);
    const tooMany = services.secretGuesses.countWrong(requester.address);
    if (tooMany) services.meters.throttled.add({ limit: 'client_secret' });
    return { kind: 'refused', error: oauthError(tooMany ? 'RATE_LIMITED' : 'OAUTH_INVALID_CLIENT'), reason };
  };

  if (client === undefined) return refuse('unknown_client');
  if (client.revokedAt !== null) return refuse('client_revoked');
  if (client.isPublic) {
    if (clientSecret !== undefined) return refuse('secret_from_public_client');
    return { kind: 'authenticated', client, secret: undefined };
  }
  if (clientSecret === undefined) return refuse('secret_missing');
  const digest = digestOf(clientSecret);
  const known = client.secrets.find((secret) => sameText(secret.digest, digest));
  if (known === undefined) return refuse('wrong_secret');
  // Write down at once, instead of at most once an hour, that the previous secret is still in use after a rotation.
  const newest = client.secrets[0]?.createdAt ?? 0;
  const usedAt = known.createdAt < newest && (known.usedAt ?? 0) <= newest ? null : known.usedAt;
  services.journal.noteSecretUse({ clientId: client.id, digest, at: services.clock.now() }, usedAt);
  const authenticated: ClientAuthentication = { kind: 'authenticated', client, secret: clientSecret };
  if (client.backchannelLogoutUri === null || known.sealedStates !== null) return authenticated;
  // Before the application gets its first tokens, because the session may end at any moment from then on.
  const sealed = sealStates(services, client.id, clientSecret);
  return whenThere(services.storage.keepSecretStates(client.id, digest, sealed), () => authenticated);
}
