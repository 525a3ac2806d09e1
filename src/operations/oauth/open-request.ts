// Reads an authorization request: which client it is from, and whether it can be answered at all. Nothing is recorded here;
// answering it is in authorize.ts.

import {
  type AuthorizationError,
  type AuthorizationRequest,
  readAuthorizationRequest,
  soleParameter,
} from '../../protocol/oauth/authorization-request.ts';
import { type Hint, readHint } from '../../protocol/oauth/id-token-hint.ts';
import { type QueryReading, readQuery } from '../../protocol/reading/parameters.ts';
import type { Client } from '../../storage/storage.ts';
import type { Services, Storing } from '../services.ts';

export type AuthorizationRefusal = 'unknown_client' | 'redirect_uri_mismatch' | 'client_revoked';

/** What a request is judged by. */
export type RequestedClient = Pick<Client, 'id' | 'redirectUris' | 'scopes' | 'revokedAt'>;

/** A valid request of a known client, with a redirect URI that is registered for it. */
export interface OpenRequest<Known = Client> {
  readonly client: Known;
  readonly request: AuthorizationRequest;
}

export type RequestJudgment<Known> =
  | ({ readonly kind: 'open' } & OpenRequest<Known>)
  | { readonly kind: 'refused'; readonly reason: AuthorizationRefusal }
  | {
      readonly kind: 'invalid';
      readonly redirectUri: string;
      readonly error: AuthorizationError;
      readonly description?: string | undefined;
    };

export function judgeRequest<Known extends RequestedClient>(
  query: QueryReading,
  client: Known | undefined,
): RequestJudgment<Known> {
  if (client === undefined) return { kind: 'refused', reason: 'unknown_client' };
  if (client.revokedAt !== null) return { kind: 'refused', reason: 'client_revoked' };
  const redirectUri = soleParameter(query, 'redirect_uri');
  if (redirectUri === undefined || !client.redirectUris.includes(redirectUri)) {
    return { kind: 'refused', reason: 'redirect_uri_mismatch' };
  }
  const reading = readAuthorizationRequest(query, client, redirectUri);
  return reading.kind === 'invalid' ? { ...reading, redirectUri } : { kind: 'open', client, request: reading.request };
}

/** The request that a person is signing in for; undefined when it can't be answered, or allows no page (`prompt=none`). */
export async function findOpenRequest({ storage }: Storing, rawQuery: string): Promise<OpenRequest | undefined> {
  const query = readQuery(rawQuery);
  const judged = judgeRequest(query, await storage.findClient(soleParameter(query, 'client_id') ?? ''));
  return judged.kind === 'open' && !judged.request.prompt.has('none') ? judged : undefined;
}

/** What an ID token says that comes back as a hint; undefined for anything but one that this service has issued. */
export function verifiedHint(
  { issuer, keys, clock }: Pick<Services, 'issuer' | 'clock' | 'keys'>,
  token: string,
): Hint | undefined {
  return readHint(token, issuer, keys.sidKeys(clock.now()));
}
