// Why the token endpoint refuses a request, in the names that events and metrics use. HTTP Basic is refused, too, and detected so
// that the response and the event can say so.

import type { ErrorCode } from './errors.ts';
import { refusalReasons } from './grant.ts';

/** Why client authentication failed. */
export const clientRefusals = [
  'client_id_missing',
  'unknown_client',
  'client_revoked',
  'secret_from_public_client',
  'secret_missing',
  'wrong_secret',
  'basic_authentication',
] as const;

export type ClientRefusal = (typeof clientRefusals)[number];

const requestRefusals = ['invalid_request', 'unsupported_grant_type', 'unauthorized_client', 'invalid_scope'] as const;

export const tokenRefusals = [...refusalReasons, ...clientRefusals, ...requestRefusals] as const;

export type TokenRefusal = (typeof tokenRefusals)[number];

/** For a request that couldn't be read. */
export function refusalOfReading(code: ErrorCode): TokenRefusal {
  if (code === 'OAUTH_INVALID_CLIENT') return 'client_id_missing';
  return code === 'OAUTH_UNSUPPORTED_GRANT_TYPE' ? 'unsupported_grant_type' : 'invalid_request';
}

export function isBasic(authorization: string | undefined): authorization is string {
  return authorization !== undefined && /^basic( |$)/i.test(authorization);
}

const credentialsForm = /^([a-z0-9_-]{1,40}):/;

/** The client that the header names; undefined when it can't be read. What comes after the colon is a secret. */
export function basicClientId(authorization: string): string | undefined {
  const credentials = Buffer.from(authorization.slice('basic '.length), 'base64').toString('latin1');
  return credentialsForm.exec(credentials)?.[1];
}
