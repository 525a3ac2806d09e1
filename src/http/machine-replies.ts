// How the endpoints for machines answer: bare JSON, open to any origin without credentials, never kept in a cache.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorTable, type Fault, faultBody } from '../protocol/errors.ts';

/** The endpoints of the interface that machines call, with the methods that they take. */
export const machineEndpoints: Readonly<Record<string, 'GET' | 'POST'>> = {
  '/oauth/token': 'POST',
  '/oauth/revoke': 'POST',
  '/oauth/userinfo': 'GET',
  '/oauth/jwks.json': 'GET',
  '/.well-known/openid-configuration': 'GET',
};

export const retryAfterSeconds = { SERVER_BUSY: 2, RATE_LIMITED: 60 } as const;

export function isMachineEndpoint(request: FastifyRequest): boolean {
  const url = request.raw.url ?? '';
  const end = url.indexOf('?');
  return Object.hasOwn(machineEndpoints, end < 0 ? url : url.slice(0, end));
}

export function allowAnyOrigin(reply: FastifyReply): void {
  reply.header('Access-Control-Allow-Origin', '*');
  reply.header('Access-Control-Expose-Headers', 'WWW-Authenticate, Retry-After');
}

export function sendFault(
  request: FastifyRequest,
  reply: FastifyReply,
  fault: Fault,
  status: number = errorTable[fault.code].status,
): FastifyReply {
  reply.code(status).header('Cache-Control', 'no-store').header('Pragma', 'no-cache');
  if (fault.code === 'SERVER_BUSY' || fault.code === 'RATE_LIMITED') {
    reply.header('Retry-After', retryAfterSeconds[fault.code]);
  }
  // RFC 6749 §5.2: answered in kind, and only when the request itself tried the header.
  if (fault.code === 'OAUTH_INVALID_CLIENT' && request.headers.authorization !== undefined) {
    reply.header('WWW-Authenticate', 'Basic realm="Latchkey"');
  }
  return reply.send(faultBody(fault));
}
