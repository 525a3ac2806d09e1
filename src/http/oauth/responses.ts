// What the endpoints for machines answer: bare JSON as a value, written to the socket in one piece.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorTable, type OAuthError, oauthErrorBody } from '../../protocol/oauth/errors.ts';

export interface Answer {
  readonly status: number;
  /** Names and values in turn, as `writeHead` takes them. */
  readonly headers: readonly string[];
  /** JSON, or the fault that is to be written as such. */
  readonly body: string | OAuthError;
}

export const retryAfterSeconds = { SERVER_BUSY: 2, RATE_LIMITED: 60 } as const;

const neverKept = ['Cache-Control', 'no-store', 'Pragma', 'no-cache'];
const keptFor5Minutes = ['Cache-Control', 'public, max-age=300'];

export function jsonResponse(value: object): Answer {
  return { status: 200, headers: neverKept, body: JSON.stringify(value) };
}

/** A fault that changes nothing about the status. */
export function toldInBody(error: OAuthError): Answer {
  return { status: 200, headers: neverKept, body: error };
}

/** The same for everybody, and ready as text. */
export function publicResponse(json: string): Answer {
  return { status: 200, headers: keptFor5Minutes, body: json };
}

export function errorResponse(
  request: IncomingMessage,
  error: OAuthError,
  status: number = errorTable[error.code].status,
): Answer {
  const headers = [...neverKept, 'Access-Control-Expose-Headers', 'WWW-Authenticate, Retry-After'];
  if (error.code === 'SERVER_BUSY' || error.code === 'RATE_LIMITED') {
    headers.push('Retry-After', String(retryAfterSeconds[error.code]));
  }
  // RFC 6749 §5.2: answered in kind, and only when the request itself tried the header.
  if (error.code === 'OAUTH_INVALID_CLIENT' && request.headers.authorization !== undefined) {
    headers.push('WWW-Authenticate', 'Basic realm="Latchkey"');
  }
  return { status, headers, body: error };
}

export function withHeaders(answer: Answer, ...headers: readonly string[]): Answer {
  return { ...answer, headers: [...answer.headers, ...headers] };
}

/** `common` are the headers that every answer has, `errorPage` is where errors are explained. */
export function writeResponse(
  response: ServerResponse,
  answer: Answer,
  common: readonly string[],
  errorPage: string | undefined,
): void {
  const body = typeof answer.body === 'string' ? answer.body : JSON.stringify(oauthErrorBody(answer.body, errorPage));
  const length = Buffer.byteLength(body);
  response.writeHead(answer.status, [
    ...common,
    ...answer.headers,
    ...(answer.status === 204
      ? []
      : ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(length)]),
  ]);
  // Text of one byte a character is the same in both encodings, and Node writes Latin-1 faster.
  response.end(body, length === body.length ? 'latin1' : 'utf8');
}
