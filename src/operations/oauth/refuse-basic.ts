// A client that sends its secret in the Authorization header (Basic), as many libraries do by default. The header is not
// checked against anything: the interface knows client_secret_post alone.

import { quotedClientId, type Requester } from '../../protocol/event.ts';
import { basicClientId } from '../../protocol/oauth/basic-authentication.ts';
import { type OAuthError, oauthError } from '../../protocol/oauth/errors.ts';
import type { Services } from '../services.ts';
import { noteUnreadableTokenRequest } from './issue-tokens.ts';

const sentence =
  'This client authenticates with client_secret_post: send client_id and client_secret in the request body, not in the Authorization header.';

/** `clientId` is the one in the body, if there is one. */
export async function refuseBasic(
  services: Pick<Services, 'storage' | 'journal' | 'meters'>,
  authorization: string,
  clientId: string | undefined,
  requester: Requester,
): Promise<OAuthError> {
  const { storage, journal } = services;
  const requested = clientId ?? basicClientId(authorization);
  const client = requested === undefined ? undefined : await storage.findClient(requested);
  const about = client ? { clientId: client.id } : {};
  const detail = {
    reason: 'basic_authentication',
    ...(client === undefined && requested !== undefined && { requested_client: quotedClientId(requested) }),
  };
  noteUnreadableTokenRequest(services, 'basic_authentication');
  journal.noteRateLimited({ kind: 'client_authentication_failed', ...about, detail }, requester);
  return oauthError('OAUTH_INVALID_CLIENT', sentence);
}
