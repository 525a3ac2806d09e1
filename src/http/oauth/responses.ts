// What the endpoints for machines answer: bare JSON as a value, written to the socket in one piece.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorTable, type Fault, faultBody } from '../../protocol/oauth/errors.ts';

export interface Answer {
  readonly status: number;
  /** Names and values in turn, as `writeHead` takes them. */
  readonly headers: readonly string[];
  /** JSON, or the fault that is to be written as such. */
  readonly body: string | Fault;
}

export const retryAfterSeconds = { SERVER_BUSY: 2, RATE_LIMITED: 60 } as const;

const neverKept = ['Cache-Control', 'no-store', 'Pragma', 'no-cache'];
const keptFor5Minutes = ['Cache-Control', 'public, max-age=300'];

export function jsonAnswer(value: object): Answer {
  return { status: 200, headers: neverKept, body: JSON.stringify(value) };
}

/** A fault that changes nothing about the status. */
export function toldInBody(fault: Fault): Answer {
  return { status: 200, headers: neverKept, body: fault };
}

/** The same for everybody, and ready as text. */
export function publicAnswer(json: string): Answer {
  return { status: 200, headers: keptFor5Minutes, body: json };
}

export function faultAnswer(
  request: IncomingMessage,
  fault: Fault,
  status: number = errorTable[fault.code].status,
): Answer {
  const headers = [...neverKept, 'Access-Control-Expose-Headers', 'WWW-Authenticate, Retry-After'];
  if (fault.code === 'SERVER_BUSY' || fault.code === 'RATE_LIMITED') {
    headers.push('Retry-After', String(retryAfterSeconds[fault.code]));
  }
  // RFC 6749 §5.2: answered in kind, and only when the request itself tried the header.
  if (fault.code === 'OAUTH_INVALID_CLIENT' && request.headers.authorization !== undefined) {
    headers.push('WWW-Authenticate', 'Basic realm="Latchkey"');
  }
  return { status, headers, body: fault };
}

export function withHeaders(answer: Answer, ...headers: readonly string[]): Answer {
  return { ...answer, headers: [...answer.headers, ...headers] };
}

/** `common` are the headers that every answer has, `errorPage` is where errors are explained. */
export function writeAnswer(
  response: ServerResponse,
  answer: Answer,
  common: readonly string[],
  errorPage: string | undefined,
): void {
  const body = typeof answer.body === 'string' ? answer.body : JSON.stringify(faultBody(answer.body, errorPage));
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
