// The responses of the OAuth endpoints: JSON as a plain value, which writeResponse sends in one piece.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorTable, type OAuthError, oauthErrorBody } from '../../protocol/oauth/errors.ts';

export interface EndpointResponse {
  readonly status: number;
  /** Names and values in turn, as `writeHead` takes them. */
  readonly headers: readonly string[];
  /** JSON text, or an error that becomes JSON when it is written. */
  readonly body: string | OAuthError;
}

export const retryAfterSeconds = { SERVER_BUSY: 2, RATE_LIMITED: 60 } as const;

const jsonType = 'application/json; charset=utf-8';
const noStore = ['Cache-Control', 'no-store', 'Pragma', 'no-cache'];
const cachedFor5Minutes = ['Cache-Control', 'public, max-age=300'];

export function jsonResponse(json: string): EndpointResponse {
  return { status: 200, headers: noStore, body: json };
}

/** An error in a response whose status stays 200: revocation always answers 200. */
export function okWithError(error: OAuthError): EndpointResponse {
  return { status: 200, headers: noStore, body: error };
}

/** A document that is the same for every caller, prepared as text. */
export function publicResponse(json: string): EndpointResponse {
  return { status: 200, headers: cachedFor5Minutes, body: json };
}

export function errorResponse(
  request: IncomingMessage,
  error: OAuthError,
  status: number = errorTable[error.code].status,
): EndpointResponse {
  const headers = [...noStore, 'Access-Control-Expose-Headers', 'WWW-Authenticate, Retry-After'];
  if (error.code === 'SERVER_BUSY' || error.code === 'RATE_LIMITED') {
    headers.push('Retry-After', String(retryAfterSeconds[error.code]));
  }
  // RFC 6749, section 5.2: a challenge is sent only to a client that has tried the Authorization header.
  if (error.code === 'OAUTH_INVALID_CLIENT' && request.headers.authorization !== undefined) {
    headers.push('WWW-Authenticate', 'Basic realm="Latchkey"');
  }
  return { status, headers, body: error };
}

export function withHeaders(response: EndpointResponse, ...headers: readonly string[]): EndpointResponse {
  return { ...response, headers: [...response.headers, ...headers] };
}

/** `common` are headers of every response; `errorPage` is the page of the documentation that explains errors. */
export function writeResponse(
  to: ServerResponse,
  response: EndpointResponse,
  common: readonly string[],
  requestId: string,
  errorPage: string | undefined,
): void {
  const { status, body, headers } = response;
  if (status === 204) return void to.writeHead(status, [...common, 'X-Request-Id', requestId, ...headers]).end();
  const text = typeof body === 'string' ? body : JSON.stringify(oauthErrorBody(body, errorPage));
  const length = Buffer.byteLength(text);
  const content = [
    ...common,
    'X-Request-Id',
    requestId,
    ...headers,
    'Content-Type',
    jsonType,
    'Content-Length',
    `${length}`,
  ];
  // If every character is one byte, both encodings give the same bytes, and Node writes Latin-1 faster.
  to.writeHead(status, content).end(text, length === text.length ? 'latin1' : 'utf8');
}
