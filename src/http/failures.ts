// Errors that no route answers itself: limits, unknown paths, and exceptions. People get an error page, the API and SCIM
// their envelopes; the OAuth endpoints write the same failures as JSON themselves (oauth/endpoint-server.ts).

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorTopic } from '../pages/languages/languages.ts';
import { hasChanged } from '../platform/changes.ts';
import { PasswordsBusy } from '../platform/passwords/passwords.ts';
import { type ErrorCode, errorTable } from '../protocol/oauth/errors.ts';
import { ScimError } from '../protocol/scim/errors.ts';
import { OutcomeUnknown, StorageUnavailable, UnusableText } from '../storage/storage.ts';
import { isApi, sendApiError } from './api/envelope.ts';
import type { HttpContext } from './context.ts';
import { retryAfterSeconds } from './oauth/responses.ts';
import type { RequestIds } from './observing/traces.ts';
import { isScim, sendScimError } from './scim/answer.ts';
import { sendErrorPage } from './send-page.ts';

export interface Failure {
  readonly status: number;
  readonly topic: ErrorTopic;
  readonly code: ErrorCode;
  readonly description?: string;
}

const refused = (status: number, topic: ErrorTopic, description: string) =>
  ({ status, topic, code: 'OAUTH_INVALID_REQUEST', description }) as const;

export const failures = {
  notFound: refused(404, 'notFound', 'There is nothing at this URL.'),
  methodNotAllowed: refused(405, 'methodNotAllowed', 'This endpoint does not take this method; see the Allow header.'),
  bodyTooLarge: refused(413, 'tooLarge', 'The request body is larger than 16 KB.'),
  urlTooLong: refused(414, 'tooLarge', 'The URL is longer than 8 KB.'),
  contentType: refused(400, 'badRequest', 'The Content-Type cannot be read.'),
  query: refused(400, 'badRequest', 'The query has characters that are not allowed.'),
  text: refused(400, 'badRequest', 'The request has characters that are not allowed.'),
  busy: { status: 503, topic: 'busy', code: 'SERVER_BUSY' },
  outcomeUnknown: {
    status: 503,
    topic: 'outcomeUnknown',
    code: 'SERVER_BUSY',
    description:
      'The service lost its store while answering. The request may have taken effect; check before repeating it.',
  },
  fault: { status: 500, topic: 'fault', code: 'SERVER_ERROR' },
} as const satisfies Record<string, Failure>;

export function sendFailure(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  failure: Failure,
): FastifyReply {
  if (failure.status === 503) reply.header('Retry-After', retryAfterSeconds.SERVER_BUSY);
  if (isApi(request)) {
    return sendApiError(reply, failure.status, failure.description ?? errorTable[failure.code].sentence);
  }
  if (isScim(request)) {
    const detail = failure.description ?? errorTable[failure.code].sentence;
    return sendScimError(reply, new ScimError(failure.status, undefined, detail));
  }
  return sendErrorPage(context, request, reply, failure);
}

export interface Log {
  debug(facts: object, text: string): void;
  warn(facts: object, text: string): void;
  error(facts: object, text: string): void;
}

/** How an exception is answered. Only a fault of the service is logged as an error. */
export function failureOf(error: unknown, log: Log, ids: RequestIds): Failure {
  if (error instanceof StorageUnavailable || error instanceof PasswordsBusy) {
    // A line for each request would fill the disk during an outage. The outage itself is logged once (cli/service/outages.ts).
    log.debug({ ...ids, reason: error.message }, 'busy');
    return error instanceof OutcomeUnknown || hasChanged() ? failures.outcomeUnknown : failures.busy;
  }
  if (error instanceof UnusableText) return failures.text;
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status === 413) return failures.bodyTooLarge;
  if (status === 415) return failures.contentType;
  if (status >= 400 && status < 500) return { status, topic: 'badRequest', code: 'OAUTH_INVALID_REQUEST' };
  log.error({ ...ids, err: error }, 'a request failed');
  return failures.fault;
}
